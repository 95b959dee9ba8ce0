package io.dra4j.kubelet;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the work of a call for each claim, in parallel, and collects one answer for each UID. If the
 * work for a claim is late, its answer is an error and the work is interrupted. The next call for
 * that claim starts when the work has ended.
 */
final class ClaimCalls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimCalls.class);
  private static final int THREADS = 32;
  private static final int ERROR_MAXIMUM = 4096;

  /** The most claims that wait for a thread: more than the pods of a node have. */
  private static final int MAX_WAITING = 4096;

  /** The work for a claim. */
  @FunctionalInterface
  interface Work<T> {
    T apply(DraClaim claim) throws Exception;
  }

  /** The result for a claim: a value, or the message of an error. */
  record Answer<T>(@Nullable T value, String error) {

    static <T> Answer<T> failed(String error) {
      String text = error.isBlank() ? "failed without a message" : error;
      return new Answer<>(
          null, text.length() > ERROR_MAXIMUM ? text.substring(0, ERROR_MAXIMUM) + "..." : text);
    }

    static <T> Answer<T> failed(Throwable failure) {
      String message = failure.getMessage();
      return failed(
          message == null || message.isBlank() ? failure.getClass().getSimpleName() : message);
    }
  }

  /** A claim of a request. If it is not valid, its UID still gets an answer. */
  record Asked(String uid, @Nullable DraClaim claim, String error) {}

  /** A running call. */
  static final class Call<T> {

    private final Map<String, CompletableFuture<Answer<T>>> answers = new LinkedHashMap<>();
    private final List<Runnable> interrupts = new ArrayList<>();

    /** Completes when each UID has an answer; it never completes exceptionally. */
    CompletableFuture<Map<String, Answer<T>>> all() {
      return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
          .thenApply(
              done -> {
                Map<String, Answer<T>> all = new LinkedHashMap<>();
                answers.forEach((uid, answer) -> all.put(uid, answer.join()));
                return all;
              });
    }

    /** Interrupts the running work, because the caller is gone. */
    void cancel() {
      interrupts.forEach(Runnable::run);
    }
  }

  private static final class Turn {
    final ReentrantLock lock = new ReentrantLock(true);
    int users;
  }

  private final String driver;
  private final boolean isSerial;
  private final @Nullable Path lockFile;
  private final ThreadPoolExecutor workers;
  private final ScheduledExecutorService timer;
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();
  private final ReentrantLock serial = new ReentrantLock(true);

  /**
   * Creates the runner. It starts no thread before the first call.
   *
   * @param lockFile the file that processes lock to take turns; null if there is only one process
   */
  ClaimCalls(String driver, boolean isSerial, @Nullable Path lockFile) {
    this.driver = driver;
    this.isSerial = isSerial;
    this.lockFile = lockFile;
    AtomicInteger number = new AtomicInteger();
    workers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            work -> daemon(work, "dra4j-claims-" + driver + "-" + number.incrementAndGet()));
    workers.allowCoreThreadTimeOut(true);
    timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> daemon(work, "dra4j-claims-timer-" + driver));
  }

  static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  <T> Call<T> start(String verb, List<Asked> claims, Duration limit, Work<T> work) {
    Call<T> call = new Call<>();
    for (Asked asked : claims) {
      if (!call.answers.containsKey(asked.uid())) {
        call.answers.put(asked.uid(), new CompletableFuture<>());
        begin(call, asked, verb, limit, work);
      }
    }
    return call;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the answer reports what the task did
  private <T> void begin(Call<T> call, Asked asked, String verb, Duration limit, Work<T> work) {
    CompletableFuture<Answer<T>> answer = call.answers.get(asked.uid());
    DraClaim claim = asked.claim();
    if (answer == null) {
      return;
    }
    if (claim == null) {
      answer.complete(Answer.failed(asked.error()));
      return;
    }
    try {
      Future<?> task = workers.submit(() -> answer.complete(attempt(verb, claim, work)));
      ScheduledFuture<?> late =
          timer.schedule(
              () -> {
                String text = late(verb, claim, limit);
                if (answer.complete(Answer.failed(text))) {
                  LOG.atWarn().log("{}", text);
                  task.cancel(true);
                }
              },
              limit.toNanos(),
              TimeUnit.NANOSECONDS);
      answer.whenComplete((done, none) -> late.cancel(false));
      call.interrupts.add(
          () -> {
            String text = "claim %s: the kubelet cancelled the call".formatted(claim);
            if (answer.complete(Answer.failed(text))) {
              task.cancel(true);
            }
          });
    } catch (RejectedExecutionException e) {
      answer.complete(
          Answer.failed(
              workers.isShutdown()
                  ? "claim %s: driver %s is stopping".formatted(claim, driver)
                  : "claim %1$s: more than %3$d claims wait for driver %2$s; the kubelet will retry"
                      .formatted(claim, driver, MAX_WAITING)));
    }
  }

  private String late(String verb, DraClaim claim, Duration limit) {
    return ("claim %s: driver %s did not %s it within %d ms; the call is interrupted,"
            + " and the next call for the claim starts when it has ended")
        .formatted(claim, driver, verb, limit.toMillis());
  }

  @SuppressWarnings("CatchingUnchecked") // an error of a driver fails only this claim
  private <T> Answer<T> attempt(String verb, DraClaim claim, Work<T> work) {
    try {
      return new Answer<>(inTurn(claim, work), "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.failed("claim %s: interrupted".formatted(claim));
    } catch (RuntimeException | Error e) { // probably a defect of the driver
      LOG.atWarn().setCause(e).log("claim {}: driver {} cannot {} it", claim, driver, verb);
      return Answer.failed(e);
    } catch (Exception e) {
      Answer<T> answer = Answer.failed(e);
      LOG.atWarn().log("claim {}: driver {} cannot {} it: {}", claim, driver, verb, answer.error());
      return answer;
    }
  }

  private <T> T inTurn(DraClaim claim, Work<T> work) throws Exception {
    Turn turn =
        turns.compute(
            claim.uid(),
            (uid, present) -> {
              Turn one = present == null ? new Turn() : present;
              one.users++;
              return one;
            });
    try {
      turn.lock.lockInterruptibly();
      try {
        return isSerial ? alone(claim, work) : work.apply(claim);
      } finally {
        turn.lock.unlock();
      }
    } finally {
      turns.computeIfPresent(claim.uid(), (uid, one) -> --one.users == 0 ? null : one);
    }
  }

  private <T> T alone(DraClaim claim, Work<T> work) throws Exception {
    serial.lockInterruptibly();
    try {
      if (lockFile == null) {
        return work.apply(claim);
      }
      try (FileChannel channel = open(lockFile);
          FileLock lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new IOException(lockFile + ": the file lock is not valid");
        }
        return work.apply(claim);
      }
    } finally {
      serial.unlock();
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Waits for the running work, then interrupts it. */
  @Override
  public void close() {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(5, TimeUnit.SECONDS)) {
        workers.shutdownNow();
        if (!workers.awaitTermination(5, TimeUnit.SECONDS)) {
          LOG.atWarn().log("driver {}: work on claims has not ended after an interrupt", driver);
        }
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
  }
}
