package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable.Format;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.TextCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to links, one after the other. The values of the current message are in the
 * fields of the decoder, numbers and texts by the type of their attribute, so a link costs one
 * object, its name and its counters. Not thread-safe.
 */
final class LinkDecoder implements MessageDecoder<Link> {

  static final int HEADER = 16; // struct ifinfomsg

  private static final int SIZE = 70; // the types that LinkTables.LINK has names for
  private static final Format[] FORMATS =
      IntStream.range(0, SIZE).mapToObj(LinkTables.LINK::format).toArray(Format[]::new);
  private static final int[] TEXTS =
      IntStream.range(0, SIZE).filter(type -> FORMATS[type] == Format.TEXT).toArray();

  private static final int ADDRESS = LinkTables.LINK.type("ADDRESS");
  private static final int BROADCAST = LinkTables.LINK.type("BROADCAST");
  private static final int IFNAME = LinkTables.LINK.type("IFNAME");
  private static final int MTU = LinkTables.LINK.type("MTU");
  private static final int LINK = LinkTables.LINK.type("LINK");
  private static final int QDISC = LinkTables.LINK.type("QDISC");
  private static final int MASTER = LinkTables.LINK.type("MASTER");
  private static final int OPERSTATE = LinkTables.LINK.type("OPERSTATE");
  private static final int LINKMODE = LinkTables.LINK.type("LINKMODE");
  private static final int LINKINFO = LinkTables.LINK.type("LINKINFO");
  private static final int IFALIAS = LinkTables.LINK.type("IFALIAS");
  private static final int VFINFO_LIST = LinkTables.LINK.type("VFINFO_LIST");
  private static final int STATS64 = LinkTables.LINK.type("STATS64");
  private static final int AF_SPEC = LinkTables.LINK.type("AF_SPEC");
  private static final int GROUP = LinkTables.LINK.type("GROUP");
  private static final int PROMISCUITY = LinkTables.LINK.type("PROMISCUITY");
  private static final int CARRIER = LinkTables.LINK.type("CARRIER");
  private static final int PHYS_PORT_ID = LinkTables.LINK.type("PHYS_PORT_ID");
  private static final int PHYS_SWITCH_ID = LinkTables.LINK.type("PHYS_SWITCH_ID");
  private static final int LINK_NETNSID = LinkTables.LINK.type("LINK_NETNSID");
  private static final int PHYS_PORT_NAME = LinkTables.LINK.type("PHYS_PORT_NAME");
  private static final int PROTO_DOWN = LinkTables.LINK.type("PROTO_DOWN");
  private static final int XDP = LinkTables.LINK.type("XDP");
  private static final int NEW_NETNSID = LinkTables.LINK.type("NEW_NETNSID");
  private static final int CARRIER_UPS = LinkTables.LINK.type("CARRIER_UP_COUNT");
  private static final int CARRIER_DOWNS = LinkTables.LINK.type("CARRIER_DOWN_COUNT");
  private static final int NEW_IFINDEX = LinkTables.LINK.type("NEW_IFINDEX");
  private static final int PROP_LIST = LinkTables.LINK.type("PROP_LIST");
  private static final int ALT_IFNAME = LinkTables.LINK.type("ALT_IFNAME");
  private static final int PERM_ADDRESS = LinkTables.LINK.type("PERM_ADDRESS");
  private static final int DEVICE = LinkTables.LINK.type("PARENT_DEV_NAME");
  private static final int BUS = LinkTables.LINK.type("PARENT_DEV_BUS_NAME");
  private static final int ALLMULTI = LinkTables.LINK.type("ALLMULTI");
  private static final int INFO_KIND = LinkTables.INFO.type("KIND");
  private static final int INFO_DATA = LinkTables.INFO.type("DATA");
  private static final int INFO_SLAVE_KIND = LinkTables.INFO.type("SLAVE_KIND");
  private static final int INFO_SLAVE_DATA = LinkTables.INFO.type("SLAVE_DATA");
  private static final int XDP_PROG_ID = LinkTables.XDP.type("PROG_ID");
  private static final int AF_INET6 = LinkTables.AF_SPEC.type("INET6");
  private static final int ADDR_GEN_MODE = LinkTables.AF_SPEC.in(AF_INET6).type("ADDR_GEN_MODE");
  private static final int TOKEN = LinkTables.AF_SPEC.in(AF_INET6).type("TOKEN");

  private final TextCache cache = new TextCache();
  private final int[] numbers = new int[SIZE];
  private final String[] texts = new String[SIZE];
  private final int[] limitNumbers = new int[LinkLimits.TYPES.length];
  private LinkLimits limits = LinkLimits.NONE;

  private LinkFacts facts = new LinkFacts();
  private Attributes.@Nullable Collector others;
  private List<VirtualFunction> functions = List.of();
  private boolean wantsStatistics;

  /** Decodes a link with all facts; in another family, a bridge reports a port, not the link. */
  @Override
  public @Nullable Link decode(Message message) throws NetlinkException.Malformed {
    return message.u8(0) == Family.UNSPECIFIED ? decode(message, true) : null;
  }

