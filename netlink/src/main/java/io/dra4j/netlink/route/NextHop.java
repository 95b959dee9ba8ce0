package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.NetlinkException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/**
 * One of several next hops of a route ({@code struct rtnexthop}, {@code RTA_MULTIPATH}). Immutable.
 * Attributes without a method here, such as encapsulations and realms, are kept in {@link
 * #attributes} and written back.
 *
 * <pre>{@code
 * List<NextHop> ways = List.of(NextHop.via(first), NextHop.via(second).withWeight(5));
 * route.routes().add(Route.to(IpPrefix.ALL_V4).withNextHops(ways));
 * }</pre>
 */
public final class NextHop {

  private static final Layout LAYOUT =
      Layout.of("struct rtnexthop", "len:16 flags:8 hops:8 ifindex:32", RouteCodec.TABLE);

  /** {@code RTNH_F_PERVASIVE} and {@code RTNH_F_ONLINK}: the flags that can be set. */
  static final int SETTINGS = 2 | 4;

  private static final int MOST = 8192;

  private final Payload payload;

  private NextHop(Payload payload) {
    this.payload = payload;
  }

  /**
   * {@return a next hop through a gateway, with weight 1, on the link of the gateway}
   *
   * @param gateway the address of the gateway
   */
  public static NextHop via(IpAddress gateway) {
    return new NextHop(Payload.of(LAYOUT).with("GATEWAY", gateway.toBytes()));
  }

  /**
   * {@return a next hop for destinations on a link, with weight 1}
   *
   * @param index the index of the link
   * @throws IllegalArgumentException if the index is not positive
   */
  public static NextHop onLink(int index) {
    return new NextHop(Payload.of(LAYOUT)).withLink(index);
  }

  /**
   * {@return the next hop with a link to send on ({@code rtnh_ifindex})}
   *
   * @param index the index of the link
   * @throws IllegalArgumentException if the index is not positive
   */
  public NextHop withLink(int index) {
    return new NextHop(payload.set("ifindex", Links.checkIndex(index)));
  }

  /**
   * {@return the next hop with a weight ({@code rtnh_hops}, which is one less)}
   *
   * @param weight the share of packets, 1 to 256
   * @throws IllegalArgumentException if the weight is out of range
   */
  public NextHop withWeight(int weight) {
    return new NextHop(payload.set("hops", Numbers.check("weight", weight, 1, 256) - 1));
  }

  /**
   * {@return the next hop with flags ({@code rtnh_flags})}
   *
   * @param newFlags {@code RTNH_F_...} that can be set, for example {@link Route#ON_LINK}; other
   *     flags are {@link #state}
   */
  public NextHop withFlags(int newFlags) {
    return new NextHop(payload.set("flags", (newFlags & SETTINGS) | state()));
  }

  /** Reads the next hops in {@code RTA_MULTIPATH}: structures that are followed by attributes. */
  static byte[] read(AttributeReader reader) throws NetlinkException.Malformed {
    List<NextHop> hops = new ArrayList<>();
    for (int at = 0; reader.length() - at >= LAYOUT.size(); ) {
      int length = reader.u16(at);
      int index = reader.u32(at + 4);
      if (length < LAYOUT.size()
          || length > reader.length() - at
          || index < 0
          || hops.size() == MOST) {
        throw new NetlinkException.Malformed(
            "next hop of %d bytes on link %d at byte %d of %d"
                .formatted(length, index, at, reader.length()));
      }
      Payload header =
          Payload.of(LAYOUT)
              .set("flags", reader.u8(at + 2))
              .set("hops", reader.u8(at + 3))
              .set("ifindex", index);
      reader.enter(at + LAYOUT.size(), at + length);
      hops.add(new NextHop(header.with(Attributes.read(RouteCodec.TABLE, reader))));
      at += (length + 3) & ~3;
    }
    byte[] ways = pack(hops);
    if (ways.length > Attributes.LONGEST) { // with the missing padding
      throw new NetlinkException.Malformed("next hops of " + ways.length + " bytes");
    }
    return ways;
  }

