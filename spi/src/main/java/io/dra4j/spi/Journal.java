package io.dra4j.spi;

import java.util.List;

/**
 * Where a driver writes what it is about to change, before it changes it, so that it can be undone
 * even if the process is killed in between. The runtime opens one for each claim that is prepared
 * and one for each claim that is attached to a sandbox; it lives in the runtime's store until the
 * change is taken back.
 *
 * <pre>{@code
 * journal.record(List.of(down, move, addresses));   // one write, on disk when it returns
 * journal.beginning(down);
 * … set the link down …
 * journal.beginning(move);
 * … move it …
 * }</pre>
 *
 * <p>A step that is recorded may have been done, have been done in part, or not have been begun:
 * the driver finds out when it undoes the step. Steps that are recorded together cost one write to
 * the disk, so a driver that knows its steps beforehand records them at once.
 *
 * <p>A journal belongs to the call that it was given to and to the thread of that call.
 */
public interface Journal {

  /**
   * Appends steps. When this returns, they are on disk; when it fails, none is, and the driver must
   * not make the changes.
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
   * Says that a recorded step is taken now. It writes nothing: it is for logs, for measuring, and
   * for tests that end the process between two steps.
   *
   * @param step the step
   */
  default void beginning(Step step) {}

  /**
   * The steps that were recorded and not forgotten, by this process or by those before it.
   *
   * @return the steps, oldest first
   */
  List<Step> steps();

  /**
   * Says whether the steps were recorded before the host was started anew. What the kernel held
   * then is gone: links are on the host with the settings that this boot gave them, and values of
   * {@code /sys} and {@code /proc/sys} are those of this boot. Undoing must not write old values
   * over them. What outlives a reboot, such as files on a disk, is undone as ever.
   *
   * @return whether the steps are of another boot; false by default
   */
  default boolean isOfOtherBoot() {
    return false;
  }

  /**
   * Forgets the newest steps, because they are undone. That is on disk when the call that the
   * journal was given to has ended; if the process is killed before, the steps are undone once
   * more.
   *
   * @param count how many of the oldest steps stay, at most {@code steps().size()}
   * @throws DriverException if it cannot be written; the steps are then undone again later
   */
  void keep(int count) throws DriverException;

  /**
   * Undoes all steps, newest first, and forgets them. If one cannot be undone, those newer than it
   * are forgotten; it and those before it stay, to be undone another time.
   *
   * @param undo undoes one step; called for each until one fails
   * @throws DriverException what {@code undo} threw, or what {@link #keep} threw
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
     * Undoes one step. It may have been done, in part, wholly or not at all, and may have been
     * undone before: nothing is left to do then, and that is no error. That what was changed is
     * gone from the host is no error either.
     *
     * @param step the step
     * @throws DriverException if the step cannot be undone now
     */
    void undo(Step step) throws DriverException;
  }
}