  /** Decodes a link. The kernel always reports statistics; skipping them saves memory. */
  Link decode(Message message, boolean withStatistics) throws NetlinkException.Malformed {
    clear();
    wantsStatistics = withStatistics;
    facts.hardwareType = message.u16(2);
    facts.index = message.u32(4);
    facts.flags = message.u32(8);
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      attribute(reader);
    }
    takeOver();
    return new Link(facts);
  }

  /** Decodes the virtual functions of a link. */
  List<VirtualFunction> functions(Message message) throws NetlinkException.Malformed {
    decode(message, false);
    return List.copyOf(functions);
  }

  LinkDetails details(Message message) throws NetlinkException.Malformed {
    return new LinkDetails(
        decode(message, false), Attributes.read(LinkTables.LINK, message.attributes(HEADER)));
  }

  private void clear() {
    facts = new LinkFacts();
    Arrays.fill(numbers, 0);
    numbers[LINK_NETNSID] = -1;
    numbers[NEW_NETNSID] = -1;
    for (int type : TEXTS) {
      texts[type] = "";
    }
    others = null;
    functions = List.of();
  }

  /** Moves the values from the fields by type to the facts of a link. */
  private void takeOver() {
    facts.operationalState = (byte) numbers[OPERSTATE];
    facts.carrier = (byte) numbers[CARRIER];
    facts.protocolDown = (byte) numbers[PROTO_DOWN];
    facts.linkMode = (byte) numbers[LINKMODE];
    facts.mtu = numbers[MTU];
    facts.parentIndex = numbers[LINK];
    facts.parentNamespace = numbers[LINK_NETNSID];
    facts.masterIndex = numbers[MASTER];
    if (numbers[NEW_NETNSID] >= 0 || numbers[NEW_IFINDEX] != 0) {
      facts.rare().newNamespace = numbers[NEW_NETNSID];
      facts.rare().newIndex = numbers[NEW_IFINDEX];
    }
    facts.group = numbers[GROUP];
    facts.promiscuity = numbers[PROMISCUITY];
    facts.allMulticast = numbers[ALLMULTI];
    facts.carrierUps = numbers[CARRIER_UPS];
    facts.carrierDowns = numbers[CARRIER_DOWNS];
    facts.name = texts[IFNAME];
    facts.queueDiscipline = texts[QDISC];
    facts.alias = texts[IFALIAS];
    facts.physicalPortName = texts[PHYS_PORT_NAME];
    facts.parentDevice = texts[DEVICE];
    facts.parentBus = texts[BUS];
    if (others != null) {
      facts.rare().others = others.attributes();
    }
    boolean areAlike = true; // equal to the limits of the previous link
    for (int i = 0; i < limitNumbers.length; i++) {
      int number = numbers[LinkLimits.TYPES[i]];
      areAlike &= number == limitNumbers[i];
      limitNumbers[i] = number;
    }
    limits = areAlike ? limits : LinkLimits.of(limitNumbers);
    facts.limits = limits;
  }

  private void attribute(AttributeReader reader) throws NetlinkException.Malformed {
    int type = reader.type();
    if (type >= SIZE) {
      others = others == null ? new Attributes.Collector(LinkTables.LINK) : others;
      others.add(reader); // attributes of newer kernels
      return;
    }
    switch (FORMATS[type]) {
      case U32 -> numbers[type] = reader.u32();
      case U8 -> numbers[type] = reader.u8();
      case TEXT ->
          texts[type] = type == QDISC || type == BUS ? reader.string(cache) : reader.string();
      case BYTES, NEST -> structure(type, reader);
      default -> {
        // state that is not requested yet
      }
    }
  }

  @SuppressWarnings("MethodLength") // a flat list of the types of attributes
  private void structure(int type, AttributeReader reader) throws NetlinkException.Malformed {
    if (type == ADDRESS) {
      if (reader.length() <= 8) {
        facts.addressLength = (byte) reader.length();
        facts.addressBits = reader.bigEndianBytes();
      } else {
        facts.rare().longAddress = shortBytes(reader);
      }
    } else if (type == BROADCAST) {
      if (reader.length() <= 8) {
        facts.broadcastLength = (byte) reader.length();
        facts.broadcastBits = reader.bigEndianBytes();
      } else {
        facts.rare().longBroadcast = shortBytes(reader);
      }
    } else if (type == STATS64) {
      if (wantsStatistics) {
        long[] counters = new long[LinkStatistics.COUNT];
        reader.u64s(counters);
        facts.statistics = counters;
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
      facts.rare().permanentAddress = shortBytes(reader);
    } else if (type == PHYS_PORT_ID) {
      facts.rare().physicalPortId = shortBytes(reader);
    } else if (type == PHYS_SWITCH_ID) {
      facts.rare().switchId = shortBytes(reader);
    } else if (type == VFINFO_LIST) {
      byte[] address = facts.rare.longAddress;
      functions =
          VirtualFunction.list(reader, address == null ? facts.addressLength : address.length);
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
        facts.kind = reader.string(cache);
      } else if (type == INFO_SLAVE_KIND) {
        facts.memberKind = reader.string(cache);
      } else if (type == INFO_DATA) {
        reader.enter();
        Attributes own = Attributes.read(LinkTables.ofKind(facts.kind), reader);
        facts.rare().kind = own;
        facts.rare().data = LinkData.of(facts.kind, own);
      } else if (type == INFO_SLAVE_DATA) {
        reader.enter();
        facts.rare().member = Attributes.read(LinkTables.ofMember(facts.memberKind), reader);
      }
    }
  }

  /** Reads the settings of the families that are not sysctls. */
  private void families(AttributeReader reader) throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (reader.type() == AF_INET6) {
        reader.enter();
        while (reader.next()) {
          if (reader.type() == ADDR_GEN_MODE) {
            facts.addressGeneration = (byte) reader.u8();
          } else if (reader.type() == TOKEN && reader.length() == 16) {
            facts.token = reader.bigEndianU64(8); // the kernel reports zeros for none
          }
        }
      }
    }
  }

  private void xdp(AttributeReader reader) throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (reader.type() == XDP_PROG_ID) {
        facts.xdpProgram = reader.u32();
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
    facts.alternativeNames = List.copyOf(names);
  }
}
