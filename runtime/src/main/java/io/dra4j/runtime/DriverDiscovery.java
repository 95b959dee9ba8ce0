package io.dra4j.runtime;

import io.dra4j.runtime.internal.call.DriverCalls;
import io.dra4j.runtime.internal.call.Gauges;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovers the devices of one driver on a separate thread, so that a slow driver does not delay
 * other drivers. A driver that is busy gets only the newest facts next, not the ones in between.
 * Thread-safe.
 */
final class DriverDiscovery {

  /** The parts of a runtime that the discoveries of all drivers use. */
  record Shared(
      ClaimKeeper keeper,
      DriverCalls calls,
      Gauges gauges,
      ChangeListeners listeners,
      PoolNames names) {}

  /** The input of a discovery. */
  private record Scan(long number, HostInventory inventory, String because) {}

  private static final Logger LOG = LoggerFactory.getLogger(DriverDiscovery.class);

  private final DriverSlot slot;
  private final ClaimKeeper keeper;
  private final DriverCalls calls;
  private final Gauges gauges;
  private final ChangeListeners listeners;
  private final PoolNames names;
  private final DriverContext context;
  private final long healthPeriod;
  private final Runnable onAnswer;
  private final Thread thread;
  private @Nullable Scan next;
  private List<String> leftOut = List.of(); // used by its thread only, like the next four
  private @Nullable HostInventory newest;
  private List<DeviceHealth> saidHealth = List.of();
  private long healthSaid = System.nanoTime();
  private long healthDue;
  private boolean isClosed;
  private volatile long answered;

  /**
   * Creates the discovery of a driver without starting it.
   *
   * @param context the context that the driver gets when it is started
   * @param healthPeriod the longest interval between health checks of devices
   * @param onAnswer runs on the thread of discovery after each answer
   */
  DriverDiscovery(
      DriverSlot slot,
      Shared shared,
      DriverContext context,
      Duration healthPeriod,
      Runnable onAnswer) {
    this.slot = slot;
    this.keeper = shared.keeper();
    this.calls = shared.calls();
    this.gauges = shared.gauges();
    this.listeners = shared.listeners();
    this.names = shared.names();
    this.context = context;
    this.healthPeriod = healthPeriod.toNanos();
    this.healthDue = healthSaid + this.healthPeriod;
    this.onAnswer = onAnswer;
    this.thread = new Thread(this::run, "dra4j-discovery-" + slot.name());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  DriverSlot slot() {
    return slot;
  }

  /** Passes on the facts of a scan of the host. */
  synchronized void discover(long number, HostInventory inventory, String because) {
    Scan waiting = next;
    next = new Scan(number, inventory, waiting == null ? because : waiting.because());
    notifyAll();
  }

  /** The number of the newest scan that the driver has answered, with success or not. */
  long answered() {
    return answered;
  }

  boolean hasEnded() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  private void run() {
    while (!isClosed()) {
      Scan scan = await();
      try {
        if (scan != null) {
          discover(scan);
        } else if (!isClosed()) {
          healthDue = System.nanoTime() + healthPeriod;
          HostInventory inventory = newest;
          if (inventory != null) {
            discoverHealth(inventory, "the interval has passed");
          }
        }
      } catch (Throwable e) {
        failed(String.valueOf(e), e);
      } finally {
        if (scan != null) {
          answered = scan.number();
          onAnswer.run();
        }
      }
    }
  }

  /** Waits for a scan; null if it is closed, or if a health check is due. */
  private synchronized @Nullable Scan await() {
    long left = healthDue - System.nanoTime();
    while (next == null && !isClosed && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        // The interrupt came after the driver's answer; only close ends this thread.
      }
      left = healthDue - System.nanoTime();
    }
    Scan scan = isClosed ? null : next;
    next = null;
    return scan;
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  private void discover(Scan scan) {
    try {
      boolean isChanged = slot.discover(scan.inventory(), context, calls, this::held);
      newest = scan.inventory();
      tellLeftOut();
      if (isChanged) {
        tellChange(scan.because());
      }
    } catch (DriverException e) {
      failed(String.valueOf(e.getMessage()), null); // the stack trace was logged with the call
      return;
    }
    discoverHealth(
        scan.inventory(), scan.because()); // last, so that a driver that hangs delays nothing else
  }

  private void discoverHealth(HostInventory inventory, String because) {
    boolean isDue = System.nanoTime() - healthSaid >= healthPeriod / 2;
    boolean isChanged = slot.discoverHealth(inventory, calls, this::held);
    List<DeviceHealth> now =
        slot.health().devices().stream().map(DriverDiscovery::withoutTime).toList();
    if (isClosed()) {
      return;
    }
    if (!now.equals(saidHealth) || (isDue && !now.isEmpty())) {
      saidHealth = now;
      listeners.healthChanged(slot);
      healthSaid = System.nanoTime();
      healthDue = healthSaid + healthPeriod;
    }
    if (isChanged) {
      tellChange(because);
    }
  }

  private static DeviceHealth withoutTime(DeviceHealth health) {
    return health.asOf(Instant.EPOCH);
  }

  private void tellChange(String because) {
    gauges.registry().counter("dra4j.slices.changes", "driver", slot.name()).increment();
    LOG.atInfo()
        .addKeyValue("driver", slot.name())
        .addKeyValue("devices", slot.size())
        .addKeyValue("because", because)
        .log("devices changed");
    listeners.offerChanged(slot);
  }

  private void failed(String reason, @Nullable Throwable e) {
    if (isClosed()) {
      return;
    }
    slot.failed(reason);
    gauges.registry().counter("dra4j.discovery.failures", "driver", slot.name()).increment();
    LOG.atError()
        .addKeyValue("driver", slot.name())
        .setCause(e)
        .log("a driver failed to discover its devices; its previous offer stays: {}", reason);
  }

  /** Logs each device that is not offered once, until it is offered or no longer exists. */
  private void tellLeftOut() {
    List<String> now = slot.leftOut();
    if (!now.equals(leftOut)) {
      leftOut = now;
      slot.problems()
          .forEach(one -> LOG.atWarn().addKeyValue("driver", slot.name()).log("{}", one));
    }
  }

  private Map<DriverSlot.Place, DriverSlot.Held> held() {
    keeper.lookAtOther();
    Map<DriverSlot.Place, DriverSlot.Held> held = new LinkedHashMap<>();
    for (StoredClaim claim : keeper.claims()) {
      if (claim.driver().equals(slot.name())) {
        for (ClaimedDevice device : claim.claim().claimed().devices()) {
          String pool = names.now(slot.name(), device.result().pool());
          held.merge(
              new DriverSlot.Place(pool, device.name()),
              new DriverSlot.Held(device.device(), keeper.isAway(claim)),
              (one, other) -> one.isAttached() ? one : other);
        }
      }
    }
    return held;
  }

  /** Accepts no more scans; the current call of the driver may end. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  /** Waits for the end of the thread. */
  boolean join(Duration limit) throws InterruptedException {
    thread.join(Math.max(1, limit.toMillis()));
    return !thread.isAlive();
  }

  void interrupt() {
    thread.interrupt();
  }
}
