package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.runtime.CelEvaluationException;
import org.jspecify.annotations.Nullable;

/** A call of a function of the library. */
final class CallNode extends Node {

  private final String function;
  private final Implementation[] overloads;
  private final @Nullable Implementation only;
  private final Node[] arguments;
  private final boolean stopsAtError;
  private final CallCost cost;
  private final EvalError noSuchOverload;

  /**
   * Makes a call.
   *
   * @param overloads those that it may reach, in the order in which they are tried
   * @param stopsAtError whether arguments behind one that failed are not computed; then the call
   *     itself costs nothing
   */
  CallNode(
      String function,
      ImmutableList<Implementation> overloads,
      Node[] arguments,
      boolean stopsAtError,
      CallCost cost) {
    this.function = function;
    this.overloads = overloads.toArray(new Implementation[0]);
    this.only = overloads.size() == 1 ? overloads.get(0) : null;
    this.arguments = arguments;
    this.stopsAtError = stopsAtError;
    this.cost = cost;
    this.noSuchOverload = EvalError.noSuchOverload(function);
  }

  String function() {
    return function;
  }

  @Override
  Object eval(Frame frame) {
    return switch (arguments.length) {
      case 0 -> {
        frame.charge(1);
        yield call(new Object[0]);
      }
      case 1 -> one(frame);
      case 2 -> two(frame);
      default -> many(frame);
    };
  }

  private Object one(Frame frame) {
    Object a = arguments[0].eval(frame);
    if (cost == CallCost.ONE) {
      frame.charge(1);
    } else if (!cost.isAfterwards()) {
      frame.charge(cost.of(a, null, null));
    }
    Object result = a instanceof EvalError ? a : call(a);
    if (cost.isAfterwards()) {
      frame.charge(cost.of(a, null, result));
    }
    return frame.made(result);
  }

  private Object two(Frame frame) {
    Object a = arguments[0].eval(frame);
    if (stopsAtError && a instanceof EvalError) {
      return a;
    }
    Object b = arguments[1].eval(frame);
    if (cost == CallCost.ONE) {
      frame.charge(1);
    } else if (!cost.isAfterwards()) {
      frame.charge(cost.of(a, b, null));
    }
    Object result = a instanceof EvalError ? a : b instanceof EvalError ? b : call(a, b);
    if (cost.isAfterwards()) {
      frame.charge(cost.of(a, b, result));
    }
    return frame.made(result);
  }

  private Object many(Frame frame) {
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments[i].eval(frame);
      if (values[i] instanceof EvalError && i < values.length - 1) {
        return values[i];
      }
    }
    if (!cost.isAfterwards()) {
      frame.charge(cost.of(values[0], values[1], null));
    }
    Object last = values[values.length - 1];
    Object result = last instanceof EvalError ? last : call(values);
    if (cost.isAfterwards()) {
      frame.charge(cost.of(values[0], values[1], result));
    }
    return frame.made(result);
  }

  private Object call(Object a) {
    Implementation single = only;
    if (single != null) {
      return single.accepts(a) ? apply(single, a) : noSuchOverload;
    }
    for (Implementation overload : overloads) {
      if (overload.accepts(a)) {
        return apply(overload, a);
      }
    }
    return noSuchOverload;
  }

  private Object call(Object a, Object b) {
    Implementation single = only;
    if (single != null) {
      return single.accepts(a, b) ? apply(single, a, b) : noSuchOverload;
    }
    for (Implementation overload : overloads) {
      if (overload.accepts(a, b)) {
        return apply(overload, a, b);
      }
    }
    return noSuchOverload;
  }

  private Object call(Object[] values) {
    for (Implementation overload : overloads) {
      if (overload.accepts(values)) {
        try {
          return overload.apply(values);
        } catch (CelRuntimeException | CelEvaluationException e) {
          return failure(e);
        }
      }
    }
    return noSuchOverload;
  }

  private static Object apply(Implementation overload, Object a) {
    try {
      return overload.apply(a);
    } catch (CelRuntimeException | CelEvaluationException e) {
      return failure(e);
    }
  }

  private static Object apply(Implementation overload, Object a, Object b) {
    try {
      return overload.apply(a, b);
    } catch (CelRuntimeException | CelEvaluationException e) {
      return failure(e);
    }
  }

  private static EvalError failure(Exception exception) {
    @Nullable String message = exception.getMessage();
    return new EvalError(message == null ? exception.toString() : message);
  }
}
