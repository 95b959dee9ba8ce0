package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.LinkAttributes.*;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.TextCache;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes links of messages. One decoder makes them one after the other: its fields are those of the
 * link in the making, so that a link costs one object, its name and its counters. Not thread-safe.
 */
final class LinkDecoder {

  static final int HEADER = 16; // struct ifinfomsg

  private static final LinkData NONE = new LinkData.None();
  private static final int SPARSE = -1;

  private final TextCache texts = new TextCache();
  private final LimitsDecoder limits = new LimitsDecoder();
  private final VirtualFunctionDecoder functions = new VirtualFunctionDecoder();

  int index;
  String name = "";
  int hardwareType;
  int flags;
  long addressBits;
  long broadcastBits;
  int addressLength;
  int broadcastLength;
  int operationalState;
  int carrier;
  int protocolDown;
  int linkMode;
  byte @Nullable [] longAddress;
  byte @Nullable [] longBroadcast;
  byte @Nullable [] permanentAddress;
  int mtu;
  int parentIndex;
  int parentNamespace;
  int masterIndex;
  int newNamespace;
  int newIndex;
  int group;
  int promiscuity;
  int allMulticast;
  int carrierUps;
  int carrierDowns;
  int xdpProgram;
  String queueDiscipline = "";
  String kind = "";
  String memberKind = "";
  String alias = "";
  String physicalPortName = "";
  String parentDevice = "";
  String parentBus = "";
  byte @Nullable [] physicalPortId;
  byte @Nullable [] switchId;
  LinkData data = NONE;
  long @Nullable [] statistics;
  private boolean wantsStatistics;
  private @Nullable List<String> otherNames;
  private @Nullable List<VirtualFunction> functionList;

  /** All of a link. */
  Link decode(Message message) throws NetlinkException.Malformed {
    return decode(message, true);
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
    return new Link(this, limits.limits());
  }

  List<String> alternativeNames() {
    return otherNames == null ? List.of() : List.copyOf(otherNames);
  }

  List<VirtualFunction> virtualFunctions() {
    return functionList == null ? List.of() : List.copyOf(functionList);
  }

  private void clear() {
    limits.clear();
    name = "";
    addressLength = 0;
    broadcastLength = 0;
    addressBits = 0;
    broadcastBits = 0;
    operationalState = 0;
    carrier = 0;
    protocolDown = 0;
    linkMode = 0;
    longAddress = null;
    longBroadcast = null;
    permanentAddress = null;
    mtu = 0;
    parentIndex = 0;
    parentNamespace = SPARSE;
    masterIndex = 0;
    newNamespace = SPARSE;
    newIndex = 0;
    group = 0;
    promiscuity = 0;
    allMulticast = 0;
    carrierUps = 0;
    carrierDowns = 0;
    xdpProgram = 0;
    queueDiscipline = "";
    kind = "";
    memberKind = "";
    alias = "";
    physicalPortName = "";
    parentDevice = "";
    parentBus = "";
    physicalPortId = null;
    switchId = null;
    data = NONE;
    statistics = null;
    otherNames = null;
    functionList = null;
  }

