package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable.Format;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.TextCache;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes links of messages. One decoder makes them one after the other: what it has read stays in
 * its fields, numbers and texts by the type of their attribute, so that a link costs one object,
 * its name and its counters. Not thread-safe.
 */
final class LinkDecoder implements MessageDecoder<Link> {

  static final int HEADER = 16; // struct ifinfomsg

  private static final int SIZE = 70; // the types that LinkTables.LINK has names for
  private static final Format[] FORMATS = new Format[SIZE];

  private static final int ADDRESS = LinkTables.LINK.type("ADDRESS");
  private static final int BROADCAST = LinkTables.LINK.type("BROADCAST");
  private static final int QDISC = LinkTables.LINK.type("QDISC");
  private static final int LINKINFO = LinkTables.LINK.type("LINKINFO");
  private static final int STATS64 = LinkTables.LINK.type("STATS64");
  private static final int AF_SPEC = LinkTables.LINK.type("AF_SPEC");
  private static final int LINK_NETNSID = LinkTables.LINK.type("LINK_NETNSID");
  private static final int NEW_NETNSID = LinkTables.LINK.type("NEW_NETNSID");
  private static final int XDP = LinkTables.LINK.type("XDP");
  private static final int PROP_LIST = LinkTables.LINK.type("PROP_LIST");
  private static final int ALT_IFNAME = LinkTables.LINK.type("ALT_IFNAME");
  private static final int BUS_NAME = LinkTables.LINK.type("PARENT_DEV_BUS_NAME");
  private static final int PHYS_PORT_ID = LinkTables.LINK.type("PHYS_PORT_ID");
  private static final int PHYS_SWITCH_ID = LinkTables.LINK.type("PHYS_SWITCH_ID");
  private static final int PERM_ADDRESS = LinkTables.LINK.type("PERM_ADDRESS");
  private static final int VFINFO_LIST = LinkTables.LINK.type("VFINFO_LIST");
  private static final int INFO_KIND = LinkTables.INFO.type("KIND");
  private static final int INFO_DATA = LinkTables.INFO.type("DATA");
  private static final int INFO_SLAVE_KIND = LinkTables.INFO.type("SLAVE_KIND");
  private static final int INFO_SLAVE_DATA = LinkTables.INFO.type("SLAVE_DATA");
  private static final int XDP_PROG_ID = LinkTables.XDP.type("PROG_ID");
  private static final int AF_INET6 = LinkTables.AF_SPEC.type("INET6");
  private static final int ADDR_GEN_MODE = LinkTables.AF_SPEC.in(AF_INET6).type("ADDR_GEN_MODE");
  private static final int TOKEN = LinkTables.AF_SPEC.in(AF_INET6).type("TOKEN");

  private static final int[] TEXTS;

  static {
    for (int type = 0; type < SIZE; type++) {
      FORMATS[type] = LinkTables.LINK.format(type);
    }
    List<Integer> texts = new ArrayList<>();
    for (int type = 0; type < SIZE; type++) {
      if (FORMATS[type] == Format.TEXT) {
        texts.add(type);
      }
    }
    TEXTS = texts.stream().mapToInt(Integer::intValue).toArray();
  }

  private final TextCache cache = new TextCache();
  private final Attributes.Collector others = new Attributes.Collector(LinkTables.LINK);
  private LinkLimits limits = LinkLimits.NONE;

  final int[] numbers = new int[SIZE];
  final String[] texts = new String[SIZE];
  int index;
  int hardwareType;
  int flags;
  long addressBits;
  long broadcastBits;
  int addressLength;
  int broadcastLength;
  byte @Nullable [] longAddress;
  byte @Nullable [] longBroadcast;
  byte @Nullable [] permanentAddress;
  byte @Nullable [] physicalPortId;
  byte @Nullable [] switchId;
  int xdpProgram;
  int addressGeneration;
  long token;
  String kind = "";
  String memberKind = "";
  @Nullable Attributes kindAttributes;
  @Nullable Attributes memberAttributes;
  boolean hasOthers;
  long @Nullable [] statistics;
  private boolean wantsStatistics;
  private @Nullable List<String> otherNames;
  private @Nullable List<VirtualFunction> functions;

  /** All of a link. In messages of another family, a bridge tells of a port, not of the link. */
  @Override
  public @Nullable Link decode(Message message) throws NetlinkException.Malformed {
    return message.u8(0) == Family.UNSPECIFIED ? decode(message, true) : null;
  }

