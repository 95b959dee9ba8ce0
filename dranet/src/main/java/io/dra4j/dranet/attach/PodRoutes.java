package io.dra4j.dranet.attach;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The existing and planned routes of a pod. The kernel accepts one route for each destination,
 * table and metric. It would refuse the second one only after all earlier steps are done, so
 * conflicts are found here.
 */
final class PodRoutes {

  private static final Pattern LINK = Pattern.compile(" link ([0-9]{1,9})(?= |$)");

  private static final int IPV6_METRIC = 1024; // IP6_RT_PRIO_USER of net/ip6_route.h

  private final Map<String, String> texts = new HashMap<>();
  private final Set<String> planned = new HashSet<>();

  private PodRoutes() {}

  /** Reads the routes of a pod, before anything is moved into it. */
  static PodRoutes of(RouteNetlink pod) throws NetlinkException {
    PodRoutes all = new PodRoutes();
    Map<Integer, String> names = new HashMap<>();
    for (Link link : pod.links().list(LinkQuery.lean())) {
      names.put(link.index(), link.name());
    }
    for (Route one : pod.routes().list()) {
      all.texts.putIfAbsent(key(one), text(one, names));
    }
    return all;
  }

  /**
   * Adds the routes of a link, except routes of the host that the pod already has.
   *
   * @param problems receives the problems of configured routes
   * @param notices receives notices about routes that are left out
   * @return the routes that remain
   */
  List<PlannedRoute> add(
      List<PlannedRoute> routes,
      String podName,
      List<ConfigurationProblem> problems,
      Consumer<String> notices) {
    List<PlannedRoute> remaining = new ArrayList<>();
    for (PlannedRoute one : routes) {
      Route route = one.route().withLink(1); // the index of its link in the pod is not known yet
      String text = text(route, Map.of(1, podName));
      String key = key(one.route());
      String there = texts.putIfAbsent(key, text);
      if (there == null) {
        planned.add(key);
        remaining.add(one);
      } else if (planned.contains(key)) {
        notices.accept(
            "route %s of %s has no effect: another device of the claim has %s"
                .formatted(text, one.origin(), there));
        remaining.add(one.asRepeated());
      } else if (one.pointer().isEmpty()) {
        notices.accept(
            "route %s of %s is left out: the pod already has %s"
                .formatted(text, one.origin(), there));
      } else {
        problems.add(
            new ConfigurationProblem(
                one.pointer() + "/destination",
                "the pod already has a route to "
                    + shown(one.route())
                    + ": "
                    + there
                    + "; use another table with a rule, or a narrower destination"));
      }
    }
    return remaining;
  }

  /** Returns a key that is equal for two routes if the kernel does not accept both. */
  static String key(Route route) {
    boolean v6 = route.destination().address().isV6();
    int metric = v6 && route.metric() == 0 ? IPV6_METRIC : route.metric();
    return String.join(
        " ",
        route.destination().toString(),
        route.source().map(Object::toString).orElse(""),
        Integer.toUnsignedString(route.table()),
        Integer.toUnsignedString(metric),
        Integer.toString(route.typeOfService()));
  }

  private static String shown(Route route) {
    return route.isDefault() ? "default" : route.destination().toString();
  }

  /** Formats a route like {@code ip route}, with the names of links. */
  private static String text(Route route, Map<Integer, String> names) {
    return LINK.matcher(route.toString())
        .replaceAll(
            link -> {
              String name = names.get(Integer.parseInt(link.group(1)));
              return Matcher.quoteReplacement(name == null ? link.group() : " dev " + name);
            });
  }
}
