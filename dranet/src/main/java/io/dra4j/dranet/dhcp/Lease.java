package io.dra4j.dranet.dhcp;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.RouteConfig;
import io.dra4j.netlink.route.IpPrefix;
import java.util.List;
import java.util.OptionalLong;

/**
 * The lease of a DHCP server.
 *
 * @param address the address with its prefix length
 * @param seconds the lease time in seconds; empty if unlimited
 * @param routes the routes from the server: its classless routes, or else routes over its first
 *     router
 */
public record Lease(IpPrefix address, OptionalLong seconds, List<RouteConfig> routes) {

  /** Copies the list. {@inheritDoc} */
  public Lease {
    routes = List.copyOf(routes);
  }

  /**
   * Returns the destinations of the routes that the lease adds to a configuration.
   *
   * @param asking a configuration with DHCP
   * @return the destinations to which the configuration itself has no route
   */
  public List<IpPrefix> destinations(NetworkConfig asking) {
    List<RouteConfig> own = asking.routes() == null ? List.of() : asking.routes();
    return routes.stream()
        .map(RouteConfig::destination)
        .filter(one -> own.stream().noneMatch(route -> route.destination().equals(one)))
        .toList();
  }

  /**
   * Adds the lease to a configuration with DHCP. Routes of the configuration itself win.
   *
   * @param asking a configuration with DHCP
   * @return the configuration with the address and the routes, without DHCP
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
