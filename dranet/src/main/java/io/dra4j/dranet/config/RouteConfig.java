package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import org.jspecify.annotations.Nullable;

/**
 * A route through the interface.
 *
 * @param destination the destination network; host bits are ignored
 * @param gateway the address of the gateway; null if the destination is on the link
 * @param source the source address of packets; null to let the kernel choose
 * @param scope the scope: 0 (universe), which requires a gateway, or 253 (link); null for 0
 * @param table the routing table, 0 to 4294967295; 0 stands for the main table, 254; null for 0;
 *     ignored in a VRF, whose table is used
 */
public record RouteConfig(
    IpPrefix destination,
    @Nullable IpAddress gateway,
    @Nullable IpAddress source,
    @Nullable Integer scope,
    @Nullable Long table) {

  /** {@return the scope of the route, 0 or 253} */
  public int effectiveScope() {
    return scope == null ? 0 : scope;
  }

  /** {@return the number of the route's table if there is no VRF; 254 for the main table} */
  public long effectiveTable() {
    return table == null || table == 0 ? 254 : table;
  }
}
