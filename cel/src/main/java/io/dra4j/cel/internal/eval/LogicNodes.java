package io.dra4j.cel.internal.eval;

import com.google.common.collect.ImmutableSet;
import io.dra4j.cel.internal.library.CallCost;
import io.dra4j.cel.internal.value.Conversions;
import io.dra4j.cel.internal.value.Equality;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MapKeys;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.ValueList;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/** Nodes with truth values. */
final class LogicNodes {

  private LogicNodes() {}

  /** A node whose natural result is a truth value. */
  abstract static class Test extends Node {

    @Override
    final Object eval(Frame frame) {
      return value(test(frame), frame);
    }

    @Override
    abstract int test(Frame frame);
  }

  /** {@code &&}: false if one side is false. It has no cost of its own. */
  static final class And extends Test {

    private final Node left;
    private final Node right;

    And(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    Node left() {
      return left;
    }

    Node right() {
      return right;
    }

    @Override
    int test(Frame frame) {
      int first = left.test(frame);
      if (first == FALSE) {
        return FALSE;
      } else if (first == TRUE) {
        return right.test(frame);
      }
      EvalError error = frame.error();
      return right.test(frame) == FALSE ? FALSE : frame.fail(error);
    }
  }

  /** {@code ||}: true if one side is true. It has no cost of its own. */
  static final class Or extends Test {

    private final Node left;
    private final Node right;

    Or(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    Node left() {
      return left;
    }

    Node right() {
      return right;
    }

    @Override
    int test(Frame frame) {
      int first = left.test(frame);
      if (first == TRUE) {
        return TRUE;
      } else if (first == FALSE) {
        return right.test(frame);
      }
      EvalError error = frame.error();
      return right.test(frame) == TRUE ? TRUE : frame.fail(error);
    }
  }

  /** {@code !}. */
  static final class Not extends Test {

    private final Node operand;

    Not(Node operand) {
      this.operand = operand;
    }

    Node operand() {
      return operand;
    }

    @Override
    int test(Frame frame) {
      int truth = operand.test(frame);
      frame.charge(1);
      return truth == ERROR ? ERROR : 1 - truth;
    }
  }

  /** What the macros ask in order to end a loop: anything but false. */
  static final class NotStrictlyFalse extends Test {

    private final Node operand;

    NotStrictlyFalse(Node operand) {
      this.operand = operand;
    }

    Node operand() {
      return operand;
    }

    @Override
    int test(Frame frame) {
      int truth = operand.test(frame);
      frame.charge(1);
      return truth == FALSE ? FALSE : TRUE;
    }
  }

  /** {@code ?:}. Costs nothing itself. */
  static final class Conditional extends Node {

    private final Node condition;
    private final Node ifTrue;
    private final Node ifFalse;

    Conditional(Node condition, Node ifTrue, Node ifFalse) {
      this.condition = condition;
      this.ifTrue = ifTrue;
      this.ifFalse = ifFalse;
    }

    @Override
    Conditional asKey() {
      return new Conditional(condition, ifTrue.asKey(), ifFalse.asKey());
    }

    @Override
    Object eval(Frame frame) {
      int truth = condition.test(frame);
      return truth == TRUE
          ? ifTrue.eval(frame)
          : truth == FALSE ? ifFalse.eval(frame) : frame.error();
    }

    @Override
    int test(Frame frame) {
      int truth = condition.test(frame);
      return truth == TRUE ? ifTrue.test(frame) : truth == FALSE ? ifFalse.test(frame) : ERROR;
    }

    @Override
    Object find(Frame frame) {
      int truth = condition.test(frame);
      return truth == TRUE
          ? ifTrue.find(frame)
          : truth == FALSE ? ifFalse.find(frame) : frame.error();
    }
  }

  /** {@code ==} and {@code !=}. */
  static final class Equal extends Test {

    static final EvalError NO_SUCH_OVERLOAD = new EvalError("no such overload");

    private final Node left;
    private final Node right;
    private final boolean negated;

    Equal(Node left, Node right, boolean negated) {
      this.left = left;
      this.right = right;
      this.negated = negated;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      return frame.endsWith(a)
          ? failed((EvalError) a, frame)
          : test(a, right.eval(frame), negated, frame);
    }

    /** Unlike other operators, these cost something though their left side failed. */
    private static int failed(EvalError error, Frame frame) {
      frame.charge(1);
      return frame.fail(error);
    }

    static int test(Object a, Object b, boolean negated, Frame frame) {
      if (frame.endsWith(a)) {
        return failed((EvalError) a, frame);
      }
      Object left = frame.sized(a);
      Object right = frame.sized(b);
      frame.charge(
          negated
              ? CallCost.traverse(Values.smallerSize(left, right))
              : CallCost.equality(left, right));
      if (a instanceof EvalError error) {
        return frame.fail(error);
      } else if (b instanceof EvalError error) {
        return frame.fail(error);
      }
      int equal = Equality.compare(a, b, frame);
      if (negated) {
        return equal == Equality.EQUAL ? FALSE : TRUE;
      }
      return equal == Equality.NEITHER ? frame.fail(NO_SUCH_OVERLOAD) : equal;
    }
  }

  /** The operators of order. */
  static final class Compare extends Test {

    private static final EvalError NO_SUCH_OVERLOAD = new EvalError("no such overload");
    private static final EvalError NOT_A_NUMBER = new EvalError("NaN values cannot be ordered");

    private final Node left;
    private final Node right;
    private final int sign;
    private final boolean orEqual;
    private final CallCost cost;

