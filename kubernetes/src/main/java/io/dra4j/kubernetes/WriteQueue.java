package io.dra4j.kubernetes;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values that wait to be written to the API server. Of several values of one key the last one is
 * written. A write that fails waits behind all others, and is repeated after a pause. Works in a
 * thread of its own. Thread-safe.
 *
 * @param <K> the keys
 * @param <V> the values
 */
final class WriteQueue<K, V> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);
  private static final Duration CONFLICT_PAUSE = Duration.ofMillis(10);

  /** The outcome of a write. */
  enum Outcome {
    /** It is done. */
    DONE,
    /** It is not repeated. */
    LEFT_OUT,
    /** Another write came in between: it is repeated at once. */
    CONFLICT,
    /** It is repeated after a pause. */
    FAILED
  }

  /** Writes a value. Called on the thread of the queue, which the writer logs for. */
  interface Writer<K, V> {
    Outcome write(K key, V value) throws InterruptedException;
  }

  private final Writer<K, V> writer;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Backoff backoff = new Backoff();

  // Guarded by the lock.
  private final Map<K, V> waiting = new LinkedHashMap<>();
  private boolean isWorking;
  private boolean isClosed;

  /** Makes a queue; {@link #start} starts its thread. */
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

  /** Sets the value that is written next for a key, unless as many other keys wait. */
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

  /** Waits until nothing waits to be written; returns false if the time is over or it is closed. */
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
        finish(next, writer.write(next.getKey(), next.getValue()));
      }
    } catch (InterruptedException e) {
      LOG.atDebug().log("closed");
    }
  }

  /** The value that waits longest; null when the queue is closed. */
  private Map.@Nullable Entry<K, V> next() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty() && !isClosed) {
        changed.await();
      }
      if (isClosed) {
        return null;
      }
      K key = waiting.keySet().iterator().next();
      isWorking = true;
      return Map.entry(key, waiting.remove(key));
    } finally {
      lock.unlock();
    }
  }

  private void finish(Map.Entry<K, V> last, Outcome outcome) throws InterruptedException {
    lock.lock();
    try {
      isWorking = false;
      if (outcome == Outcome.DONE) {
        backoff.reset();
      } else if (outcome != Outcome.LEFT_OUT) {
        waiting.putIfAbsent(last.getKey(), last.getValue());
        Duration pause = outcome == Outcome.CONFLICT ? CONFLICT_PAUSE : backoff.pause();
        long left = pause.toNanos();
        while (left > 0 && !isClosed) {
          left = changed.awaitNanos(left);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. What waits is not written. */
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
