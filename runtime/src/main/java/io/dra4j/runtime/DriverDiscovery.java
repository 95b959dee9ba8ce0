package io.dra4j.runtime;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one driver what it offers, on a thread of its own, so that one that is slow or does not
 * answer holds up nobody else. A driver that is still busy gets the newest facts next, and not what
 * came between. Thread-safe.
 */
final class DriverDiscovery {

  /** What the driver is to look at. */
  private record Scan(long number, HostInventory inventory, String because) {}

  private static final Logger LOG = LoggerFactory.getLogger(DriverDiscovery.class);

  private final DriverSlot slot;
  private final ClaimKeeper keeper;
  private final DriverCalls calls;
  private final Gauges gauges;
  private final List<SliceListener> listeners;
  private final Runnable onAnswer;
  private final Thread thread;
  private @Nullable Scan next;
  private List<String> leftOut = List.of(); // of its thread alone
  private boolean isClosed;
  private volatile long answered;

  /**
   * Makes the discovery of a driver, which has yet to be started.
   *
   * @param onAnswer is run on its thread after each answer
   */
  DriverDiscovery(
      DriverSlot slot,
      ClaimKeeper keeper,
      DriverCalls calls,
      Gauges gauges,
      List<SliceListener> listeners,
      Runnable onAnswer) {
    this.slot = slot;
    this.keeper = keeper;
    this.calls = calls;
    this.gauges = gauges;
    this.listeners = listeners;
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

  /** Hands over what was read of the host. */
  synchronized void discover(long number, HostInventory inventory, String because) {
    Scan waiting = next;
    next = new Scan(number, inventory, waiting == null ? because : waiting.because());
    notifyAll();
  }

  /** The number of the newest scan that the driver has answered, well or badly. */
  long answered() {
    return answered;
  }

  boolean hasEnded() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  private void run() {
    for (Scan scan = await(); scan != null; scan = await()) {
      try {
        discover(scan);
      } catch (Throwable e) {
        failed(String.valueOf(e), e);
      } finally {
        answered = scan.number();
        onAnswer.run();
      }
    }
  }

  /** Null if it is closed. */
  private synchronized @Nullable Scan await() {
    while (next == null && !isClosed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // A driver was interrupted and had answered; only close ends this thread.
      }
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
      boolean isChanged = slot.discover(scan.inventory(), calls, this::held);
      tellLeftOut();
      if (isChanged) {
        tellChange(scan);
      }
    } catch (DriverException e) {
      failed(String.valueOf(e.getMessage()), null); // its stack trace was logged with the call
      return;
    }
    slot.discoverHealth(scan.inventory(), calls); // last: nobody waits for one that hangs
  }

  private void tellChange(Scan scan) {
    gauges.registry().counter("dra4j.slices.changes", "driver", slot.name()).increment();
    LOG.atInfo()
        .addKeyValue("driver", slot.name())
        .addKeyValue("devices", slot.size())
        .addKeyValue("because", scan.because())
        .log("devices changed");
    for (SliceListener listener : listeners) {
      try {
        listener.changed(slot.name(), slot.slices());
      } catch (Throwable e) {
        LOG.atError().addKeyValue("driver", slot.name()).setCause(e).log("a listener failed");
      }
    }
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
        .log("a driver could not discover; what it offered before stays: {}", reason);
  }

  /** Each device once, until it is offered or gone. */
  private void tellLeftOut() {
    List<String> now = slot.leftOut();
    if (!now.equals(leftOut)) {
      leftOut = now;
      slot.problems()
          .forEach(one -> LOG.atWarn().addKeyValue("driver", slot.name()).log("{}", one));
    }
  }

  private Map<String, DriverSlot.Held> held() {
    Map<String, DriverSlot.Held> held = new HashMap<>();
    for (StoredClaim claim : keeper.claims()) {
      if (claim.driver().equals(slot.name())) {
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

  /** Takes no more; what the driver does now may end. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  /** Waits for the thread. */
  boolean join(Duration limit) throws InterruptedException {
    thread.join(Math.max(1, limit.toMillis()));
    return !thread.isAlive();
  }

  void interrupt() {
    thread.interrupt();
  }
}
