package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;

/** Attributes of links ({@code linux/if_link.h}, {@code if_tunnel.h}, {@code veth.h}). */
final class LinkAttributes {

  static final int IFLA_INFO_KIND = 1;
  static final int IFLA_INFO_DATA = 2;
  static final int IFLA_INFO_XSTATS = 3;
  static final int IFLA_INFO_SLAVE_KIND = 4;
  static final int IFLA_INFO_SLAVE_DATA = 5;

  static final int IFLA_VF_MAC = 1;
  static final int IFLA_VF_VLAN = 2;
  static final int IFLA_VF_TX_RATE = 3;
  static final int IFLA_VF_SPOOFCHK = 4;
  static final int IFLA_VF_LINK_STATE = 5;
  static final int IFLA_VF_RATE = 6;
  static final int IFLA_VF_RSS_QUERY_EN = 7;
  static final int IFLA_VF_STATS = 8;
  static final int IFLA_VF_TRUST = 9;
  static final int IFLA_VF_IB_NODE_GUID = 10;
  static final int IFLA_VF_IB_PORT_GUID = 11;
  static final int IFLA_VF_VLAN_LIST = 12;
  static final int IFLA_VF_BROADCAST = 13;

  static final int IFLA_VF_INFO = 1;

  static final int IFLA_VLAN_ID = 1;
  static final int IFLA_VLAN_FLAGS = 2;
  static final int IFLA_VLAN_EGRESS_QOS = 3;
  static final int IFLA_VLAN_INGRESS_QOS = 4;
  static final int IFLA_VLAN_PROTOCOL = 5;

  static final int IFLA_MACVLAN_MODE = 1;
  static final int IFLA_MACVLAN_FLAGS = 2;

  static final int IFLA_IPVLAN_MODE = 1;
  static final int IFLA_IPVLAN_FLAGS = 2;

  static final int IFLA_VRF_TABLE = 1;

  static final int IFLA_IPOIB_PKEY = 1;
  static final int IFLA_IPOIB_MODE = 2;
  static final int IFLA_IPOIB_UMCAST = 3;

  static final int IFLA_BR_FORWARD_DELAY = 1;
  static final int IFLA_BR_HELLO_TIME = 2;
  static final int IFLA_BR_MAX_AGE = 3;
  static final int IFLA_BR_AGEING_TIME = 4;
  static final int IFLA_BR_STP_STATE = 5;
  static final int IFLA_BR_PRIORITY = 6;
  static final int IFLA_BR_VLAN_FILTERING = 7;
  static final int IFLA_BR_VLAN_PROTOCOL = 8;
  static final int IFLA_BR_GROUP_FWD_MASK = 9;
  static final int IFLA_BR_ROOT_ID = 10;
  static final int IFLA_BR_BRIDGE_ID = 11;
  static final int IFLA_BR_ROOT_PORT = 12;
  static final int IFLA_BR_ROOT_PATH_COST = 13;
  static final int IFLA_BR_TOPOLOGY_CHANGE = 14;
  static final int IFLA_BR_TOPOLOGY_CHANGE_DETECTED = 15;
  static final int IFLA_BR_HELLO_TIMER = 16;
  static final int IFLA_BR_TCN_TIMER = 17;
  static final int IFLA_BR_TOPOLOGY_CHANGE_TIMER = 18;
  static final int IFLA_BR_GC_TIMER = 19;
  static final int IFLA_BR_GROUP_ADDR = 20;
  static final int IFLA_BR_FDB_FLUSH = 21;
  static final int IFLA_BR_MCAST_ROUTER = 22;
  static final int IFLA_BR_MCAST_SNOOPING = 23;

  static final int IFLA_BOND_MODE = 1;
  static final int IFLA_BOND_ACTIVE_SLAVE = 2;
  static final int IFLA_BOND_MIIMON = 3;
  static final int IFLA_BOND_UPDELAY = 4;
  static final int IFLA_BOND_DOWNDELAY = 5;
  static final int IFLA_BOND_USE_CARRIER = 6;
  static final int IFLA_BOND_ARP_INTERVAL = 7;
  static final int IFLA_BOND_ARP_IP_TARGET = 8;
  static final int IFLA_BOND_ARP_VALIDATE = 9;
  static final int IFLA_BOND_ARP_ALL_TARGETS = 10;
  static final int IFLA_BOND_PRIMARY = 11;
  static final int IFLA_BOND_PRIMARY_RESELECT = 12;
  static final int IFLA_BOND_FAIL_OVER_MAC = 13;
  static final int IFLA_BOND_XMIT_HASH_POLICY = 14;
  static final int IFLA_BOND_RESEND_IGMP = 15;
  static final int IFLA_BOND_NUM_PEER_NOTIF = 16;
  static final int IFLA_BOND_ALL_SLAVES_ACTIVE = 17;
  static final int IFLA_BOND_MIN_LINKS = 18;
  static final int IFLA_BOND_LP_INTERVAL = 19;
  static final int IFLA_BOND_PACKETS_PER_SLAVE = 20;
  static final int IFLA_BOND_AD_LACP_RATE = 21;
  static final int IFLA_BOND_AD_SELECT = 22;

