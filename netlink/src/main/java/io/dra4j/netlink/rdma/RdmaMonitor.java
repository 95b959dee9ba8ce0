package io.dra4j.netlink.rdma;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports RDMA devices of a network namespace that are added, removed or changed, from the moment
 * it is opened. Kernels before 6.12 report nothing, see {@link RdmaNetlink#reportsEvents}; for
 * these, {@link io.dra4j.netlink.uevent.DeviceMonitor} reports subsystem {@code infiniband}.
 * Thread-safe.
 *
 * <pre>{@code
 * try (RdmaMonitor monitor = RdmaMonitor.open()) {
 *   monitor.await(Duration.ofSeconds(10)).forEach(System.out::println);
 * }
 * }</pre>
 */
public final class RdmaMonitor implements AutoCloseable {

  static final int GROUP_NOTIFY = 4;
  static final int MONITOR = RdmaNetlink.NLDEV + 28;

  /** The maximum number of datagrams that are read at once. */
  private static final int BATCH = 1_000;

  private final NetlinkSocket socket;

  private RdmaMonitor(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * {@return a new monitor, which stays in the network namespace of the calling thread}
   *
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.Unsupported} if it does
   *     not support RDMA
   */
  public static RdmaMonitor open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.RDMA));
  }

  /**
   * {@return a new monitor, which stays in a network namespace}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or as for {@link #open()}
   */
  public static RdmaMonitor open(NetworkNamespace namespace) throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.RDMA, namespace));
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param socket a socket of protocol {@link NetlinkSocket#RDMA}; closed with this object
   * @throws NetlinkException if the kernel refuses; the socket is closed then
   */
  public static RdmaMonitor over(NetlinkSocket socket) throws NetlinkException {
    try {
      socket.join(GROUP_NOTIFY);
      return new RdmaMonitor(socket);
    } catch (NetlinkException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Waits until something changes.
   *
   * @param timeout the longest time to wait; zero to return at once
   * @return all changes that were reported so far, in order; empty if there were none
   * @throws NetlinkException if the monitor is closed or fails; {@link NetlinkException.Overrun} if
   *     events were lost, after which it goes on
   */
  public List<RdmaEvent> await(Duration timeout) throws NetlinkException {
    List<RdmaEvent> events = new ArrayList<>();
    Duration wait = timeout;
    for (int i = 0; i < BATCH && socket.receive(wait, message -> add(message, events)); i++) {
      wait = Duration.ZERO;
    }
    return List.copyOf(events);
  }

  private static void add(Message message, List<RdmaEvent> events)
      throws NetlinkException.Malformed {
    if (message.type() != MONITOR) {
      return;
    }
    Attributes attributes = RdmaNetlink.read(message);
    events.add(
        new RdmaEvent(
            kind(attributes.number("ATTR_EVENT_TYPE").orElse(-1)),
            attributes.number("ATTR_DEV_INDEX").orElse(0),
            attributes.text("ATTR_DEV_NAME"),
            attributes.number("ATTR_PORT_INDEX"),
            attributes.number("ATTR_NDEV_INDEX"),
            attributes.text("ATTR_NDEV_NAME")));
  }

  private static RdmaEvent.Kind kind(int number) {
    RdmaEvent.Kind[] kinds = RdmaEvent.Kind.values();
    return number >= 0 && number < kinds.length ? kinds[number] : RdmaEvent.Kind.OTHER;
  }

  /** Closes the socket. Waiting threads get {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    socket.close();
  }
}
