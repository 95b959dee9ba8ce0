package io.dra4j.dranet.dhcp;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.RouteConfig;
import io.dra4j.netlink.route.IpPrefix;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a DHCP server gave.
 *
 * @param address the address, with the length of its network
 * @param seconds for how long; empty for ever
 * @param routes the routes of the server: classless ones, else those to its first router
 */
public record Lease(IpPrefix address, OptionalLong seconds, List<RouteConfig> routes) {

  /** Copies the list. {@inheritDoc} */
  public Lease {
    routes = List.copyOf(routes);
  }

  /**
   * Lists the destinations of the routes that come into a configuration by the lease.
   *
   * @param asking a configuration that asks a DHCP server
   * @return the destinations that the configuration has no route to itself
   */
  public List<IpPrefix> destinations(NetworkConfig asking) {
    List<RouteConfig> own = asking.routes() == null ? List.of() : asking.routes();
    return routes.stream()
        .map(RouteConfig::destination)
        .filter(one -> own.stream().noneMatch(route -> route.destination().equals(one)))
        .toList();
  }

  /**
   * Puts the lease into a configuration that asks for one. What the configuration says of routes
   * itself wins.
   *
   * @param asking a configuration that asks a DHCP server
   * @return the configuration with the address and the routes, which asks no more
   */
  public NetworkConfig in(NetworkConfig asking) {
    NetworkConfig given =
        NetworkConfig.EMPTY.withLink(NetworkConfig.EMPTY.link().withAddresses(List.of(address)));
    given =
        new NetworkConfig(
            null, given.link(), routes.isEmpty() ? null : routes, null, null, given.ethtool());
    return given.under(
        asking.withLink(asking.link().toBuilder().dhcp(null).addresses(null).build()));
  }
}
