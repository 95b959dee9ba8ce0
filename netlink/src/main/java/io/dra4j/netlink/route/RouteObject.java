package io.dra4j.netlink.route;

/**
 * Something that a network namespace has and rtnetlink reports: a link, an address, a route. All
 * are immutable values; {@link ObjectKind} lists their kinds.
 */
public sealed interface RouteObject permits Link, MessageView {

  /** {@return what kind of object this is} */
  ObjectKind objectKind();
}
