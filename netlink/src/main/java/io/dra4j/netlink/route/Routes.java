package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.MessageType.*;
import static io.dra4j.netlink.route.RouteAttributes.*;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/** The routes of a network namespace. Thread-safe. */
public final class Routes {

  private static final int RTM_F_CLONED = 0x200;

  private final NetlinkSocket socket;

  Routes(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * The routes of all tables.
   *
   * @return the routes, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Route> list() throws NetlinkException {
    return list(0);
  }

  /**
   * The routes of a table.
   *
   * @param table the number of the table; 0 for all
   * @return the routes, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Route> list(int table) throws NetlinkException {
    MessageWriter request = socket.request(RTM_GETROUTE, 0, ROUTE, "list routes");
    request.appendZeros(12); // the kernel filters one family only, and fails if a table is empty
    return socket.dump(
        request,
        RTM_NEWROUTE,
        message -> {
          if ((message.u32(8) & RTM_F_CLONED) != 0) { // older kernels tell these, too
            return null;
          }
          Route route = RouteCodec.decode(message);
          return route == null || (table != 0 && route.table() != table) ? null : route;
        });
  }

  /**
   * Which way packets to an address go.
   *
   * @param destination the address
   * @return the route that the kernel chooses
   * @throws NetlinkException if there is none (ENETUNREACH, EHOSTUNREACH), or the conversation
   *     fails
   */
  public Route get(IpAddress destination) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETROUTE, 0, ROUTE, new Text("get route to ", destination));
    request.appendU8(destination.family()).appendU8(destination.bits()).appendZeros(10);
    request.putBytes(RTA_DST, destination.toBytes());
    return socket.get(request, RTM_NEWROUTE, RouteCodec::decode);
  }

  /**
   * Adds a route.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is such a route
   */
  public void add(Route route) throws NetlinkException {
    execute(RTM_NEWROUTE, MessageFlags.CREATE | MessageFlags.EXCLUSIVE, "add route ", route);
  }

  /**
   * Adds a route, or replaces the one with its destination and metric.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(Route route) throws NetlinkException {
    execute(RTM_NEWROUTE, MessageFlags.CREATE | MessageFlags.REPLACE, "set route ", route);
  }

  /**
   * Removes a route.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(Route route) throws NetlinkException {
    execute(RTM_DELROUTE, 0, "delete route ", route);
  }

  private void execute(int type, int flags, String verb, Route route) throws NetlinkException {
    MessageWriter request = socket.request(type, flags, ROUTE, new Text(verb, route));
    RouteCodec.encode(route, request);
    socket.execute(request);
  }
}
