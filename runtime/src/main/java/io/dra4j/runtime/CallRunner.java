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
 * Runs the calls of a runtime while it is running, and lets them end when it stops. Calls run on
 * the runner's own platform threads, not on the thread of the caller: drivers change the namespaces
 * of threads that they start from it, and a caller that disappears does not leave an unfinished
 * call. Thread-safe.
 */
final class CallRunner {

  /** A call for a claim. */
  interface Call<T> {
    T run() throws ClaimException;
  }

  /** The runtime is not started yet, or is stopping. */
  static final class NotRunningException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private NotRunningException() {
      super("the runtime is not running: call start() first; a closed runtime cannot be used");
    }
  }

  /** The phases of a runtime. */
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

  /** Starts to accept calls. */
  synchronized void start() {
    if (phase != Phase.NEW) {
      throw new IllegalStateException(
          phase == Phase.STARTED ? "the runtime was started already" : "the runtime is closed");
    }
    phase = Phase.STARTED;
  }

  /**
   * Runs a call and waits for it. An interrupt of the calling thread also interrupts the call.
   *
   * @param claim the claim, for messages
   * @throws NotRunningException if the runtime is not running
   */
  <T> T run(String claim, Call<T> call) throws ClaimException {
    return run(claim, Deadline.none(), call);
  }

  /**
   * Runs a call and waits for it until a deadline. The deadline does not interrupt the call, which
   * may be undoing its changes: it observes the deadline itself, and ends later.
   *
   * @param claim the claim, for messages
   * @throws NotRunningException if the runtime is not running
   */
  <T> T run(String claim, Deadline deadline, Call<T> call) throws ClaimException {
    enter();
    AtomicBoolean isCounted = new AtomicBoolean(); // by the worker, once it has started
    Future<T> answer = submit(claim, call, isCounted);
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
          "the call did not end before its deadline and will be undone; call again",
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClaimException known) {
        throw known;
      }
      throw new IllegalStateException("a defect of the runtime", e.getCause());
    }
  }

  private <T> Future<T> submit(String claim, Call<T> call, AtomicBoolean isCounted)
      throws ClaimException {
    try {
      return workers.submit(
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
  }

  private void cancel(Future<?> answer, boolean interrupts, AtomicBoolean isCounted) {
    answer.cancel(interrupts);
    if (isCounted.compareAndSet(false, true)) {
      leave();
    }
  }

  /** Runs work on a separate thread. Neither this call nor the stop of the runtime waits for it. */
  void runLater(Runnable work) {
    try {
      workers.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().log("the runtime is stopping: the work is left to the next process");
    }
  }

  /** Runs work after a pause, like {@link #runLater}, unless the runtime stops before. */
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
   * Refuses new calls, and waits for running ones.
   *
   * @return false if the runner was stopped already
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
        LOG.atWarn().log("{} calls did not end before the stop limit", running);
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
   * Interrupts the running calls, and waits for them for a short time.
   *
   * @return whether all have ended
   */
  boolean interrupt(Duration wait) {
    workers.shutdownNow();
    return awaitEnd(wait);
  }

  /** Waits until all calls have ended. */
  boolean awaitEnd(Duration wait) {
    try {
      return workers.awaitTermination(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return workers.isTerminated();
    }
  }
}
