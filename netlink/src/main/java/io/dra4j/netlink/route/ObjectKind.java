package io.dra4j.netlink.route;

import io.dra4j.netlink.MessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of objects that rtnetlink lists ({@code linux/rtnetlink.h}): the one list from which
 * {@link RouteNetlink#list(ObjectKind)}, {@link RouteMonitor}, the comparison with {@code ip},
 * fuzzing, hostile answers and soak tests take them, so that none forgets a new one.
 */
public enum ObjectKind {
  /** Links: {@link Links}, {@link Link}, {@code RTM_NEWLINK}, {@code RTNLGRP_LINK}. */
  LINK("link", 16),
  /**
   * Addresses of links: {@link Addresses}, {@link InterfaceAddress}, {@code RTM_NEWADDR}, {@code
   * RTNLGRP_IPV4_IFADDR} and {@code RTNLGRP_IPV6_IFADDR}.
   */
  ADDRESS("address", 20),
  /**
   * Routes: {@link Routes}, {@link Route}, {@code RTM_NEWROUTE}, {@code RTNLGRP_IPV4_ROUTE} and
   * {@code RTNLGRP_IPV6_ROUTE}.
   */
  ROUTE("route", 24),
  /**
   * Neighbours: {@link Neighbours}, {@link Neighbour}, {@code RTM_NEWNEIGH}, {@code RTNLGRP_NEIGH}.
   */
  NEIGHBOUR("neighbour", 28),
  /**
   * Rules: {@link Rules}, {@link Rule}, {@code RTM_NEWRULE}, {@code RTNLGRP_IPV4_RULE} and {@code
   * RTNLGRP_IPV6_RULE}.
   */
  RULE("rule", 32),
  /**
   * Next-hop objects: {@link NextHopObjects}, {@link NextHopObject}, {@code RTM_NEWNEXTHOP}, {@code
   * RTNLGRP_NEXTHOP} (Linux 5.3).
   */
  NEXT_HOP("next-hop object", 104),
  /**
   * Queueing disciplines: {@link TrafficControls}, {@link TrafficControl}, {@code RTM_NEWQDISC},
   * {@code RTNLGRP_TC}.
   */
  QUEUE_DISCIPLINE("queueing discipline", 36),
  /**
   * Classes of queueing disciplines: {@link TrafficControls}, {@link TrafficControl}, {@code
   * RTM_NEWTCLASS}, {@code RTNLGRP_TC}.
   */
  TRAFFIC_CLASS("traffic class", 40),
  /**
   * Filters of links: {@link TrafficControls}, {@link TrafficControl}, {@code RTM_NEWTFILTER},
   * {@code RTNLGRP_TC}.
   */
  TRAFFIC_FILTER("filter", 44);

  private static final ObjectKind[] KINDS = values();

  private final String text;

  /** The type of messages that add, change and tell: {@code RTM_NEW...}. */
  final int newType;

  /** The type of messages that delete and tell of it: {@code RTM_DEL...}. */
  final int deleteType;

  /** The type of questions: {@code RTM_GET...}. */
  final int getType;

  ObjectKind(String text, int newType) {
    this.text = text;
    this.newType = newType;
    this.deleteType = newType + 1;
    this.getType = newType + 2;
  }

  /** Makes objects of messages; for one thread at a time. */
  MessageDecoder<? extends RouteObject> decoder() {
    return switch (this) {
      case LINK -> new LinkDecoder();
      case ADDRESS -> new AddressCodec();
      case ROUTE -> new RouteCodec();
      case NEIGHBOUR -> new NeighbourCodec();
      case RULE -> new RuleCodec();
      case NEXT_HOP -> new NextHopCodec();
      case QUEUE_DISCIPLINE, TRAFFIC_CLASS, TRAFFIC_FILTER -> new TrafficCodec(this);
    };
  }

  /** The groups that tell of changes: {@code enum rtnetlink_groups}. */
  List<Integer> groups() {
    return switch (this) {
      case LINK -> List.of(1);
      case ADDRESS -> List.of(5, 9);
      case ROUTE -> List.of(7, 11);
      case NEIGHBOUR -> List.of(3);
      case RULE -> List.of(8, 19);
      case NEXT_HOP -> List.of(32);
      case QUEUE_DISCIPLINE, TRAFFIC_CLASS, TRAFFIC_FILTER -> List.of(4);
    };
  }

  /**
   * Returns the type of the messages that add, change and tell of an object of this kind.
   *
   * @return the number of {@code RTM_NEW...} in {@code linux/rtnetlink.h}
   */
  public int messageType() {
    return newType;
  }

  /** The kind that messages of a type tell of, if there is one. */
  static @Nullable ObjectKind of(int type) {
    for (ObjectKind kind : KINDS) {
      if (type == kind.newType || type == kind.deleteType) {
        return kind;
      }
    }
    return null;
  }

  /** {@return the kind in words, for example {@code next-hop object}} */
  @Override
  public String toString() {
    return text;
  }
}
