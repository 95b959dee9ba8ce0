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
   * {@return the destinations of the lease's routes to which a configuration has no route itself}
   *
   * @param asking a configuration with DHCP
   */
  public List<IpPrefix> destinations(NetworkConfig asking) {
    List<RouteConfig> own = asking.routes() == null ? List.of() : asking.routes();
    return routes.stream()
        .map(RouteConfig::destination)
        .filter(one -> own.stream().noneMatch(route -> route.destination().equals(one)))
        .toList();
  }

  /**
   * {@return a configuration with the lease's address and routes, without DHCP; its own routes win}
   *
   * @param asking a configuration with DHCP
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
