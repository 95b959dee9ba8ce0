package io.dra4j.cel.internal.eval;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.runtime.CelEvaluationException;
import io.dra4j.cel.internal.library.CallCost;
import io.dra4j.cel.internal.library.Implementation;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.GoValues;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a function of the library. */
final class CallNode extends Node {

  private final String function;
  private final Implementation[] overloads;
  private final @Nullable Implementation only;
  private final Node[] arguments;
  private final boolean stopsAtError;
  private final CallCost cost;

  /**
   * Creates a call.
   *
   * @param overloads the possible overloads, in the order in which they are tried
   * @param stopsAtError whether arguments after a failed one are not computed; then the call itself
   *     costs nothing
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
  }

  @Override
  Object eval(Frame frame) {
    return switch (arguments.length) {
      case 0 -> {
        frame.charge(1);
        yield call(new Object[0], frame);
      }
      case 1 -> one(frame);
      case 2 -> two(frame);
      default -> many(frame);
    };
  }

  private Object one(Frame frame) {
    Object a = arguments[0].eval(frame);
    if (frame.endsWith(a)) {
      return a;
    }
    if (cost == CallCost.ONE) {
      frame.charge(1);
    } else if (!cost.isAfterwards()) {
      frame.charge(cost.of(frame.sized(a), null, null, frame));
    }
    Object result = a instanceof EvalError ? a : call(a, frame);
    if (cost.isAfterwards()) {
      frame.charge(cost.of(frame.sized(a), null, counted(result, frame), frame));
    }
    return frame.made(result);
  }

  private Object two(Frame frame) {
    Object a = arguments[0].eval(frame);
    if (a instanceof EvalError && (stopsAtError || frame.sparesFailures())) {
      return a;
    }
    Object b = arguments[1].eval(frame);
    if (frame.endsWith(b)) {
      return b;
    }
    if (cost == CallCost.ONE) {
      frame.charge(1);
    } else if (!cost.isAfterwards()) {
      frame.charge(cost.of(frame.sized(a), frame.sized(b), null, frame));
    }
    Object result = a instanceof EvalError ? a : b instanceof EvalError ? b : call(a, b, frame);
    if (cost.isAfterwards()) {
      frame.charge(cost.of(frame.sized(a), frame.sized(b), counted(result, frame), frame));
    }
    return frame.made(result);
  }

  private Object many(Frame frame) {
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments[i].eval(frame);
      if (values[i] instanceof EvalError && (i < values.length - 1 || frame.sparesFailures())) {
        return values[i];
      }
    }
    if (!cost.isAfterwards()) {
      frame.charge(cost.of(frame.sized(values[0]), frame.sized(values[1]), null, frame));
    }
    Object last = values[values.length - 1];
    Object result = last instanceof EvalError ? last : call(values, frame);
    if (cost.isAfterwards()) {
      frame.charge(
          cost.of(frame.sized(values[0]), frame.sized(values[1]), counted(result, frame), frame));
    }
    return frame.made(result);
  }

  /** What the cost of a result is that of: a list that could not be made has no elements. */
  private Object counted(Object result, Frame frame) {
    return cost == CallCost.RESULT_LIST && frame.endsWith(result) ? List.of() : result;
  }

  private Object call(Object a, Frame frame) {
    frame.spendOnCall(a);
    Implementation single = only;
    if (single != null) {
      return single.accepts(a) ? apply(single, a, frame) : noSuchOverload(a);
    }
    for (Implementation overload : overloads) {
      if (overload.accepts(a)) {
        return apply(overload, a, frame);
      }
    }
    return noSuchOverload(a);
  }

  private Object call(Object a, Object b, Frame frame) {
    frame.spendOnCall(a);
    frame.spendOnCall(b);
    Implementation single = only;
    if (single != null) {
      return single.accepts(a, b) ? apply(single, a, b, frame) : noSuchOverload(a, b);
    }
    for (Implementation overload : overloads) {
      if (overload.accepts(a, b)) {
        return apply(overload, a, b, frame);
      }
    }
    return noSuchOverload(a, b);
  }

  private Object call(Object[] values, Frame frame) {
    for (Object value : values) {
      frame.spendOnCall(value);
    }
    for (Implementation overload : overloads) {
      if (overload.accepts(values)) {
        try {
          return overload.apply(values, frame);
        } catch (CelRuntimeException | CelEvaluationException e) {
          return failure(e, frame);
        }
      }
    }
    return noSuchOverload(values);
  }

  /** The error without an overload. Functions that cel-go calls anyway have their own text. */
  private EvalError noSuchOverload(Object... arguments) {
    return switch (function) {
      case "contains", "endsWith", "startsWith" -> new EvalError("no such overload");
      case "sort", "@sortByAssociatedKeys" -> EvalError.noSuchOverloadOf(function, arguments[0]);
      case "flatten" ->
          new EvalError(
              "no such overload: %s.flatten(%s)"
                  .formatted(
                      Values.typeText(arguments[0]),
                      arguments.length > 1 ? Values.typeText(arguments[1]) : ""));
      default -> EvalError.noSuchOverload(function, arguments);
    };
  }

  private static Object apply(Implementation overload, Object a, Frame frame) {
    try {
      return overload.apply(a, frame);
    } catch (CelRuntimeException | CelEvaluationException e) {
      return failure(e, frame);
    }
  }

  private static Object apply(Implementation overload, Object a, Object b, Frame frame) {
    try {
      return overload.apply(a, b, frame);
    } catch (CelRuntimeException | CelEvaluationException e) {
      return failure(e, frame);
    }
  }

  private static EvalError failure(Exception exception, Frame frame) {
    frame.spend(GoValues.UNITS);
    @Nullable String message = exception.getMessage();
    return new EvalError(message == null ? exception.toString() : frame.requoted(message));
  }
}
