package io.dra4j.netlink.route;

/**
 * An object of a network namespace that rtnetlink reports: a link, an address, a route. All are
 * immutable values; {@link ObjectKind} lists their kinds.
 */
public sealed interface RouteObject permits Link, MessageView {

  /** {@return the kind of this object} */
  ObjectKind objectKind();
}