    /** Returns whether values without order are compared without an error. */
    static boolean isFalse(int order, Frame frame) {
      return order == Values.NOT_A_NUMBER && frame.sparesFailures();
    }

    /** Why values have no order; only types with an order say less than their operator. */
    static EvalError failure(int order, Object left, int sign, boolean orEqual) {
      if (order == Values.NOT_A_NUMBER) {
        return NOT_A_NUMBER;
      }
      return Values.isComparable(left)
          ? NO_SUCH_OVERLOAD
          : EvalError.noSuchOverload((sign < 0 ? "_<" : "_>") + (orEqual ? "=_" : "_"));
    }

    /** Creates an operator; {@code sign} is −1 for less and 1 for greater. */
    Compare(Node left, Node right, int sign, boolean orEqual, CallCost cost) {
      this.left = left;
      this.right = right;
      this.sign = sign;
      this.orEqual = orEqual;
      this.cost = cost;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      if (frame.endsWith(a)) {
        return frame.fail((EvalError) a);
      }
      Object b = right.eval(frame);
      if (frame.endsWith(b)) {
        return frame.fail((EvalError) b);
      }
      if (cost == CallCost.ONE) {
        frame.charge(1);
      } else {
        frame.charge(cost.of(frame.sized(a), frame.sized(b), null, frame));
      }
      if (a instanceof EvalError error) {
        return frame.fail(error);
      } else if (b instanceof EvalError error) {
        return frame.fail(error);
      }
      if (!(a instanceof Number)) { // of unknown types, texts cost no more
        frame.spendOn(a);
        frame.spendOn(b);
      }
      int order = Values.compare(a, b);
      if (order > 1) {
        return isFalse(order, frame) ? FALSE : frame.fail(failure(order, a, sign, orEqual));
      }
      return order == sign || (orEqual && order == 0) ? TRUE : FALSE;
    }
  }

  /** {@code in}. */
  static final class In extends Test {

    private static final EvalError NO_SUCH_OVERLOAD = new EvalError("no such overload");

    private final Node left;
    private final Node right;
    private final CallCost cost;

    In(Node left, Node right, CallCost cost) {
      this.left = left;
      this.right = right;
      this.cost = cost;
    }

    @Override
    int test(Frame frame) {
      Object a = left.eval(frame);
      if (frame.endsWith(a)) {
        return frame.fail((EvalError) a);
      }
      Object b = right.eval(frame);
      if (frame.endsWith(b)) {
        return frame.fail((EvalError) b);
      }
      if (!(a instanceof String) && b instanceof Map<?, ?> map) {
        MapKeys.checkLookUp(map, a);
      }
      frame.charge(cost.of(frame.sized(a), frame.sized(b), null, frame));
      if (a instanceof EvalError error) {
        return frame.fail(error);
      } else if (b instanceof EvalError error) {
        return frame.fail(error);
      } else if (b instanceof MapValue map) {
        frame.spendOn(a); // of which the capacities of a domain make a text
        return map.containsKey(a) ? TRUE : FALSE;
      } else if (b instanceof ValueList list) {
        long units = MemoryCost.units(a);
        for (int i = 0; i < list.size(); i++) {
          if (units > 0) {
            frame.spend(units);
          }
          if (Equality.areEqual(a, list.get(i), frame)) {
            return TRUE;
          }
        }
        return FALSE;
      } else if (b instanceof List<?> list) {
        return isIn(a, list, frame) ? TRUE : FALSE;
      } else if (b instanceof Map<?, ?> map) {
        frame.spendOn(a);
        return Equality.hasKey(map, a) ? TRUE : FALSE;
      }
      return frame.fail(NO_SUCH_OVERLOAD);
    }

    private static boolean isIn(Object value, List<?> list, Frame frame) {
      if (list instanceof RandomAccess) {
        int size = list.size();
        for (int i = 0; i < size; i++) {
          frame.spendOn(value);
          if (Equality.areEqual(value, list.get(i), frame)) {
            return true;
          }
        }
        return false;
      }
      for (Object element : list) {
        frame.spendOn(value);
        if (Equality.areEqual(value, element, frame)) {
          return true;
        }
      }
      return false;
    }
  }

  /** {@code in} with a list of constants. Costs nothing itself, as in cel-go. */
  static final class InSet extends Test {

    private final Node left;
    private final ImmutableSet<Object> set;

    InSet(Node left, ImmutableSet<Object> set) {
      this.left = left;
      this.set = set;
    }

    @Override
    int test(Frame frame) {
      Object value = left.eval(frame);
      if (value instanceof String text) {
        return set.contains(text) ? TRUE : FALSE;
      } else if (value instanceof EvalError error) {
        return frame.fail(error);
      }
      MapKeys.check(value);
      if (!(value instanceof Number || value instanceof Boolean)) {
        return FALSE;
      }
      Object key = value instanceof Double number && number == 0 ? (Object) 0.0 : value;
      return set.contains(key) ? TRUE : FALSE;
    }
  }

  /** The whole of a selector that may give something else than a truth value. */
  static final class Result extends Node {

    private final Node root;

    Result(Node root) {
      this.root = root;
    }

    @Override
    Object eval(Frame frame) {
      return root.eval(frame);
    }

    @Override
    int test(Frame frame) {
      Object value = root.eval(frame);
      if (Values.content(value) instanceof Boolean bool) { // as Kubernetes looks into optionals
        return bool ? TRUE : FALSE;
      }
      return frame.fail(
          value instanceof EvalError error
              ? error
              : new EvalError(
                  "CEL result of type "
                      + Values.typeName(value)
                      + " could not be converted to bool: "
                      + Conversions.refusal(value, "bool")));
    }
  }
}
