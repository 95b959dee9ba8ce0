package io.dra4j.cli.device;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command clean up when its process is ended (SIGTERM, SIGINT). The JVM ends when its
 * shutdown hooks have ended; the hook of this class waits until {@link #close}, so that the command
 * has time to undo its work. Thread-safe.
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

  /** Waits like {@link #await()}, but for 100 ms at most; returns whether the end was requested. */
  boolean awaitBriefly() {
    try {
      return requested.await(100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Lets the process end: the command has finished its cleanup. */
  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the hook already runs
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
