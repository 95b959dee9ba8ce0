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
 * Watches the RDMA devices of this machine. It reads the devices when the kernel reports that a
 * device was added or removed, or that a network device changed, as when a RoCE port goes up or
 * down. It also reads them at regular intervals, because the kernel does not report that an
 * InfiniBand port went down or that a counter rose.
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
 * <p>Only one thread may wait at a time. Any thread may call {@link #close}.
 */
public final class RdmaHealthMonitor implements AutoCloseable {

  /** The pause after a change: it comes as many events, and drivers react a little later. */
  private static final Duration SETTLING = Duration.ofMillis(100);

  /** The longest interval; it fits into a {@code long} of nanoseconds. */
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
          "interval between readings: expected more than 0, found " + interval);
    }
    this.health = health;
    this.interval = interval;
    this.warnings = warnings;
    this.observer = new RdmaObserver(host, health.limits());
  }

  /**
   * {@return a monitor of this machine, in the network namespace of the calling thread, that has
   * not read the devices yet} Before Linux 6.12, only root may receive events of RDMA devices;
   * otherwise there is a warning, and changes are found at the regular readings.
   *
   * @param health takes the observations
   * @param interval the time between readings if the kernel reports no change
   * @param warnings takes a sentence for each thing that cannot be watched or read, on any thread
   * @throws NetlinkException if changes of network devices cannot be received
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

  /** Watches a captured host, which does not report changes. */
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
   * Waits until a problem begins or ends. The first call reads the devices immediately, so it
   * reports the problems that exist already.
   *
   * @param timeout the longest wait; zero for no wait
   * @return the problems that began and ended; empty if there were none in time
   * @throws NetlinkException.Closed if the monitor is closed, before or during the call
   * @throws IOException if the devices cannot be listed; the problems stay as they are, and the
   *     next call reads the devices immediately
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
        nextLook = System.nanoTime(); // set first, so that no change is lost by an interrupt
        Thread.sleep(SETTLING.toMillis());
        changes.clear();
      }
    }
    throw NetlinkException.closed("watch RDMA devices");
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
  }

  /** Reads the devices without waiting for the interval: now, or as soon as a thread waits. */
  public void look() {
    changes.signal();
  }

  /** Stops watching. A thread that waits gets {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    closed = true;
    changes.close();
    changes.signal();
  }
}
