package io.dra4j.netlink.route;

/**
 * A change in a network namespace: an object was added or changed ({@code RTM_NEW...}), or removed
 * ({@code RTM_DEL...}). {@link RouteMonitor} returns them.
 *
 * <pre>{@code
 * if (event.object() instanceof Link link) {
 *   System.out.println(link.name() + (event.gone() ? " has gone" : " is " + link));
 * }
 * }</pre>
 *
 * @param object the present object, or its last state if it was removed; links without virtual
 *     functions
 * @param gone whether it was removed: deleted, or, if it is a link, moved to another namespace
 */
public record RouteEvent(RouteObject object, boolean gone) {}
