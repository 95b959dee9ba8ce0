package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells what changes in a network namespace, from the moment it is opened. What is not read in time
 * is lost, which the next reading tells, before what was queued until then; so whoever follows a
 * state takes that first and reads the state anew. {@link LinkCache} does that for links.
 * Thread-safe.
 */
public final class RouteMonitor implements AutoCloseable {

  /** So many datagrams are taken at once. */
  private static final int BATCH = 1_000;

  private final NetlinkSocket socket;
  private final LinkDecoder links = new LinkDecoder();
  private final AddressCodec addresses = new AddressCodec();
  private final RouteCodec routes = new RouteCodec();
  private final NeighbourCodec neighbours = new NeighbourCodec();

  private RouteMonitor(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * Opens a monitor in the network namespace of the calling thread.
   *
   * @param topics what to tell about
   * @return stays in that namespace
   * @throws NetlinkException if the kernel refuses
   */
  public static RouteMonitor open(Set<RouteEvent.Topic> topics) throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE), topics);
  }

  /**
   * Opens a monitor in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @param topics what to tell about
   * @return stays in that namespace
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static RouteMonitor open(NetworkNamespace namespace, Set<RouteEvent.Topic> topics)
      throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE, namespace), topics);
  }

  /**
   * Uses a socket that is open, or a recorded conversation.
   *
   * @param socket a socket of protocol {@link NetlinkSocket#ROUTE}; closed with this object
   * @param topics what to tell about
   * @return uses the socket
   * @throws NetlinkException if the kernel refuses; the socket is closed then
   */
  public static RouteMonitor over(NetlinkSocket socket, Set<RouteEvent.Topic> topics)
      throws NetlinkException {
    try {
      for (RouteEvent.Topic topic : topics) {
        for (int group : groups(topic)) {
          socket.join(group);
        }
      }
      return new RouteMonitor(socket);
    } catch (NetlinkException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  /** {@code enum rtnetlink_groups}. */
  private static int[] groups(RouteEvent.Topic topic) {
    return switch (topic) {
      case LINKS -> new int[] {1};
      case ADDRESSES -> new int[] {5, 9};
      case ROUTES -> new int[] {7, 11};
      case NEIGHBOURS -> new int[] {3};
    };
  }

  /**
   * Waits until something changes.
   *
   * @param timeout how long at most; zero not to wait
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

  private void add(Message message, List<RouteEvent> events) throws NetlinkException.Malformed {
    RouteEvent event = event(message);
    if (event != null) {
      events.add(event);
    }
  }

  private @Nullable RouteEvent event(Message message) throws NetlinkException.Malformed {
    ObjectKind kind = ObjectKind.of(message.type());
    boolean set = kind != null && message.type() == kind.newType;
    if (kind == ObjectKind.LINK && message.u8(0) == Family.UNSPECIFIED) {
      // Of another family, a bridge tells of a port, not of the link.
      Link link = links.decode(message);
      return set ? new RouteEvent.LinkSet(link) : new RouteEvent.LinkGone(link);
    }
    if (kind == ObjectKind.ADDRESS) {
      InterfaceAddress address = addresses.decode(message);
      return address == null
          ? null
          : set ? new RouteEvent.AddressSet(address) : new RouteEvent.AddressGone(address);
    }
    if (kind == ObjectKind.ROUTE) {
      Route route = routes.decode(message);
      return route == null
          ? null
          : set ? new RouteEvent.RouteSet(route) : new RouteEvent.RouteGone(route);
    }
    if (kind == ObjectKind.NEIGHBOUR) {
      Neighbour neighbour = neighbours.decode(message);
      return neighbour == null
          ? null
          : set ? new RouteEvent.NeighbourSet(neighbour) : new RouteEvent.NeighbourGone(neighbour);
    }
    return null;
  }

  /** Closes the socket. Who waits gets {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    socket.close();
  }
}
