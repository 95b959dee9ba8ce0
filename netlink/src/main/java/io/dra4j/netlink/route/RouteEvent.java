package io.dra4j.netlink.route;

/** Something changed in a network namespace. */
public sealed interface RouteEvent {

  /**
   * A link came or changed.
   *
   * @param link the link as it is now, without virtual functions
   */
  record LinkSet(Link link) implements RouteEvent {}

  /**
   * A link went: deleted, or moved to another namespace.
   *
   * @param link the link as it was
   */
  record LinkGone(Link link) implements RouteEvent {}

  /**
   * An address came or changed.
   *
   * @param address the address as it is now
   */
  record AddressSet(InterfaceAddress address) implements RouteEvent {}

  /**
   * An address went.
   *
   * @param address the address as it was
   */
  record AddressGone(InterfaceAddress address) implements RouteEvent {}

  /**
   * A route came or changed.
   *
   * @param route the route as it is now
   */
  record RouteSet(Route route) implements RouteEvent {}

  /**
   * A route went.
   *
   * @param route the route as it was
   */
  record RouteGone(Route route) implements RouteEvent {}

  /**
   * A neighbour came or changed.
   *
   * @param neighbour the neighbour as it is now
   */
  record NeighbourSet(Neighbour neighbour) implements RouteEvent {}

  /**
   * A neighbour went.
   *
   * @param neighbour the neighbour as it was
   */
  record NeighbourGone(Neighbour neighbour) implements RouteEvent {}

  /** What there are events of. */
  enum Topic {
    /** Links. */
    LINKS,
    /** Addresses of links. */
    ADDRESSES,
    /** Routes. */
    ROUTES,
    /** Neighbours. */
    NEIGHBOURS
  }
}
