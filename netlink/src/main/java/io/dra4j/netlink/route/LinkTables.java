package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import java.util.Map;
import java.util.stream.Stream;

/** The attributes of links ({@code linux/if_link.h}) and the attributes nested in them, as data. */
final class LinkTables {

  static final AttributeTable VF =
      AttributeTable.of(
          "IFLA_VF_",
          "MAC VLAN TX_RATE SPOOFCHK LINK_STATE RATE RSS_QUERY_EN STATS:state TRUST IB_NODE_GUID "
              + "IB_PORT_GUID VLAN_LIST BROADCAST");

  static final AttributeTable INFO =
      AttributeTable.of("IFLA_INFO_", "KIND:text DATA XSTATS:state SLAVE_KIND:text SLAVE_DATA");

  static final AttributeTable XDP =
      AttributeTable.of(
          "IFLA_XDP_", "FD:u32 ATTACHED:u8 FLAGS:u32 PROG_ID:u32 DRV_PROG_ID:u32 SKB_PROG_ID:u32");

  static final AttributeTable DOWN_REASON =
      AttributeTable.of("IFLA_PROTO_DOWN_REASON_", "MASK:u32 VALUE:u32");

  private static final AttributeTable INET6 =
      AttributeTable.of(
          "IFLA_INET6_",
          "FLAGS CONF STATS MCAST CACHEINFO ICMP6STATS TOKEN ADDR_GEN_MODE:u8 RA_MTU");

  static final AttributeTable AF_SPEC =
      AttributeTable.of("AF_", "2=INET:nest 10=INET6:nest")
          .with("INET", AttributeTable.of("IFLA_INET_", "CONF"))
          .with("INET6", INET6);

  static final AttributeTable LINK =
      AttributeTable.of(
              "IFLA_",
              "ADDRESS BROADCAST IFNAME:text MTU:u32 LINK:u32 QDISC:text STATS:state COST:state"
                  + " PRIORITY:state MASTER:u32 WIRELESS:state PROTINFO:state TXQLEN:u32 MAP:state"
                  + " WEIGHT:state OPERSTATE:u8 LINKMODE:u8 LINKINFO:nest NET_NS_PID:u32"
                  + " IFALIAS:text NUM_VF:u32 VFINFO_LIST STATS64 VF_PORTS:state PORT_SELF:state"
                  + " AF_SPEC:nest GROUP:u32 NET_NS_FD:u32 EXT_MASK:u32 PROMISCUITY:u32"
                  + " NUM_TX_QUEUES:u32 NUM_RX_QUEUES:u32 CARRIER:u8 PHYS_PORT_ID"
                  + " CARRIER_CHANGES:state PHYS_SWITCH_ID LINK_NETNSID:u32 PHYS_PORT_NAME:text"
                  + " PROTO_DOWN:u8 GSO_MAX_SEGS:u32 GSO_MAX_SIZE:u32 PAD:state XDP EVENT:state"
                  + " NEW_NETNSID:u32 TARGET_NETNSID:u32 CARRIER_UP_COUNT:u32"
                  + " CARRIER_DOWN_COUNT:u32 NEW_IFINDEX:u32 MIN_MTU:u32 MAX_MTU:u32 PROP_LIST"
                  + " ALT_IFNAME:text PERM_ADDRESS PROTO_DOWN_REASON:nest PARENT_DEV_NAME:text"
                  + " PARENT_DEV_BUS_NAME:text GRO_MAX_SIZE:u32 TSO_MAX_SIZE:u32 TSO_MAX_SEGS:u32"
                  + " ALLMULTI:u32 DEVLINK_PORT:state GSO_IPV4_MAX_SIZE:u32 GRO_IPV4_MAX_SIZE:u32"
                  + " DPLL_PIN:state MAX_PACING_OFFLOAD_HORIZON:state NETNS_IMMUTABLE:state"
                  + " HEADROOM:state TAILROOM:state")
          .with("LINKINFO", INFO)
          .with("VFINFO_LIST", AttributeTable.of("IFLA_", "VF_INFO").with("VF_INFO", VF))
          .with("AF_SPEC", AF_SPEC)
          .with("XDP", XDP)
          .with("PROTO_DOWN_REASON", DOWN_REASON)
          .with("PROP_LIST", AttributeTable.of("IFLA_", "53=ALT_IFNAME:text"));

