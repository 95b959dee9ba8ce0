package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A route ({@code ip route}, {@code struct rtmsg}). Immutable: made with {@link #to}, and each
 * {@code with} gives another route. What has no method here, such as encapsulations, is kept in
 * {@link #attributes} and written back; what the kernel says of the route's condition is {@link
 * #state}, apart from the {@link #flags} that were set, so that a route that was read while its
 * link was down can be written.
 *
 * <pre>{@code
 * Route route = Route.to(IpPrefix.ALL_V4).withGateway(IpAddress.parse("192.0.2.1")).withMetric(50);
 * netlink.routes().add(route); // ip route add default via 192.0.2.1 metric 50
 * }</pre>
 */
public final class Route {

  /** {@code RT_TABLE_MAIN}: the table for everything that is not put into another. */
  public static final int MAIN_TABLE = 254;

  /** {@code RT_TABLE_LOCAL}: the table of this host's own addresses. */
  public static final int LOCAL_TABLE = 255;

  /** {@code RTN_UNICAST}: the type of routes to somewhere. */
  public static final int UNICAST = 1;

  /** {@code RTN_LOCAL}: the type of routes to this host. */
  public static final int LOCAL = 2;

  /** {@code RTPROT_KERNEL}: the protocol of routes that the kernel made. */
  public static final int PROTOCOL_KERNEL = 2;

  /** {@code RTPROT_STATIC}: the protocol of routes that an administrator made. */
  public static final int PROTOCOL_STATIC = 4;

  /** {@code RTNH_F_ONLINK}: the flag of gateways that are on the link though no address says so. */
  public static final int ON_LINK = 4;

  private final IpPrefix destination;
  private final @Nullable IpPrefix source;
  private final int typeOfService;
  private final int table;
  private final int protocol;
  private final int scope;
  private final int type;
  private final int flags;
  private final int state;
  private final List<NextHop> nextHops;
  private final Attributes attributes;

  Route(
      IpPrefix destination,
      @Nullable IpPrefix source,
      int typeOfService,
      int table,
      int protocol,
      int scope,
      int type,
      int flags,
      List<NextHop> nextHops,
      Attributes attributes) {
    this.destination = destination;
    this.source = source;
    this.typeOfService = Numbers.u8("tos", typeOfService);
    this.table = table;
    this.protocol = Numbers.u8("protocol", protocol);
    this.scope = Numbers.u8("scope", scope);
    this.type = Numbers.u8("type", type);
    this.flags = flags & NextHop.SETTINGS;
    this.state = flags & ~NextHop.SETTINGS;
    this.nextHops = List.copyOf(nextHops);
    this.attributes = attributes;
  }

  /**
   * Makes a route in the main table, of protocol {@link #PROTOCOL_STATIC}.
   *
   * @param destination where to; {@link IpPrefix#ALL_V4} or {@link IpPrefix#ALL_V6} for the default
   * @return the route
   */
  public static Route to(IpPrefix destination) {
    return new Route(
        destination,
        null,
        0,
        MAIN_TABLE,
        PROTOCOL_STATIC,
        0,
        UNICAST,
        0,
        List.of(),
        Attributes.none(RouteCodec.TABLE));
  }

  /** The route with other numbers of its header. */
  private Route with(int newTable, int newProtocol, int newScope, int newType, int allFlags) {
    return new Route(
        destination,
        source,
        typeOfService,
        newTable,
        newProtocol,
        newScope,
        newType,
        allFlags,
        nextHops,
        attributes);
  }

  private Route with(List<NextHop> hops, Attributes changed) {
    return new Route(
        destination,
        source,
        typeOfService,
        table,
        protocol,
        scope,
        type,
        flags | state,
        hops,
        changed);
  }

  private Route with(int attribute, long number) {
    return with(nextHops, attributes.with(attribute, number));
  }

  /**
   * Sets the gateway ({@code RTA_GATEWAY}; {@code RTA_VIA} if it is of the other family).
   *
   * @param gateway who to send to
   * @return the route through it
   */
  public Route withGateway(IpAddress gateway) {
    boolean v6 = destination.address().isV6();
    return with(nextHops, NextHop.withGateway(attributes, v6, gateway));
  }

  /**
   * Sets the link ({@code RTA_OIF}).
   *
   * @param index the index of the link to send on
   * @return the route on it
   * @throws IllegalArgumentException if the index is negative
   */
  public Route withLink(int index) {
    return with(RouteCodec.OIF, Numbers.positive("index of a link", index));
  }

  /**
   * Sets the senders that the route is for; IPv6 only ({@code RTA_SRC}).
   *
   * @param newSource where packets are from
   * @return the route for those
   */
  public Route withSource(IpPrefix newSource) {
    return new Route(
        destination,
        newSource,
        typeOfService,
        table,
        protocol,
        scope,
        type,
        flags | state,
        nextHops,
        attributes);
  }

  /**
   * Sets the address that this host sends from ({@code RTA_PREFSRC}).
   *
   * @param address one of this host's addresses
   * @return the route with it
   */
  public Route withPreferredSource(IpAddress address) {
    return with(nextHops, attributes.with(RouteCodec.PREFSRC, address.toBytes()));
  }

  /**
   * Sets the table ({@code RTA_TABLE}).
   *
   * @param number the number of the table, of which the int's 32 bits count
   * @return the route in it
   */
  public Route withTable(int number) {
    return with(number, protocol, scope, type, flags | state);
  }

  /**
   * Sets the metric ({@code RTA_PRIORITY}).
   *
   * @param metric lower ones are preferred
   * @return the route with it
   */
  public Route withMetric(int metric) {
    return with(RouteCodec.PRIORITY, metric);
  }

  /**
   * Sets who made the route.
   *
   * @param number {@code RTPROT_...} of {@code linux/rtnetlink.h}, 0 to 255
   * @return the route of that
   * @throws IllegalArgumentException if the number is out of range
   */
  public Route withProtocol(int number) {
    return with(table, number, scope, type, flags | state);
  }

  /**
   * Sets how far the route reaches.
   *
   * @param number see {@link Scope}, 0 to 255
   * @return the route with it
   * @throws IllegalArgumentException if the number is out of range
   */
  public Route withScope(int number) {
    return with(table, protocol, number, type, flags | state);
  }

  /**
   * Sets the type.
   *
   * @param number {@code RTN_...} of {@code linux/rtnetlink.h}, 0 to 255, for example {@link
   *     #LOCAL}
   * @return the route with it
   * @throws IllegalArgumentException if the number is out of range
   */
  public Route withType(int number) {
    return with(table, protocol, scope, number, flags | state);
  }

  /**
   * Sets the flags.
   *
   * @param newFlags {@code RTNH_F_...} that can be set, for example {@link #ON_LINK}; the others
   *     are {@link #state}
   * @return the route with them
   */
  public Route withFlags(int newFlags) {
    return with(table, protocol, scope, type, (newFlags & NextHop.SETTINGS) | state);
  }

  /**
   * Sets several ways ({@code RTA_MULTIPATH}).
   *
   * @param hops the ways
   * @return the route by them
   */
  public Route withNextHops(List<NextHop> hops) {
    boolean v6 = destination.address().isV6();
    return with(hops.stream().map(hop -> hop.to(v6)).toList(), attributes);
  }

  /**
   * Sets the next-hop object that the route goes through ({@code RTA_NH_ID}).
   *
   * @param id the number of the object; see {@link NextHopObjects}
   * @return the route through it
   */
  public Route withNextHopObject(int id) {
    return with(RouteCodec.NH_ID, id);
  }

  /**
   * Sets properties of the way ({@code RTA_METRICS}).
   *
   * @param metrics values by {@code RTAX_...} of {@code linux/rtnetlink.h}, for example 2, the MTU
   * @return the route with these instead of its own
   */
  public Route withMetrics(Map<Integer, Integer> metrics) {
    Attributes inside = Attributes.none(RouteCodec.METRICS_TABLE);
    for (Map.Entry<Integer, Integer> metric : metrics.entrySet()) {
      inside = inside.with(metric.getKey(), metric.getValue());
    }
    return with(nextHops, attributes.with(RouteCodec.METRICS, inside));
  }

  /**
   * Sets any attribute.
   *
   * @param attribute {@code RTA_...} of {@code linux/rtnetlink.h}
   * @param value its value as the kernel has it
   * @return the route with it
   */
  public Route withAttribute(int attribute, byte[] value) {
    return with(nextHops, attributes.with(attribute, value));
  }

  /** {@return where the route goes to: a network or host ({@code RTA_DST})} */
  public IpPrefix destination() {
    return destination;
  }

  /** {@return whether the route is for everything that no other route is for} */
  public boolean isDefault() {
    return destination.length() == 0;
  }

  /** {@return the senders that the route is for ({@code RTA_SRC}); empty for all} */
  public Optional<IpPrefix> source() {
    return Optional.ofNullable(source);
  }

  /** {@return who to send to; empty if the destination is on the link or there are several ways} */
  public Optional<IpAddress> gateway() {
    return NextHop.gateway(attributes);
  }

  /** {@return the address to send from ({@code RTA_PREFSRC}); empty if the kernel chooses} */
  public Optional<IpAddress> preferredSource() {
    return attributes.bytes(RouteCodec.PREFSRC).map(IpAddress::of);
  }

  /** {@return the index of the link to send on ({@code RTA_OIF}); empty if there are several} */
  public OptionalInt index() {
    return attributes.number(RouteCodec.OIF);
  }

  /** {@return the number of the table that the route is in ({@code RTA_TABLE})} */
  public int table() {
    return table;
  }

  /** {@return the metric, lower ones are preferred ({@code RTA_PRIORITY}); 0 if there is none} */
  public int metric() {
    return attributes.number(RouteCodec.PRIORITY).orElse(0);
  }

  /** {@return who made the route, {@code RTPROT_...}, for example {@link #PROTOCOL_STATIC}} */
  public int protocol() {
    return protocol;
  }

  /** {@return how far the route reaches; see {@link Scope}} */
  public int scope() {
    return scope;
  }

  /** {@return the type of the route, {@code RTN_...}, for example {@link #UNICAST}} */
  public int type() {
    return type;
  }

  /** {@return the type of service that the route is for; 0 for all} */
  public int typeOfService() {
    return typeOfService;
  }

  /** {@return the flags that were set, {@code RTNH_F_...}, for example {@link #ON_LINK}} */
  public int flags() {
    return flags;
  }

  /** {@return what the kernel says of the route: {@code RTNH_F_LINKDOWN}, {@code RTM_F_OFFLOAD}} */
  public int state() {
    return state;
  }

  /** {@return the ways, if there are several ({@code RTA_MULTIPATH}); empty if there is one} */
  public List<NextHop> nextHops() {
    return nextHops;
  }

  /** {@return the number of the next-hop object that the route goes through, if it does} */
  public OptionalInt nextHopObject() {
    return attributes.number(RouteCodec.NH_ID);
  }

  /** {@return numbers by {@code RTAX_...}, for example 2, the MTU ({@code RTA_METRICS})} */
  public Map<Integer, Integer> metrics() {
    Attributes inside = attributes.nested(RouteCodec.METRICS);
    Map<Integer, Integer> metrics = new TreeMap<>();
    for (int one : inside.types()) {
      if (RouteCodec.METRICS_TABLE.format(one) == AttributeTable.Format.U32) {
        metrics.put(one, inside.number(one).orElse(0));
      }
    }
    return Map.copyOf(metrics);
  }

  /** {@return all attributes but destination, source, table and ways, unknown ones included} */
  public Attributes attributes() {
    return attributes;
  }

  /** {@return the route without {@link #state}, to compare what was set} */
  public Route withoutState() {
    return new Route(
        destination,
        source,
        typeOfService,
        table,
        protocol,
        scope,
        type,
        flags,
        nextHops.stream().map(NextHop::withoutState).toList(),
        attributes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Route route
        && destination.equals(route.destination)
        && Objects.equals(source, route.source)
        && typeOfService == route.typeOfService
        && table == route.table
        && protocol == route.protocol
        && scope == route.scope
        && type == route.type
        && flags == route.flags
        && state == route.state
        && nextHops.equals(route.nextHops)
        && attributes.equals(route.attributes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(destination, table, attributes);
  }

  /** For people, in the manner of {@code ip route}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(destination);
    gateway().ifPresent(gateway -> text.append(" via ").append(gateway));
    index().ifPresent(index -> text.append(" link ").append(index));
    nextHopObject().ifPresent(id -> text.append(" nhid ").append(id));
    text.append(" table ").append(table);
    if (metric() != 0) {
      text.append(" metric ").append(metric());
    }
    nextHops.forEach(hop -> text.append(" nexthop ").append(hop));
    return text.toString();
  }
}
