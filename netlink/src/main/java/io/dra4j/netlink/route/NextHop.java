package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One of the ways of a route with several ways ({@code struct rtnexthop}, {@code RTA_MULTIPATH}).
 * Immutable. What has no method here, such as encapsulations and realms, is kept in {@link
 * #attributes} and written back.
 *
 * <pre>{@code
 * List<NextHop> ways = List.of(NextHop.of(first, 2, 1), NextHop.of(second, 3, 5));
 * route.routes().add(Route.to(IpPrefix.ALL_V4).withNextHops(ways));
 * }</pre>
 */
public final class NextHop {

  /** {@code RTNH_F_PERVASIVE} and {@code RTNH_F_ONLINK}: the flags that somebody sets. */
  static final int SETTINGS = 2 | 4;

  private final int flags;
  private final int state;
  private final int weight;
  private final int index;
  private final Attributes attributes;

  NextHop(int flags, int weight, int index, Attributes attributes) {
    this.flags = flags & SETTINGS;
    this.state = flags & ~SETTINGS;
    this.weight = Numbers.check("weight", weight, 1, 256);
    this.index = Numbers.positive("index of a link", index);
    this.attributes = attributes;
  }

  /**
   * Makes a way.
   *
   * @param gateway who to send to; null if the destination is on the link
   * @param index the index of the link to send on; 0 to find it by the gateway
   * @param weight its share among all ways, 1 to 256
   * @return the way
   * @throws IllegalArgumentException if the weight is out of range
   */
  public static NextHop of(@Nullable IpAddress gateway, int index, int weight) {
    Attributes none = Attributes.none(RouteCodec.TABLE);
    Attributes to = gateway == null ? none : none.with(RouteCodec.GATEWAY, gateway.toBytes());
    return new NextHop(0, weight, index, to);
  }

  /** {@return who to send to ({@code RTA_GATEWAY} or {@code RTA_VIA}); empty if on the link} */
  public Optional<IpAddress> gateway() {
    return gateway(attributes);
  }

  /** IPv4 goes through IPv6 gateways by RTA_VIA, {@code struct rtvia}. */
  static Optional<IpAddress> gateway(Attributes attributes) {
    Optional<byte[]> via =
        attributes
            .bytes(RouteCodec.VIA)
            .map(bytes -> Arrays.copyOfRange(bytes, 2, Math.max(2, bytes.length)));
    return attributes
        .bytes(RouteCodec.GATEWAY)
        .or(() -> via)
        .filter(bytes -> bytes.length == 4 || bytes.length == 16)
        .map(IpAddress::of);
  }

  /** Sets the gateway of a way to a destination of a family. */
  static Attributes withGateway(Attributes attributes, boolean v6, IpAddress gateway) {
    Attributes others = attributes.without(RouteCodec.GATEWAY, RouteCodec.VIA);
    byte[] bytes = gateway.toBytes();
    if (gateway.isV6() == v6) {
      return others.with(RouteCodec.GATEWAY, bytes);
    }
    ByteBuffer via = ByteBuffer.allocate(2 + bytes.length).order(ByteOrder.nativeOrder());
    return others.with(RouteCodec.VIA, via.putShort((short) gateway.family()).put(bytes).array());
  }

  /** The way, with a gateway of another family than the destination in the attribute for that. */
  NextHop to(boolean v6) {
    return gateway()
        .map(to -> new NextHop(flags | state, weight, index, withGateway(attributes, v6, to)))
        .orElse(this);
  }

  /** {@return the index of the link to send on; empty to find it by the gateway} */
  public OptionalInt index() {
    return index == 0 ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** {@return the share among all ways, 1 to 256} */
  public int weight() {
    return weight;
  }

  /** {@return the flags that were set, such as {@link Route#ON_LINK}} */
  public int flags() {
    return flags;
  }

  /** {@return what the kernel says of the way: {@code RTNH_F_DEAD}, {@code RTNH_F_LINKDOWN}} */
  public int state() {
    return state;
  }

  /** {@return how packets are wrapped ({@code LWTUNNEL_ENCAP_...}); empty if they are not} */
  public OptionalInt encapsulationType() {
    return attributes.number(RouteCodec.ENCAP_TYPE);
  }

  /** {@return all attributes of the way, {@code RTA_...}, unknown ones included} */
  public Attributes attributes() {
    return attributes;
  }

  /** {@return the way without {@link #state}, to compare what was set} */
  public NextHop withoutState() {
    return new NextHop(flags, weight, index, attributes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NextHop hop
        && flags == hop.flags
        && state == hop.state
        && weight == hop.weight
        && index == hop.index
        && attributes.equals(hop.attributes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(index, weight, attributes);
  }

  @Override
  public String toString() {
    return gateway().map(to -> "via " + to + " ").orElse("")
        + "link "
        + index
        + " weight "
        + weight;
  }
}
