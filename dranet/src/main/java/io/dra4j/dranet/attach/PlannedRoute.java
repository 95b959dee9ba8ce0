package io.dra4j.dranet.attach;

import io.dra4j.netlink.route.Route;

/**
 * A route that a link gets in the pod.
 *
 * @param route the route
 * @param pointer its place in the configuration, such as {@code /routes/0}; empty where it comes
 *     from the host or from a DHCP server, and is left out if the pod has another one
 * @param origin whose it is, for people
 * @param repeated whether another device of the claim gets the same route before, so that the
 *     kernel refuses it
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
