package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import org.jspecify.annotations.Nullable;

/**
 * A route through the interface.
 *
 * @param destination where to; bits beyond the prefix do not matter
 * @param gateway who to send to; null if the destination is on the link
 * @param source the address to send from; null to let the kernel choose
 * @param scope how far it reaches: 0, everywhere, which needs a gateway, or 253, on the link; null
 *     for 0
 * @param table the routing table, 0 to 4294967295, of which 0 is the main table, 254; null for 0;
 *     of no matter in a VRF, whose table is used
 */
public record RouteConfig(
    IpPrefix destination,
    @Nullable IpAddress gateway,
    @Nullable IpAddress source,
    @Nullable Integer scope,
    @Nullable Long table) {

  /**
   * Returns how far the route reaches.
   *
   * @return 0 or 253
   */
  public int effectiveScope() {
    return scope == null ? 0 : scope;
  }

  /**
   * Returns the table that the route goes into where there is no VRF.
   *
   * @return the number of the table, 254 for the main one
   */
  public long effectiveTable() {
    return table == null || table == 0 ? 254 : table;
  }
}
