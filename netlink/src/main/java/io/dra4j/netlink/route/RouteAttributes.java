package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeNames;

/**
 * Attributes of addresses, routes, rules, neighbours, namespace numbers and filters ({@code
 * linux/if_addr.h}, {@code rtnetlink.h}, {@code fib_rules.h}, {@code neighbour.h}, {@code
 * net_namespace.h}, {@code pkt_cls.h}).
 */
final class RouteAttributes {

  static final int IFA_ADDRESS = 1;
  static final int IFA_LOCAL = 2;
  static final int IFA_LABEL = 3;
  static final int IFA_BROADCAST = 4;
  static final int IFA_ANYCAST = 5;
  static final int IFA_CACHEINFO = 6;
  static final int IFA_MULTICAST = 7;
  static final int IFA_FLAGS = 8;
  static final int IFA_RT_PRIORITY = 9;
  static final int IFA_TARGET_NETNSID = 10;
  static final int IFA_PROTO = 11;

  static final int RTAX_LOCK = 1;
  static final int RTAX_MTU = 2;
  static final int RTAX_WINDOW = 3;
  static final int RTAX_RTT = 4;
  static final int RTAX_RTTVAR = 5;
  static final int RTAX_SSTHRESH = 6;
  static final int RTAX_CWND = 7;
  static final int RTAX_ADVMSS = 8;
  static final int RTAX_REORDERING = 9;
  static final int RTAX_HOPLIMIT = 10;
  static final int RTAX_INITCWND = 11;
  static final int RTAX_FEATURES = 12;
  static final int RTAX_RTO_MIN = 13;
  static final int RTAX_INITRWND = 14;
  static final int RTAX_QUICKACK = 15;
  static final int RTAX_CC_ALGO = 16;
  static final int RTAX_FASTOPEN_NO_COOKIE = 17;

  static final int RTA_DST = 1;
  static final int RTA_SRC = 2;
  static final int RTA_IIF = 3;
  static final int RTA_OIF = 4;
  static final int RTA_GATEWAY = 5;
  static final int RTA_PRIORITY = 6;
  static final int RTA_PREFSRC = 7;
  static final int RTA_METRICS = 8;
  static final int RTA_MULTIPATH = 9;
  static final int RTA_PROTOINFO = 10;
  static final int RTA_FLOW = 11;
  static final int RTA_CACHEINFO = 12;
  static final int RTA_SESSION = 13;
  static final int RTA_MP_ALGO = 14;
  static final int RTA_TABLE = 15;
  static final int RTA_MARK = 16;
  static final int RTA_MFC_STATS = 17;
  static final int RTA_VIA = 18;
  static final int RTA_NEWDST = 19;
  static final int RTA_PREF = 20;
  static final int RTA_ENCAP_TYPE = 21;
  static final int RTA_ENCAP = 22;
  static final int RTA_EXPIRES = 23;
  static final int RTA_PAD = 24;
  static final int RTA_UID = 25;
  static final int RTA_TTL_PROPAGATE = 26;
  static final int RTA_IP_PROTO = 27;
  static final int RTA_SPORT = 28;
  static final int RTA_DPORT = 29;
  static final int RTA_NH_ID = 30;

  static final int FRA_DST = 1;
  static final int FRA_SRC = 2;
  static final int FRA_IIFNAME = 3;
  static final int FRA_GOTO = 4;
  static final int FRA_UNUSED2 = 5;
  static final int FRA_PRIORITY = 6;
  static final int FRA_UNUSED3 = 7;
  static final int FRA_UNUSED4 = 8;
  static final int FRA_UNUSED5 = 9;
  static final int FRA_FWMARK = 10;
  static final int FRA_FLOW = 11;
  static final int FRA_TUN_ID = 12;
  static final int FRA_SUPPRESS_IFGROUP = 13;
  static final int FRA_SUPPRESS_PREFIXLEN = 14;
  static final int FRA_TABLE = 15;
  static final int FRA_FWMASK = 16;
  static final int FRA_OIFNAME = 17;
  static final int FRA_PAD = 18;
  static final int FRA_L3MDEV = 19;
  static final int FRA_UID_RANGE = 20;
  static final int FRA_PROTOCOL = 21;
  static final int FRA_IP_PROTO = 22;
  static final int FRA_SPORT_RANGE = 23;
  static final int FRA_DPORT_RANGE = 24;
  static final int FRA_DSCP = 25;