  /** Returns all next hops one after the other, as in {@code RTA_MULTIPATH}. */
  static byte[] pack(List<NextHop> hops) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (NextHop hop : hops) {
      byte[] one = hop.payload.toBytes();
      all.writeBytes(hop.payload.set("len", one.length).toBytes());
    }
    return all.toByteArray();
  }

  static List<NextHop> unpack(byte[] all) {
    ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.nativeOrder());
    List<NextHop> hops = new ArrayList<>();
    for (int at = 0; at < all.length; ) {
      int end = at + Short.toUnsignedInt(buffer.getShort(at));
      Payload one = Payload.ofBytes(LAYOUT, Arrays.copyOfRange(all, at, end));
      hops.add(new NextHop(one.set("len", 0)));
      at = end;
    }
    return List.copyOf(hops);
  }

  /** {@return the gateway ({@code RTA_GATEWAY}, {@code RTA_VIA}); empty for hosts on the link} */
  public Optional<IpAddress> gateway() {
    return gateway(attributes());
  }

  /** Returns the gateway; IPv6 gateways of IPv4 routes are in RTA_VIA, {@code struct rtvia}. */
  static Optional<IpAddress> gateway(Attributes attributes) {
    Optional<byte[]> via =
        attributes
            .bytes("VIA")
            .filter(bytes -> bytes.length > 2) // the family is before the address
            .map(bytes -> Arrays.copyOfRange(bytes, 2, bytes.length));
    return attributes
        .bytes("GATEWAY")
        .or(() -> via)
        .filter(bytes -> bytes.length == 4 || bytes.length == 16)
        .map(IpAddress::of);
  }

  /** Sets the gateway for a destination of a family. */
  static Attributes withGateway(Attributes attributes, boolean v6, IpAddress gateway) {
    Attributes others = attributes.without("GATEWAY", "VIA");
    byte[] bytes = gateway.toBytes();
    if (gateway.isV6() == v6) {
      return others.with("GATEWAY", bytes);
    }
    ByteBuffer via = ByteBuffer.allocate(2 + bytes.length).order(ByteOrder.nativeOrder());
    return others.with("VIA", via.putShort((short) gateway.family()).put(bytes).array());
  }

  /**
   * Returns the next hop; a gateway of another family than the destination is in the attribute for
   * it.
   */
  NextHop to(boolean v6) {
    return gateway()
        .map(to -> new NextHop(payload.with(withGateway(attributes(), v6, to))))
        .orElse(this);
  }

  /** Returns the next hop with other indices of links. */
  NextHop moved(IntUnaryOperator to) {
    return new NextHop(payload.moved(to));
  }

  /** {@return the index of the link to send on; empty to find it by the gateway} */
  public OptionalInt index() {
    int index = payload.get("ifindex");
    return index == 0 ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** {@return the weight, 1 to 256} */
  public int weight() {
    return payload.get("hops") + 1;
  }

  /** {@return the flags that were set, such as {@link Route#ON_LINK}} */
  public int flags() {
    return payload.get("flags") & SETTINGS;
  }

  /** {@return the state that the kernel reports: {@code RTNH_F_DEAD}, {@code RTNH_F_LINKDOWN}} */
  public int state() {
    return payload.get("flags") & ~SETTINGS;
  }

  /** {@return the encapsulation of packets ({@code LWTUNNEL_ENCAP_...}); empty for none} */
  public OptionalInt encapsulationType() {
    return attributes().number("ENCAP_TYPE");
  }

  /** {@return all attributes of the next hop, {@code RTA_...}, including unknown ones} */
  public Attributes attributes() {
    return payload.attributes();
  }

  /** {@return the next hop without {@link #state} and counters, to compare settings} */
  public NextHop withoutState() {
    return new NextHop(payload.set("flags", flags()).with(RouteCodec.still(attributes())));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NextHop hop && payload.equals(hop.payload);
  }

  @Override
  public int hashCode() {
    return payload.hashCode();
  }

  @Override
  public String toString() {
    return gateway().map(to -> "via " + to + " ").orElse("")
        + "link "
        + payload.get("ifindex")
        + " weight "
        + weight()
        + MessageView.unless(0, "flags", flags())
        + MessageView.others(payload, "GATEWAY", "VIA");
  }
}