  /** The kernel tells statistics in any case; who does not want them saves the room. */
  Link decode(Message message, boolean withStatistics) throws NetlinkException.Malformed {
    clear();
    wantsStatistics = withStatistics;
    hardwareType = message.u16(2);
    index = message.u32(4);
    flags = message.u32(8);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      attribute(reader);
    }
    limits = limits.orLike(numbers);
    return new Link(this, limits);
  }

  /** The virtual functions of a link. */
  List<VirtualFunction> functions(Message message) throws NetlinkException.Malformed {
    decode(message, false);
    return functions == null ? List.of() : List.copyOf(functions);
  }

  LinkDetails details(Message message) throws NetlinkException.Malformed {
    return new LinkDetails(
        decode(message, false), Attributes.read(LinkTables.LINK, message.attributes(HEADER)));
  }

  List<String> alternativeNames() {
    return otherNames == null ? List.of() : List.copyOf(otherNames);
  }

  Attributes others() {
    return others.attributes();
  }

  private void clear() {
    Arrays.fill(numbers, 0);
    numbers[LINK_NETNSID] = -1;
    numbers[NEW_NETNSID] = -1;
    for (int type : TEXTS) {
      texts[type] = "";
    }
    addressLength = 0;
    broadcastLength = 0;
    addressBits = 0;
    broadcastBits = 0;
    longAddress = null;
    longBroadcast = null;
    permanentAddress = null;
    physicalPortId = null;
    switchId = null;
    xdpProgram = 0;
    addressGeneration = -1;
    token = 0;
    kind = "";
    memberKind = "";
    kindAttributes = null;
    memberAttributes = null;
    statistics = null;
    otherNames = null;
    functions = null;
    if (hasOthers) {
      others.attributes(); // of a message that was broken
      hasOthers = false;
    }
  }

  private void attribute(AttributeReader reader) throws NetlinkException.Malformed {
    int type = reader.type();
    if (type >= SIZE) {
      others.add(reader); // what newer kernels add
      hasOthers = true;
      return;
    }
    switch (FORMATS[type]) {
      case U32 -> numbers[type] = reader.u32();
      case U8 -> numbers[type] = reader.u8();
      case TEXT ->
          texts[type] = type == QDISC || type == BUS_NAME ? reader.string(cache) : reader.string();
      case BYTES, NEST -> structure(type, reader);
      default -> {
        // state that nobody has asked for yet
      }
    }
  }

  private void structure(int type, AttributeReader reader) throws NetlinkException.Malformed {
    if (type == ADDRESS) {
      if (reader.length() <= 8) {
        addressLength = reader.length();
        addressBits = reader.bigEndianBytes();
      } else {
        longAddress = shortBytes(reader);
      }
    } else if (type == BROADCAST) {
      if (reader.length() <= 8) {
        broadcastLength = reader.length();
        broadcastBits = reader.bigEndianBytes();
      } else {
        longBroadcast = shortBytes(reader);
      }
    } else if (type == STATS64) {
      if (wantsStatistics) {
        long[] counters = new long[LinkStatistics.COUNT];
        reader.u64s(counters);
        statistics = counters;
      }
    } else if (type == LINKINFO) {
      info(reader);
    } else if (type == AF_SPEC) {
      families(reader);
    } else if (type == XDP) {
      xdp(reader);
    } else if (type == PROP_LIST) {
      properties(reader);
    } else if (type == PERM_ADDRESS) {
      permanentAddress = shortBytes(reader);
    } else if (type == PHYS_PORT_ID) {
      physicalPortId = shortBytes(reader);
    } else if (type == PHYS_SWITCH_ID) {
      switchId = shortBytes(reader);
    } else if (type == VFINFO_LIST) {
      int length = longAddress == null ? addressLength : longAddress.length;
      functions = VirtualFunction.list(reader, length);
    }
  }

  private static byte[] shortBytes(AttributeReader reader) throws NetlinkException.Malformed {
    if (reader.length() > 32) {
      throw new NetlinkException.Malformed(
          "an address or identifier of " + reader.length() + " bytes, at most 32");
    }
    return reader.bytes();
  }

  private void info(AttributeReader reader) throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      int type = reader.type();
      if (type == INFO_KIND) {
        kind = reader.string(cache);
      } else if (type == INFO_SLAVE_KIND) {
        memberKind = reader.string(cache);
      } else if (type == INFO_DATA) {
        reader.enter();
        kindAttributes = Attributes.read(LinkTables.ofKind(kind), reader);
      } else if (type == INFO_SLAVE_DATA) {
        reader.enter();
        memberAttributes = Attributes.read(LinkTables.ofMember(memberKind), reader);
      }
    }
  }

  /** Of the families' settings those that are no sysctls. */
  private void families(AttributeReader reader) throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (reader.type() == AF_INET6) {
        reader.enter();
        while (reader.next()) {
          if (reader.type() == ADDR_GEN_MODE) {
            addressGeneration = reader.u8();
          } else if (reader.type() == TOKEN && reader.length() == 16) {
            byte[] address = reader.bytes(); // none is told as zeros
            token = ByteBuffer.wrap(address, 8, 8).getLong();
          }
        }
      }
    }
  }

  private void xdp(AttributeReader reader) throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (reader.type() == XDP_PROG_ID) {
        xdpProgram = reader.u32();
      }
    }
  }

  private void properties(AttributeReader reader) throws NetlinkException.Malformed {
    List<String> names = new ArrayList<>();
    reader.enter();
    while (reader.next()) {
      if (reader.type() == ALT_IFNAME) {
        names.add(reader.string());
      }
    }
    otherNames = names;
  }
}
