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
 * Calls that wait for answers at the same time, each on a thread of its own, while the thread of
 * the caller does what belongs to it, such as writing to its journal.
 */
final class ParallelCalls {

  /**
   * A call.
   *
   * @param <T> its answer
   */
  @FunctionalInterface
  interface Call<T> {

    T run(Caller caller) throws DriverException;
  }

  /** What belongs to the thread of the caller. */
  @FunctionalInterface
  interface Work {

    void run() throws DriverException;
  }

  /** The thread of the caller. */
  interface Caller {

    /** Waits until the thread of the caller has done something. */
    void run(Work work) throws DriverException;
  }

  private ParallelCalls() {}

  /**
   * Waits for all calls. When one fails, by whatever it throws, or the caller is interrupted, the
   * others are interrupted and waited for.
   *
   * @return the answers in the order of the calls
   * @throws DriverException of the first call that failed
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

  /** What the first call threw that failed, bugs among it: the others are ended all the same. */
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

  /** Of a task that is done. */
  private static <T> T answer(FutureTask<T> task) throws ExecutionException {
    boolean interrupted = Thread.interrupted();
    try {
      return task.get();
    } catch (InterruptedException e) {
      throw new IllegalStateException("a task that is done is not waited for", e);
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
