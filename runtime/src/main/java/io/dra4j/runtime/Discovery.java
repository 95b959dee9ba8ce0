package io.dra4j.runtime;

import io.dra4j.runtime.internal.call.Gauges;
import io.dra4j.runtime.internal.call.ScanSchedule;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.TopologyReaders;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the host after changes and at regular intervals, and passes the result to the {@link
 * DriverDiscovery} of each driver. It has its own thread; any thread may call its methods.
 */
final class Discovery {

  /** The host, and what reads and watches it. */
  record Source(Host host, TopologyReaders readers, List<HostWatcher> watchers) {}

  /** The times of scans, and the longest interval between health checks of devices. */
  record Times(Duration quiet, Duration pause, Duration period, Duration health) {}

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
  private static final int SHOWN_CHANGES = 8;
  private static final int SHOWN_WARNINGS = 16;
  private static final Duration BEFORE_INTERRUPT = Duration.ofSeconds(1);
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private final Host host;
  private final TopologyReaders readers;
  private final List<HostWatcher> watchers;
  private final List<DriverDiscovery> drivers;
  private final MeterRegistry metrics;
  private final Runnable afterScan;
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
  private final Map<String, String> unwatched = new ConcurrentHashMap<>();
  private volatile List<String> warnings = List.of();

  Discovery(
      Source source,
      List<DriverSlot> slots,
      DriverDiscovery.Shared shared,
      String node,
      Times times,
      Runnable afterScan) {
    this.host = source.host();
    this.readers = source.readers();
    this.watchers = List.copyOf(source.watchers());
    this.drivers =
        slots.stream()
            .map(
                slot ->
                    new DriverDiscovery(
                        slot, shared, contextOf(slot, node), times.health(), this::signal))
            .toList();
    Gauges gauges = shared.gauges();
    this.metrics = gauges.registry();
    this.times = times;
    this.afterScan = afterScan;
    this.schedule =
        new ScanSchedule(times.quiet(), times.pause(), times.period(), System.nanoTime());
    this.thread = new Thread(this::run, "dra4j-discovery");
    thread.setDaemon(true);
    for (DriverSlot slot : slots) {
      Tags tags = Tags.of("driver", slot.name());
      gauges.add("dra4j.devices", tags, slot, DriverSlot::size);
      gauges.add("dra4j.devices.left.out", tags, slot, one -> one.leftOut().size());
      gauges.add("dra4j.devices.unhealthy", tags, slot, one -> one.health().unhealthy());
    }
  }

  private DriverContext contextOf(DriverSlot slot, String node) {
    return new DriverContext() {
      @Override
      public String node() {
        return node;
      }

      @Override
      public void changed(String why) {
        request(slot.name() + ": " + Objects.requireNonNull(why, "why"));
      }
    };
  }

