package io.dra4j.netlink.route;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A next hop, or a group of next hops, that many routes can use by its number ({@code ip nexthop},
 * {@code struct nhmsg}, {@code linux/nexthop.h}). Immutable. Attributes without a method here, such
 * as encapsulations and the settings of resilient groups, are kept in {@link #attributes} and
 * written back.
 *
 * <pre>{@code
 * route.nextHopObjects().add(NextHopObject.via(10, IpAddress.parse("192.0.2.1"), link.index()));
 * route.routes().add(Route.to(IpPrefix.ALL_V4).withNextHopObject(10));
 * }</pre>
 */
public final class NextHopObject extends MessageView<NextHopObject> {

  private static final int ENTRY = 8; // struct nexthop_grp

  NextHopObject(Payload payload) {
    super(ObjectKind.NEXT_HOP, NextHopObject::new, payload);
  }

  private static Payload of(int id) {
    if (id == 0) {
      throw new IllegalArgumentException(
          "the number of a next-hop object must not be 0: the kernel would choose a number");
    }
    return Payload.of(NextHopCodec.LAYOUT).set("protocol", Route.PROTOCOL_STATIC).with("ID", id);
  }

  /**
   * {@return an object that sends to a gateway}
   *
   * @param id the number of the object
   * @param gateway the address of the gateway
   * @param index the index of the link to send on
   * @throws IllegalArgumentException if the index is not positive, or the number of the object is 0
   */
  public static NextHopObject via(int id, IpAddress gateway, int index) {
    return new NextHopObject(
        of(id)
            .set("family", gateway.family())
            .with("OIF", Links.checkIndex(index))
            .with("GATEWAY", gateway.toBytes()));
  }

  /**
   * {@return a group of objects}
   *
   * @param id the number of the group
   * @param weights the weights by the objects' numbers, 1 to 65536; over 256 from Linux 6.12 on
   * @throws IllegalArgumentException if a weight is out of range, or the number of the group is 0
   */
  public static NextHopObject group(int id, Map<Integer, Integer> weights) {
    ByteBuffer entries = ByteBuffer.allocate(ENTRY * weights.size()).order(ByteOrder.nativeOrder());
    weights.forEach(
        (member, weight) -> {
          int less = Numbers.check("weight", weight, 1, 65_536) - 1;
          entries.putInt(member).put((byte) less).put((byte) (less >> 8)).putShort((short) 0);
        });
    return new NextHopObject(of(id).with("GROUP", entries.array()));
  }

  /** {@return the number of the object ({@code NHA_ID})} */
  public int id() {
    return attributes().number("ID").orElseThrow();
  }

  /** {@return whether its gateway is IPv6; false for groups} */
  public boolean v6() {
    return payload.isV6();
  }

  /** {@return the origin of the object ({@code nh_protocol}), {@code RTPROT_...}} */
  public int protocol() {
    return payload.get("protocol");
  }

  /** {@return the {@link Scope} ({@code nh_scope}); the kernel reports but does not accept it} */
  public int scope() {
    return payload.get("scope");
  }

  /** {@return the flags that were set ({@code nh_flags}), such as {@link Route#ON_LINK}} */
  public int flags() {
    return payload.get("flags") & NextHop.SETTINGS;
  }

  /** {@return the state that the kernel reports: {@code RTNH_F_DEAD}, {@code RTNH_F_LINKDOWN}} */
  public int state() {
    return payload.get("flags") & ~NextHop.SETTINGS;
  }

  /**
   * {@return the gateway ({@code NHA_GATEWAY}); empty for groups and for destinations on the link}
   */
  public Optional<IpAddress> gateway() {
    return payload.address("GATEWAY");
  }

  /** {@return the index of the link to send on ({@code NHA_OIF}), if there is one} */
  public OptionalInt index() {
    return attributes().number("OIF");
  }

  /** {@return whether packets are dropped ({@code NHA_BLACKHOLE})} */
  public boolean isBlackhole() {
    return attributes().has("BLACKHOLE");
  }

  /** {@return the weights of a group by the number of the object; empty if it is not a group} */
  public Map<Integer, Integer> group() {
    Map<Integer, Integer> weights = new LinkedHashMap<>();
    ByteBuffer entries =
        ByteBuffer.wrap(attributes().bytes("GROUP").orElse(new byte[0]))
            .order(ByteOrder.nativeOrder());
    while (entries.remaining() >= ENTRY) {
      int member = entries.getInt();
      int low = Byte.toUnsignedInt(entries.get());
      weights.put(member, ((Byte.toUnsignedInt(entries.get()) << 8) | low) + 1);
      entries.getShort();
    }
    return Collections.unmodifiableMap(weights);
  }

  /** {@return the object without {@link #state} and counters, to compare settings} */
  @Override
  public NextHopObject withoutState() {
    return set("flags", flags()).with(RouteCodec.still(attributes()));
  }

  /** Returns the object for people, in the format of {@code ip nexthop}. */
  @Override
  public String toString() {
    return id()
        + (group().isEmpty() ? "" : " group " + group())
        + gateway().map(to -> " via " + to).orElse("")
        + (index().isPresent() ? " link " + index().getAsInt() : "")
        + (isBlackhole() ? " blackhole" : "")
        + unless(Route.PROTOCOL_STATIC, "proto", protocol())
        + unless(0, "flags", flags())
        + others("ID", "GROUP", "GATEWAY", "OIF", "BLACKHOLE");
  }
}
