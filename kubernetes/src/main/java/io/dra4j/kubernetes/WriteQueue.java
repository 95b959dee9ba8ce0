package io.dra4j.kubernetes;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values that wait to be written to the API server. If several values of a key wait, only the last
 * one is written. A failed write is retried after a pause, which grows with each failure of its
 * key; values of other keys do not wait for it. The queue has its own thread. Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class WriteQueue<K, V> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);
  private static final Duration CONFLICT_PAUSE = Duration.ofMillis(10);

  /** The outcome of a write. */
  enum Outcome {
    /** The value is written. */
    DONE,
    /** The write is not retried. */
    LEFT_OUT,
    /** Another write came in between: the write is retried immediately. */
    CONFLICT,
    /** The write is retried after a pause. */
    FAILED
  }

  /** Writes a value, and logs its problems. Called on the thread of the queue. */
  interface Writer<K, V> {
    Outcome write(K key, V value) throws InterruptedException;
  }

  /** The time at which a failed write of a key is retried. */
  private static final class Retry {
    private final Backoff backoff = new Backoff();
    private long time; // System.nanoTime()

    void after(Duration pause) {
      time = System.nanoTime() + pause.toNanos();
    }
  }

  private final Writer<K, V> writer;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final Map<K, V> waiting = new LinkedHashMap<>();
  private final Map<K, Retry> retries = new HashMap<>(); // of keys whose last write failed
  private boolean isWorking;
  private boolean isClosed;

  /** Creates a queue; {@link #start} starts its thread. */
  WriteQueue(String name, Writer<K, V> writer) {
    this.writer = writer;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Sets the value that is written next for a key. */
  void put(K key, V value) {
    offer(key, value, Integer.MAX_VALUE);
  }

  /** Sets the value that is written next for a key, unless {@code most} other keys wait. */
  boolean offer(K key, V value, int most) {
    lock.lock();
    try {
      if (waiting.size() >= most && !waiting.containsKey(key)) {
        return false;
      }
      waiting.put(key, value);
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all values are written. Returns false after the limit or if the queue is closed.
   */
  boolean awaitWritten(Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lockInterruptibly();
    try {
      while (isWorking || !waiting.isEmpty()) {
        if (left <= 0 || isClosed) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (Map.Entry<K, V> next = next(); next != null; next = next()) {
        finish(next, write(next.getKey(), next.getValue()));
      }
    } catch (InterruptedException e) {
      LOG.atDebug().log("closed");
    }
  }

  private Outcome write(K key, V value) throws InterruptedException {
    try {
      return writer.write(key, value);
    } catch (RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .log("a write for {} is dropped: a defect of the program made it fail", key);
      return Outcome.LEFT_OUT;
    }
  }

  /** The value that has waited longest and is not in a pause; null when the queue is closed. */
  private Map.@Nullable Entry<K, V> next() throws InterruptedException {
    lock.lock();
    try {
      while (!isClosed) {
        long now = System.nanoTime();
        long pause = Long.MAX_VALUE;
        for (K key : waiting.keySet()) {
          Retry retry = retries.get(key);
          long left = retry == null ? 0 : retry.time - now;
          if (left <= 0) {
            isWorking = true;
            return Map.entry(key, waiting.remove(key));
          }
          pause = Math.min(pause, left);
        }
        changed.awaitNanos(pause);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void finish(Map.Entry<K, V> last, Outcome outcome) {
    lock.lock();
    try {
      isWorking = false;
      if (outcome == Outcome.DONE || outcome == Outcome.LEFT_OUT) {
        retries.remove(last.getKey());
      } else {
        waiting.putIfAbsent(last.getKey(), last.getValue());
        Retry retry = retries.computeIfAbsent(last.getKey(), key -> new Retry());
        retry.after(outcome == Outcome.CONFLICT ? CONFLICT_PAUSE : retry.backoff.pause());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. Waiting values are not written. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
  }
}
