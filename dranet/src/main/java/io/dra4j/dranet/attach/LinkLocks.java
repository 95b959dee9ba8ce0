package io.dra4j.dranet.attach;

import io.dra4j.spi.DriverException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** One lock per link, by name on the host: a link is not restored and attached at the same time. */
final class LinkLocks {

  /**
   * Work to do with locked links.
   *
   * @param <T> the type of its result
   */
  @FunctionalInterface
  interface Work<T> {

    T run() throws DriverException;
  }

  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  /**
   * Locks links, does the work and unlocks them. Links are locked in one order, so that two callers
   * never wait for each other.
   *
   * @throws DriverException if the work throws it, or the thread is interrupted while it waits; the
   *     work is not done then
   */
  <T> T with(Collection<String> names, Work<T> work) throws DriverException {
    List<ReentrantLock> held = new ArrayList<>();
    try {
      for (String one : new TreeSet<>(names)) {
        ReentrantLock lock = locks.computeIfAbsent(one, none -> new ReentrantLock());
        lock.lockInterruptibly();
        held.add(lock);
      }
      return work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted while another call uses " + names, e);
    } finally {
      held.forEach(ReentrantLock::unlock);
    }
  }
}
