package io.dra4j.cel.internal.text;

/** A caller that waits for a long piece of work and may end it. */
@FunctionalInterface
public interface TimeCheck {

  /** The work is not ended. */
  TimeCheck NONE = () -> {};

  /** How many small steps, of some ten nanoseconds, may pass between two looks. */
  int STEPS_PER_LOOK = 1 << 14;

  /** Returns if the work may go on; throws what its owner catches if it must end. */
  void look();
}
