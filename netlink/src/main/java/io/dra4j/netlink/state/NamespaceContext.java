package io.dra4j.netlink.state;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The objects of a namespace that belong to a link, of lists that the kernel keeps for all. */
final class NamespaceContext {

  private NamespaceContext() {}

  /**
   * Rules name links. Some name one that has another name by now.
   *
   * @param former the rules, without their state, that are the link's whatever they name
   */
  static List<Rule> rules(RouteNetlink route, String name, Set<Rule> former)
      throws NetlinkException {
    return route.rules().list().stream()
        .filter(
            one ->
                one.inputLink().equals(name)
                    || one.outputLink().equals(name)
                    || former.contains(one.withoutState()))
        .toList();
  }

  /** Those that use a link, and behind them the groups with those. */
  static List<NextHopObject> nextHops(RouteNetlink route, int index) throws NetlinkException {
    List<NextHopObject> all;
    try {
      all = route.nextHopObjects().list();
    } catch (NetlinkException.Unsupported e) { // before Linux 5.3
      return List.of();
    }
    Set<Integer> numbers = new HashSet<>();
    all.stream()
        .filter(one -> one.index().orElse(0) == index)
        .forEach(one -> numbers.add(one.id()));
    return all.stream()
        .filter(
            one ->
                numbers.contains(one.id())
                    || one.group().keySet().stream().anyMatch(numbers::contains))
        .sorted(Comparator.comparing(one -> !one.group().isEmpty()))
        .toList();
  }

  /**
   * Those of a link; and all others that send from one of some addresses, with which the kernel
   * deletes them (IPv4, {@code fib_sync_down_addr}) or takes it from them (IPv6). It lists those of
   * all links only.
   */
  static List<Route> routes(RouteNetlink route, RouteOwnership ways, Set<IpAddress> sources)
      throws NetlinkException {
    List<Route> all =
        sources.isEmpty()
            ? route.routes().through(LinkKey.of(ways.index()))
            : route.routes().list();
    return all.stream()
        .filter(one -> !KernelMade.isOfAddress(one))
        .filter(one -> ways.has(one) || one.preferredSource().filter(sources::contains).isPresent())
        .toList();
  }
}
