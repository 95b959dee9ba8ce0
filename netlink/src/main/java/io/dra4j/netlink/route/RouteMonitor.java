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
 * Reports changes in a network namespace, from the moment it is opened ({@code ip monitor}).
 *
 * <pre>{@code
 * try (RouteMonitor monitor = RouteMonitor.open(Set.of(ObjectKind.LINK, ObjectKind.RULE))) {
 *   for (RouteEvent event : monitor.await(Duration.ofSeconds(10))) {
 *     System.out.println((event.gone() ? "gone: " : "set: ") + event.object());
 *   }
 * }
 * }</pre>
 *
 * <p>Changes that are not read in time are lost. The next read reports the loss, before the changes
 * that were queued until then; a program that follows a state must then read the state again.
 * {@link LinkCache} does this for links. Thread-safe.
 */
public final class RouteMonitor implements AutoCloseable {

  /** The maximum number of datagrams that are read at once. */
  private static final int BATCH = 1_000;

  private final NetlinkSocket socket;
  private final Map<ObjectKind, MessageDecoder<? extends RouteObject>> decoders =
      new EnumMap<>(ObjectKind.class);

  private RouteMonitor(NetlinkSocket socket, Set<ObjectKind> kinds) {
    this.socket = socket;
    kinds.forEach(kind -> decoders.put(kind, kind.decoder()));
  }

  /**
   * {@return a new monitor in the network namespace of the calling thread, where it stays}
   *
   * @param kinds the kinds of objects to report
   * @throws NetlinkException if the kernel refuses
   */
  public static RouteMonitor open(Set<ObjectKind> kinds) throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE), kinds);
  }

  /**
   * {@return a new monitor in a network namespace, where it stays}
   *
   * @param namespace the namespace; may be closed afterwards
   * @param kinds the kinds of objects to report
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static RouteMonitor open(NetworkNamespace namespace, Set<ObjectKind> kinds)
      throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE, namespace), kinds);
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param socket a socket of protocol {@link NetlinkSocket#ROUTE}; closed with this object
   * @param kinds the kinds of objects to report
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
   * @return all changes that were reported so far, in order; empty if there were none
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

  /** Adds an event. A group may report other kinds too, and kinds may share a type of messages. */
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

  /** Closes the socket. Waiting threads get {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    socket.close();
  }
}
