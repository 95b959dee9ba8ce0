package io.dra4j.runtime.internal.call;

/** Defers interrupts, so that an interrupted thread can undo its work completely. */
public final class Interrupts {

  private Interrupts() {}

  /** Runs an action as if the thread was not interrupted, and restores the interrupt afterwards. */
  public static void defer(Runnable action) {
    boolean isInterrupted = Thread.interrupted(); // the interrupt was for the failed call
    try {
      action.run();
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
