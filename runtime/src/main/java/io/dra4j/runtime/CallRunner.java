package io.dra4j.runtime;

import io.dra4j.spi.DriverException.Kind;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the calls of a runtime while it runs, and lets them end when it stops. They run on platform
 * threads of its own, for any caller: drivers change namespaces on threads that they make of it,
 * and no caller that goes away leaves a call without end. Thread-safe.
 */
final class CallRunner {

  /** A call about a claim. */
  interface Call<T> {
    T run() throws ClaimException;
  }

  /** The runtime is not started yet, or is stopping. */
  static final class NotRunningException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private NotRunningException() {
      super("the runtime does not run");
    }
  }

  /** Where a runtime is. */
  enum Phase {
    NEW,
    STARTED,
    STOPPING
  }

  private static final Logger LOG = LoggerFactory.getLogger(CallRunner.class);

  private final ExecutorService workers = Executors.newCachedThreadPool(CallRunner::worker);
  private Phase phase = Phase.NEW;
  private int running;

  private static Thread worker(Runnable work) {
    Thread thread = new Thread(work, "dra4j-call");
    thread.setDaemon(true);
    return thread;
  }

  synchronized Phase phase() {
    return phase;
  }

  /** Begins to take calls. */
  synchronized void start() {
    if (phase != Phase.NEW) {
      throw new IllegalStateException(
          phase == Phase.STARTED ? "the runtime was started before" : "the runtime is closed");
    }
    phase = Phase.STARTED;
  }

  /**
   * Runs a call and waits for it. If the calling thread is interrupted, the call is, too.
   *
   * @param claim what it is about, for messages
   * @throws NotRunningException if the runtime does not run
   */
  <T> T run(String claim, Call<T> call) throws ClaimException {
    return run(claim, Deadline.none(), call);
  }

  /**
   * Runs a call and waits for it until a deadline. The call is not interrupted then, since it may
   * be undoing what it did: it heeds the deadline itself, and ends later.
   *
   * @param claim what it is about, for messages
   * @throws NotRunningException if the runtime does not run
   */
  <T> T run(String claim, Deadline deadline, Call<T> call) throws ClaimException {
    enter();
    AtomicBoolean isCounted = new AtomicBoolean(); // by the worker, once it has begun
    Future<T> answer;
    try {
      answer =
          workers.submit(
              () -> {
                if (!isCounted.compareAndSet(false, true)) {
                  throw new CancellationException();
                }
                try {
                  return call.run();
                } finally {
                  leave();
                }
              });
    } catch (RejectedExecutionException e) {
      leave();
      throw new ClaimException(claim, null, Kind.UNAVAILABLE, "the runtime is stopping", e);
    }
    try {
      return answer.get(deadline.left().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      cancel(answer, true, isCounted);
      Thread.currentThread().interrupt();
      throw new ClaimException(claim, null, Kind.FAILED, "interrupted", e);
    } catch (TimeoutException e) {
      cancel(answer, false, isCounted);
      throw new ClaimException(
          claim,
          null,
          Kind.UNAVAILABLE,
          "it did not end before its deadline, and is taken back; call again",
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClaimException known) {
        throw known;
      }
      throw new IllegalStateException("a bug of the runtime", e.getCause());
    }
  }

  private void cancel(Future<?> answer, boolean interrupts, AtomicBoolean isCounted) {
    answer.cancel(interrupts);
    if (isCounted.compareAndSet(false, true)) {
      leave();
    }
  }

  /** Runs something on a thread of its own, and waits neither now nor when the runtime stops. */
  void runLater(Runnable work) {
    try {
      workers.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().log("left to the next process: the runtime is stopping");
    }
  }

  /** Runs something after a pause, as {@link #runLater} does, unless the runtime stops before. */
  void runAfter(Duration pause, Runnable work) {
    CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, this::runLater)
        .execute(
            () -> {
              if (phase() == Phase.STARTED) {
                work.run();
              }
            });
  }

  /** Runs a call on the calling thread. */
  <T> T runHere(Call<T> call) throws ClaimException {
    enter();
    try {
      return call.run();
    } finally {
      leave();
    }
  }

  private synchronized void enter() {
    if (phase != Phase.STARTED) {
      throw new NotRunningException();
    }
    running++;
  }

  private synchronized void leave() {
    running--;
    notifyAll();
  }

  /**
   * Refuses new calls, and waits for those that run.
   *
   * @return false if it was stopped before
   */
  synchronized boolean stop(Duration limit) {
    if (phase == Phase.STOPPING) {
      return false;
    }
    phase = Phase.STOPPING;
    long end = System.nanoTime() + limit.toNanos();
    while (running > 0) {
      long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (millis <= 0) {
        LOG.atWarn().log("{} calls did not end in time", running);
        break;
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return true;
  }

  /**
   * Interrupts the calls that still run, and waits for them a little.
   *
   * @return whether all have ended
   */
  boolean interrupt(Duration wait) {
    workers.shutdownNow();
    return awaitEnd(wait);
  }

  /** Waits until no call changes anything any more. */
  boolean awaitEnd(Duration wait) {
    try {
      return workers.awaitTermination(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return workers.isTerminated();
    }
  }
}
