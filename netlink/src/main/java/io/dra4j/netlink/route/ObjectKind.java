package io.dra4j.netlink.route;

import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.NetlinkException;
import java.util.List;
import java.util.function.Function;

/**
 * The kinds of objects that rtnetlink lists ({@code linux/rtnetlink.h}): the single list of kinds
 * for {@link RouteNetlink#list(ObjectKind)}, {@link RouteMonitor} and the tests, so that a new kind
 * cannot be forgotten.
 */
@SuppressWarnings("ImmutableEnumChecker") // lists from List.of, and stateless functions
public enum ObjectKind {
  /** Links: {@link Links}, {@link Link}, {@code RTM_NEWLINK}, {@code RTNLGRP_LINK}. */
  LINK("link", 16, List.of(1), kind -> new LinkDecoder(), route -> route.links().list()),
  /**
   * Addresses of links: {@link Addresses}, {@link InterfaceAddress}, {@code RTM_NEWADDR}, {@code
   * RTNLGRP_IPV4_IFADDR} and {@code RTNLGRP_IPV6_IFADDR}.
   */
  ADDRESS(
      "address", 20, List.of(5, 9), kind -> new AddressCodec(), route -> route.addresses().list()),
  /**
   * Routes: {@link Routes}, {@link Route}, {@code RTM_NEWROUTE}, {@code RTNLGRP_IPV4_ROUTE} and
   * {@code RTNLGRP_IPV6_ROUTE}.
   */
  ROUTE("route", 24, List.of(7, 11), kind -> new RouteCodec(), route -> route.routes().list()),
  /**
   * Neighbours: {@link Neighbours}, {@link Neighbour}, {@code RTM_NEWNEIGH}, {@code RTNLGRP_NEIGH}.
   */
  NEIGHBOUR(
      "neighbour",
      28,
      List.of(3),
      kind -> new NeighbourCodec(),
      route -> route.neighbours().list()),
  /**
   * Entries of forwarding databases: {@link ForwardingEntries}, {@link ForwardingEntry}, {@code
   * RTM_NEWNEIGH} of {@code PF_BRIDGE}, {@code RTNLGRP_NEIGH}.
   */
  FORWARDING_ENTRY(
      "forwarding entry",
      28,
      List.of(3),
      kind -> new ForwardingCodec(),
      route -> route.forwardingEntries().list()),
  /**
   * VLANs of the ports of bridges: {@link BridgeVlans}, {@link PortVlans}, {@code RTM_NEWLINK} of
   * {@code PF_BRIDGE}, {@code RTNLGRP_LINK}.
   */
  PORT_VLANS(
      "bridge VLAN",
      16,
      List.of(1),
      kind -> new PortVlansCodec(),
      route -> route.bridgeVlans().list()),
  /**
   * Rules: {@link Rules}, {@link Rule}, {@code RTM_NEWRULE}, {@code RTNLGRP_IPV4_RULE} and {@code
   * RTNLGRP_IPV6_RULE}.
   */
  RULE("rule", 32, List.of(8, 19), kind -> new RuleCodec(), route -> route.rules().list()),
  /**
   * Next-hop objects: {@link NextHopObjects}, {@link NextHopObject}, {@code RTM_NEWNEXTHOP}, {@code
   * RTNLGRP_NEXTHOP} (Linux 5.3).
   */
  NEXT_HOP(
      "next-hop object",
      104,
      List.of(32),
      kind -> new NextHopCodec(),
      route -> route.nextHopObjects().list()),
  /** Queueing disciplines: {@link TrafficControls}, {@code RTM_NEWQDISC}, {@code RTNLGRP_TC}. */
  QUEUE_DISCIPLINE(
      "queueing discipline",
      36,
      List.of(4),
      TrafficCodec::new,
      route -> route.queueDisciplines().list()),
  /** Classes of disciplines: {@link TrafficControls}, {@code RTM_NEWTCLASS}, {@code RTNLGRP_TC}. */
  TRAFFIC_CLASS(
      "traffic class", 40, List.of(4), TrafficCodec::new, route -> route.trafficClasses().list()),
  /** Filters of links: {@link TrafficControls}, {@code RTM_NEWTFILTER}, {@code RTNLGRP_TC}. */
  TRAFFIC_FILTER("filter", 44, List.of(4), TrafficCodec::new, route -> route.filters().list());

  /** Lists all objects of a kind. */
  @FunctionalInterface
  interface Listing {
    List<? extends RouteObject> of(RouteNetlink route) throws NetlinkException;
  }

  private final String text;

  /** The type of messages that add, change and report: {@code RTM_NEW...}. */
  final int newType;

  /** The type of messages that delete and report it: {@code RTM_DEL...}. */
  final int deleteType;

  /** The type of requests: {@code RTM_GET...}. */
  final int getType;

  /** The groups that report changes: {@code enum rtnetlink_groups}. */
  final List<Integer> groups;

  private final Function<ObjectKind, MessageDecoder<? extends RouteObject>> decoder;

  final Listing listing;

  ObjectKind(
      String text,
      int newType,
      List<Integer> groups,
      Function<ObjectKind, MessageDecoder<? extends RouteObject>> decoder,
      Listing listing) {
    this.text = text;
    this.newType = newType;
    this.deleteType = newType + 1;
    this.getType = newType + 2;
    this.groups = groups;
    this.decoder = decoder;
    this.listing = listing;
  }

  /** Returns a decoder for one thread at a time; it returns null for messages of other kinds. */
  MessageDecoder<? extends RouteObject> decoder() {
    return decoder.apply(this);
  }

  /**
   * {@return the payload of the message that adds an object of this kind, in this machine's byte
   * order} Objects with equal settings have equal messages, independent of their state.
   *
   * @param object the object, of any kind but a link
   * @throws IllegalArgumentException if it is an object of another kind
   */
  public byte[] pack(RouteObject object) {
    if (!(decoder() instanceof Codec<?> codec)) {
      throw new IllegalArgumentException("no message adds a " + this);
    }
    return pack(codec, object);
  }

  private <T extends RouteObject> byte[] pack(Codec<T> codec, RouteObject object) {
    try {
      @SuppressWarnings("unchecked") // the codec fails with another one
      T own = (T) object;
      return codec.encode(own).toBytes();
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(object + " is no " + this, e);
    }
  }

  /**
   * {@return the object of a message of {@link #pack}}
   *
   * @param payload the payload of the message, in this machine's byte order
   * @throws NetlinkException.Malformed if it is not such a message
   */
  public RouteObject unpack(byte[] payload) throws NetlinkException.Malformed {
    RouteObject object = decoder().decode(Message.of(newType, payload));
    if (object == null) {
      throw new NetlinkException.Malformed("the message is no " + this);
    }
    return object;
  }

  /**
   * {@return the type of the messages that add, change and report an object of this kind, {@code
   * RTM_NEW...} of {@code linux/rtnetlink.h}; two kinds may share one and differ in the family}
   */
  public int messageType() {
    return newType;
  }

  /** {@return the name of the kind, for example {@code next-hop object}} */
  @Override
  public String toString() {
    return text;
  }
}