  private void attribute(AttributeReader reader) throws NetlinkException.Malformed {
    switch (reader.type()) {
      case IFLA_ADDRESS -> {
        if (reader.length() <= 8) {
          addressLength = reader.length();
          addressBits = reader.bigEndianBytes();
        } else {
          longAddress = shortBytes(reader);
        }
      }
      case IFLA_BROADCAST -> {
        if (reader.length() <= 8) {
          broadcastLength = reader.length();
          broadcastBits = reader.bigEndianBytes();
        } else {
          longBroadcast = shortBytes(reader);
        }
      }
      case IFLA_IFNAME -> name = reader.string();
      case IFLA_MTU -> mtu = reader.u32();
      case IFLA_LINK -> parentIndex = reader.u32();
      case IFLA_QDISC -> queueDiscipline = reader.string(texts);
      case IFLA_MASTER -> masterIndex = reader.u32();
      case IFLA_TXQLEN -> limits.sendQueueLength = reader.u32();
      case IFLA_OPERSTATE -> operationalState = reader.u8();
      case IFLA_LINKMODE -> linkMode = reader.u8();
      case IFLA_LINKINFO -> info(reader);
      case IFLA_IFALIAS -> alias = reader.string();
      case IFLA_VFINFO_LIST -> functionList = functions.decode(reader, addressLength);
      case IFLA_STATS64 -> {
        if (!wantsStatistics) {
          return;
        }
        long[] counters = new long[LinkStatistics.COUNT];
        reader.u64s(counters);
        statistics = counters;
      }
      case IFLA_GROUP -> group = reader.u32();
      case IFLA_PROMISCUITY -> promiscuity = reader.u32();
      case IFLA_ALLMULTI -> allMulticast = reader.u32();
      case IFLA_NUM_TX_QUEUES -> limits.sendQueues = reader.u32();
      case IFLA_NUM_RX_QUEUES -> limits.receiveQueues = reader.u32();
      case IFLA_CARRIER -> carrier = reader.u8();
      case IFLA_CARRIER_UP_COUNT -> carrierUps = reader.u32();
      case IFLA_CARRIER_DOWN_COUNT -> carrierDowns = reader.u32();
      case IFLA_PHYS_PORT_ID -> physicalPortId = shortBytes(reader);
      case IFLA_PHYS_SWITCH_ID -> switchId = shortBytes(reader);
      case IFLA_PHYS_PORT_NAME -> physicalPortName = reader.string();
      case IFLA_LINK_NETNSID -> parentNamespace = reader.u32();
      case IFLA_PROTO_DOWN -> protocolDown = reader.u8();
      case IFLA_GSO_MAX_SEGS -> limits.gsoMaxSegments = reader.u32();
      case IFLA_GSO_MAX_SIZE -> limits.gsoMaxSize = reader.u32();
      case IFLA_GSO_IPV4_MAX_SIZE -> limits.gsoIpv4MaxSize = reader.u32();
      case IFLA_GRO_MAX_SIZE -> limits.groMaxSize = reader.u32();
      case IFLA_GRO_IPV4_MAX_SIZE -> limits.groIpv4MaxSize = reader.u32();
      case IFLA_TSO_MAX_SIZE -> limits.tsoMaxSize = reader.u32();
      case IFLA_TSO_MAX_SEGS -> limits.tsoMaxSegments = reader.u32();
      case IFLA_MIN_MTU -> limits.minMtu = reader.u32();
      case IFLA_MAX_MTU -> limits.maxMtu = reader.u32();
      case IFLA_XDP -> xdp(reader);
      case IFLA_NEW_NETNSID -> newNamespace = reader.u32();
      case IFLA_NEW_IFINDEX -> newIndex = reader.u32();
      case IFLA_PROP_LIST -> properties(reader);
      case IFLA_PERM_ADDRESS -> permanentAddress = shortBytes(reader);
      case IFLA_PARENT_DEV_NAME -> parentDevice = reader.string();
      case IFLA_PARENT_DEV_BUS_NAME -> parentBus = reader.string(texts);
      default -> {
        // settings of address families, and what newer kernels add
      }
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
      switch (reader.type()) {
        case IFLA_INFO_KIND -> kind = reader.string(texts);
        case IFLA_INFO_DATA -> data = LinkDataDecoder.decode(kind, reader);
        case IFLA_INFO_SLAVE_KIND -> memberKind = reader.string(texts);
        default -> {
          // counters of the kind, and settings as a member
        }
      }
    }
  }

  private void xdp(AttributeReader reader) throws NetlinkException.Malformed {
    reader.enter();
    while (reader.next()) {
      if (reader.type() == IFLA_XDP_PROG_ID) {
        xdpProgram = reader.u32();
      }
    }
  }

  private void properties(AttributeReader reader) throws NetlinkException.Malformed {
    List<String> names = new ArrayList<>();
    reader.enter();
    while (reader.next()) {
      if (reader.type() == IFLA_ALT_IFNAME) {
        names.add(reader.string());
      }
    }
    otherNames = names;
  }
}
