package io.dra4j.dranet.cloud;

import io.dra4j.dranet.config.EthtoolConfig;
import io.dra4j.dranet.config.InterfaceConfig;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.RouteConfig;
import io.dra4j.dranet.config.RuleConfig;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Policy routing of an interface: packets from its own addresses leave by its own gateways.
 *
 * @param table the routing table of the interface
 * @param ipv4 the IPv4 source addresses; null for none
 * @param ipv4Gateway their gateway; null if there are none
 * @param ipv6 the IPv6 source address, whose gateway is the gateway of the interface on the host;
 *     null for none
 */
record Routing(
    long table,
    @Nullable IpPrefix ipv4,
    @Nullable IpAddress ipv4Gateway,
    @Nullable IpAddress ipv6) {

  /** Returns the configuration of the interface. The gateway for IPv6 is empty if there is none. */
  NetworkConfig withGateway(String ipv6Gateway) {
    List<RuleConfig> rules = new ArrayList<>();
    List<RouteConfig> routes = new ArrayList<>();
    if (ipv4 != null) {
      rules.add(new RuleConfig(null, ipv4, null, table));
      routes.add(new RouteConfig(IpPrefix.ALL_V4, ipv4Gateway, null, null, table));
    }
    if (ipv6 != null && !ipv6Gateway.isEmpty()) {
      rules.add(new RuleConfig(null, IpPrefix.host(ipv6), null, table));
      routes.add(new RouteConfig(IpPrefix.ALL_V6, IpAddress.parse(ipv6Gateway), null, null, table));
    }
    return rules.isEmpty()
        ? NetworkConfig.EMPTY
        : new NetworkConfig(null, InterfaceConfig.NONE, routes, rules, null, EthtoolConfig.NONE);
  }
}
