package io.dra4j.runtime.internal.call;

/** What undoes the work of a thread runs to its end, though the thread was interrupted at it. */
public final class Interrupts {

  private Interrupts() {}

  /**
   * Runs an action as if the thread was not interrupted, and interrupts it afterwards if it was.
   */
  public static void defer(Runnable action) {
    boolean isInterrupted = Thread.interrupted(); // that was meant for what failed
    try {
      action.run();
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
