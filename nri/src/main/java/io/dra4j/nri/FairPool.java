package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks by key: the tasks of one key in order and one at a time, the keys in turn.
 * A pod with many or slow tasks uses at most one thread.
 */
final class FairPool implements AutoCloseable {
  private final int limit;
  private final Map<String, Queue<Runnable>> queues = new HashMap<>();
  private final Queue<String> ready = new ArrayDeque<>();
  private int held;
  private boolean closed;

  FairPool(String name, int threads, int limit) {
    this.limit = limit;
    for (int i = 1; i <= threads; i++) {
      Thread thread = new Thread(this::work, name + "-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Adds a task; returns false if too many tasks are queued and running, or the pool is closed. */
  synchronized boolean submit(String key, Runnable task) {
    if (closed || held >= limit) {
      return false;
    }
    held++;
    Queue<Runnable> queue = queues.get(key);
    if (queue == null) {
      queue = new ArrayDeque<>();
      queues.put(key, queue);
      ready.add(key);
      notify();
    }
    queue.add(task);
    return true;
  }

  private void work() {
    for (String key = take(); key != null; key = take()) {
      try {
        task(key).run();
      } finally {
        done(key);
      }
    }
  }

  private synchronized @Nullable String take() {
    while (!closed && ready.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Interrupted by a handler; the pool ends only by close.
      }
    }
    return closed ? null : ready.remove();
  }

  private synchronized Runnable task(String key) {
    return requireNonNull(queues.get(key)).remove();
  }

  private synchronized void done(String key) {
    held--;
    Queue<Runnable> queue = queues.get(key);
    if (queue == null || queue.isEmpty()) {
      queues.remove(key);
    } else {
      ready.add(key);
      notify();
    }
  }

  /** Drops queued tasks; running tasks continue. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
