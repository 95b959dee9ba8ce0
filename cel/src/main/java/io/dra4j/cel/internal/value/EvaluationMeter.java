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
   * Notes what a call does that takes long for its cost, in units of at most about 30 nanoseconds:
   * elements, or {@link #CHARACTERS_PER_UNIT} characters.
   */
  void spend(long units);

  /** Notes that a call looks at a value, other than at what is inside lists and maps. */
  void spendOn(Object value);

  /** Notes the bytes of lists, maps or other values that were made, without the texts in them. */
  void takes(long bytes);

  /** Counts and returns the result of a function, whose cost does not depend on its size. */
  Object made(Object result);

  /** Notes the start of something that may grow; returns its number, larger than those before. */
  long begun();

  /** Notes that something numbered by {@link #begun} has grown, so that what it made stays. */
  void grown(long number);
}