  private static final AttributeTable MACVLAN =
      AttributeTable.of(
          "IFLA_MACVLAN_",
          "MODE:u32 FLAGS:u16 MACADDR_MODE:u32 MACADDR MACADDR_DATA MACADDR_COUNT:state "
              + "BC_QUEUE_LEN:u32 BC_QUEUE_LEN_USED:state BC_CUTOFF:u32");

  private static final AttributeTable IPVLAN =
      AttributeTable.of("IFLA_IPVLAN_", "MODE:u16 FLAGS:u16");

  /** The attributes of tunnels that carry frames. */
  private static final AttributeTable GRE =
      AttributeTable.of(
          "IFLA_GRE_", "LINK:u32 IFLAGS:u16 OFLAGS:u16 IKEY:u32 OKEY:u32 LOCAL REMOTE");

  private static final AttributeTable HSR =
      AttributeTable.of(
          "IFLA_HSR_",
          "SLAVE1:u32 SLAVE2:u32 MULTICAST_SPEC:u8 SUPERVISION_ADDR SEQ_NR:state VERSION:u8 "
              + "PROTOCOL:u8 INTERLINK:u32");

  private static final AttributeTable MACSEC =
      AttributeTable.of(
          "IFLA_MACSEC_",
          "SCI PORT:be16 ICV_LEN:u8 CIPHER_SUITE:u64 WINDOW:u32 ENCODING_SA:u8 ENCRYPT:u8 "
              + "PROTECT:u8 INC_SCI:u8 ES:u8 SCB:u8 REPLAY_PROTECT:u8 VALIDATION:u8 PAD:state "
              + "OFFLOAD:u8");

  private static final AttributeTable NETKIT =
      AttributeTable.of(
          "IFLA_NETKIT_",
          "PEER_INFO PRIMARY:state POLICY:u32 PEER_POLICY:u32 MODE:u32 SCRUB:u32 PEER_SCRUB:u32 "
              + "HEADROOM:u16 TAILROOM:u16 PAIRING");

