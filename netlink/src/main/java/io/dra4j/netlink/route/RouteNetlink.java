package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.util.List;

/**
 * Links, addresses, routes, rules, neighbours, next-hop objects and traffic control of one network
 * namespace, over one socket ({@code NETLINK_ROUTE}, rtnetlink(7)). Thread-safe.
 *
 * <pre>{@code
 * try (RouteNetlink route = RouteNetlink.open()) {
 *   Link link = route.links().get("eth0");
 *   route.links().change(link, LinkSettings.none().mtu(9000).up());
 *   route.addresses().add(InterfaceAddress.of(link.index(), IpPrefix.parse("192.0.2.5/24")));
 * }
 * }</pre>
 *
 * <p>Objects that are read can be written back: unknown attributes are kept. A missing value is an
 * empty value, never null, 0 or -1.
 */
public final class RouteNetlink implements AutoCloseable {

  private final NetlinkSocket socket;
  private final Links links;
  private final Addresses addresses;
  private final Routes routes;
  private final Rules rules;
  private final Neighbours neighbours;
  private final NextHopObjects nextHopObjects;
  private final ForwardingEntries forwardingEntries;
  private final BridgeVlans bridgeVlans;
  private final NamespaceIds namespaceIds;
  private final TrafficControls queueDisciplines;
  private final TrafficControls trafficClasses;
  private final TrafficControls filters;

  private RouteNetlink(NetlinkSocket socket) {
    this.socket = socket;
    this.links = new Links(socket);
    this.addresses = new Addresses(socket, links);
    this.routes = new Routes(socket, links);
    this.rules = new Rules(socket, links);
    this.neighbours = new Neighbours(socket, links);
    this.nextHopObjects = new NextHopObjects(socket, links);
    this.forwardingEntries = new ForwardingEntries(socket, links);
    this.bridgeVlans = new BridgeVlans(socket, links);
    this.namespaceIds = new NamespaceIds(socket);
    this.queueDisciplines = new TrafficControls(socket, links, ObjectKind.QUEUE_DISCIPLINE);
    this.trafficClasses = new TrafficControls(socket, links, ObjectKind.TRAFFIC_CLASS);
    this.filters = new TrafficControls(socket, links, ObjectKind.TRAFFIC_FILTER);
  }

  /**
   * {@return a new instance in the network namespace of the calling thread, where it stays}
   *
   * @throws NetlinkException if the kernel refuses
   */
  public static RouteNetlink open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE));
  }

  /**
   * {@return a new instance in a network namespace, where it stays}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static RouteNetlink open(NetworkNamespace namespace) throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE, namespace));
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param socket a socket of protocol {@link NetlinkSocket#ROUTE}; closed with this object
   */
  public static RouteNetlink over(NetlinkSocket socket) {
    return new RouteNetlink(socket);
  }

  /** {@return the links of the namespace} */
  public Links links() {
    return links;
  }

  /** {@return the addresses of the namespace's links} */
  public Addresses addresses() {
    return addresses;
  }

  /** {@return the routes of the namespace} */
  public Routes routes() {
    return routes;
  }

  /** {@return the rules of the namespace} */
  public Rules rules() {
    return rules;
  }

  /** {@return the neighbours of the namespace} */
  public Neighbours neighbours() {
    return neighbours;
  }

  /** {@return the next-hop objects of the namespace} */
  public NextHopObjects nextHopObjects() {
    return nextHopObjects;
  }

  /** {@return the forwarding databases of the namespace's bridges and vxlans} */
  public ForwardingEntries forwardingEntries() {
    return forwardingEntries;
  }

  /** {@return the VLANs of the ports of the namespace's bridges} */
  public BridgeVlans bridgeVlans() {
    return bridgeVlans;
  }

  /**
   * {@return all objects of a kind, for example each {@link Link} for {@link ObjectKind#LINK}}
   *
   * @param kind the kind
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<? extends RouteObject> list(ObjectKind kind) throws NetlinkException {
    return kind.listing.of(this);
  }

  /** {@return the numbers of other namespaces in this namespace} */
  public NamespaceIds namespaceIds() {
    return namespaceIds;
  }

  /** {@return the queueing disciplines of the namespace's links, as in {@code tc qdisc}} */
  public TrafficControls queueDisciplines() {
    return queueDisciplines;
  }

  /** {@return the classes of the namespace's queueing disciplines, as in {@code tc class}} */
  public TrafficControls trafficClasses() {
    return trafficClasses;
  }

  /**
   * {@return the filters of the namespace's links, including BPF filters, as in {@code tc filter}}
   */
  public TrafficControls filters() {
    return filters;
  }

  /** {@return the socket, closed with this object, for warnings, recordings and own messages} */
  public NetlinkSocket socket() {
    return socket;
  }

  /** Closes the socket. */
  @Override
  public void close() {
    socket.close();
  }
}
