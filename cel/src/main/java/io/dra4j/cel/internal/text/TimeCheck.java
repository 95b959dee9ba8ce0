package io.dra4j.cel.internal.text;

/** Whoever waits for a long piece of work and may end it. */
@FunctionalInterface
public interface TimeCheck {

  /** Nobody ends the work. */
  TimeCheck NONE = () -> {};

  /** How many small steps, of some ten nanoseconds, may pass between two looks. */
  int STEPS_PER_LOOK = 1 << 14;

  /** Returns if the work may go on; throws what its owner catches if it must end. */
  void look();
}
