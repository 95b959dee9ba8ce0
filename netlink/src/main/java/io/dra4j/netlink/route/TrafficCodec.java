package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/**
 * Converts queueing disciplines, classes and filters to and from messages, which have the same
 * layout ({@code linux/rtnetlink.h}, {@code linux/pkt_cls.h}).
 */
record TrafficCodec(ObjectKind kind) implements Codec<TrafficControl> {

  static final AttributeTable BPF =
      AttributeTable.of(
          "TCA_BPF_",
          "ACT POLICE CLASSID:u32 OPS_LEN:u16 OPS FD:u32 NAME:text FLAGS:u32 FLAGS_GEN:u32 TAG "
              + "ID:u32");

  static final Layout LAYOUT =
      Layout.of(
          "struct tcmsg",
          "family:8 3 ifindex:32 handle:32 parent:32 info:32",
          AttributeTable.of(
              "TCA_",
              "KIND:text OPTIONS STATS:state XSTATS:state RATE FCNT:state STATS2:state STAB "
                  + "PAD:state DUMP_INVISIBLE:state CHAIN:u32 HW_OFFLOAD:state INGRESS_BLOCK:u32 "
                  + "EGRESS_BLOCK:u32 DUMP_FLAGS:state EXT_WARN_MSG:state"));

  /** Decodes an object. With filters, the kernel lists chains, without a handle, and its tables. */
  @Override
  public @Nullable TrafficControl decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message);
    try {
      String type = read.attributes().text("KIND");
      if (kind == ObjectKind.QUEUE_DISCIPLINE && type.endsWith("codel")) {
        byte[] reported = read.attributes().bytes("OPTIONS").orElse(new byte[0]);
        read = read.with(read.attributes().with("OPTIONS", TrafficOptions.codel(type, reported)));
      }
      if (kind != ObjectKind.TRAFFIC_FILTER) {
        return new TrafficControl(kind, read);
      }
      return read.get("handle") == 0 || TrafficOptions.isOwnTable(read)
          ? null
          : new TrafficControl(kind, read);
    } catch (IllegalArgumentException e) { // invalid options
      throw new NetlinkException.Malformed("TCA_OPTIONS of a " + kind + ": " + e.getMessage());
    }
  }

  @Override
  public Payload encode(TrafficControl object) {
    return object.withoutState().payload;
  }

  /** Encodes an object to delete; the kernel requires no options to find it. */
  @Override
  public Payload encodeDeleted(TrafficControl object) {
    return encode(object).without("OPTIONS", "RATE", "STAB");
  }
}
