package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** Addresses as messages ({@code struct ifaddrmsg}, {@code linux/if_addr.h}) and back. */
final class AddressCodec implements Codec<InterfaceAddress> {

  static final AttributeTable TABLE =
      AttributeTable.of(
          "IFA_",
          "ADDRESS:ip LOCAL:ip LABEL:text BROADCAST:ip ANYCAST:ip CACHEINFO MULTICAST:ip FLAGS:u32 "
              + "RT_PRIORITY:u32 TARGET_NETNSID:u32 PROTO:u8");

  private static final int ADDRESS = TABLE.type("ADDRESS");
  private static final int LOCAL = TABLE.type("LOCAL");
  private static final int CACHEINFO = TABLE.type("CACHEINFO");
  private static final int FLAGS = TABLE.type("FLAGS");
  private static final int HEADER = 8;

  @Override
  public AttributeTable table() {
    return TABLE;
  }

  @Override
  public @Nullable InterfaceAddress decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    int flags = message.u8(2);
    IpAddress address = null;
    IpAddress local = null;
    int valid = -1;
    int preferred = -1;
    Attributes.Collector others = new Attributes.Collector(TABLE);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      int type = reader.type();
      if (type == ADDRESS) {
        address = IpAddress.read(reader);
      } else if (type == LOCAL) {
        local = IpAddress.read(reader);
      } else if (type == FLAGS) {
        flags = reader.u32();
      } else if (type == CACHEINFO) { // struct ifa_cacheinfo
        preferred = reader.u32(0);
        valid = reader.u32(4);
      } else {
        others.add(reader);
      }
    }
    IpAddress own = local == null ? address : local; // with a peer, IFA_ADDRESS is the peer's
    if (own == null) {
      throw new NetlinkException.Malformed("an address message without an address");
    }
    return new InterfaceAddress(
        message.u32(4),
        IpPrefix.read(family, own, message.u8(1)),
        address == null || own.equals(address) ? null : address,
        message.u8(3),
        flags,
        valid,
        preferred,
        others.attributes());
  }

  @Override
  public void encode(InterfaceAddress address, MessageWriter request, boolean deleting) {
    IpAddress own = address.address().address();
    request.appendU8(own.family()).appendU8("prefixlen", address.address().length());
    request.appendU8(address.flags() & 0xff).appendU8("scope", address.scope());
    request.appendU32(address.index());
    request.putBytes(LOCAL, own.toBytes());
    request.putBytes(ADDRESS, address.peer().orElse(own).toBytes());
    request.putAll(address.attributes());
    if (!deleting) {
      request.putU32(FLAGS, address.flags());
      if (address.validSeconds().isPresent() || address.preferredSeconds().isPresent()) {
        int times = request.openPlain(CACHEINFO);
        request.appendU32((int) address.preferredSeconds().orElse(-1));
        request.appendU32((int) address.validSeconds().orElse(-1)).appendZeros(8).close(times);
      }
    }
  }
}
