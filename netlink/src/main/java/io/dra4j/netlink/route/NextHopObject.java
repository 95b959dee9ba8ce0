package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A way, or a group of ways, that many routes go through by its number ({@code ip nexthop}, {@code
 * struct nhmsg}, {@code linux/nexthop.h}). Immutable. Attributes without a method here, such as
 * encapsulations and the settings of resilient groups, are kept in {@link #attributes} and written
 * back.
 *
 * <pre>{@code
 * route.nextHopObjects().add(NextHopObject.via(10, IpAddress.parse("192.0.2.1"), link.index()));
 * route.routes().add(Route.to(IpPrefix.ALL_V4).withNextHopObject(10));
 * }</pre>
 *
 * @param id the number of the object
 * @param v6 whether its gateway is IPv6; false for groups
 * @param protocol who made it, {@code RTPROT_...}
 * @param scope how far it reaches, which the kernel tells and does not take; see {@link Scope}
 * @param flags the flags that were set: {@link Route#ON_LINK}
 * @param state what the kernel says of it: {@code RTNH_F_DEAD}, {@code RTNH_F_LINKDOWN}
 * @param attributes all attributes but the number, {@code NHA_...}, unknown ones included
 */
public record NextHopObject(
    int id, boolean v6, int protocol, int scope, int flags, int state, Attributes attributes) {

  static final AttributeTable TABLE =
      AttributeTable.of(
              "NHA_",
              "ID:u32 GROUP GROUP_TYPE:u16 BLACKHOLE OIF:u32 GATEWAY:ip ENCAP_TYPE:u16 ENCAP:nest "
                  + "GROUPS:state MASTER:u32 FDB RES_GROUP:nest RES_BUCKET:state OP_FLAGS:state "
                  + "GROUP_STATS:state HW_STATS_ENABLE:u32 HW_STATS_USED:state")
          .with(
              "RES_GROUP",
              AttributeTable.of(
                  "NHA_RES_GROUP_",
                  "BUCKETS:u16 IDLE_TIMER:u32 UNBALANCED_TIMER:u32 UNBALANCED_TIME:state"));

  private static final int ID = TABLE.type("ID");
  private static final int GROUP = TABLE.type("GROUP");
  private static final int BLACKHOLE = TABLE.type("BLACKHOLE");
  private static final int OIF = TABLE.type("OIF");
  private static final int GATEWAY = TABLE.type("GATEWAY");
  private static final int ENTRY = 8; // struct nexthop_grp

  /** Checks the numbers. {@inheritDoc} */
  public NextHopObject {
    Numbers.u8("protocol", protocol);
    Numbers.u8("scope", scope);
  }

  private static NextHopObject of(int id, boolean v6, Attributes attributes) {
    return new NextHopObject(id, v6, Route.PROTOCOL_STATIC, 0, 0, 0, attributes);
  }

  /**
   * Makes an object that sends to a gateway.
   *
   * @param id the number of the object
   * @param gateway who to send to
   * @param index the index of the link to send on
   * @return the object
   * @throws IllegalArgumentException if the index is not positive
   */
  public static NextHopObject via(int id, IpAddress gateway, int index) {
    Attributes way = Attributes.none(TABLE).with(OIF, Links.checkIndex(index));
    return of(id, gateway.isV6(), way.with(GATEWAY, gateway.toBytes()));
  }

  /**
   * Makes a group of objects.
   *
   * @param id the number of the group
   * @param weights the share of each by its number, 1 to 65536; more than 256 from Linux 6.12 on
   * @return the group
   * @throws IllegalArgumentException if a weight is out of range
   */
  public static NextHopObject group(int id, Map<Integer, Integer> weights) {
    ByteBuffer entries = ByteBuffer.allocate(ENTRY * weights.size()).order(ByteOrder.nativeOrder());
    weights.forEach(
        (member, weight) -> {
          int less = Numbers.check("weight", weight, 1, 65_536) - 1;
          entries.putInt(member).put((byte) less).put((byte) (less >> 8)).putShort((short) 0);
        });
    return of(id, false, Attributes.none(TABLE).with(GROUP, entries.array()));
  }

  /** {@return who to send to ({@code NHA_GATEWAY}); empty for groups and on the link} */
  public Optional<IpAddress> gateway() {
    return attributes.bytes(GATEWAY).map(IpAddress::of);
  }

  /** {@return the index of the link to send on ({@code NHA_OIF}), if there is one} */
  public OptionalInt index() {
    return attributes.number(OIF);
  }

  /** {@return whether packets are dropped ({@code NHA_BLACKHOLE})} */
  public boolean isBlackhole() {
    return attributes.has(BLACKHOLE);
  }

  /** {@return the weights of a group by the number of the object; empty if it is no group} */
  public Map<Integer, Integer> group() {
    Map<Integer, Integer> weights = new LinkedHashMap<>();
    ByteBuffer entries =
        ByteBuffer.wrap(attributes.bytes(GROUP).orElse(new byte[0])).order(ByteOrder.nativeOrder());
    while (entries.remaining() >= ENTRY) {
      int member = entries.getInt();
      int low = Byte.toUnsignedInt(entries.get());
      weights.put(member, ((Byte.toUnsignedInt(entries.get()) << 8) | low) + 1);
      entries.getShort();
    }
    return java.util.Collections.unmodifiableMap(weights);
  }

  /** {@return the object without {@link #state}, to compare what was set} */
  public NextHopObject withoutState() {
    return new NextHopObject(id, v6, protocol, scope, flags, 0, attributes);
  }

  /** For people, in the manner of {@code ip nexthop}. */
  @Override
  public String toString() {
    return id
        + (group().isEmpty() ? "" : " group " + group())
        + gateway().map(to -> " via " + to).orElse("")
        + (index().isPresent() ? " link " + index().getAsInt() : "");
  }

  /** Next-hop objects as messages and back. */
  static final class ObjectCodec implements Codec<NextHopObject> {

    static final int HEADER = 8;

    @Override
    public AttributeTable table() {
      return TABLE;
    }

    @Override
    public @Nullable NextHopObject decode(Message message) throws NetlinkException.Malformed {
      Attributes attributes = Attributes.read(TABLE, message.attributes(HEADER));
      int flags = message.u32(4);
      return new NextHopObject(
          attributes
              .number(ID)
              .orElseThrow(() -> new NetlinkException.Malformed("a next hop without NHA_ID")),
          message.u8(0) == Family.INET6,
          message.u8(2),
          message.u8(1),
          flags & NextHop.SETTINGS,
          flags & ~NextHop.SETTINGS,
          attributes.without(ID));
    }

    /** Of a group the kernel takes no family, and to delete the number alone. */
    @Override
    public void encode(NextHopObject object, MessageWriter request, boolean deleting) {
      if (deleting) {
        request.appendZeros(HEADER).putU32(ID, object.id);
        return;
      }
      boolean group = object.attributes.has(GROUP);
      request.appendU8(group ? Family.UNSPECIFIED : object.v6 ? Family.INET6 : Family.INET);
      request.appendU8(0).appendU8("protocol", object.protocol).appendU8(0);
      request.appendU32(object.flags).putU32(ID, object.id).putAll(object.attributes);
    }
  }
}
