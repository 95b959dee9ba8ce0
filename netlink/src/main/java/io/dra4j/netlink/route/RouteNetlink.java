package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;

/**
 * Links, addresses, routes, rules and neighbours of one network namespace, over one socket.
 * Thread-safe.
 */
public final class RouteNetlink implements AutoCloseable {

  private final NetlinkSocket socket;
  private final Links links;
  private final Addresses addresses;
  private final Routes routes;
  private final Rules rules;
  private final Neighbours neighbours;
  private final NamespaceIds namespaceIds;
  private final BpfFilters filters;

  private RouteNetlink(NetlinkSocket socket) {
    this.socket = socket;
    this.links = new Links(socket);
    this.addresses = new Addresses(socket);
    this.routes = new Routes(socket);
    this.rules = new Rules(socket);
    this.neighbours = new Neighbours(socket);
    this.namespaceIds = new NamespaceIds(socket);
    this.filters = new BpfFilters(socket);
  }

  /**
   * Opens a socket in the network namespace of the calling thread.
   *
   * @return stays in that namespace
   * @throws NetlinkException if the kernel refuses
   */
  public static RouteNetlink open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE));
  }

  /**
   * Opens a socket in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @return stays in that namespace
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static RouteNetlink open(NetworkNamespace namespace) throws IOException {
    return over(NetlinkSocket.open(NetlinkSocket.ROUTE, namespace));
  }

  /**
   * Uses a socket that is open, or a recorded conversation.
   *
   * @param socket a socket of protocol {@link NetlinkSocket#ROUTE}; closed with this object
   * @return uses the socket
   */
  public static RouteNetlink over(NetlinkSocket socket) {
    return new RouteNetlink(socket);
  }

  /**
   * The links.
   *
   * @return lists and changes them
   */
  public Links links() {
    return links;
  }

  /**
   * The addresses.
   *
   * @return lists and changes them
   */
  public Addresses addresses() {
    return addresses;
  }

  /**
   * The routes.
   *
   * @return lists and changes them
   */
  public Routes routes() {
    return routes;
  }

  /**
   * The rules.
   *
   * @return lists and changes them
   */
  public Rules rules() {
    return rules;
  }

  /**
   * The neighbours.
   *
   * @return lists and changes them
   */
  public Neighbours neighbours() {
    return neighbours;
  }

  /**
   * The numbers of other namespaces.
   *
   * @return tells and gives them
   */
  public NamespaceIds namespaceIds() {
    return namespaceIds;
  }

  /**
   * The BPF filters of links.
   *
   * @return lists and removes them
   */
  public BpfFilters filters() {
    return filters;
  }

  /** Closes the socket. */
  @Override
  public void close() {
    socket.close();
  }
}
