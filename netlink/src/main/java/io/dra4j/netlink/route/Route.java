package io.dra4j.netlink.route;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A route. Immutable; made with {@link #to} and the methods whose names begin with {@code with}.
 * What this library does not interpret, such as encapsulations, is kept, so that a route that was
 * read can be set again.
 */
public final class Route {

  /** The table for everything that is not put into another. */
  public static final int MAIN_TABLE = 254;

  /** The table of this host's own addresses. */
  public static final int LOCAL_TABLE = 255;

  /** Type of routes to somewhere. */
  public static final int UNICAST = 1;

  /** Type of routes to this host. */
  public static final int LOCAL = 2;

  /** Protocol of routes that the kernel made. */
  public static final int PROTOCOL_KERNEL = 2;

  /** Protocol of routes that an administrator made. */
  public static final int PROTOCOL_STATIC = 4;

  /** {@code RTNH_F_ONLINK}: the gateway is on the link although no address says so. */
  public static final int ON_LINK = 4;

  private final IpPrefix destination;
  private final @Nullable IpPrefix source;
  private final @Nullable IpAddress gateway;
  private final @Nullable IpAddress preferredSource;
  private final int index;
  private final int table;
  private final int metric;
  private final int protocol;
  private final int scope;
  private final int type;
  private final int typeOfService;
  private final int flags;
  private final List<NextHop> nextHops;
  private final Map<Integer, Integer> metrics;
  private final Map<Integer, Kept> kept;

  private Route(Builder builder) {
    this.destination = builder.destination;
    this.source = builder.source;
    this.gateway = builder.gateway;
    this.preferredSource = builder.preferredSource;
    this.index = builder.index;
    this.table = builder.table;
    this.metric = builder.metric;
    this.protocol = builder.protocol;
    this.scope = builder.scope;
    this.type = builder.type;
    this.typeOfService = builder.typeOfService;
    this.flags = builder.flags;
    this.nextHops = List.copyOf(builder.nextHops);
    this.metrics = Map.copyOf(builder.metrics);
    this.kept = Map.copyOf(builder.kept);
  }

  /**
   * A route in the main table.
   *
   * @param destination where to; {@link IpPrefix#ALL_V4} or {@link IpPrefix#ALL_V6} for the default
   * @return the route
   */
  public static Route to(IpPrefix destination) {
    return new Route(new Builder(destination));
  }

  private Builder builder() {
    return new Builder(this);
  }

  /**
   * The route through a gateway.
   *
   * @param newGateway who to send to
   * @return the route
   */
  public Route withGateway(IpAddress newGateway) {
    Builder builder = builder();
    builder.gateway = newGateway;
    return builder.build();
  }

  /**
   * The route on a link.
   *
   * @param newIndex the index of the link
   * @return the route
   */
  public Route withLink(int newIndex) {
    Builder builder = builder();
    builder.index = newIndex;
    return builder.build();
  }

  /**
   * The route for packets from some senders only; IPv6.
   *
   * @param newSource where they are from
   * @return the route
   */
  public Route withSource(IpPrefix newSource) {
    Builder builder = builder();
    builder.source = newSource;
    return builder.build();
  }

  /**
   * The route with the address that this host sends from.
   *
   * @param newSource one of this host's addresses
   * @return the route
   */
  public Route withPreferredSource(IpAddress newSource) {
    Builder builder = builder();
    builder.preferredSource = newSource;
    return builder.build();
  }

  /**
   * The route in a table.
   *
   * @param newTable the number of the table
   * @return the route
   */
  public Route withTable(int newTable) {
    Builder builder = builder();
    builder.table = newTable;
    return builder.build();
  }

  /**
   * The route with a metric.
   *
   * @param newMetric lower ones are preferred
   * @return the route
   */
  public Route withMetric(int newMetric) {
    Builder builder = builder();
    builder.metric = newMetric;
    return builder.build();
  }

  /**
   * The route of a protocol.
   *
   * @param newProtocol who made it, {@code RTPROT_...}
   * @return the route
   */
  public Route withProtocol(int newProtocol) {
    Builder builder = builder();
    builder.protocol = newProtocol;
    return builder.build();
  }

  /**
   * The route with a scope.
   *
   * @param newScope see {@link Scope}
   * @return the route
   */
  public Route withScope(int newScope) {
    Builder builder = builder();
    builder.scope = newScope;
    return builder.build();
  }

  /**
   * The route with a type.
   *
   * @param newType {@code RTN_...}
   * @return the route
   */
  public Route withType(int newType) {
    Builder builder = builder();
    builder.type = newType;
    return builder.build();
  }

  /**
   * The route with flags.
   *
   * @param newFlags {@code RTNH_F_...}, for example {@link #ON_LINK}
   * @return the route
   */
  public Route withFlags(int newFlags) {
    Builder builder = builder();
    builder.flags = newFlags;
    return builder.build();
  }

  /**
   * The route with several ways.
   *
   * @param hops the ways
   * @return the route
   */
  public Route withNextHops(List<NextHop> hops) {
    Builder builder = builder();
    builder.nextHops = hops;
    return builder.build();
  }

  /**
   * The route with properties of the way.
   *
   * @param newMetrics values by {@code RTAX_...} of {@code linux/rtnetlink.h}, for example 2, the
   *     MTU
   * @return the route
   */
  public Route withMetrics(Map<Integer, Integer> newMetrics) {
    Builder builder = builder();
    builder.metrics = newMetrics;
    return builder.build();
  }

  /**
   * Where to.
   *
   * @return the network or host
   */
  public IpPrefix destination() {
    return destination;
  }

  /**
   * Whether it is for everything that no other route is for.
   *
   * @return whether it is
   */
  public boolean isDefault() {
    return destination.length() == 0;
  }

  /**
   * The senders that it is for.
   *
   * @return null for all
   */
  public @Nullable IpPrefix source() {
    return source;
  }

  /**
   * Who to send to.
   *
   * @return null if the destination is on the link, or there are several ways
   */
  public @Nullable IpAddress gateway() {
    return gateway;
  }

  /**
   * The address that this host sends from.
   *
   * @return null if the kernel chooses
   */
  public @Nullable IpAddress preferredSource() {
    return preferredSource;
  }

  /**
   * The link to send on.
   *
   * @return its index; 0 if there is none, or there are several ways
   */
  public int index() {
    return index;
  }

  /**
   * Its table.
   *
   * @return the number of the table
   */
  public int table() {
    return table;
  }

  /**
   * Its metric.
   *
   * @return lower ones are preferred
   */
  public int metric() {
    return metric;
  }

  /**
   * Who made it.
   *
   * @return {@code RTPROT_...}
   */
  public int protocol() {
    return protocol;
  }

  /**
   * How far it reaches.
   *
   * @return see {@link Scope}
   */
  public int scope() {
    return scope;
  }

  /**
   * Its type.
   *
   * @return {@code RTN_...}
   */
  public int type() {
    return type;
  }

  /**
   * The type of service that it is for.
   *
   * @return 0 for all
   */
  public int typeOfService() {
    return typeOfService;
  }

  /**
   * Its flags.
   *
   * @return {@code RTNH_F_...} and {@code RTM_F_...}
   */
  public int flags() {
    return flags;
  }

  /**
   * Its ways, if there are several.
   *
   * @return the ways; empty if there is one
   */
  public List<NextHop> nextHops() {
    return nextHops;
  }

  /**
   * Properties of the way.
   *
   * @return values by {@code RTAX_...}
   */
  public Map<Integer, Integer> metrics() {
    return metrics;
  }

  /** Attributes that are not interpreted. */
  Map<Integer, Kept> kept() {
    return kept;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Route route
        && destination.equals(route.destination)
        && Objects.equals(source, route.source)
        && Objects.equals(gateway, route.gateway)
        && Objects.equals(preferredSource, route.preferredSource)
        && index == route.index
        && table == route.table
        && metric == route.metric
        && protocol == route.protocol
        && scope == route.scope
        && type == route.type
        && typeOfService == route.typeOfService
        && flags == route.flags
        && nextHops.equals(route.nextHops)
        && metrics.equals(route.metrics)
        && kept.equals(route.kept);
  }

  @Override
  public int hashCode() {
    return Objects.hash(destination, gateway, index, table, metric);
  }

  /** For people, in the manner of {@code ip route}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(destination);
    if (gateway != null) {
      text.append(" via ").append(gateway);
    }
    if (index != 0) {
      text.append(" link ").append(index);
    }
    text.append(" table ").append(table);
    if (metric != 0) {
      text.append(" metric ").append(metric);
    }
    nextHops.forEach(hop -> text.append(" nexthop ").append(hop));
    return text.toString();
  }

  /** The value of an attribute that is kept as it came. */
  static final class Kept {

    private final byte[] bytes;

    Kept(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Kept value && Arrays.equals(bytes, value.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /** A route in the making. */
  static final class Builder {

    IpPrefix destination;
    @Nullable IpPrefix source;
    @Nullable IpAddress gateway;
    @Nullable IpAddress preferredSource;
    int index;
    int table = MAIN_TABLE;
    int metric;
    int protocol = PROTOCOL_STATIC;
    int scope;
    int type = UNICAST;
    int typeOfService;
    int flags;
    List<NextHop> nextHops = List.of();
    Map<Integer, Integer> metrics = Map.of();
    Map<Integer, Kept> kept = new TreeMap<>();

    Builder(IpPrefix destination) {
      this.destination = destination;
    }

    private Builder(Route route) {
      this.destination = route.destination;
      this.source = route.source;
      this.gateway = route.gateway;
      this.preferredSource = route.preferredSource;
      this.index = route.index;
      this.table = route.table;
      this.metric = route.metric;
      this.protocol = route.protocol;
      this.scope = route.scope;
      this.type = route.type;
      this.typeOfService = route.typeOfService;
      this.flags = route.flags;
      this.nextHops = route.nextHops;
      this.metrics = route.metrics;
      this.kept = route.kept;
    }

    Route build() {
      return new Route(this);
    }
  }
}
