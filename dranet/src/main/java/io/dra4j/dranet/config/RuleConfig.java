package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpPrefix;
import org.jspecify.annotations.Nullable;

/**
 * A policy routing rule. Without source and destination it applies to all IPv4 packets.
 *
 * @param priority its priority, 0 to 32767; lower numbers come first; null to let the kernel choose
 * @param source the source network of packets; null for any
 * @param destination the destination network of packets, of the same family as the source; null for
 *     any
 * @param table the routing table to use, 0 to 4294967295; 0 stands for the main table, 254; null
 *     for 0
 */
public record RuleConfig(
    @Nullable Integer priority,
    @Nullable IpPrefix source,
    @Nullable IpPrefix destination,
    @Nullable Long table) {

  /** {@return the number of the table that the rule uses; 254 for the main table} */
  public long effectiveTable() {
    return table == null || table == 0 ? 254 : table;
  }

  /** {@return whether the source or destination of the rule is IPv6; false if it has neither} */
  public boolean isV6() {
    IpPrefix either = source == null ? destination : source;
    return either != null && either.address().isV6();
  }
}
