package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes as messages ({@code struct rtmsg}, {@code linux/rtnetlink.h}) and back. */
final class RouteCodec implements Codec<Route> {

  static final AttributeTable METRICS_TABLE =
      AttributeTable.of(
          "RTAX_",
          "LOCK:u32 MTU:u32 WINDOW:u32 RTT:u32 RTTVAR:u32 SSTHRESH:u32 CWND:u32 ADVMSS:u32 "
              + "REORDERING:u32 HOPLIMIT:u32 INITCWND:u32 FEATURES:u32 RTO_MIN:u32 INITRWND:u32 "
              + "QUICKACK:u32 CC_ALGO:text FASTOPEN_NO_COOKIE:u32");

  static final AttributeTable TABLE =
      AttributeTable.of(
              "RTA_",
              "DST:ip SRC:ip IIF:u32 OIF:u32 GATEWAY:ip PRIORITY:u32 PREFSRC:ip METRICS:nest "
                  + "MULTIPATH PROTOINFO FLOW:u32 CACHEINFO SESSION MP_ALGO TABLE:u32 MARK:u32 "
                  + "MFC_STATS:state VIA NEWDST PREF:u8 ENCAP_TYPE:u16 ENCAP EXPIRES:u32 PAD:state "
                  + "UID:u32 TTL_PROPAGATE:u8 IP_PROTO:u8 SPORT:be16 DPORT:be16 NH_ID:u32 "
                  + "FLOWLABEL")
          .with("METRICS", METRICS_TABLE);

  static final int DST = TABLE.type("DST");
  static final int SRC = TABLE.type("SRC");
  static final int OIF = TABLE.type("OIF");
  static final int GATEWAY = TABLE.type("GATEWAY");
  static final int PRIORITY = TABLE.type("PRIORITY");
  static final int PREFSRC = TABLE.type("PREFSRC");
  static final int METRICS = TABLE.type("METRICS");
  static final int TABLE_NUMBER = TABLE.type("TABLE");
  static final int VIA = TABLE.type("VIA");
  static final int ENCAP_TYPE = TABLE.type("ENCAP_TYPE");
  static final int NH_ID = TABLE.type("NH_ID");
  static final int HEADER = 12;
  private static final int ENCAP = TABLE.type("ENCAP");
  private static final int MULTIPATH = TABLE.type("MULTIPATH");
  private static final int CACHEINFO = TABLE.type("CACHEINFO");
  private static final int EXPIRES = TABLE.type("EXPIRES");

  private static final int HOP_HEADER = 8; // struct rtnexthop
  private static final int MAX_HOPS = 8192;
  private static final int RT_TABLE_COMPAT = 252;
  private static final int USER_HZ = 100;

  @Override
  public AttributeTable table() {
    return TABLE;
  }

  @Override
  public @Nullable Route decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    IpAddress destination = null;
    IpAddress source = null;
    List<NextHop> hops = List.of();
    int expires = 0;
    int table = message.u8(4);
    Attributes.Collector others = new Attributes.Collector(TABLE);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      int type = reader.type();
      if (type == DST) {
        destination = IpAddress.read(reader);
      } else if (type == SRC) {
        source = IpAddress.read(reader);
      } else if (type == TABLE_NUMBER) {
        table = reader.u32();
      } else if (type == MULTIPATH) {
        hops = hops(reader);
      } else if (type == CACHEINFO) {
        expires = reader.u32(8); // struct rta_cacheinfo
      } else {
        others.add(reader);
      }
    }
    Attributes attributes = others.attributes();
    if (expires > 0) { // told in one attribute, set by another
      attributes = attributes.with(EXPIRES, (expires + USER_HZ - 1) / USER_HZ);
    }
    return new Route(
        IpPrefix.read(family, destination, message.u8(1)),
        message.u8(2) == 0 ? null : IpPrefix.read(family, source, message.u8(2)),
        message.u8(3),
        table,
        message.u8(5),
        message.u8(6),
        message.u8(7),
        message.u32(8),
        hops,
        attributes);
  }

  /** The ways are structures with attributes behind each: each has its own length. */
  private static List<NextHop> hops(AttributeReader reader) throws NetlinkException.Malformed {
    List<NextHop> hops = new ArrayList<>();
    int at = 0;
    while (reader.length() - at >= HOP_HEADER) {
      int length = reader.u16(at);
      int index = reader.u32(at + 4);
      if (length < HOP_HEADER
          || length > reader.length() - at
          || index < 0
          || hops.size() == MAX_HOPS) {
        throw new NetlinkException.Malformed(
            "next hop of "
                + length
                + " bytes on link "
                + index
                + " at byte "
                + at
                + " of "
                + reader.length());
      }
      int flags = reader.u8(at + 2);
      int weight = reader.u8(at + 3) + 1;
      reader.enter(at + HOP_HEADER, at + length);
      hops.add(new NextHop(flags, weight, index, Attributes.read(TABLE, reader)));
      at += (length + 3) & ~3;
    }
    return hops;
  }

  /**
   * A route through a next-hop object has the ways of that, which the kernel tells but does not
   * take. Such a route can have another type than it was added with, if the object drops packets.
   */
  @Override
  public void encode(Route route, MessageWriter request, boolean deleting) {
    IpPrefix destination = route.destination();
    int table = route.table();
    boolean object = route.nextHopObject().isPresent();
    request.appendU8(destination.address().family()).appendU8("dst_len", destination.length());
    request.appendU8("src_len", route.source().map(IpPrefix::length).orElse(0));
    request.appendU8("tos", route.typeOfService());
    request.appendU8(table > 255 || table < 0 ? RT_TABLE_COMPAT : table);
    request.appendU8("protocol", route.protocol()).appendU8("scope", route.scope());
    request.appendU8("type", object && deleting ? 0 : route.type());
    request.appendU32(object ? 0 : route.flags()).putU32(TABLE_NUMBER, table);
    if (destination.length() > 0) {
      request.putBytes(DST, destination.address().toBytes());
    }
    route.source().ifPresent(source -> request.putBytes(SRC, source.address().toBytes()));
    if (object) {
      request.putAll(route.attributes().without(GATEWAY, VIA, OIF, ENCAP_TYPE, ENCAP));
      return;
    }
    request.putAll(route.attributes());
    if (!route.nextHops().isEmpty()) {
      int all = request.openPlain(MULTIPATH);
      for (NextHop hop : route.nextHops()) {
        int one = request.openStructure();
        request.appendU8(hop.flags()).appendU8("weight", hop.weight() - 1);
        request.appendU32(hop.index().orElse(0)).putAll(hop.attributes()).close(one);
      }
      request.close(all);
    }
  }
}
