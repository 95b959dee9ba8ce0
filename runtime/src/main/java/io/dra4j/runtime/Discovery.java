package io.dra4j.runtime;

import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.TopologyReaders;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the host when something has changed on it, and from time to time, and asks the drivers what
 * they offer. One thread of its own; other methods may be called by any.
 */
final class Discovery {

  /** When to scan. */
  record Times(Duration quiet, Duration pause, Duration period) {}

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
  private static final int SHOWN_CHANGES = 8;
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private final Host host;
  private final TopologyReaders readers;
  private final List<HostWatcher> watchers;
  private final List<DriverSlot> slots;
  private final ClaimKeeper keeper;
  private final MeterRegistry metrics;
  private final Runnable afterScan;
  private final List<SliceListener> listeners;
  private final Times times;
  private final Map<String, HostWatcher.Watch> watches = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition something = lock.newCondition();
  private final ScanSchedule schedule;
  private final TreeSet<String> changes = new TreeSet<>();
  private final List<String> lost = new ArrayList<>();
  private final Thread thread;
  private boolean isClosed;
  private long scansBegun;
  private long scansEnded;
  private boolean hasRead;
  private volatile long lastScanEnded = System.nanoTime();
  private List<String> warnings = List.of();

  Discovery(
      Host host,
      TopologyReaders readers,
      List<HostWatcher> watchers,
      List<DriverSlot> slots,
      ClaimKeeper keeper,
      Gauges gauges,
      List<SliceListener> listeners,
      Times times,
      Runnable afterScan) {
    this.host = host;
    this.readers = readers;
    this.watchers = List.copyOf(watchers);
    this.slots = slots;
    this.keeper = keeper;
    this.metrics = gauges.registry();
    this.listeners = listeners;
    this.times = times;
    this.afterScan = afterScan;
    this.schedule =
        new ScanSchedule(times.quiet(), times.pause(), times.period(), System.nanoTime());
    this.thread = new Thread(this::run, "dra4j-discovery");
    thread.setDaemon(true);
    for (DriverSlot slot : slots) {
      gauges.add("dra4j.devices", Tags.of("driver", slot.name()), slot, DriverSlot::size);
    }
  }

  /** Watches and scans once; returns when the drivers have answered. */
  void start() {
    watch();
    scan();
    thread.start();
  }

