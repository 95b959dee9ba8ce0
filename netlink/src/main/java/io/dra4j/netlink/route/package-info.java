/**
 * Links, addresses, routes, rules and neighbours: rtnetlink.
 *
 * <p>Start with {@link io.dra4j.netlink.route.RouteNetlink}, which opens a socket in a network
 * namespace and leads to everything else:
 *
 * <pre>{@code
 * try (RouteNetlink route = RouteNetlink.open()) {
 *   for (Link link : route.links().list()) {
 *     System.out.println(link.index() + " " + link.name() + " " + link.operationalState());
 *   }
 * }
 * }</pre>
 */
@NullMarked
package io.dra4j.netlink.route;

import org.jspecify.annotations.NullMarked;
