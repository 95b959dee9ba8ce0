package io.dra4j.netlink.route;

/** An immutable object of rtnetlink, such as a link or route; {@link ObjectKind} has the kinds. */
public sealed interface RouteObject permits Link, MessageView {

  /** {@return the kind of this object} */
  ObjectKind objectKind();
}
