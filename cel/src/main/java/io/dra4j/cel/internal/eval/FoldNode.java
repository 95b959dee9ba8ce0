package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.Accumulators;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MapKeys;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The loop that macros expand to, after {@code evalFold} of cel-go. Costs nothing itself.
 *
 * <p>The accumulator has two places in the frame: its value, and whether the loop made it growable.
 */
final class FoldNode extends Node {

  private final Node range;
  private final int variable;
  private final int secondVariable;
  private final int accumulator;
  private final Node condition;
  private final Node step;
  private final Node result;

  /**
   * Creates a loop.
   *
   * @param variable the place of the loop variable
   * @param secondVariable the place of the second one, or −1
   * @param accumulator the first place of the accumulator
   */
  @SuppressWarnings("ParameterNumber") // the fields of the node, which Planner creates
  FoldNode(
      Node range,
      int variable,
      int secondVariable,
      int accumulator,
      Node condition,
      Node step,
      Node result) {
    this.range = range;
    this.variable = variable;
    this.secondVariable = secondVariable;
    this.accumulator = accumulator;
    this.condition = condition;
    this.step = step;
    this.result = result;
  }

  @Override
  Object eval(Frame frame) {
    EvalError failure = run(frame);
    if (failure != null) {
      return failure;
    }
    Object value = result.eval(frame);
    return frame.local(accumulator + 1) != null ? Accumulators.finished(value) : value;
  }

  @Override
  int test(Frame frame) {
    EvalError failure = run(frame);
    return failure != null ? frame.fail(failure) : result.test(frame);
  }

  private @Nullable EvalError run(Frame frame) {
    frame.begin(accumulator);
    Object values = range.eval(frame);
    if (values instanceof List<?> list) {
      runList(list, frame);
    } else if (values instanceof Map<?, ?> map) {
      runMap(map, frame);
    } else if (!frame.isEmptyRange(values)) {
      return values instanceof EvalError error
          ? error
          : EvalError.notIterable(values, secondVariable >= 0);
    }
    return null;
  }

  private void runList(List<?> list, Frame frame) {
    if (list instanceof RandomAccess) {
      int size = list.size(); // which may grow
      for (int i = 0; i < size; i++) {
        if (!round(i, list.get(i), frame)) {
          return;
        }
      }
    } else {
      long index = 0;
      for (Object element : list) {
        if (!round(index++, element, frame)) {
          return;
        }
      }
    }
  }

  private boolean round(long index, Object element, Frame frame) {
    if (secondVariable < 0) {
      frame.setLocal(variable, element);
    } else {
      frame.setLocal(variable, index);
      frame.setLocal(secondVariable, element);
    }
    return round(frame);
  }

  private void runMap(Map<?, ?> map, Frame frame) {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      frame.setLocal(variable, entry.getKey());
      if (secondVariable >= 0) {
        frame.setLocal(secondVariable, MapKeys.bound(entry.getValue()));
      }
      if (!round(frame)) {
        return;
      }
    }
  }

  private boolean round(Frame frame) {
    if (condition.test(frame) == FALSE) {
      return false;
    }
    long bytes = frame.bytes();
    long characters = frame.characters();
    long grown = frame.beginRound();
    long number = frame.number();
    Object value = step.eval(frame);
    frame.setLocal(accumulator, value);
    boolean keepsNothing = value instanceof Boolean || value instanceof Long;
    frame.endRound(bytes, characters, grown, number, keepsNothing);
    return true;
  }
}
