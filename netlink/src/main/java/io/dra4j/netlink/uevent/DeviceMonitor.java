package io.dra4j.netlink.uevent;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports devices that are added, removed or changed (kobject uevents), from the moment it is
 * opened. Devices that belong to a network namespace are reported in it; other devices in the
 * initial network namespace of the host, and in namespaces that own a user namespace. Thread-safe.
 *
 * <pre>{@code
 * try (DeviceMonitor monitor = DeviceMonitor.open()) {
 *   monitor.await(Duration.ofSeconds(10), Duration.ofMillis(100)).forEach(System.out::println);
 * }
 * }</pre>
 */
public final class DeviceMonitor implements AutoCloseable {

  /** The group of events from the kernel; udev sends to group 2. */
  private static final int KERNEL_GROUP = 1;

  private static final int MAX_EVENTS = 10_000;
  private static final int QUIETS = 10;

  private final NetlinkSocket socket;

  private DeviceMonitor(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * {@return a new monitor in the network namespace of the calling thread, where it stays}
   *
   * @throws NetlinkException if the kernel refuses
   */
  public static DeviceMonitor open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.KOBJECT_UEVENT));
  }

  /**
   * {@return a new monitor in a network namespace, where it stays}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static DeviceMonitor open(NetworkNamespace namespace) throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.KOBJECT_UEVENT, namespace));
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param socket a socket of {@link NetlinkSocket#KOBJECT_UEVENT}; closed with this object
   * @throws NetlinkException if the kernel refuses; the socket is closed then
   */
  public static DeviceMonitor over(NetlinkSocket socket) throws NetlinkException {
    try {
      socket.join(KERNEL_GROUP);
      return new DeviceMonitor(socket);
    } catch (NetlinkException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Waits for an event, and then until there was none for a while, because one device causes many
   * events. Of several events with the same device and action, the last one is returned.
   *
   * @param timeout the longest time to wait for the first event; zero to return at once
   * @param quiet the time without events to wait for; the total wait is at most ten times as long;
   *     zero to return the present events
   * @return the events in order, at most 10,000 at a call; empty if there was none in time
   * @throws NetlinkException if the monitor is closed or fails; {@link NetlinkException.Overrun} if
   *     events were lost, after which it goes on
   */
  public List<DeviceEvent> await(Duration timeout, Duration quiet) throws NetlinkException {
    Map<String, DeviceEvent> events = new LinkedHashMap<>();
    Duration longest = shorter(quiet, Duration.ofDays(1)).multipliedBy(QUIETS);
    Duration wait = timeout;
    long first = 0;
    for (int i = 0; i < MAX_EVENTS && (i == 0 || !wait.isNegative()); i++) {
      if (!socket.receiveRaw(wait, datagram -> add(datagram, events))) {
        break;
      }
      first = i == 0 ? System.nanoTime() : first;
      Duration left = longest.minusNanos(System.nanoTime() - first);
      wait = quiet.isZero() ? quiet : shorter(quiet, left);
    }
    return List.copyOf(new ArrayList<>(events.values()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static void add(ByteBuffer datagram, Map<String, DeviceEvent> events)
      throws NetlinkException.Malformed {
    DeviceEvent event = parse(datagram);
    if (event != null) {
      String key = event.action() + "@" + event.path();
      events.remove(key); // the last one is moved to the end
      events.put(key, event);
    }
  }

  /** Parses {@code action@path}, then {@code NAME=value}, each terminated by a zero byte. */
  static @Nullable DeviceEvent parse(ByteBuffer datagram) throws NetlinkException.Malformed {
    byte[] bytes = new byte[datagram.remaining()];
    datagram.get(bytes);
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
    int at = parts[0].indexOf('@');
    if (at <= 0) {
      if (parts[0].startsWith("libudev")) { // udev sends through the same family
        return null;
      }
      throw new NetlinkException.Malformed("a device event without action@path");
    }
    Map<String, String> properties = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        properties.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
      }
    }
    return new DeviceEvent(
        parts[0].substring(0, at),
        parts[0].substring(at + 1),
        properties.getOrDefault("SUBSYSTEM", ""),
        properties);
  }

  /** Closes the socket. Waiting threads get {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    socket.close();
  }
}