  /** Attributes in {@code IFLA_INFO_DATA} by kind; for other kinds, they are kept as received. */
  private static final Map<String, AttributeTable> KINDS =
      Map.of(
          "vlan",
          AttributeTable.of("IFLA_VLAN_", "ID:u16 FLAGS EGRESS_QOS INGRESS_QOS PROTOCOL:be16"),
          "macvlan",
          MACVLAN,
          "ipvlan",
          IPVLAN,
          "vrf",
          AttributeTable.of("IFLA_VRF_", "TABLE:u32"),
          "ipoib",
          AttributeTable.of("IFLA_IPOIB_", "PKEY:u16 MODE:u16 UMCAST:u16"),
          "veth",
          AttributeTable.of("VETH_INFO_", "PEER").with("PEER", LINK),
          "vxlan",
          AttributeTable.of(
              "IFLA_VXLAN_",
              "ID:u32 GROUP LINK:u32 LOCAL TTL:u8 TOS:u8 LEARNING:u8 AGEING:u32 LIMIT:u32 "
                  + "PORT_RANGE PROXY:u8 RSC:u8 L2MISS:u8 L3MISS:u8 PORT:be16 GROUP6 LOCAL6 "
                  + "UDP_CSUM:u8 UDP_ZERO_CSUM6_TX:u8 UDP_ZERO_CSUM6_RX:u8 REMCSUM_TX:u8 "
                  + "REMCSUM_RX:u8 GBP REMCSUM_NOPARTIAL COLLECT_METADATA:u8 LABEL GPE "
                  + "TTL_INHERIT DF:u8 VNIFILTER LOCALBYPASS:u8 LABEL_POLICY RESERVED_BITS "
                  + "MC_ROUTE"),
          "bond",
          AttributeTable.of(
              "IFLA_BOND_",
              "MODE:u8 ACTIVE_SLAVE:u32 MIIMON:u32 UPDELAY:u32 DOWNDELAY:u32 USE_CARRIER:u8 "
                  + "ARP_INTERVAL:u32 ARP_IP_TARGET ARP_VALIDATE:u32 ARP_ALL_TARGETS:u32 "
                  + "PRIMARY:u32 PRIMARY_RESELECT:u8 FAIL_OVER_MAC:u8 XMIT_HASH_POLICY:u8 "
                  + "RESEND_IGMP:u32 NUM_PEER_NOTIF:u8 ALL_SLAVES_ACTIVE:u8 MIN_LINKS:u32 "
                  + "LP_INTERVAL:u32 PACKETS_PER_SLAVE:u32 AD_LACP_RATE:u8 AD_SELECT:u8 "
                  + "AD_INFO:state AD_ACTOR_SYS_PRIO:u16 AD_USER_PORT_KEY:u16 AD_ACTOR_SYSTEM "
                  + "TLB_DYNAMIC_LB:u8 PEER_NOTIF_DELAY:u32 AD_LACP_ACTIVE:u8 MISSED_MAX:u8 "
                  + "NS_IP6_TARGET COUPLED_CONTROL:u8 BROADCAST_NEIGH:u8 LACP_STRICT:u8"),
          "geneve",
          AttributeTable.of(
              "IFLA_GENEVE_",
              "ID:u32 REMOTE TTL:u8 TOS:u8 PORT:be16 COLLECT_METADATA REMOTE6 UDP_CSUM:u8 "
                  + "UDP_ZERO_CSUM6_TX:u8 UDP_ZERO_CSUM6_RX:u8 LABEL TTL_INHERIT:u8 DF:u8 "
                  + "INNER_PROTO_INHERIT PORT_RANGE GRO_HINT LOCAL LOCAL6"),
          "bridge",
          AttributeTable.of(
              "IFLA_BR_",
              "FORWARD_DELAY:u32 HELLO_TIME:u32 MAX_AGE:u32 AGEING_TIME:u32 STP_STATE:u32 "
                  + "PRIORITY:u16 VLAN_FILTERING:u8 VLAN_PROTOCOL:be16 GROUP_FWD_MASK:u16 "
                  + "ROOT_ID:state BRIDGE_ID:state ROOT_PORT:state ROOT_PATH_COST:state "
                  + "TOPOLOGY_CHANGE:state TOPOLOGY_CHANGE_DETECTED:state HELLO_TIMER:state "
                  + "TCN_TIMER:state TOPOLOGY_CHANGE_TIMER:state GC_TIMER:state GROUP_ADDR "
                  + "FDB_FLUSH:state MCAST_ROUTER:u8 MCAST_SNOOPING:u8 MCAST_QUERY_USE_IFADDR:u8 "
                  + "MCAST_QUERIER:u8 MCAST_HASH_ELASTICITY:u32 MCAST_HASH_MAX:u32 "
                  + "MCAST_LAST_MEMBER_CNT:u32 MCAST_STARTUP_QUERY_CNT:u32 "
                  + "MCAST_LAST_MEMBER_INTVL:u64 MCAST_MEMBERSHIP_INTVL:u64 "
                  + "MCAST_QUERIER_INTVL:u64 MCAST_QUERY_INTVL:u64 "
                  + "MCAST_QUERY_RESPONSE_INTVL:u64 MCAST_STARTUP_QUERY_INTVL:u64 "
                  + "NF_CALL_IPTABLES:u8 NF_CALL_IP6TABLES:u8 NF_CALL_ARPTABLES:u8 "
                  + "VLAN_DEFAULT_PVID:u16 PAD:state VLAN_STATS_ENABLED:u8 "
                  + "MCAST_STATS_ENABLED:u8 MCAST_IGMP_VERSION:u8 MCAST_MLD_VERSION:u8 "
                  + "VLAN_STATS_PER_PORT:u8 MULTI_BOOLOPT MCAST_QUERIER_STATE:state "
                  + "FDB_N_LEARNED:state FDB_MAX_LEARNED:u32 STP_MODE:u32"));

