package io.dra4j.netlink.state;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.route.TrafficControl;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a namespace that belong to a link, from lists that the kernel has for all links.
 * Each list is read once, when it is first needed. The lists are of one moment, and for one thread.
 */
final class NamespaceContext {

  private final RouteNetlink route;
  private Once<List<Link>> links;
  private Once<Map<Integer, List<TrafficControl>>> queueDisciplines;
  private Once<Map<Integer, Map<String, Long>>> neighbourParameters;
  private final Once<List<Rule>> rules;
  private final Once<List<NextHopObject>> nextHops;
  private final Once<List<Route>> routes;

  NamespaceContext(RouteNetlink route) {
    this.route = route;
    links = new Once<>(() -> List.copyOf(route.links().list(LinkQuery.lean().amidChanges())));
    queueDisciplines =
        new Once<>(
            () ->
                route.queueDisciplines().list().stream()
                    .collect(Collectors.groupingBy(TrafficControl::index)));
    neighbourParameters = new Once<>(() -> route.neighbours().parameters());
    rules = new Once<>(() -> route.rules().list());
    nextHops = new Once<>(this::readNextHops);
    routes = new Once<>(() -> route.routes().list());
  }

  /** A list that is read when it is first needed. */
  private static final class Once<T> {

    /** Reads the list. */
    interface Reading<T> {
      T read() throws NetlinkException;
    }

    private final Reading<T> reading;
    private @Nullable T value;

    Once(Reading<T> reading) {
      this.reading = reading;
    }

    T get() throws NetlinkException {
      T known = value;
      if (known == null) {
        known = reading.read();
        value = known;
      }
      return known;
    }
  }

  /** Returns the context after a link was written: other links are unchanged. */
  NamespaceContext afterWriting() {
    NamespaceContext now = new NamespaceContext(route);
    now.links = links;
    now.queueDisciplines = queueDisciplines;
    return now;
  }

  /** Returns the context after the kernel has processed earlier changes. */
  NamespaceContext afterWaiting() {
    NamespaceContext now = afterWriting();
    now.neighbourParameters = neighbourParameters;
    return now;
  }

  /** Returns all links, without statistics. */
  List<Link> links() throws NetlinkException {
    return links.get();
  }

  /**
   * Returns the rules that name a link, including rules with a former name.
   *
   * @param former the rules, without their state, that belong to the link independent of the name
   *     in them
   */
  List<Rule> rules(String name, Set<Rule> former) throws NetlinkException {
    return rules.get().stream()
        .filter(
            one ->
                one.inputLink().equals(name)
                    || one.outputLink().equals(name)
                    || former.contains(one.withoutState()))
        .toList();
  }

  /** Returns the objects that use a link, followed by the groups with such objects. */
  List<NextHopObject> nextHops(int index) throws NetlinkException {
    List<NextHopObject> all = nextHops.get();
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

  private List<NextHopObject> readNextHops() throws NetlinkException {
    try {
      return route.nextHopObjects().list();
    } catch (NetlinkException.Unsupported e) { // before Linux 5.3
      return List.of();
    }
  }

  /**
   * Returns the routes of a link, and all other routes that send from some addresses: with the
   * address, the kernel deletes such routes (IPv4, {@code fib_sync_down_addr}) or removes their
   * source (IPv6). The kernel lists only the routes of all links.
   */
  List<Route> routes(RouteOwnership ways, Set<IpAddress> sources) throws NetlinkException {
    List<Route> all =
        sources.isEmpty() ? route.routes().through(LinkKey.of(ways.index())) : routes.get();
    return all.stream()
        .filter(one -> !KernelMade.isOfAddress(one))
        .filter(one -> ways.has(one) || one.preferredSource().filter(sources::contains).isPresent())
        .toList();
  }

  /** Returns the sysctls {@code neigh} of a link, which the kernel lists for all links at once. */
  Map<String, Long> neighbourParameters(int index) throws NetlinkException {
    return neighbourParameters.get().getOrDefault(index, Map.of());
  }

  /**
   * Returns the queue disciplines of a link; the kernel lists only the disciplines of all links.
   */
  List<TrafficControl> queueDisciplines(int index) throws NetlinkException {
    return queueDisciplines.get().getOrDefault(index, List.of());
  }
}
