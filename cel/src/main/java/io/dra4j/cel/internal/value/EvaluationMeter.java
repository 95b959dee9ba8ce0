package io.dra4j.cel.internal.value;

import io.dra4j.cel.internal.text.TimeCheck;

/**
 * What long computations on values report of themselves, so that an evaluation ends in time and its
 * memory is bounded, whatever its expression. Their costs say nothing of either.
 */
public interface EvaluationMeter extends TimeCheck {

  /** How many characters are one unit of {@link #spend}. */
  int CHARACTERS_PER_UNIT = 32;

  /**
   * Notes what a call does that takes long for its cost.
   *
   * @param units of at most about 30 nanoseconds each: elements, or {@link #CHARACTERS_PER_UNIT}
   *     characters
   */
  void spend(long units);

  /**
   * Notes that a call looks at a value, other than at what is inside lists and maps.
   *
   * @param value the value
   */
  void spendOn(Object value);

  /**
   * Notes that lists, maps or other values were made.
   *
   * @param bytes that they take, without the texts in them
   */
  void takes(long bytes);

  /**
   * Counts the result of a function, whose cost does not depend on its size.
   *
   * @param result the result of the function
   * @return the same
   */
  Object made(Object result);

  /**
   * Notes that something was begun that may grow.
   *
   * @return its number, larger than those before
   */
  long begun();

  /**
   * Notes that something has grown, so that what was made for it stays.
   *
   * @param number that of {@link #begun}
   */
  void grown(long number);
}
