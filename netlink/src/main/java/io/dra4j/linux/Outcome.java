package io.dra4j.linux;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Work for another thread, and afterwards its outcome. */
final class Outcome<T> implements Runnable {

  private final Callable<T> work;
  private @Nullable T result;
  private @Nullable Throwable failure;

  Outcome(Callable<T> work) {
    this.work = work;
  }

  @Override
  public void run() {
    try {
      result = work.call();
    } catch (Throwable e) { // reported on the thread that waits
      failure = e;
    }
  }

  /**
   * Returns the outcome. Call it after the thread has been joined, which makes its writes visible.
   */
  T get() throws IOException {
    if (failure != null) {
      if (failure instanceof IOException e) {
        throw e;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
      throw new IllegalStateException("work in a network namespace failed", failure);
    }
    if (result == null) {
      throw new IllegalStateException("work in a network namespace returned null");
    }
    return result;
  }
}
