package io.dra4j.cli.device;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end well when its process is ended (SIGTERM, SIGINT). The JVM ends when its hooks
 * have ended: that of this class waits until {@link #close}, so long there is time to take back
 * what was done. Thread-safe.
 */
final class ProcessEnd implements AutoCloseable {

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::requestAndWait, "dra4j end");

  ProcessEnd() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Lets {@link #await} return. */
  void request() {
    requested.countDown();
  }

  /** Waits until the process is ended, {@link #request} is called or the thread is interrupted. */
  void await() {
    awaitQuietly(requested);
  }

  /** Waits as {@link #await()} does, for 100 ms at most; returns whether it was not in vain. */
  boolean awaitBriefly() {
    try {
      return requested.await(100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The command has done all that it does before its process ends. */
  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already
    }
  }

  private void requestAndWait() {
    request();
    awaitQuietly(closed);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