  /** Scans as soon as it is allowed to. */
  void request(String why) {
    lock.lock();
    try {
      schedule.changed(System.nanoTime());
      if (changes.size() < SHOWN_CHANGES) {
        changes.add(why);
      }
      something.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Scans, and waits until a scan that began after this call has ended. */
  boolean scanNow(Duration wait) throws InterruptedException {
    long left = wait.toNanos();
    lock.lock();
    try {
      long wanted = scansBegun + 1;
      schedule.changed(System.nanoTime());
      changes.add("on request");
      something.signalAll();
      while (scansEnded < wanted && !isClosed && left > 0) {
        left = something.awaitNanos(left);
      }
      return scansEnded >= wanted && hasRead;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (waitUntilDue()) {
      try {
        watch();
        scan();
        afterScan.run();
      } catch (RuntimeException | Error e) {
        LOG.atError().setCause(e).log("discovery failed, to be tried again");
      }
    }
  }

  /** Whether there is a scan to do; not if closed. */
  private boolean waitUntilDue() {
    lock.lock();
    try {
      while (!isClosed) {
        long wait = schedule.nanosUntilDue(System.nanoTime());
        if (wait <= 0) {
          return true;
        }
        something.awaitNanos(wait);
      }
      return false;
    } catch (InterruptedException e) {
      return false; // nobody else interrupts this thread
    } finally {
      lock.unlock();
    }
  }

  private void scan() {
    String because;
    lock.lock();
    try {
      schedule.scanning(System.nanoTime());
      scansBegun++;
      because = changes.isEmpty() ? "it is time" : String.join(", ", changes);
      changes.clear();
    } finally {
      lock.unlock();
    }
    long begun = System.nanoTime();
    HostInventory inventory = null;
    try {
      inventory = read();
      if (inventory != null) {
        warn(inventory.warnings());
        for (DriverSlot slot : slots) {
          discover(slot, inventory, because);
        }
      }
    } finally {
      lastScanEnded = System.nanoTime();
      metrics.timer("dra4j.discovery").record(lastScanEnded - begun, TimeUnit.NANOSECONDS);
      lock.lock();
      try {
        scansEnded = scansBegun;
        hasRead = inventory != null;
        something.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Null if the host cannot be read; what the drivers offered before stays. */
  private @Nullable HostInventory read() {
    try {
      return readers.read(host);
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("the host cannot be read, to be tried again");
      for (DriverSlot slot : slots) {
        slot.failed("the host cannot be read: " + e);
        metrics.counter("dra4j.discovery.failures", "driver", slot.name()).increment();
      }
      return null;
    }
  }

  /** Each warning once, until it goes. */
  private void warn(List<String> now) {
    now.stream().filter(one -> !warnings.contains(one)).forEach(one -> LOG.atWarn().log("{}", one));
    warnings = now;
  }

  private void discover(DriverSlot slot, HostInventory inventory, String because) {
    try {
      if (!slot.discover(inventory, () -> heldOf(slot.name()))) {
        return;
      }
      metrics.counter("dra4j.slices.changes", "driver", slot.name()).increment();
      LOG.atInfo()
          .addKeyValue("driver", slot.name())
          .addKeyValue("devices", slot.size())
          .addKeyValue("because", because)
          .log("devices changed");
    } catch (RuntimeException | Error e) {
      slot.failed(String.valueOf(e));
      metrics.counter("dra4j.discovery.failures", "driver", slot.name()).increment();
      LOG.atError()
          .addKeyValue("driver", slot.name())
          .setCause(e)
          .log("a driver could not discover; what it offered before stays");
      return;
    }
    for (SliceListener listener : listeners) {
      try {
        listener.changed(slot.name(), slot.slices());
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("driver", slot.name()).setCause(e).log("a listener failed");
      }
    }
  }

  private Map<String, DriverSlot.Held> heldOf(String driver) {
    Map<String, DriverSlot.Held> held = new HashMap<>();
    for (StoredClaim claim : keeper.claims()) {
      if (claim.driver().equals(driver)) {
        claim
            .claim()
            .claimed()
            .devices()
            .forEach(
                device ->
                    held.merge(
                        device.name(),
                        new DriverSlot.Held(device.device(), keeper.isAway(claim)),
                        (one, other) -> one.isAttached() ? one : other));
      }
    }
    return held;
  }

  /** Begins to watch where nobody watches yet, or not any more. */
  private void watch() {
    for (HostWatcher watcher : watchers) {
      if (watches.containsKey(watcher.name()) && !isLost(watcher.name())) {
        continue;
      }
      HostWatcher.Watch old = watches.remove(watcher.name());
      if (old != null) {
        old.close();
      }
      try {
        watches.put(watcher.name(), watcher.watch(host, listenerOf(watcher.name())));
      } catch (IOException | RuntimeException | Error e) {
        metrics.counter("dra4j.watch.failures", "watcher", watcher.name()).increment();
        LOG.atWarn()
            .addKeyValue("watcher", watcher.name())
            .log("cannot watch, the host is read from time to time only: {}", String.valueOf(e));
      }
    }
  }

  private boolean isLost(String watcher) {
    lock.lock();
    try {
      return lost.remove(watcher);
    } finally {
      lock.unlock();
    }
  }

  private HostWatcher.Listener listenerOf(String watcher) {
    return new HostWatcher.Listener() {
      @Override
      public void changed(String what) {
        request(what);
      }

      @Override
      public void lost(String why) {
        LOG.atWarn().addKeyValue("watcher", watcher).log("watching has ended: {}", why);
        metrics.counter("dra4j.watch.failures", "watcher", watcher).increment();
        lock.lock();
        try {
          lost.add(watcher);
        } finally {
          lock.unlock();
        }
        request(watcher + " was lost");
      }
    };
  }

  /** Why discovery does not work; null if it does. */
  @Nullable String problem() {
    long age = System.nanoTime() - lastScanEnded;
    long allowed = 3 * times.period().toNanos() + TimeUnit.MINUTES.toNanos(1);
    if (!thread.isAlive()) {
      return "the thread of discovery has ended";
    }
    return age <= allowed
        ? null
        : "the last discovery ended %d s ago".formatted(TimeUnit.NANOSECONDS.toSeconds(age));
  }

  /** Ends watching and scanning; a driver that does not end in time is interrupted, and left. */
  void close(Duration limit) {
    lock.lock();
    try {
      isClosed = true;
      something.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(limit.toMillis());
      if (thread.isAlive()) {
        LOG.atWarn().log("discovery did not end in time");
        thread.interrupt();
        thread.join(AFTER_INTERRUPT.toMillis());
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    watches.values().forEach(HostWatcher.Watch::close);
  }
}
