package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reports what changes in a network namespace, from the moment it is opened ({@code ip monitor}).
 *
 * <pre>{@code
 * try (RouteMonitor monitor = RouteMonitor.open(Set.of(ObjectKind.LINK, ObjectKind.RULE))) {
 *   for (RouteEvent event : monitor.await(Duration.ofSeconds(10))) {
 *     System.out.println((event.gone() ? "gone: " : "set: ") + event.object());
 *   }
 * }
 * }</pre>
 *
 * <p>What is not read in time is lost, which the next read reports, before what was queued until
 * then; so a program that follows a state handles that first and reads the state anew. {@link
 * LinkCache} does that for links. Thread-safe.
 */
public final class RouteMonitor implements AutoCloseable {

  /** So many datagrams are taken at once. */
  private static final int BATCH = 1_000;

  private final NetlinkSocket socket;
  private final Map<ObjectKind, MessageDecoder<? extends RouteObject>> decoders =
      new EnumMap<>(ObjectKind.class);

  private RouteMonitor(NetlinkSocket socket, Set<ObjectKind> kinds) {
    this.socket = socket;
    kinds.forEach(kind -> decoders.put(kind, kind.decoder()));
  }

  /**
   * Opens a monitor in the network namespace of the calling thread.
   *
   * @param kinds the kinds of objects to report
   * @return an instance, which stays in that namespace
   * @throws NetlinkException if the kernel refuses
   */
  public static RouteMonitor open(Set<ObjectKind> kinds) throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE), kinds);
  }

  /**
   * Opens a monitor in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @param kinds the kinds of objects to report
   * @return an instance, which stays in that namespace
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static RouteMonitor open(NetworkNamespace namespace, Set<ObjectKind> kinds)
      throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE, namespace), kinds);
  }

  /**
   * Returns an instance that uses an open socket, or a recorded conversation.
   *
   * @param socket a socket of protocol {@link NetlinkSocket#ROUTE}; closed with this object
   * @param kinds the kinds of objects to report
   * @return the instance
   * @throws NetlinkException if the kernel refuses; the socket is closed then
   */
  public static RouteMonitor over(NetlinkSocket socket, Set<ObjectKind> kinds)
      throws NetlinkException {
    try {
      for (ObjectKind kind : kinds) {
        for (int group : kind.groups) {
          socket.join(group);
        }
      }
      return new RouteMonitor(socket, kinds);
    } catch (NetlinkException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Waits until something changes.
   *
   * @param timeout the longest time to wait; zero to return at once
   * @return what has changed, in order: all that is known by now; empty if nothing has
   * @throws NetlinkException if the monitor is closed or fails; {@link NetlinkException.Overrun} if
   *     events were lost, after which it goes on
   */
  public List<RouteEvent> await(Duration timeout) throws NetlinkException {
    List<RouteEvent> events = new ArrayList<>();
    Duration wait = timeout;
    for (int i = 0; i < BATCH && socket.receive(wait, message -> add(message, events)); i++) {
      wait = Duration.ZERO;
    }
    return List.copyOf(events);
  }

  /** A group may report more than was asked for, and kinds may share a type of messages. */
  private void add(Message message, List<RouteEvent> events) throws NetlinkException.Malformed {
    for (Map.Entry<ObjectKind, MessageDecoder<? extends RouteObject>> one : decoders.entrySet()) {
      boolean gone = message.type() == one.getKey().deleteType;
      if (gone || message.type() == one.getKey().newType) {
        RouteObject object = one.getValue().decode(message);
        if (object != null) {
          events.add(new RouteEvent(object, gone));
          return;
        }
      }
    }
  }

  /** Closes the socket. Who waits gets {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    socket.close();
  }
}