  static final int IFLA_XDP_FD = 1;
  static final int IFLA_XDP_ATTACHED = 2;
  static final int IFLA_XDP_FLAGS = 3;
  static final int IFLA_XDP_PROG_ID = 4;

  static final int IFLA_ADDRESS = 1;
  static final int IFLA_BROADCAST = 2;
  static final int IFLA_IFNAME = 3;
  static final int IFLA_MTU = 4;
  static final int IFLA_LINK = 5;
  static final int IFLA_QDISC = 6;
  static final int IFLA_STATS = 7;
  static final int IFLA_COST = 8;
  static final int IFLA_PRIORITY = 9;
  static final int IFLA_MASTER = 10;
  static final int IFLA_WIRELESS = 11;
  static final int IFLA_PROTINFO = 12;
  static final int IFLA_TXQLEN = 13;
  static final int IFLA_MAP = 14;
  static final int IFLA_WEIGHT = 15;
  static final int IFLA_OPERSTATE = 16;
  static final int IFLA_LINKMODE = 17;
  static final int IFLA_LINKINFO = 18;
  static final int IFLA_NET_NS_PID = 19;
  static final int IFLA_IFALIAS = 20;
  static final int IFLA_NUM_VF = 21;
  static final int IFLA_VFINFO_LIST = 22;
  static final int IFLA_STATS64 = 23;
  static final int IFLA_VF_PORTS = 24;
  static final int IFLA_PORT_SELF = 25;
  static final int IFLA_AF_SPEC = 26;
  static final int IFLA_GROUP = 27;
  static final int IFLA_NET_NS_FD = 28;
  static final int IFLA_EXT_MASK = 29;
  static final int IFLA_PROMISCUITY = 30;
  static final int IFLA_NUM_TX_QUEUES = 31;
  static final int IFLA_NUM_RX_QUEUES = 32;
  static final int IFLA_CARRIER = 33;
  static final int IFLA_PHYS_PORT_ID = 34;
  static final int IFLA_CARRIER_CHANGES = 35;
  static final int IFLA_PHYS_SWITCH_ID = 36;
  static final int IFLA_LINK_NETNSID = 37;
  static final int IFLA_PHYS_PORT_NAME = 38;
  static final int IFLA_PROTO_DOWN = 39;
  static final int IFLA_GSO_MAX_SEGS = 40;
  static final int IFLA_GSO_MAX_SIZE = 41;
  static final int IFLA_PAD = 42;
  static final int IFLA_XDP = 43;
  static final int IFLA_EVENT = 44;
  static final int IFLA_NEW_NETNSID = 45;
  static final int IFLA_TARGET_NETNSID = 46;
  static final int IFLA_CARRIER_UP_COUNT = 47;
  static final int IFLA_CARRIER_DOWN_COUNT = 48;
  static final int IFLA_NEW_IFINDEX = 49;
  static final int IFLA_MIN_MTU = 50;
  static final int IFLA_MAX_MTU = 51;
  static final int IFLA_PROP_LIST = 52;
  static final int IFLA_ALT_IFNAME = 53;
  static final int IFLA_PERM_ADDRESS = 54;
  static final int IFLA_PROTO_DOWN_REASON = 55;
  static final int IFLA_PARENT_DEV_NAME = 56;
  static final int IFLA_PARENT_DEV_BUS_NAME = 57;
  static final int IFLA_GRO_MAX_SIZE = 58;
  static final int IFLA_TSO_MAX_SIZE = 59;
  static final int IFLA_TSO_MAX_SEGS = 60;
  static final int IFLA_ALLMULTI = 61;
  static final int IFLA_DEVLINK_PORT = 62;
  static final int IFLA_GSO_IPV4_MAX_SIZE = 63;
  static final int IFLA_GRO_IPV4_MAX_SIZE = 64;
  static final int IFLA_DPLL_PIN = 65;
  static final int IFLA_MAX_PACING_OFFLOAD_HORIZON = 66;
  static final int IFLA_NETNS_IMMUTABLE = 67;
  static final int IFLA_HEADROOM = 68;
  static final int IFLA_TAILROOM = 69;

  static final AttributeTable INFO =
      AttributeTable.of("IFLA_INFO_", "KIND DATA XSTATS SLAVE_KIND SLAVE_DATA");

