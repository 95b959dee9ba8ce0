package io.dra4j.rdma.health;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaMonitor;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.RouteMonitor;
import io.dra4j.netlink.uevent.DeviceMonitor;
import io.dra4j.spi.Host;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Watches the RDMA devices of this machine. It looks when the kernel reports that a network device
 * changes, which is how ports of RoCE go up and down, or that a device comes or goes; and at
 * regular times, because the kernel does not report that a port of InfiniBand went down or that a
 * counter rose.
 *
 * <pre>{@code
 * RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());
 * try (RdmaHealthMonitor monitor =
 *     RdmaHealthMonitor.open(health, Duration.ofSeconds(10), System.err::println)) {
 *   while (true) {
 *     for (RdmaHealthEvent event : monitor.await(Duration.ofMinutes(1))) {
 *       publish(health.taints(event.problem().device(), "dra.example.com"));
 *     }
 *   }
 * } catch (NetlinkException.Closed e) {
 *   // Another thread has closed the monitor: the program ends.
 * }
 * }</pre>
 *
 * <p>One thread waits at a time; {@link #close} may be called by any.
 */
public final class RdmaHealthMonitor implements AutoCloseable {

  /** A change is many events, and drivers follow network devices a little later. */
  private static final Duration SETTLING = Duration.ofMillis(100);

  /** A number of nanoseconds still holds it. */
  private static final Duration LONGEST = Duration.ofDays(10_000);

  private final RdmaHealth health;
  private final Duration interval;
  private final Consumer<String> warnings;
  private final RdmaObserver observer;
  private final ChangeSignal changes = new ChangeSignal();
  private long nextLook = System.nanoTime();
  private volatile boolean closed;

  private RdmaHealthMonitor(
      Host host, RdmaHealth health, Duration interval, Consumer<String> warnings) {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException(
          "interval of looking: expected more than 0, got " + interval);
    }
    this.health = health;
    this.interval = interval;
    this.warnings = warnings;
    this.observer = new RdmaObserver(host, health.limits());
  }

  /**
   * Starts to watch this machine, in the network namespace of the calling thread. Events of RDMA
   * devices are for root alone before Linux 6.12: who may not hear them gets a warning, and looks
   * at regular times.
   *
   * @param health judges what is seen
   * @param interval how often to look if nothing is reported
   * @param warnings takes sentences about what cannot be watched or read; called by other threads,
   *     too
   * @return a monitor that has not looked yet
   * @throws NetlinkException if the kernel does not report network devices
   * @throws IllegalArgumentException if the interval is not positive
   */
  public static RdmaHealthMonitor open(
      RdmaHealth health, Duration interval, Consumer<String> warnings) throws NetlinkException {
    RdmaHealthMonitor monitor = new RdmaHealthMonitor(Host.live(), health, interval, warnings);
    try {
      monitor.changes.listen("network devices", links(), warnings);
      monitor.changes.listen("devices", devices(), warnings);
      monitor.changes.listenIfAllowed("RDMA devices", () -> rdma(RdmaMonitor.open()), warnings);
    } catch (NetlinkException | RuntimeException | Error e) {
      monitor.close();
      throw e;
    }
    return monitor;
  }

  /** Watches a captured host, which reports nothing by itself. */
  static RdmaHealthMonitor over(
      Host host, RdmaHealth health, Duration interval, Consumer<String> warnings) {
    return new RdmaHealthMonitor(host, health, interval, warnings);
  }

  private static ChangeSignal.Source links() throws NetlinkException {
    RouteMonitor monitor = RouteMonitor.open(Set.of(ObjectKind.LINK));
    return ChangeSignal.source(timeout -> !monitor.await(timeout).isEmpty(), monitor::close);
  }

  private static ChangeSignal.Source devices() throws NetlinkException {
    DeviceMonitor monitor = DeviceMonitor.open();
    return ChangeSignal.source(
        timeout ->
            monitor.await(timeout, Duration.ZERO).stream()
                .anyMatch(event -> event.subsystem().startsWith("infiniband")),
        monitor::close);
  }

  static ChangeSignal.Source rdma(RdmaMonitor monitor) {
    return ChangeSignal.source(timeout -> !monitor.await(timeout).isEmpty(), monitor::close);
  }

  /**
   * Waits until a problem begins or ends. The first call looks at once, so that it reports what is
   * wrong already.
   *
   * @param timeout how long at most; zero not to wait
   * @return what began and ended; empty if nothing did in time
   * @throws NetlinkException.Closed if the monitor is closed, or gets closed meanwhile
   * @throws IOException if the devices cannot be listed; nothing is judged then, and the next call
   *     looks again, at once
   * @throws InterruptedException if the thread is interrupted
   */
  public List<RdmaHealthEvent> await(Duration timeout) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + nanos(timeout);
    while (!closed) {
      long now = System.nanoTime();
      if (nextLook - now <= 0) {
        List<RdmaHealthEvent> events = health.update(observer.observe(warnings));
        nextLook = now + nanos(interval);
        if (!events.isEmpty()) {
          return events;
        }
        continue;
      }
      if (deadline - now <= 0) {
        return List.of();
      }
      if (changes.await(Duration.ofNanos(Math.min(nextLook - now, deadline - now))) && !closed) {
        nextLook = System.nanoTime(); // first, so that an interrupt loses no change
        Thread.sleep(SETTLING.toMillis());
        changes.clear();
      }
    }
    throw NetlinkException.closed("watch RDMA devices");
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
  }

  /** Looks now, or as soon as a thread waits, whatever the interval. */
  public void look() {
    changes.signal();
  }

  /** Stops watching. Who waits gets {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    closed = true;
    changes.close();
    changes.signal();
  }
}