  /** The attributes nested in {@code IFLA_INFO_SLAVE_DATA}, by the kind of the master. */
  private static final Map<String, AttributeTable> MEMBERS =
      Map.of(
          "bridge",
          AttributeTable.of(
              "IFLA_BRPORT_",
              "STATE:state PRIORITY:u16 COST:u32 MODE:u8 GUARD:u8 PROTECT:u8 FAST_LEAVE:u8 "
                  + "LEARNING:u8 UNICAST_FLOOD:u8 PROXYARP:u8 LEARNING_SYNC:u8 PROXYARP_WIFI:u8 "
                  + "ROOT_ID:state BRIDGE_ID:state DESIGNATED_PORT:state DESIGNATED_COST:state "
                  + "ID:state NO:state TOPOLOGY_CHANGE_ACK:state CONFIG_PENDING:state "
                  + "MESSAGE_AGE_TIMER:state FORWARD_DELAY_TIMER:state HOLD_TIMER:state "
                  + "FLUSH:state MULTICAST_ROUTER:u8 PAD:state MCAST_FLOOD:u8 MCAST_TO_UCAST:u8 "
                  + "VLAN_TUNNEL:u8 BCAST_FLOOD:u8 GROUP_FWD_MASK:u16 NEIGH_SUPPRESS:u8 "
                  + "ISOLATED:u8 BACKUP_PORT:u32 MRP_RING_OPEN:state MRP_IN_OPEN:state "
                  + "MCAST_EHT_HOSTS_LIMIT:u32 MCAST_EHT_HOSTS_CNT:state LOCKED:u8 MAB:u8 "
                  + "MCAST_N_GROUPS:state MCAST_MAX_GROUPS:u32 NEIGH_VLAN_SUPPRESS:u8 "
                  + "BACKUP_NHID:u32 NEIGH_FORWARD_GRAT:u8"),
          "bond",
          AttributeTable.of(
              "IFLA_BOND_SLAVE_",
              "STATE:state MII_STATUS:state LINK_FAILURE_COUNT:state PERM_HWADDR:state "
                  + "QUEUE_ID:u16 AD_AGGREGATOR_ID:state AD_ACTOR_OPER_PORT_STATE:state "
                  + "AD_PARTNER_OPER_PORT_STATE:state PRIO:u32 ACTOR_PORT_PRIO:u16 "
                  + "AD_CHURN_ACTOR_STATE:state AD_CHURN_PARTNER_STATE:state"),
          "vrf",
          AttributeTable.of("IFLA_VRF_PORT_", "TABLE:state"));

  private LinkTables() {}

  /** Returns the types of attributes of links by their names, which are separated by blanks. */
  static int[] types(String names) {
    return Stream.of(names.split(" ", -1)).mapToInt(LINK::type).toArray();
  }

  /** Returns the table of the data of a kind. */
  static AttributeTable ofKind(String kind) {
    return switch (kind) {
      case "macvtap" -> MACVLAN;
      case "ipvtap" -> IPVLAN;
      case "gretap", "erspan", "ip6gretap", "ip6erspan" -> GRE;
      case "hsr" -> HSR;
      case "macsec" -> MACSEC;
      case "netkit" -> NETKIT;
      default -> KINDS.getOrDefault(kind, AttributeTable.NONE);
    };
  }

  /** Returns the table of the data of a member, by the kind of its master. */
  static AttributeTable ofMember(String kind) {
    return MEMBERS.getOrDefault(kind, AttributeTable.NONE);
  }
}
