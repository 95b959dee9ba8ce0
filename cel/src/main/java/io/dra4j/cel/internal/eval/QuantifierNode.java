package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MapKeys;
import io.dra4j.cel.internal.value.ValueList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/** The loop of {@code all} and {@code exists}: does and costs the same as its {@link FoldNode}. */
final class QuantifierNode extends LogicNodes.Test {

  private final Node range;
  private final int variable;
  private final int secondVariable;
  private final Node predicate;
  private final int stop;

  /** The cost of a round: two reads of the result, and the operators on it. */
  private final int roundCost;

  /**
   * Creates a loop.
   *
   * @param variable the place of the loop variable
   * @param secondVariable the place of the second one, or −1
   * @param exists whether one element is enough, or all must fulfil the condition
   */
  QuantifierNode(Node range, int variable, int secondVariable, Node predicate, boolean exists) {
    this.range = range;
    this.variable = variable;
    this.secondVariable = secondVariable;
    this.predicate = predicate;
    this.stop = exists ? TRUE : FALSE;
    this.roundCost = exists ? 4 : 3;
  }

  @Override
  int test(Frame frame) {
    Object values = range.eval(frame);
    int result;
    if (values instanceof ValueList list) {
      result = testValues(list, frame);
    } else if (values instanceof List<?> list) {
      result = testList(list, frame);
    } else if (values instanceof Map<?, ?> map) {
      result = testMap(map, frame);
    } else if (frame.isEmptyRange(values)) {
      result = 1 - stop;
    } else {
      return frame.fail(
          values instanceof EvalError error
              ? error
              : EvalError.notIterable(values, secondVariable >= 0));
    }
    EvalError error = result == ERROR ? frame.error() : null;
    frame.charge(1);
    return error == null ? result : frame.fail(error);
  }

  private int testValues(ValueList list, Frame frame) {
    int result = 1 - stop;
    for (int i = 0; i < list.size(); i++) {
      if (result == stop) {
        return stopped(frame);
      }
      result = round(i, list.get(i), result, frame);
    }
    return result;
  }

  private int testList(List<?> list, Frame frame) {
    int result = 1 - stop;
    if (list instanceof RandomAccess) {
      int size = list.size();
      for (int i = 0; i < size; i++) {
        if (result == stop) {
          return stopped(frame);
        }
        result = round(i, list.get(i), result, frame);
      }
      return result;
    }
    long index = 0;
    for (Object element : list) {
      if (result == stop) {
        return stopped(frame);
      }
      result = round(index++, element, result, frame);
    }
    return result;
  }

  private int round(long index, Object element, int before, Frame frame) {
    if (secondVariable < 0) {
      frame.setLocal(variable, element);
    } else {
      frame.setLocal(variable, index);
      frame.setLocal(secondVariable, element);
    }
    return round(before, frame);
  }

  private int testMap(Map<?, ?> map, Frame frame) {
    int result = 1 - stop;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (result == stop) {
        return stopped(frame);
      }
      frame.setLocal(variable, entry.getKey());
      if (secondVariable >= 0) {
        frame.setLocal(secondVariable, MapKeys.bound(entry.getValue()));
      }
      result = round(result, frame);
    }
    return result;
  }

  /** An error of an earlier round stays, unless a later one decides. */
  private int round(int before, Frame frame) {
    EvalError error = before == ERROR ? frame.error() : null;
    frame.charge(roundCost);
    long bytes = frame.bytes();
    long characters = frame.characters();
    long grown = frame.beginRound();
    long number = frame.number();
    int truth = predicate.test(frame);
    frame.endRound(bytes, characters, grown, number, truth != ERROR);
    if (truth == stop) {
      return stop;
    }
    return error == null ? truth : frame.fail(error);
  }

  private int stopped(Frame frame) {
    frame.charge(roundCost - 1);
    return stop;
  }
}