  static final AttributeTable VF =
      AttributeTable.of(
          "IFLA_VF_",
          "MAC VLAN TX_RATE SPOOFCHK LINK_STATE RATE RSS_QUERY_EN STATS TRUST "
              + "IB_NODE_GUID IB_PORT_GUID VLAN_LIST BROADCAST");

  static final AttributeTable VFINFO = AttributeTable.of("IFLA_", "VF_INFO").with("VF_INFO", VF);

  static final AttributeTable VLAN =
      AttributeTable.of("IFLA_VLAN_", "ID FLAGS EGRESS_QOS INGRESS_QOS PROTOCOL");

  static final AttributeTable MACVLAN = AttributeTable.of("IFLA_MACVLAN_", "MODE FLAGS");

  static final AttributeTable IPVLAN = AttributeTable.of("IFLA_IPVLAN_", "MODE FLAGS");

  static final AttributeTable VRF = AttributeTable.of("IFLA_VRF_", "TABLE");

  static final AttributeTable IPOIB = AttributeTable.of("IFLA_IPOIB_", "PKEY MODE UMCAST");

  static final AttributeTable BRIDGE =
      AttributeTable.of(
          "IFLA_BR_",
          "FORWARD_DELAY HELLO_TIME MAX_AGE AGEING_TIME STP_STATE PRIORITY "
              + "VLAN_FILTERING VLAN_PROTOCOL GROUP_FWD_MASK ROOT_ID BRIDGE_ID "
              + "ROOT_PORT ROOT_PATH_COST TOPOLOGY_CHANGE TOPOLOGY_CHANGE_DETECTED "
              + "HELLO_TIMER TCN_TIMER TOPOLOGY_CHANGE_TIMER GC_TIMER GROUP_ADDR "
              + "FDB_FLUSH MCAST_ROUTER MCAST_SNOOPING");

  static final AttributeTable BOND =
      AttributeTable.of(
          "IFLA_BOND_",
          "MODE ACTIVE_SLAVE MIIMON UPDELAY DOWNDELAY USE_CARRIER ARP_INTERVAL "
              + "ARP_IP_TARGET ARP_VALIDATE ARP_ALL_TARGETS PRIMARY PRIMARY_RESELECT "
              + "FAIL_OVER_MAC XMIT_HASH_POLICY RESEND_IGMP NUM_PEER_NOTIF "
              + "ALL_SLAVES_ACTIVE MIN_LINKS LP_INTERVAL PACKETS_PER_SLAVE "
              + "AD_LACP_RATE AD_SELECT");

  static final AttributeTable XDP = AttributeTable.of("IFLA_XDP_", "FD ATTACHED FLAGS PROG_ID");

  static final AttributeTable LINK =
      AttributeTable.of(
              "IFLA_",
              "ADDRESS BROADCAST IFNAME MTU LINK QDISC STATS COST PRIORITY MASTER "
                  + "WIRELESS PROTINFO TXQLEN MAP WEIGHT OPERSTATE LINKMODE LINKINFO "
                  + "NET_NS_PID IFALIAS NUM_VF VFINFO_LIST STATS64 VF_PORTS PORT_SELF "
                  + "AF_SPEC GROUP NET_NS_FD EXT_MASK PROMISCUITY NUM_TX_QUEUES "
                  + "NUM_RX_QUEUES CARRIER PHYS_PORT_ID CARRIER_CHANGES PHYS_SWITCH_ID "
                  + "LINK_NETNSID PHYS_PORT_NAME PROTO_DOWN GSO_MAX_SEGS GSO_MAX_SIZE PAD "
                  + "XDP EVENT NEW_NETNSID TARGET_NETNSID CARRIER_UP_COUNT "
                  + "CARRIER_DOWN_COUNT NEW_IFINDEX MIN_MTU MAX_MTU PROP_LIST ALT_IFNAME "
                  + "PERM_ADDRESS PROTO_DOWN_REASON PARENT_DEV_NAME PARENT_DEV_BUS_NAME "
                  + "GRO_MAX_SIZE TSO_MAX_SIZE TSO_MAX_SEGS ALLMULTI DEVLINK_PORT "
                  + "GSO_IPV4_MAX_SIZE GRO_IPV4_MAX_SIZE DPLL_PIN "
                  + "MAX_PACING_OFFLOAD_HORIZON NETNS_IMMUTABLE HEADROOM TAILROOM")
          .with("LINKINFO", INFO)
          .with("VFINFO_LIST", VFINFO)
          .with("XDP", XDP)
          .with("PROP_LIST", AttributeTable.of("IFLA_", "- ".repeat(52) + "ALT_IFNAME"));

  private LinkAttributes() {}
}
