package io.dra4j.netlink.route;

import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/** The routes of a network namespace, as {@code ip route} has. Thread-safe. */
public final class Routes {

  private static final int RTM_F_CLONED = 0x200;

  private final Exchange<Route> exchange;

  Routes(NetlinkSocket socket) {
    this.exchange = new Exchange<>(socket, ObjectKind.ROUTE, new RouteCodec());
  }

  /**
   * Lists the routes of all tables.
   *
   * @return the routes, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Route> list() throws NetlinkException {
    return list(0);
  }

  /**
   * Lists the routes of a table. The kernel would filter one family only, and fail if a table is
   * empty; older ones tell what they have learned as routes, too, which is left out.
   *
   * @param table the number of the table; 0 for all
   * @return the routes, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Route> list(int table) throws NetlinkException {
    return exchange.list(
        request -> request.appendZeros(RouteCodec.HEADER),
        route -> (route.state() & RTM_F_CLONED) == 0 && (table == 0 || route.table() == table));
  }

  /**
   * Asks which way packets to an address go.
   *
   * @param destination the address
   * @return the route that the kernel chooses
   * @throws NetlinkException if there is none (ENETUNREACH, EHOSTUNREACH), or the conversation
   *     fails
   */
  public Route get(IpAddress destination) throws NetlinkException {
    Text operation = new Text("get route to ", destination);
    MessageWriter request =
        exchange.socket().request(ObjectKind.ROUTE.getType, 0, RouteCodec.TABLE, operation);
    request.appendU8(destination.family()).appendU8(destination.bits()).appendZeros(10);
    request.putBytes(RouteCodec.DST, destination.toBytes());
    return exchange.socket().get(request, ObjectKind.ROUTE.newType, exchange.codec()::decode);
  }

  /**
   * Adds a route.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is such a route
   */
  public void add(Route route) throws NetlinkException {
    exchange.add(route);
  }

  /**
   * Adds a route behind those with its destination and metric, as {@code ip route append} does
   * ({@code NLM_F_APPEND}). Of IPv6 routes with gateways the kernel makes one route with several
   * ways.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is the very same route
   */
  public void append(Route route) throws NetlinkException {
    exchange.append(route);
  }

  /**
   * Adds a route, or replaces the one with its destination and metric.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(Route route) throws NetlinkException {
    exchange.replace(route);
  }

  /**
   * Deletes a route.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(Route route) throws NetlinkException {
    exchange.delete(route);
  }
}
