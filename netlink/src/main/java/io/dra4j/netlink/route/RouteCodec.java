package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.RouteAttributes.*;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Routes as messages ({@code struct rtmsg}) and back. */
final class RouteCodec {

  private static final int HEADER = 12;
  private static final int HOP_HEADER = 8; // struct rtnexthop
  private static final int MAX_HOPS = 4096;
  private static final int RT_TABLE_COMPAT = 252;

  private RouteCodec() {}

  /** Null for families other than IPv4 and IPv6. */
  static @Nullable Route decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    IpAddress destination = null;
    IpAddress source = null;
    Route.Builder route = new Route.Builder(IpPrefix.ALL_V4);
    route.typeOfService = message.u8(3);
    route.table = message.u8(4);
    route.protocol = message.u8(5);
    route.scope = message.u8(6);
    route.type = message.u8(7);
    route.flags = message.u32(8);
    int destinationLength = message.u8(1);
    int sourceLength = message.u8(2);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case RTA_DST -> destination = IpAddress.read(reader);
        case RTA_SRC -> source = IpAddress.read(reader);
        case RTA_GATEWAY -> route.gateway = IpAddress.read(reader);
        case RTA_PREFSRC -> route.preferredSource = IpAddress.read(reader);
        case RTA_OIF -> route.index = reader.u32();
        case RTA_TABLE -> route.table = reader.u32();
        case RTA_PRIORITY -> route.metric = reader.u32();
        case RTA_METRICS -> route.metrics = metrics(reader, route.kept);
        case RTA_MULTIPATH -> route.nextHops = hops(reader);
        case RTA_CACHEINFO -> {
          // times of use, which differ from one reading to the next
        }
        default -> route.kept.put(reader.type(), new Route.Kept(reader.bytes()));
      }
    }
    route.destination = Prefixes.of(family, destination, destinationLength);
    route.source = sourceLength == 0 ? null : Prefixes.of(family, source, sourceLength);
    return route.build();
  }

  /** The name of a congestion control algorithm is the one value that is no number. */
  private static Map<Integer, Integer> metrics(
      AttributeReader reader, Map<Integer, Route.Kept> kept) throws NetlinkException.Malformed {
    Map<Integer, Integer> metrics = new TreeMap<>();
    byte[] all = reader.bytes();
    reader.enter();
    while (reader.next()) {
      if (reader.type() == RTAX_CC_ALGO) {
        kept.put(RTA_METRICS, new Route.Kept(all));
      } else {
        metrics.put(reader.type(), reader.u32());
      }
    }
    reader.leave();
    return metrics;
  }

  /**
   * The ways are structures with attributes behind each, which is no nesting: each has its own
   * length.
   */
  private static List<NextHop> hops(AttributeReader reader) throws NetlinkException.Malformed {
    List<NextHop> hops = new ArrayList<>();
    int at = 0;
    while (reader.length() - at >= HOP_HEADER) {
      int length = reader.u16(at);
      if (length < HOP_HEADER || length > reader.length() - at || hops.size() == MAX_HOPS) {
        throw new NetlinkException.Malformed(
            "next hop of " + length + " bytes at byte " + at + " of " + reader.length());
      }
      hops.add(hop(reader, at, length));
      at += (length + 3) & ~3;
    }
    return hops;
  }

  private static NextHop hop(AttributeReader reader, int at, int length)
      throws NetlinkException.Malformed {
    int flags = reader.u8(at + 2);
    int weight = reader.u8(at + 3) + 1;
    int index = reader.u32(at + 4);
    IpAddress gateway = null;
    int encapsulationType = 0;
    byte[] encapsulation = new byte[0];
    reader.enter(at + HOP_HEADER, at + length);
    while (reader.next()) {
      switch (reader.type()) {
        case RTA_GATEWAY -> gateway = IpAddress.read(reader);
        case RTA_ENCAP_TYPE -> encapsulationType = reader.u16();
        case RTA_ENCAP -> encapsulation = reader.bytes();
        default -> {
          // gateways of another family (RTA_VIA), realms
        }
      }
    }
    reader.leave();
    return new NextHop(gateway, index, weight, flags, encapsulationType, encapsulation);
  }

  static void encode(Route route, MessageWriter request) {
    IpPrefix destination = route.destination();
    IpPrefix source = route.source();
    int table = route.table();
    request.appendU8(destination.address().family()).appendU8(destination.length());
    request.appendU8(source == null ? 0 : source.length()).appendU8(route.typeOfService());
    request.appendU8(table > 255 || table < 0 ? RT_TABLE_COMPAT : table);
    request.appendU8(route.protocol()).appendU8(route.scope()).appendU8(route.type());
    request.appendU32(route.flags() & 0xff); // the kernel tells more flags than it takes
    request.putU32(RTA_TABLE, table);
    if (destination.length() > 0) {
      request.putBytes(RTA_DST, destination.address().toBytes());
    }
    if (source != null) {
      request.putBytes(RTA_SRC, source.address().toBytes());
    }
    if (route.gateway() != null) {
      request.putBytes(RTA_GATEWAY, route.gateway().toBytes());
    }
    if (route.preferredSource() != null) {
      request.putBytes(RTA_PREFSRC, route.preferredSource().toBytes());
    }
    if (route.index() != 0) {
      request.putU32(RTA_OIF, route.index());
    }
    if (route.metric() != 0) {
      request.putU32(RTA_PRIORITY, route.metric());
    }
    if (!route.metrics().isEmpty() && !route.kept().containsKey(RTA_METRICS)) {
      int opened = request.open(RTA_METRICS);
      new TreeMap<>(route.metrics()).forEach(request::putU32);
      request.close(opened);
    }
    new TreeMap<>(route.kept()).forEach((type, value) -> request.putBytes(type, value.bytes()));
    encode(route.nextHops(), request);
  }

  private static void encode(List<NextHop> hops, MessageWriter request) {
    if (hops.isEmpty()) {
      return;
    }
    int all = request.openPlain(RTA_MULTIPATH);
    for (NextHop hop : hops) {
      int one = request.openStructure();
      request
          .appendU8(hop.flags() & Route.ON_LINK)
          .appendU8(hop.weight() - 1)
          .appendU32(hop.index());
      if (hop.gateway() != null) {
        request.putBytes(RTA_GATEWAY, hop.gateway().toBytes());
      }
      if (hop.encapsulationType() != 0) {
        request.putU16(RTA_ENCAP_TYPE, hop.encapsulationType());
        request.putBytes(RTA_ENCAP, hop.encapsulation());
      }
      request.close(one);
    }
    request.close(all);
  }
}
