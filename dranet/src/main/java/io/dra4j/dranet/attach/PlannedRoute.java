package io.dra4j.dranet.attach;

import io.dra4j.netlink.route.Route;

/**
 * A planned route of a link in the pod.
 *
 * @param route the route
 * @param pointer its place in the configuration, such as {@code /routes/0}; empty for a route from
 *     the host or from a DHCP server, which is left out if the pod has another route to its
 *     destination
 * @param origin the origin of the route, for messages
 * @param repeated whether an earlier device of the claim gets the same route, so that the kernel
 *     refuses this one
 */
record PlannedRoute(Route route, String pointer, String origin, boolean repeated) {

  static PlannedRoute configured(Route route, int number) {
    return new PlannedRoute(route, "/routes/" + number, "the configuration", false);
  }

  static PlannedRoute leased(Route route) {
    return new PlannedRoute(route, "", "the DHCP server", false);
  }

  PlannedRoute asRepeated() {
    return new PlannedRoute(route, pointer, origin, true);
  }

  static PlannedRoute carried(Route route) {
    return new PlannedRoute(route, "", "the host", false);
  }
}
