package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.library.CallCost;
import io.dra4j.cel.internal.value.Accumulators;
import io.dra4j.cel.internal.value.Arithmetic;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.Values;
import java.util.List;

/** Nodes of arithmetic and of functions that take any value. */
final class OperatorNodes {

  private OperatorNodes() {}

  /** An operator with one side, which costs 1. */
  static final class Unary extends Node {

    private final Operation operation;
    private final Node operand;

    Unary(Operation operation, Node operand) {
      this.operation = operation;
      this.operand = operand;
    }

    @Override
    Object eval(Frame frame) {
      Object value = operand.eval(frame);
      if (frame.endsWith(value)) {
        return value;
      }
      frame.charge(1);
      if (value instanceof String) { // whose size has to be counted
        frame.spendOn(value);
      }
      return value instanceof EvalError ? value : operation.apply(value);
    }
  }

  /** What an operator with one side does. */
  @FunctionalInterface
  interface Operation {
    Object apply(Object value);
  }

  /** An operator with two sides, of which both are computed. */
  static final class Binary extends Node {

    private final Arithmetic.Operator operator;
    private final Node left;
    private final Node right;
    private final CallCost cost;

    Binary(Arithmetic.Operator operator, Node left, Node right, CallCost cost) {
      this.operator = operator;
      this.left = left;
      this.right = right;
      this.cost = cost;
    }

    @Override
    Object eval(Frame frame) {
      Object a = left.eval(frame);
      if (frame.endsWith(a)) {
        return a;
      }
      Object b = right.eval(frame);
      if (frame.endsWith(b)) {
        return b;
      }
      if (cost == CallCost.ONE) {
        frame.charge(1);
      } else {
        frame.charge(cost.of(frame.sized(a), frame.sized(b), null, frame));
      }
      if (a instanceof EvalError || b instanceof EvalError) {
        return a instanceof EvalError ? a : b;
      }
      Object result = operator.apply(a, b);
      return result instanceof Number ? result : made(result, a, b, frame);
    }

    /** Texts and lists of unknown types cost no more than numbers. */
    private static Object made(Object result, Object a, Object b, Frame frame) {
      if (a instanceof List) {
        if (Accumulators.isGrowing(a)) { // and will be copied
          long added = Values.size(b);
          frame.spend(added);
          frame.takes(2 * MemoryCost.ELEMENT * added);
        }
        return result;
      }
      frame.spendOn(result);
      return frame.made(result);
    }
  }

  /** {@code size()}; an address has one by which costs are counted, but not for expressions. */
  static Object size(Object value) {
    if (value instanceof String
        || value instanceof List
        || value instanceof java.util.Map
        || value instanceof dev.cel.common.values.CelByteString) {
      return Values.size(value);
    }
    return EvalError.noSuchOverloadOf("size", value);
  }
}
