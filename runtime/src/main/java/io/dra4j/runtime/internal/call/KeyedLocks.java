package io.dra4j.runtime.internal.call;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Locks by key. A lock exists while it is held or awaited. Thread-safe. */
public final class KeyedLocks {

  private static final class Counted {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  /** A held lock; closing it releases the lock. */
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  private final Map<String, Counted> locks = new HashMap<>();

  /** Waits for the lock of a key; null if the lock is not free in time. */
  public @Nullable Held take(String key, Duration wait) throws InterruptedException {
    Counted counted;
    synchronized (locks) {
      counted = locks.computeIfAbsent(key, one -> new Counted());
      counted.users++;
    }
    boolean taken = false;
    try {
      taken = counted.lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      if (!taken) {
        leave(key, counted);
      }
    }
    return taken ? () -> free(key, counted) : null;
  }

  private void free(String key, Counted counted) {
    counted.lock.unlock();
    leave(key, counted);
  }

  private void leave(String key, Counted counted) {
    synchronized (locks) {
      counted.users--;
      if (counted.users == 0) {
        locks.remove(key);
      }
    }
  }
}