  /**
   * Starts to watch the host and scans it once. Returns when the drivers have answered, or after
   * {@code wait}; slower drivers are added later.
   */
  void start(Duration wait) {
    drivers.forEach(DriverDiscovery::start);
    watch();
    long number = scan();
    thread.start();
    try {
      await(number, wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void signal() {
    lock.lock();
    try {
      something.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Requests a scan, which runs as soon as the minimum pause has passed. */
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

  /**
   * Requests a scan, and waits until the drivers have answered a scan that began after this call.
   */
  boolean scanNow(Duration wait) throws InterruptedException {
    long wanted;
    lock.lock();
    try {
      wanted = scansBegun + 1;
      schedule.changed(System.nanoTime());
      changes.add("on request");
      something.signalAll();
    } finally {
      lock.unlock();
    }
    return await(wanted, wait);
  }

  /** Waits for a scan. Returns whether the host was read and the drivers answered in time. */
  private boolean await(long scan, Duration wait) throws InterruptedException {
    long left = wait.toNanos();
    lock.lock();
    try {
      while (!hasEnded(scan) && !isClosed && left > 0) {
        left = something.awaitNanos(left);
      }
      return hasEnded(scan) && hasRead;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasEnded(long scan) {
    return scansEnded >= scan
        && (!hasRead || drivers.stream().allMatch(one -> one.answered() >= scan));
  }

  private void run() {
    while (waitUntilDue()) {
      try {
        watch();
        scan();
        afterScan.run();
      } catch (Throwable e) { // readers may throw undeclared exceptions
        LOG.atError().setCause(e).log("discovery failed; it will be retried");
      }
    }
  }

  /** Waits until a scan is due. Returns false if closed. */
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
      return false; // no other code interrupts this thread
    } finally {
      lock.unlock();
    }
  }

  /** Scans the host. Returns the number of the scan. */
  private long scan() {
    String because;
    long number;
    lock.lock();
    try {
      schedule.scanning(System.nanoTime());
      number = ++scansBegun;
      because = changes.isEmpty() ? "the interval has passed" : String.join(", ", changes);
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
        for (DriverDiscovery driver : drivers) {
          driver.discover(number, inventory, because);
        }
      }
      return number;
    } finally {
      lastScanEnded = System.nanoTime();
      metrics.timer("dra4j.discovery").record(lastScanEnded - begun, TimeUnit.NANOSECONDS);
      lock.lock();
      try {
        scansEnded = number;
        hasRead = inventory != null;
        something.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Reads the host; null if it cannot be read. The offers of the drivers stay then. */
  private @Nullable HostInventory read() {
    try {
      return readers.read(host);
    } catch (Throwable e) {
      LOG.atError().setCause(e).log("cannot read the host; it will be retried");
      for (DriverDiscovery driver : drivers) {
        DriverSlot slot = driver.slot();
        slot.failed("the host cannot be read: " + e);
        metrics.counter("dra4j.discovery.failures", "driver", slot.name()).increment();
      }
      return null;
    }
  }

  /** Logs each warning once, until it no longer applies. */
  private void warn(List<String> now) {
    now.stream().filter(one -> !warnings.contains(one)).forEach(one -> LOG.atWarn().log("{}", one));
    warnings = now;
  }

  /** Starts each watcher that is not running. */
  private void watch() {
    for (HostWatcher watcher : watchers) {
      if (watches.containsKey(watcher.name()) && !isLost(watcher.name())) {
        continue;
      }
      HostWatcher.Watch old = watches.remove(watcher.name());
      if (old != null) {
        close(watcher.name(), old);
      }
      try {
        watches.put(watcher.name(), watcher.watch(host, listenerOf(watcher.name())));
        unwatched.remove(watcher.name());
      } catch (Throwable e) {
        metrics.counter("dra4j.watch.failures", "watcher", watcher.name()).increment();
        unwatched.put(watcher.name(), String.valueOf(e));
        LOG.atWarn()
            .addKeyValue("watcher", watcher.name())
            .log(
                "cannot watch the host; changes are found only by the regular scans: {}",
                String.valueOf(e));
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
        LOG.atWarn()
            .addKeyValue("watcher", watcher)
            .log("the watch of the host has ended: {}", why);
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

  /** The problems that operators should know although discovery works. */
  List<String> warnings() {
    List<String> all = new ArrayList<>();
    unwatched.forEach(
        (watcher, why) ->
            all.add(
                "watcher %s cannot watch the host, so it is read only every %d s: %s"
                    .formatted(watcher, Math.max(1, times.period().toSeconds()), why)));
    List<String> now = warnings;
    all.addAll(now.subList(0, Math.min(SHOWN_WARNINGS, now.size())));
    if (now.size() > SHOWN_WARNINGS) {
      all.add("%d more warnings of readers".formatted(now.size() - SHOWN_WARNINGS));
    }
    return all;
  }

  /** The reason why discovery does not work; null if it works. */
  @Nullable String problem() {
    long age = System.nanoTime() - lastScanEnded;
    long allowed = 3 * times.period().toNanos() + TimeUnit.MINUTES.toNanos(1);
    if (thread.getState() == Thread.State.TERMINATED) { // not a thread that is not started yet
      return "the thread of discovery has ended";
    }
    for (DriverDiscovery driver : drivers) {
      if (driver.hasEnded()) {
        return "the thread of discovery of driver %s has ended".formatted(driver.slot().name());
      }
    }
    return age <= allowed
        ? null
        : "the last discovery ended %d s ago".formatted(TimeUnit.NANOSECONDS.toSeconds(age));
  }

  /**
   * Ends watching and scanning. Discovery changes nothing on the host, so a driver that does not
   * end soon is interrupted, and abandoned if that has no effect.
   */
  void close(Duration limit) {
    lock.lock();
    try {
      isClosed = true;
      something.signalAll();
    } finally {
      lock.unlock();
    }
    drivers.forEach(DriverDiscovery::close);
    Duration first = limit.compareTo(BEFORE_INTERRUPT) < 0 ? limit : BEFORE_INTERRUPT;
    try {
      if (!join(first)) {
        thread.interrupt();
        drivers.forEach(DriverDiscovery::interrupt);
        if (!join(AFTER_INTERRUPT)) {
          LOG.atWarn().log("discovery did not end before the stop limit");
        }
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      drivers.forEach(DriverDiscovery::interrupt);
      Thread.currentThread().interrupt();
    }
    watches.forEach(Discovery::close);
  }

  /** Closes a watch. Its exceptions must not prevent closing the store. */
  private static void close(String watcher, HostWatcher.Watch watch) {
    try {
      watch.close();
    } catch (Throwable e) {
      LOG.atError()
          .addKeyValue("watcher", watcher)
          .setCause(e)
          .log("closing a watch of the host failed");
    }
  }

  private boolean join(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    thread.join(Math.max(1, limit.toMillis()));
    boolean hasEnded = !thread.isAlive();
    for (DriverDiscovery driver : drivers) {
      hasEnded &= driver.join(Duration.ofNanos(end - System.nanoTime()));
    }
    return hasEnded;
  }
}
