package io.dra4j.allocation;

import org.jspecify.annotations.Nullable;

/**
 * One condition on placing devices. A rule that lets a device pass remembers what it must, and
 * {@link #undo} takes exactly that back; a rule that refuses leaves nothing behind. Placements are
 * undone in the reverse of their order, so a rule may rely on finding the state it left.
 *
 * <p>Rules are monotonic: what is refused now is refused however many devices are placed besides.
 * The search relies on it.
 */
interface Rule {

  /**
   * Lets the device be placed for the target, or says why not.
   *
   * @return null if it is placed
   * @throws RejectedException if the input makes the question unanswerable
   */
  @Nullable Refusal tryPlace(Target target, Candidate candidate) throws RejectedException;

  /** Takes back the last placement that is not yet undone, which was this one. */
  void undo(Target target, Candidate candidate);
}
