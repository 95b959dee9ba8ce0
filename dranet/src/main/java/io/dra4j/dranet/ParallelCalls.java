package io.dra4j.dranet;

import io.dra4j.spi.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls in parallel, each on its own thread. Meanwhile the thread of the caller does the work
 * that only it may do, such as writing to its journal.
 */
final class ParallelCalls {

  /**
   * A call.
   *
   * @param <T> the type of its result
   */
  @FunctionalInterface
  interface Call<T> {

    T run(Caller caller) throws DriverException;
  }

  /** Work that must run on the thread of the caller. */
  @FunctionalInterface
  interface Work {

    void run() throws DriverException;
  }

  /** The thread of the caller. */
  interface Caller {

    /** Runs work on the thread of the caller, and waits for it. */
    void run(Work work) throws DriverException;
  }

  private ParallelCalls() {}

  /**
   * Waits for all calls, and returns their answers in order. If one throws anything, or the caller
   * is interrupted, interrupts the other calls and waits for them.
   *
   * @throws DriverException the exception of the first call that failed
   */
  static <T> List<T> run(String name, List<Call<T>> calls) throws DriverException {
    BlockingQueue<Runnable> ofCaller = new LinkedBlockingQueue<>();
    List<FutureTask<T>> tasks = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Call<T> call : calls) {
      FutureTask<T> task = new FutureTask<>(() -> call.run(work -> hand(work, ofCaller)));
      tasks.add(task);
      Thread thread =
          new Thread(
              () -> {
                task.run();
                ofCaller.add(() -> {});
              },
              name + " " + tasks.size());
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    Throwable failure = await(tasks, threads, ofCaller);
    if (failure != null) {
      throw thrown(failure);
    }
    List<T> answers = new ArrayList<>();
    try {
      for (FutureTask<T> task : tasks) {
        answers.add(answer(task));
      }
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    }
    return answers;
  }

  /** Does the caller's work until all calls end. Returns what the first failed call threw. */
  private static @Nullable Throwable await(
      List<? extends FutureTask<?>> tasks, List<Thread> threads, BlockingQueue<Runnable> ofCaller) {
    boolean interrupted = false;
    Throwable failure = null;
    while (tasks.stream().anyMatch(task -> !task.isDone())) {
      try {
        ofCaller.take().run();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      failure = failure == null ? failure(tasks) : failure;
      if (interrupted || failure != null) {
        threads.forEach(Thread::interrupt);
      }
    }
    failure = failure == null ? failure(tasks) : failure;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }

  /** Returns what the first failed call threw, even an error; the others are ended in any case. */
  private static @Nullable Throwable failure(List<? extends FutureTask<?>> tasks) {
    for (FutureTask<?> task : tasks) {
      if (task.isDone()) {
        try {
          answer(task);
        } catch (ExecutionException e) {
          return e.getCause();
        }
      }
    }
    return null;
  }

  /** Returns the result of a finished task. */
  private static <T> T answer(FutureTask<T> task) throws ExecutionException {
    boolean interrupted = Thread.interrupted();
    try {
      return task.get();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while reading a finished task", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static DriverException thrown(@Nullable Throwable cause) {
    if (cause instanceof DriverException failure) {
      return failure;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw cause instanceof RuntimeException bug ? bug : new IllegalStateException(cause);
  }

  private static void hand(Work work, BlockingQueue<Runnable> ofCaller) throws DriverException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    ofCaller.add(task);
    try {
      task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted", e);
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    }
  }
}
