package io.dra4j.dranet.attach;

import io.dra4j.spi.DriverException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One lock for each link by its name on the host: a link that is restored is not attached at the
 * same time.
 */
final class LinkLocks {

  /** Links that are locked until this is closed. */
  interface Held extends AutoCloseable {

    @Override
    void close();
  }

  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  /**
   * Locks links, all in one order, so that two callers never wait for each other.
   *
   * @throws DriverException if the thread is interrupted while it waits; nothing is locked then
   */
  Held lock(Collection<String> names) throws DriverException {
    List<ReentrantLock> held = new ArrayList<>();
    try {
      for (String one : new TreeSet<>(names)) {
        ReentrantLock lock = locks.computeIfAbsent(one, none -> new ReentrantLock());
        lock.lockInterruptibly();
        held.add(lock);
      }
    } catch (InterruptedException e) {
      held.forEach(ReentrantLock::unlock);
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted while another call restores " + names, e);
    }
    return () -> held.forEach(ReentrantLock::unlock);
  }
}
