package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;

/** Converts next-hop objects to and from messages ({@code linux/nexthop.h}). */
final class NextHopCodec implements Codec<NextHopObject> {

  static final Layout LAYOUT =
      Layout.of(
              "struct nhmsg",
              "family:8 scope:8 protocol:8 1 flags:32",
              AttributeTable.of(
                      "NHA_",
                      "ID:u32 GROUP GROUP_TYPE:u16 BLACKHOLE OIF:u32 GATEWAY:ip ENCAP_TYPE:u16"
                          + " ENCAP:nest GROUPS:state MASTER:u32 FDB RES_GROUP:nest"
                          + " RES_BUCKET:state OP_FLAGS:state GROUP_STATS:state HW_STATS_ENABLE:u32"
                          + " HW_STATS_USED:state DST_PORT:be16")
                  .with(
                      "RES_GROUP",
                      AttributeTable.of(
                          "NHA_RES_GROUP_",
                          "BUCKETS:u16 IDLE_TIMER:u32 UNBALANCED_TIMER:u32 UNBALANCED_TIME:state")))
          .linkIn("OIF");

  @Override
  public NextHopObject decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message);
    if (!read.attributes().has("ID")) {
      throw new NetlinkException.Malformed("a next hop without NHA_ID");
    }
    return new NextHopObject(read);
  }

  /** Encodes an object. The kernel accepts no family for groups, and no scope for any object. */
  @Override
  public Payload encode(NextHopObject object) {
    Payload written = object.withoutState().payload.set("scope", 0);
    return written.attributes().has("GROUP")
        ? written.set("family", Family.UNSPECIFIED)
        : written.set("family", object.v6() ? Family.INET6 : Family.INET);
  }

  /** Encodes an object to delete; the kernel requires only the number. */
  @Override
  public Payload encodeDeleted(NextHopObject object) {
    return Payload.of(LAYOUT).with(Attributes.none(LAYOUT.attributes()).with("ID", object.id()));
  }
}