  static final int NDA_DST = 1;
  static final int NDA_LLADDR = 2;
  static final int NDA_CACHEINFO = 3;
  static final int NDA_PROBES = 4;
  static final int NDA_VLAN = 5;
  static final int NDA_PORT = 6;
  static final int NDA_VNI = 7;
  static final int NDA_IFINDEX = 8;
  static final int NDA_MASTER = 9;
  static final int NDA_LINK_NETNSID = 10;
  static final int NDA_SRC_VNI = 11;
  static final int NDA_PROTOCOL = 12;
  static final int NDA_NH_ID = 13;
  static final int NDA_FDB_EXT_ATTRS = 14;
  static final int NDA_FLAGS_EXT = 15;

  static final int NETNSA_NSID = 1;
  static final int NETNSA_PID = 2;
  static final int NETNSA_FD = 3;
  static final int NETNSA_TARGET_NSID = 4;
  static final int NETNSA_CURRENT_NSID = 5;

  static final int TCA_BPF_ACT = 1;
  static final int TCA_BPF_POLICE = 2;
  static final int TCA_BPF_CLASSID = 3;
  static final int TCA_BPF_OPS_LEN = 4;
  static final int TCA_BPF_OPS = 5;
  static final int TCA_BPF_FD = 6;
  static final int TCA_BPF_NAME = 7;
  static final int TCA_BPF_FLAGS = 8;
  static final int TCA_BPF_FLAGS_GEN = 9;
  static final int TCA_BPF_TAG = 10;
  static final int TCA_BPF_ID = 11;

  static final int TCA_KIND = 1;
  static final int TCA_OPTIONS = 2;
  static final int TCA_STATS = 3;
  static final int TCA_XSTATS = 4;
  static final int TCA_RATE = 5;
  static final int TCA_FCNT = 6;
  static final int TCA_STATS2 = 7;
  static final int TCA_STAB = 8;
  static final int TCA_PAD = 9;
  static final int TCA_DUMP_INVISIBLE = 10;
  static final int TCA_CHAIN = 11;

  static final AttributeNames ADDRESS =
      AttributeNames.of(
          "IFA_",
          "ADDRESS LOCAL LABEL BROADCAST ANYCAST CACHEINFO MULTICAST FLAGS "
              + "RT_PRIORITY TARGET_NETNSID PROTO");

  static final AttributeNames METRICS =
      AttributeNames.of(
          "RTAX_",
          "LOCK MTU WINDOW RTT RTTVAR SSTHRESH CWND ADVMSS REORDERING HOPLIMIT "
              + "INITCWND FEATURES RTO_MIN INITRWND QUICKACK CC_ALGO "
              + "FASTOPEN_NO_COOKIE");

  static final AttributeNames ROUTE =
      AttributeNames.of(
              "RTA_",
              "DST SRC IIF OIF GATEWAY PRIORITY PREFSRC METRICS MULTIPATH PROTOINFO "
                  + "FLOW CACHEINFO SESSION MP_ALGO TABLE MARK MFC_STATS VIA NEWDST PREF "
                  + "ENCAP_TYPE ENCAP EXPIRES PAD UID TTL_PROPAGATE IP_PROTO SPORT DPORT "
                  + "NH_ID")
          .with("METRICS", METRICS);

  static final AttributeNames RULE =
      AttributeNames.of(
          "FRA_",
          "DST SRC IIFNAME GOTO UNUSED2 PRIORITY UNUSED3 UNUSED4 UNUSED5 FWMARK "
              + "FLOW TUN_ID SUPPRESS_IFGROUP SUPPRESS_PREFIXLEN TABLE FWMASK OIFNAME "
              + "PAD L3MDEV UID_RANGE PROTOCOL IP_PROTO SPORT_RANGE DPORT_RANGE DSCP");

  static final AttributeNames NEIGHBOUR =
      AttributeNames.of(
          "NDA_",
          "DST LLADDR CACHEINFO PROBES VLAN PORT VNI IFINDEX MASTER LINK_NETNSID "
              + "SRC_VNI PROTOCOL NH_ID FDB_EXT_ATTRS FLAGS_EXT");

  static final AttributeNames NAMESPACE =
      AttributeNames.of("NETNSA_", "NSID PID FD TARGET_NSID CURRENT_NSID");

  static final AttributeNames BPF =
      AttributeNames.of(
          "TCA_BPF_", "ACT POLICE CLASSID OPS_LEN OPS FD NAME FLAGS FLAGS_GEN TAG ID");

  static final AttributeNames FILTER =
      AttributeNames.of(
              "TCA_",
              "KIND OPTIONS STATS XSTATS RATE FCNT STATS2 STAB PAD DUMP_INVISIBLE " + "CHAIN")
          .with("OPTIONS", BPF);

  private RouteAttributes() {}
}
