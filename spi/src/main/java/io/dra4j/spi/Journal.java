package io.dra4j.spi;

import java.util.List;

/**
 * Records the changes that a driver is about to make, so that they can be undone even if the
 * process is killed in between. The runtime opens one journal for each claim that is prepared and
 * one for each claim that is attached to a sandbox. The journal is kept in the runtime's store
 * until the changes are undone.
 *
 * <pre>{@code
 * journal.record(List.of(down, move, addresses));   // one write, on disk when it returns
 * journal.beginning(down);
 * … set the link down …
 * journal.beginning(move);
 * … move it …
 * }</pre>
 *
 * <p>A recorded step may be complete, incomplete or not begun: the driver finds out when it undoes
 * the step. Steps that are recorded together need one write to the disk, so a driver that knows its
 * steps beforehand should record them together.
 *
 * <p>A journal may be used only by the call that it was passed to, on the thread of that call.
 */
public interface Journal {

  /**
   * Appends steps. When this method returns, they are on disk. If it fails, none of them is
   * recorded, and the driver must not make the changes.
   *
   * @param steps the steps, in the order in which they will be taken
   * @throws DriverException if they cannot be written, for example because the disk is full
   */
  void record(List<Step> steps) throws DriverException;

  /**
   * Appends one step.
   *
   * @param step the step, taken next
   * @throws DriverException if it cannot be written
   * @see #record(List)
   */
  default void record(Step step) throws DriverException {
    record(List.of(step));
  }

  /**
   * Reports that a recorded step is about to be taken. It writes nothing: it serves logs,
   * measurements, and tests that end the process between two steps.
   *
   * @param step the step
   */
  default void beginning(Step step) {}

  /** {@return the recorded steps of this and earlier processes, unless forgotten; oldest first} */
  List<Step> steps();

  /**
   * {@return whether the steps were recorded before the last reboot; false by default} The kernel's
   * state of that time is gone: links are on the host and have the settings of this boot, and so
   * have the files of {@code /sys} and {@code /proc/sys}. To undo a step must not overwrite them
   * with old values. Changes that survive a reboot, such as files on disk, must be undone as usual.
   */
  default boolean isOfOtherBoot() {
    return false;
  }

  /**
   * Forgets the newest steps, because they are undone. This is on disk when the call that the
   * journal was passed to has ended; if the process is killed before, the steps are undone once
   * more.
   *
   * @param count the number of oldest steps that stay, at most {@code steps().size()}
   * @throws DriverException if the journal cannot be written; the steps are then undone again later
   */
  void keep(int count) throws DriverException;

  /**
   * Undoes all steps, newest first, and forgets them. If a step cannot be undone, the steps after
   * it are forgotten. This step and the steps before it stay and are undone later.
   *
   * @param undo undoes one step; called for each step until one fails
   * @throws DriverException if {@code undo} or {@link #keep} throws it
   */
  default void undo(Undo undo) throws DriverException {
    List<Step> steps = List.copyOf(steps());
    int left = steps.size();
    try {
      while (left > 0) {
        undo.undo(steps.get(left - 1));
        left--;
      }
    } finally {
      if (left < steps.size()) {
        keep(left);
      }
    }
  }

  /** Undoes steps. */
  @FunctionalInterface
  interface Undo {

    /**
     * Undoes one step. The step may be complete, incomplete or not begun, and may have been undone
     * before. It is no error if nothing is left to undo, or if the changed object is gone from the
     * host.
     *
     * @param step the step
     * @throws DriverException if the step cannot be undone now
     */
    void undo(Step step) throws DriverException;
  }
}
