package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpPrefix;
import org.jspecify.annotations.Nullable;

/**
 * A rule of policy routing. With neither source nor destination it is for all packets of IPv4.
 *
 * @param priority its place among all rules, 0 to 32767, lower ones first; null to let the kernel
 *     choose
 * @param source where packets are from; null for anywhere
 * @param destination where packets go, of the family of the source; null for anywhere
 * @param table the routing table to look into, 0 to 4294967295, of which 0 is the main table, 254;
 *     null for 0
 */
public record RuleConfig(
    @Nullable Integer priority,
    @Nullable IpPrefix source,
    @Nullable IpPrefix destination,
    @Nullable Long table) {

  /**
   * Returns the table that the rule looks into.
   *
   * @return the number of the table, 254 for the main one
   */
  public long effectiveTable() {
    return table == null || table == 0 ? 254 : table;
  }

  /**
   * Whether the rule is for IPv6.
   *
   * @return whether its source or destination is; false if it has neither
   */
  public boolean isV6() {
    IpPrefix either = source == null ? destination : source;
    return either != null && either.address().isV6();
  }
}
