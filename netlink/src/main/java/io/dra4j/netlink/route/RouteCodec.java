package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Converts routes to and from messages ({@code linux/rtnetlink.h}). */
final class RouteCodec implements Codec<Route> {

  static final AttributeTable METRICS =
      AttributeTable.of(
          "RTAX_",
          "LOCK:u32 MTU:u32 WINDOW:u32 RTT:u32 RTTVAR:u32 SSTHRESH:u32 CWND:u32 ADVMSS:u32 "
              + "REORDERING:u32 HOPLIMIT:u32 INITCWND:u32 FEATURES:u32 RTO_MIN:u32 INITRWND:u32 "
              + "QUICKACK:u32 CC_ALGO:text FASTOPEN_NO_COOKIE:u32");

  static final AttributeTable TABLE =
      AttributeTable.of(
              "RTA_",
              "DST:ip SRC:ip IIF:u32 OIF:u32 GATEWAY:ip PRIORITY:u32 PREFSRC:ip METRICS:nest"
                  + " MULTIPATH PROTOINFO FLOW:u32 CACHEINFO SESSION MP_ALGO TABLE:u32 MARK:u32"
                  + " MFC_STATS:state VIA NEWDST PREF:u8 ENCAP_TYPE:u16 ENCAP:nest EXPIRES:u32"
                  + " PAD:state UID:u32 TTL_PROPAGATE:u8 IP_PROTO:u8 SPORT:be16 DPORT:be16"
                  + " NH_ID:u32 FLOWLABEL DEL_REASON:state")
          .with("METRICS", METRICS);

  static final Layout LAYOUT =
      Layout.of(
              "struct rtmsg",
              "family:8 dst_len:8 src_len:8 tos:8 table:8 protocol:8 scope:8 type:8 flags:32",
              TABLE)
          .linkIn("OIF");

  private static final int SEG6_LOCAL = 7; // LWTUNNEL_ENCAP_SEG6_LOCAL
  private static final int COUNTERS = 10; // SEG6_LOCAL_COUNTERS

  /** The attributes of {@code ENCAP} with indices of links, by type ({@code linux/lwtunnel.h}). */
  private static final Map<Integer, List<Integer>> LINKS =
      Map.of(
          SEG6_LOCAL,
          List.of(6, 7), // SEG6_LOCAL_IIF, SEG6_LOCAL_OIF
          10,
          List.of(2)); // LWTUNNEL_ENCAP_XFRM: LWT_XFRM_LINK

  private static final int MULTIPATH = TABLE.type("MULTIPATH");
  private static final int CACHEINFO = TABLE.type("CACHEINFO");

  private static final int RT_TABLE_COMPAT = 252;
  private static final int USER_HZ = 100;

  /** Decodes a route. The remaining time is read from one attribute, and set by another. */
  @Override
  public @Nullable Route decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.of(LAYOUT, message);
    if (!read.isIp()) {
      return null;
    }
    int expires = 0;
    Attributes.Collector collector = new Attributes.Collector(TABLE);
    byte[] hops = {};
    AttributeReader reader = message.attributes(LAYOUT.size());
    while (reader.next()) {
      if (reader.type() == MULTIPATH) {
        hops = NextHop.read(reader);
      } else if (reader.type() == CACHEINFO) {
        expires = reader.u32(8); // struct rta_cacheinfo
      } else {
        collector.add(reader);
      }
    }
    Attributes attributes = collector.attributes();
    if (hops.length > 0) {
      attributes = attributes.with("MULTIPATH", hops);
    }
    if (expires != 0) { // 0 means without expiry; below 0, expired and not removed yet
      attributes = attributes.with("EXPIRES", Math.max(0, (expires + USER_HZ - 1L) / USER_HZ));
    }
    if (!attributes.has("TABLE")) {
      attributes = attributes.with("TABLE", read.get("table"));
    }
    Payload route = read.with(attributes).set("table", 0);
    return new Route(route.checked("DST", "dst_len").checked("SRC", "src_len"));
  }

  /** Removes the counters of an action of segment routing, which are nested in its settings. */
  static Attributes still(Attributes way) {
    if (way.number("ENCAP_TYPE").orElse(0) != SEG6_LOCAL) {
      return way;
    }
    Attributes none = Attributes.none(AttributeTable.NONE);
    try {
      Attributes action =
          Attributes.ofBytes(AttributeTable.NONE, way.bytes("ENCAP").orElse(new byte[0]));
      byte[] reported = action.bytes(COUNTERS).orElse(new byte[0]);
      Attributes zero = none;
      for (int type : Attributes.ofBytes(AttributeTable.NONE, reported).types()) {
        if (type != 1) { // SEG6_LOCAL_CNT_PAD
          zero = zero.with(type, new byte[8]);
        }
      }
      return reported.length == 0
          ? way
          : way.with("ENCAP", action.with(COUNTERS, zero.toBytes()).toBytes());
    } catch (IllegalArgumentException e) { // no attributes
      return way;
    }
  }

  /** Replaces the indices of links, which an encapsulation may also have. */
  static Attributes moved(Attributes way, IntUnaryOperator to) {
    List<Integer> links = LINKS.getOrDefault(way.number("ENCAP_TYPE").orElse(0), List.of());
    if (links.isEmpty()) {
      return way;
    }
    try {
      Attributes inside =
          Attributes.ofBytes(AttributeTable.NONE, way.bytes("ENCAP").orElse(new byte[0]));
      Attributes moved = inside;
      for (int type : links) {
        byte[] reported = inside.bytes(type).orElse(new byte[0]);
        if (reported.length == Integer.BYTES) {
          ByteBuffer index = ByteBuffer.wrap(reported).order(ByteOrder.nativeOrder());
          index.putInt(0, index.getInt(0) == 0 ? 0 : to.applyAsInt(index.getInt(0)));
          moved = moved.with(type, reported);
        }
      }
      return moved.equals(inside) ? way : way.with("ENCAP", moved);
    } catch (IllegalArgumentException e) { // no attributes
      return way;
    }
  }

  /** Encodes a route, without next hops of a next-hop object, which the kernel does not accept. */
  @Override
  public Payload encode(Route route) {
    int table = route.table();
    Payload written =
        route
            .withoutState()
            .payload
            .set("table", table > 255 || table < 0 ? RT_TABLE_COMPAT : table);
    return route.nextHopObject().isEmpty()
        ? written
        : written
            .set("flags", 0)
            .without("GATEWAY", "VIA", "OIF", "ENCAP_TYPE", "ENCAP", "MULTIPATH");
  }

  /** Encodes a route to delete. Its type may have changed if its next-hop object drops packets. */
  @Override
  public Payload encodeDeleted(Route route) {
    Payload written = encode(route);
    return route.nextHopObject().isEmpty() ? written : written.set("type", 0);
  }
}
