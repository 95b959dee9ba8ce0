package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** Neighbours as messages ({@code struct ndmsg}, {@code linux/neighbour.h}) and back. */
final class NeighbourCodec implements Codec<Neighbour> {

  static final AttributeTable TABLE =
      AttributeTable.of(
          "NDA_",
          "DST:ip LLADDR CACHEINFO:state PROBES:state VLAN:u16 PORT:be16 VNI:u32 IFINDEX:u32 "
              + "MASTER:u32 LINK_NETNSID:u32 SRC_VNI:u32 PROTOCOL:u8 NH_ID:u32 FDB_EXT_ATTRS "
              + "FLAGS_EXT:u32 NDM_STATE_MASK:state NDM_FLAGS_MASK:state");

  static final int IFINDEX = TABLE.type("IFINDEX");
  static final int HEADER = 12;
  private static final int DST = TABLE.type("DST");
  private static final int LLADDR = TABLE.type("LLADDR");

  @Override
  public AttributeTable table() {
    return TABLE;
  }

  /** Entries of bridges are of another family. */
  @Override
  public @Nullable Neighbour decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    IpAddress destination = null;
    HardwareAddress address = HardwareAddress.NONE;
    Attributes.Collector others = new Attributes.Collector(TABLE);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      int type = reader.type();
      if (type == DST) {
        destination = IpAddress.read(reader);
      } else if (type == LLADDR) {
        address = HardwareAddress.read(reader);
      } else {
        others.add(reader);
      }
    }
    if (destination == null) {
      throw new NetlinkException.Malformed("a neighbour without an address");
    }
    return new Neighbour(
        message.u32(4), destination, address, message.u16(8), message.u8(10), others.attributes());
  }

  @Override
  public void encode(Neighbour neighbour, MessageWriter request, boolean deleting) {
    IpAddress destination = neighbour.destination();
    request.appendU8(destination.family()).appendZeros(3).appendU32(neighbour.index());
    request.appendU16("state", neighbour.state());
    request.appendU8("flags", neighbour.flags() & ~Neighbour.OFFLOADED).appendU8(0);
    request.putBytes(DST, destination.toBytes());
    if (!deleting) {
      if (!neighbour.address().isEmpty()) {
        request.putBytes(LLADDR, neighbour.address().toBytes());
      }
      request.putAll(neighbour.attributes());
    }
  }
}
