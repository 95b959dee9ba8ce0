package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * A route ({@code ip route}, {@code struct rtmsg}). Immutable: created with {@link #to}, and each
 * {@code with} returns another route. Attributes without a method here, such as encapsulations, are
 * kept in {@link #attributes} and written back. The state that the kernel reports is {@link
 * #state}; the {@link #flags} are the configured ones, so a route that was read while its link was
 * down can be written.
 *
 * <pre>{@code
 * Route route = Route.to(IpPrefix.ALL_V4).withGateway(IpAddress.parse("192.0.2.1")).withMetric(50);
 * netlink.routes().add(route); // ip route add default via 192.0.2.1 metric 50
 * }</pre>
 */
public final class Route extends MessageView<Route> {

  /** {@code RT_TABLE_MAIN}: the default table. */
  public static final int MAIN_TABLE = 254;

  /** {@code RT_TABLE_LOCAL}: the table of this host's own addresses. */
  public static final int LOCAL_TABLE = 255;

  /** {@code RTN_UNICAST}: the type of routes to other hosts. */
  public static final int UNICAST = 1;

  /** {@code RTN_LOCAL}: the type of routes to this host. */
  public static final int LOCAL = 2;

  /** {@code RTPROT_KERNEL}: the protocol of routes that the kernel created. */
  public static final int PROTOCOL_KERNEL = 2;

  /** {@code RTPROT_STATIC}: the protocol of routes that an administrator created. */
  public static final int PROTOCOL_STATIC = 4;

  /** {@code RTNH_F_ONLINK}: for gateways on the link that no address of the link contains. */
  public static final int ON_LINK = 4;

  private static final int SETTINGS = NextHop.SETTINGS;

  private static final String[] SHOWN =
      "DST SRC OIF GATEWAY VIA PRIORITY PREFSRC METRICS MULTIPATH TABLE PREF EXPIRES NH_ID"
          .split(" ", -1);

  Route(Payload payload) {
    super(ObjectKind.ROUTE, Route::new, payload);
  }

  /**
   * {@return a route in the main table, with protocol {@link #PROTOCOL_STATIC}}
   *
   * @param destination the network; for the default {@link IpPrefix#ALL_V4} or {@code ALL_V6}
   */
  public static Route to(IpPrefix destination) {
    return new Route(
        Payload.of(RouteCodec.LAYOUT)
            .set("family", destination.address().family())
            .set("protocol", PROTOCOL_STATIC)
            .set("type", UNICAST)
            .with("DST", "dst_len", destination)
            .with("TABLE", MAIN_TABLE));
  }

  @Override
  public Route moved(IntUnaryOperator to) {
    List<NextHop> hops = nextHops();
    Route moved = super.moved(to);
    return hops.isEmpty()
        ? moved
        : moved.withNextHops(hops.stream().map(hop -> hop.moved(to)).toList());
  }

  /**
   * {@return the route through a gateway ({@code RTA_GATEWAY})}
   *
   * @param gateway the address of the gateway, in {@code RTA_VIA} if it has another family
   */
  public Route withGateway(IpAddress gateway) {
    return with(NextHop.withGateway(attributes(), payload.isV6(), gateway));
  }

  /**
   * {@return the route on a link ({@code RTA_OIF})}
   *
   * @param index the index of the link to send on
   * @throws IllegalArgumentException if the index is not positive
   */
  public Route withLink(int index) {
    return with("OIF", Links.checkIndex(index));
  }

  /**
   * {@return the route for packets from source addresses; IPv6 only ({@code RTA_SRC})}
   *
   * @param newSource the source of packets
   * @throws IllegalArgumentException if it has another family
   */
  public Route withSource(IpPrefix newSource) {
    return new Route(payload.with("SRC", "src_len", newSource));
  }

  /**
   * {@return the route with an address that this host sends from ({@code RTA_PREFSRC})}
   *
   * @param address one of this host's addresses
   * @throws IllegalArgumentException if it has another family
   */
  public Route withPreferredSource(IpAddress address) {
    return of(payload.with("PREFSRC", address));
  }

  /** {@return the route without a preferred source: the kernel chooses the address to send from} */
  public Route withoutPreferredSource() {
    return of(payload.without("PREFSRC"));
  }

  /**
   * {@return the route in a table ({@code RTA_TABLE})}
   *
   * @param number the number of the table, as the 32 bits of the int
   */
  public Route withTable(int number) {
    return with("TABLE", number);
  }

  /**
   * {@return the route with a metric ({@code RTA_PRIORITY})}
   *
   * @param metric lower ones are preferred
   */
  public Route withMetric(int metric) {
    return with("PRIORITY", metric);
  }

  /**
   * {@return the route with an origin}
   *
   * @param number {@code RTPROT_...} of {@code linux/rtnetlink.h}, 0 to 255
   * @throws IllegalArgumentException if the number is out of range
   */
  public Route withProtocol(int number) {
    return set("protocol", number);
  }

  /**
   * {@return the route with a scope}
   *
   * @param number a number of {@link Scope}, 0 to 255
   * @throws IllegalArgumentException if the number is out of range
   */
  public Route withScope(int number) {
    return set("scope", number);
  }

  /**
   * {@return the route with a type}
   *
   * @param number {@code RTN_...} of {@code linux/rtnetlink.h}, 0 to 255, such as {@link #LOCAL}
   * @throws IllegalArgumentException if the number is out of range
   */
  public Route withType(int number) {
    return set("type", number);
  }

  /**
   * {@return the route with flags}
   *
   * @param newFlags {@code RTNH_F_...} that can be set, for example {@link #ON_LINK}; other flags
   *     are {@link #state}
   */
  public Route withFlags(int newFlags) {
    return set("flags", (newFlags & SETTINGS) | state());
  }

  /**
   * {@return the route with several next hops ({@code RTA_MULTIPATH})}
   *
   * @param hops the next hops, at most 65,531 bytes: about 4,000 with IPv4 gateways
   * @throws IllegalArgumentException if they need more bytes
   */
  public Route withNextHops(List<NextHop> hops) {
    List<NextHop> ways = hops.stream().map(hop -> hop.to(payload.isV6())).toList();
    return ways.isEmpty()
        ? with(attributes().without("MULTIPATH"))
        : with("MULTIPATH", NextHop.pack(ways));
  }

  /**
   * {@return the route through a next-hop object ({@code RTA_NH_ID})}
   *
   * @param id the number of the object; see {@link NextHopObjects}
   */
  public Route withNextHopObject(int id) {
    return with("NH_ID", id);
  }

  /**
   * {@return the route with only these properties of the path ({@code RTA_METRICS})}
   *
   * @param metrics values by {@code RTAX_...} of {@code linux/rtnetlink.h}, for example 2, the MTU
   */
  public Route withMetrics(Map<Integer, Integer> metrics) {
    Attributes inside = Attributes.none(RouteCodec.METRICS);
    for (Map.Entry<Integer, Integer> metric : metrics.entrySet()) {
      inside = inside.with(RouteCodec.METRICS.word(metric.getKey()), metric.getValue());
    }
    return with(attributes().with("METRICS", inside));
  }

  /** {@return the destination: a network or host ({@code RTA_DST})} */
  public IpPrefix destination() {
    return payload.prefix("DST", "dst_len");
  }

  /** {@return whether the route applies to all destinations without another route} */
  public boolean isDefault() {
    return payload.get("dst_len") == 0;
  }

  /** {@return the source addresses that the route applies to ({@code RTA_SRC}); empty for all} */
  public Optional<IpPrefix> source() {
    IpPrefix source = payload.prefix("SRC", "src_len");
    return source.length() == 0 ? Optional.empty() : Optional.of(source);
  }

  /**
   * {@return the gateway; empty if the destination is on the link or there are several next hops}
   */
  public Optional<IpAddress> gateway() {
    return NextHop.gateway(attributes());
  }

  /** {@return the address to send from ({@code RTA_PREFSRC}); empty if the kernel chooses} */
  public Optional<IpAddress> preferredSource() {
    return payload.address("PREFSRC");
  }

  /** {@return the index of the link to send on ({@code RTA_OIF}); empty if there are several} */
  public OptionalInt index() {
    return attributes().number("OIF");
  }

  /** {@return the number of the table that the route is in ({@code RTA_TABLE})} */
  public int table() {
    return attributes().number("TABLE").orElse(0);
  }

  /** {@return the metric, lower ones are preferred ({@code RTA_PRIORITY}); 0 by default} */
  public int metric() {
    return attributes().number("PRIORITY").orElse(0);
  }

  /** {@return the origin of the route, {@code RTPROT_...}, for example {@link #PROTOCOL_STATIC}} */
  public int protocol() {
    return payload.get("protocol");
  }

  /** {@return the scope ({@code rtm_scope}), a number of {@link Scope}} */
  public int scope() {
    return payload.get("scope");
  }

  /** {@return the type of the route, {@code RTN_...}, for example {@link #UNICAST}} */
  public int type() {
    return payload.get("type");
  }

  /** {@return the type of service that the route applies to; 0 for all} */
  public int typeOfService() {
    return payload.get("tos");
  }

  /** {@return the flags that were set, {@code RTNH_F_...}, for example {@link #ON_LINK}} */
  public int flags() {
    return payload.get("flags") & SETTINGS;
  }

  /** {@return the state that the kernel reports: {@code RTNH_F_LINKDOWN}, {@code RTM_F_OFFLOAD}} */
  public int state() {
    return payload.get("flags") & ~SETTINGS;
  }

  /**
   * {@return the next hops, if there are several ({@code RTA_MULTIPATH}); empty if there is one}
   */
  public List<NextHop> nextHops() {
    return attributes().bytes("MULTIPATH").map(NextHop::unpack).orElse(List.of());
  }

  /** {@return the number of the route's next-hop object, if it has one} */
  public OptionalInt nextHopObject() {
    return attributes().number("NH_ID");
  }

  /**
   * {@return the rest of the lifetime in seconds, rounded up (IPv6 only, {@code RTA_EXPIRES});
   * empty for no limit; 0 if it is over but the route still exists: if written back, it expires
   * again}
   */
  public OptionalLong expireSeconds() {
    OptionalInt seconds = attributes().number("EXPIRES");
    return seconds.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Integer.toUnsignedLong(seconds.getAsInt()));
  }

  /** {@return numbers by {@code RTAX_...}, for example 2, the MTU ({@code RTA_METRICS})} */
  public Map<Integer, Integer> metrics() {
    Attributes inside = attributes().nested("METRICS");
    Map<Integer, Integer> metrics = new TreeMap<>();
    for (int one : inside.types()) {
      if (RouteCodec.METRICS.format(one) == AttributeTable.Format.U32) {
        metrics.put(one, inside.number(RouteCodec.METRICS.word(one)).orElse(0));
      }
    }
    return Map.copyOf(metrics);
  }

  /** {@return the route without {@link #state} and counters, to compare settings} */
  @Override
  public Route withoutState() {
    List<NextHop> hops = nextHops();
    Route still = set("flags", flags()).with(RouteCodec.still(attributes()));
    return hops.isEmpty()
        ? still
        : still.withNextHops(hops.stream().map(NextHop::withoutState).toList());
  }

  /** Returns the route for people, in the format of {@code ip route}, without usual values. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(destination());
    source().ifPresent(from -> text.append(" from ").append(from));
    gateway().ifPresent(gateway -> text.append(" via ").append(gateway));
    index().ifPresent(index -> text.append(" link ").append(index));
    nextHopObject().ifPresent(id -> text.append(" nhid ").append(id));
    text.append(" table ").append(Integer.toUnsignedString(table()));
    text.append(unless(UNICAST, "type", type()));
    text.append(unless(0, "tos", typeOfService()));
    text.append(unless(0, "metric", metric()));
    text.append(unless(PROTOCOL_STATIC, "proto", protocol()));
    text.append(unless(Scope.UNIVERSE, "scope", scope()));
    preferredSource().ifPresent(from -> text.append(" src ").append(from));
    text.append(unless(0, "flags", flags()));
    metrics(text);
    text.append(attributes().has("EXPIRES") ? " expires" : "");
    nextHops().forEach(hop -> text.append(" nexthop ").append(hop));
    text.append(unless(0, "pref", attributes().number("PREF").orElse(0)));
    return text.append(others(SHOWN)).toString();
  }

  private void metrics(StringBuilder text) {
    Attributes others = attributes().nested("METRICS");
    for (Map.Entry<Integer, Integer> one : new TreeMap<>(metrics()).entrySet()) {
      String name = RouteCodec.METRICS.word(one.getKey()).toLowerCase(Locale.ROOT);
      text.append(' ').append(name).append(' ').append(Integer.toUnsignedString(one.getValue()));
      others = others.without(one.getKey());
    }
    String congestion = others.text("CC_ALGO");
    text.append(congestion.isEmpty() ? "" : " congctl " + congestion);
    others = others.without("CC_ALGO");
    text.append(others.isEmpty() ? "" : " " + others);
  }
}
