package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Queueing disciplines, classes and filters as messages, which all three have in common ({@code
 * linux/rtnetlink.h}, {@code linux/pkt_cls.h}).
 */
record TrafficCodec(ObjectKind kind) implements Codec<TrafficControl> {

  static final AttributeTable BPF =
      AttributeTable.of(
          "TCA_BPF_",
          "ACT POLICE CLASSID:u32 OPS_LEN:u16 OPS FD:u32 NAME:text FLAGS:u32 FLAGS_GEN:u32 TAG "
              + "ID:u32");

  private static final AttributeTable HTB =
      AttributeTable.of("TCA_HTB_", "PARMS INIT CTAB RTAB DIRECT_QLEN:u32 RATE64 CEIL64");

  private static final Layout LAYOUT =
      Layout.of(
          "struct tcmsg",
          "family:8 3 ifindex:32 handle:32 parent:32 info:32",
          AttributeTable.of(
              "TCA_",
              "KIND:text OPTIONS STATS:state XSTATS:state RATE FCNT:state STATS2:state STAB "
                  + "PAD:state DUMP_INVISIBLE:state CHAIN:u32 HW_OFFLOAD:state INGRESS_BLOCK:u32 "
                  + "EGRESS_BLOCK:u32 DUMP_FLAGS:state EXT_WARN_MSG:state"));

  @Override
  public Layout layout() {
    return LAYOUT;
  }

  /** Beside filters the kernel lists the chains that they are in, without handle or priority. */
  @Override
  public @Nullable TrafficControl decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message);
    boolean chain = kind == ObjectKind.TRAFFIC_FILTER && read.get("handle") == 0;
    return chain ? null : new TrafficControl(kind, read);
  }

  @Override
  public Payload encode(TrafficControl object) {
    return object.withoutState().payload;
  }

  /**
   * What was set of an {@code htb} discipline, whose options ({@code struct tc_htb_glob}) hold a
   * counter, and its version with a revision ({@code HTB_VER}), which it wants without.
   */
  static Payload htb(Payload read) {
    Attributes told = Attributes.ofBytes(HTB, read.attributes().bytes("OPTIONS").orElseThrow());
    byte[] init = told.bytes("INIT").orElse(new byte[0]);
    if (init.length < 20) {
      return read;
    }
    ByteBuffer fields = ByteBuffer.wrap(init).order(ByteOrder.nativeOrder());
    int version = fields.getInt(0);
    fields.putInt(0, version >>> 16 == 0 ? version : version >>> 16).putInt(16, 0);
    return read.with("OPTIONS", told.with("INIT", init).toBytes());
  }

  /** Of options the kernel wants none, to find it. */
  @Override
  public Payload encodeDeleted(TrafficControl object) {
    return encode(object).without("OPTIONS", "RATE", "STAB");
  }
}
