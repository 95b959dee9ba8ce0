package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** Neighbours as messages ({@code linux/neighbour.h}). */
final class NeighbourCodec implements Codec<Neighbour> {

  static final Layout LAYOUT =
      Layout.of(
              "struct ndmsg",
              "family:8 3 ifindex:32 state:16 flags:8 type:8",
              AttributeTable.of(
                  "NDA_",
                  "DST:ip LLADDR CACHEINFO:state PROBES:state VLAN:u16 PORT:be16 VNI:u32 "
                      + "IFINDEX:u32 MASTER:u32 LINK_NETNSID:u32 SRC_VNI:u32 PROTOCOL:u8 NH_ID:u32 "
                      + "FDB_EXT_ATTRS FLAGS_EXT:u32 NDM_STATE_MASK:state NDM_FLAGS_MASK:state"))
          .linkIn("IFINDEX");

  /** The kernel reports a type ({@code RTN_UNICAST}), which it does not take. */
  @Override
  public @Nullable Neighbour decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message).set("type", 0);
    if (!read.isIp()) {
      return null;
    }
    IpAddress destination =
        read.address("DST")
            .orElseThrow(() -> new NetlinkException.Malformed("a neighbour without an address"));
    byte[] address = read.attributes().bytes("LLADDR").orElse(new byte[0]);
    if (address.length > HardwareAddress.MAX_LENGTH || destination.isV6() != read.isV6()) {
      throw new NetlinkException.Malformed(
          "neighbour " + destination + " of a hardware address of " + address.length + " bytes");
    }
    return new Neighbour(address.length == 0 ? read.without("LLADDR") : read);
  }

  @Override
  public Payload encode(Neighbour neighbour) {
    return neighbour.withoutState().payload;
  }

  @Override
  public Payload encodeDeleted(Neighbour neighbour) {
    Attributes none = Attributes.none(LAYOUT.attributes());
    return encode(neighbour).with(none.with("DST", neighbour.destination().toBytes()));
  }
}
