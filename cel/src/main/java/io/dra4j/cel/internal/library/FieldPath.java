package io.dra4j.cel.internal.library;

import java.util.Arrays;

/**
 * The path from a variable to a value, such as {@code device}, {@code attributes}, {@code
 * @values}, {@code model}.
 *
 * <p>A slice of Go, deliberately: cel-go appends to paths without copying them, so that two paths
 * that continue the same one may share memory and the later may change the end of the earlier one.
 * That shows in its estimates, and so it does here.
 */
public final class FieldPath {

  /** Of what is not reached from a variable. */
  public static final FieldPath EMPTY = new FieldPath(new String[0], 0);

  private final String[] memory;
  private final int length;

  private FieldPath(String[] memory, int length) {
    this.memory = memory;
    this.length = length;
  }

  /** Returns the path of a variable. */
  public static FieldPath of(String root) {
    return new FieldPath(new String[] {root}, 1);
  }

  /** Returns the path one step further, as Go's {@code append} does. */
  public FieldPath append(String element) {
    String[] target = memory;
    if (length == memory.length) {
      target = Arrays.copyOf(memory, Math.max(1, 2 * length));
    }
    target[length] = element;
    return new FieldPath(target, length + 1);
  }

  /** Returns a longer path that shares no memory. */
  public FieldPath copyAnd(String element) {
    String[] copy = Arrays.copyOf(memory, length + 1);
    copy[length] = element;
    return new FieldPath(copy, length + 1);
  }

  /** Returns the number of steps, the variable included. */
  public int length() {
    return length;
  }

  /** Returns a step, the variable first. */
  public String get(int index) {
    return memory[index];
  }
}
