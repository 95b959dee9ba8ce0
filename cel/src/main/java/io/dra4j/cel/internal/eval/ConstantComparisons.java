package io.dra4j.cel.internal.eval;

import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.library.CallCost;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.Values;

/** Comparisons with a constant on the right, the commonest parts of selectors. */
final class ConstantComparisons {

  private ConstantComparisons() {}

  /** {@code ==} and {@code !=} with a text. */
  static final class EqualText extends LogicNodes.Test {

    /** Texts up to this size cost the same. */
    private static final int SMALL = 10;

    private final Node left;
    private final String right;
    private final long size;
    private final long fullCost;
    private final boolean negated;

    EqualText(Node left, String right, boolean negated) {
      this.left = left;
      this.right = right;
      this.size = Values.size(right);
      this.fullCost = CallCost.traverse(size);
      this.negated = negated;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      if (a instanceof String text) {
        boolean equal = text.equals(right);
        frame.charge(equal ? fullCost : cost(text));
        return equal != negated ? TRUE : FALSE;
      } else if (a instanceof EvalError error) {
        frame.charge(size == 0 && !frame.sparesFailures() ? 0 : 1);
        return frame.fail(error);
      } else if (!negated && a instanceof OpaqueValue) {
        frame.charge(1);
        return frame.fail(LogicNodes.Equal.NO_SUCH_OVERLOAD);
      }
      frame.charge(CallCost.traverse(Math.min(Values.size(frame.sized(a)), size)));
      return negated ? TRUE : FALSE;
    }

    private long cost(String text) {
      if (size <= SMALL || text.length() <= SMALL) {
        return size == 0 || text.isEmpty() ? 0 : 1;
      }
      return CallCost.traverse(Math.min(Values.size(text, size), size));
    }
  }

  /** {@code ==} and {@code !=} with a truth value. */
  static final class EqualBool extends LogicNodes.Test {

    private final Node left;
    private final Boolean right;
    private final boolean negated;

    EqualBool(Node left, Boolean right, boolean negated) {
      this.left = left;
      this.right = right;
      this.negated = negated;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      if (a instanceof Boolean value) {
        frame.charge(1);
        return value.equals(right) != negated ? TRUE : FALSE;
      }
      return LogicNodes.Equal.test(a, right, negated, frame);
    }
  }

  /** {@code ==} and {@code !=} with an integer. */
  static final class EqualInt extends LogicNodes.Test {

    private final Node left;
    private final Long boxed;
    private final long right;
    private final boolean negated;

    EqualInt(Node left, Long right, boolean negated) {
      this.left = left;
      this.boxed = right;
      this.right = right;
      this.negated = negated;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      if (a instanceof Long value) {
        frame.charge(1);
        return (value == right) != negated ? TRUE : FALSE;
      }
      return LogicNodes.Equal.test(a, boxed, negated, frame);
    }
  }

  /** An operator of order with an integer. */
  static final class CompareInt extends LogicNodes.Test {

    private final Node left;
    private final Long boxed;
    private final long right;
    private final int sign;
    private final boolean orEqual;

    CompareInt(Node left, Long right, int sign, boolean orEqual) {
      this.left = left;
      this.boxed = right;
      this.right = right;
      this.sign = sign;
      this.orEqual = orEqual;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      if (frame.endsWith(a)) {
        return frame.fail((EvalError) a);
      }
      frame.charge(1);
      int order;
      if (a instanceof Long value) {
        order = Long.compare(value, right);
      } else if (a instanceof EvalError error) {
        return frame.fail(error);
      } else {
        order = Values.compare(a, boxed);
        if (order > 1) {
          return LogicNodes.Compare.isFalse(order, frame)
              ? FALSE
              : frame.fail(LogicNodes.Compare.failure(order, a, sign, orEqual));
        }
      }
      return order == sign || (orEqual && order == 0) ? TRUE : FALSE;
    }
  }
}
