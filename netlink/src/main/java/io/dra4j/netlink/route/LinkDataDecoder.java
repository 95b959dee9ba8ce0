package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.LinkAttributes.*;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.NetlinkException;
import java.util.OptionalInt;

/** Makes the data of a kind of link of {@code IFLA_INFO_DATA}. */
final class LinkDataDecoder {

  private static final int TAG = 0x8100; // ETH_P_8021Q

  private LinkDataDecoder() {}

  static LinkData decode(String kind, AttributeReader reader) throws NetlinkException.Malformed {
    return switch (kind) {
      case "vlan" -> vlan(reader);
      case "macvlan", "macvtap" -> macvlan(reader);
      case "ipvlan", "ipvtap" -> ipvlan(reader);
      case "vrf" -> vrf(reader);
      case "bond" -> bond(reader);
      case "bridge" -> bridge(reader);
      case "ipoib" -> ipoib(reader);
      default -> new LinkData.Other(reader.bytes());
    };
  }

  private static LinkData vlan(AttributeReader reader) throws NetlinkException.Malformed {
    int id = 0;
    int protocol = TAG;
    int flags = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_VLAN_ID -> id = reader.u16();
        case IFLA_VLAN_PROTOCOL -> protocol = reader.bigEndianU16();
        case IFLA_VLAN_FLAGS -> flags = reader.u32(0); // and a mask behind
        default -> {
          // mappings of priorities
        }
      }
    }
    return new LinkData.Vlan(id, protocol, flags);
  }

  private static LinkData macvlan(AttributeReader reader) throws NetlinkException.Malformed {
    int mode = 0;
    int flags = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_MACVLAN_MODE -> mode = reader.u32();
        case IFLA_MACVLAN_FLAGS -> flags = reader.u16();
        default -> {
          // source addresses, queues
        }
      }
    }
    return new LinkData.Macvlan(LinkData.MacvlanMode.of(mode), flags);
  }

  private static LinkData ipvlan(AttributeReader reader) throws NetlinkException.Malformed {
    int mode = 1;
    int flags = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_IPVLAN_MODE -> mode = reader.u16();
        case IFLA_IPVLAN_FLAGS -> flags = reader.u16();
        default -> {
          // what newer kernels add
        }
      }
    }
    return new LinkData.Ipvlan(LinkData.IpvlanMode.of(mode), flags);
  }

  private static LinkData vrf(AttributeReader reader) throws NetlinkException.Malformed {
    int table = 0;
    reader.enter();
    while (reader.next()) {
      if (reader.type() == IFLA_VRF_TABLE) {
        table = reader.u32();
      }
    }
    return new LinkData.Vrf(table);
  }

  private static LinkData bond(AttributeReader reader) throws NetlinkException.Malformed {
    int mode = 0;
    OptionalInt active = OptionalInt.empty();
    int interval = 0;
    int policy = 0;
    int rate = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_BOND_MODE -> mode = reader.u8();
        case IFLA_BOND_ACTIVE_SLAVE -> active = OptionalInt.of(reader.u32());
        case IFLA_BOND_MIIMON -> interval = reader.u32();
        case IFLA_BOND_XMIT_HASH_POLICY -> policy = reader.u8();
        case IFLA_BOND_AD_LACP_RATE -> rate = reader.u8();
        default -> {
          // there are many more
        }
      }
    }
    return new LinkData.Bond(mode, active, interval, policy, rate);
  }

  private static LinkData bridge(AttributeReader reader) throws NetlinkException.Malformed {
    boolean spanningTree = false;
    boolean filtering = false;
    int protocol = TAG;
    int priority = 0;
    boolean snooping = false;
    int ageing = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_BR_STP_STATE -> spanningTree = reader.u32() != 0;
        case IFLA_BR_VLAN_FILTERING -> filtering = reader.u8() != 0;
        case IFLA_BR_VLAN_PROTOCOL -> protocol = reader.bigEndianU16();
        case IFLA_BR_PRIORITY -> priority = reader.u16();
        case IFLA_BR_MCAST_SNOOPING -> snooping = reader.u8() != 0;
        case IFLA_BR_AGEING_TIME -> ageing = reader.u32();
        default -> {
          // there are many more
        }
      }
    }
    return new LinkData.Bridge(spanningTree, filtering, protocol, priority, snooping, ageing);
  }

  private static LinkData ipoib(AttributeReader reader) throws NetlinkException.Malformed {
    int key = 0;
    int mode = 0;
    boolean multicast = false;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_IPOIB_PKEY -> key = reader.u16();
        case IFLA_IPOIB_MODE -> mode = reader.u16();
        case IFLA_IPOIB_UMCAST -> multicast = reader.u16() != 0;
        default -> {
          // what newer kernels add
        }
      }
    }
    return new LinkData.Ipoib(key, mode, multicast);
  }
}
