package io.dra4j.netlink.route;

/**
 * A change in a network namespace: an object came or changed ({@code RTM_NEW...}), or went ({@code
 * RTM_DEL...}). {@link RouteMonitor} returns them.
 *
 * <pre>{@code
 * if (event.object() instanceof Link link) {
 *   System.out.println(link.name() + (event.gone() ? " has gone" : " is " + link));
 * }
 * }</pre>
 *
 * @param object the object as it is now, or was when it went; links without virtual functions
 * @param gone whether it has gone: deleted, or, if it is a link, moved to another namespace
 */
public record RouteEvent(RouteObject object, boolean gone) {}
