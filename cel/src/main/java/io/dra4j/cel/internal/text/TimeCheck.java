package io.dra4j.cel.internal.text;

/** A check by which a caller can end long work. */
@FunctionalInterface
public interface TimeCheck {

  /** The work is not ended. */
  TimeCheck NONE = () -> {};

  /** How many small steps, of some ten nanoseconds, may pass between two looks. */
  int STEPS_PER_LOOK = 1 << 14;

  /**
   * Returns if the work may continue; throws an exception that its owner catches if it must end.
   */
  void look();
}
