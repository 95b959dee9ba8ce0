package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.Values;

/** A node of a program: immutable, so that threads can share it; a {@link Frame} has the state. */
public abstract non-sealed class Node implements Planned {

  /** The result of {@link #test} if the value is not a Boolean. */
  public static final int ERROR = 2;

  /** The result of {@link #test} for false. */
  public static final int FALSE = 0;

  /** The result of {@link #test} for true. */
  public static final int TRUE = 1;

  private static final EvalError NOT_BOOL = new EvalError("no such overload");

  @Override
  public final PathPlan path() {
    return PathPlan.from(this);
  }

  @Override
  public final Node build(AttributeNames names, DeviceReads.Collector reads) {
    return this;
  }

  @Override
  public final Node buildPart(AttributeNames names, DeviceReads.Collector reads) {
    return this;
  }

  /** Returns the value or an {@link EvalError}. */
  abstract Object eval(Frame frame);

  /** Returns {@link #TRUE}, {@link #FALSE}, or {@link #ERROR} with the error in the frame. */
  int test(Frame frame) {
    return truth(eval(frame), frame);
  }

  /** Returns the content of an optional, {@link Values#ABSENT}, or an {@link EvalError}. */
  Object find(Frame frame) {
    Object value = eval(frame);
    if (value instanceof java.util.Optional<?> optional) {
      return optional.isPresent() ? optional.get() : Values.ABSENT;
    }
    return value instanceof EvalError ? value : NOT_BOOL;
  }

  /** Returns a value as {@link #test} does, with the error in the frame if it is not a Boolean. */
  public static int truth(Object value, Frame frame) {
    if (value instanceof Boolean bool) {
      return bool ? TRUE : FALSE;
    }
    return frame.fail(value instanceof EvalError error ? error : NOT_BOOL);
  }

  /**
   * Returns this node as the key of a step: what is a field of a message by its declaration is then
   * refused by the name of what Go has in the message, not of the value that CEL makes of it.
   */
  Node asKey() {
    return this;
  }

  static Object value(int truth, Frame frame) {
    return truth == ERROR ? frame.error() : (Object) (truth == TRUE);
  }
}
