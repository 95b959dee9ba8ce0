package io.dra4j.netlink.route;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code ip} can make, as a table: one line per variety, the commands that make it without the
 * {@code ip}, separated by semicolons. Each namespace has the pair {@code v0} (192.0.2.5/24,
 * 2001:db8::5/64) and {@code v1}, both up, the bridge {@code sw}, and the next-hop objects 90 and
 * 91.
 */
final class Varieties {

  /**
   * One variety.
   *
   * @param kind what it makes
   * @param commands the commands that make it
   */
  record Variety(ObjectKind kind, String commands) {}

  private static final String ADDRESSES =
      """
      addr add 198.51.100.1/24 dev v0
      addr add 198.51.100.1/24 brd + dev v0
      addr add 198.51.100.1/24 brd 198.51.100.9 label v0:x dev v0
      addr add 198.51.100.1 peer 198.51.100.2/32 dev v0
      addr add 198.51.100.1/24 dev v0; addr add 198.51.100.2/24 dev v0
      addr add 198.51.100.1/24 scope link dev v0
      addr add 198.51.100.1/24 scope host dev v0
      addr add 198.51.100.1/24 scope 200 dev v0
      addr add 198.51.100.1/24 valid_lft 5000 preferred_lft 4000 dev v0
      addr add 198.51.100.1/24 preferred_lft 0 dev v0
      addr add 198.51.100.1/24 metric 77 dev v0
      addr add 198.51.100.1/24 noprefixroute dev v0
      addr add 198.51.100.1/32 dev lo
      addr add 239.1.1.1/32 autojoin dev v0
      addr add 198.51.100.1/24 proto 17 dev v0
      addr add 2001:db8:1::1/64 dev v0
      addr add 2001:db8:1::1/128 dev lo
      addr add 2001:db8:1::1/64 nodad dev v0
      addr add 2001:db8:1::1/64 home dev v0
      addr add 2001:db8:1::1/64 mngtmpaddr dev v0
      addr add 2001:db8:1::1/64 noprefixroute dev v0
      addr add 2001:db8:1::1/64 valid_lft 5000 preferred_lft 4000 dev v0
      addr add 2001:db8:1::1/64 preferred_lft 0 dev v0
      addr add 2001:db8:1::1 peer 2001:db8:1::2/128 dev v0
      addr add 2001:db8:1::1/64 metric 77 dev v0
      addr add 2001:db8:1::1/64 proto 17 dev v0
      addr add fe80::77/64 dev v0
      """;

  private static final String ROUTES =
      """
      route add 10.1.0.0/16 via 192.0.2.1
      route add default via 192.0.2.1
      route add 10.1.0.0/16 dev v0
      route add 10.1.0.0/16 dev v0 scope link
      route add 10.1.0.0/16 dev v0 scope 200
      route add 10.1.0.1 via 192.0.2.1
      route add 10.1.0.0/16 via 192.0.2.1 metric 50
      route add 10.1.0.0/16 via 192.0.2.1; route add 10.1.0.0/16 via 192.0.2.2 metric 9
      route add 10.1.0.0/16 via 192.0.2.1; route append 10.1.0.0/16 via 192.0.2.2
      route add 10.1.0.0/16 tos 0x10 via 192.0.2.1
      route add 10.1.0.0/16 via 192.0.2.1 table 77
      route add 10.1.0.0/16 via 192.0.2.1 table 70000
      route add 10.1.0.0/16 via 192.0.2.1 table 4294967294
      route add 10.1.0.0/16 via 192.0.2.1 src 192.0.2.5
      route add 10.1.0.0/16 via 192.0.2.1 proto 77
      route add 10.1.0.0/16 via 192.0.2.1 mtu 1400
      route add 10.1.0.0/16 via 192.0.2.1 mtu lock 1400
      route add 10.1.0.0/16 via 192.0.2.1 window 1000 rtt 100ms rttvar 50ms
      route add 10.1.0.0/16 via 192.0.2.1 ssthresh 9 cwnd 8 advmss 1000 reordering 7
      route add 10.1.0.0/16 via 192.0.2.1 hoplimit 44 initcwnd 9 initrwnd 8
      route add 10.1.0.0/16 via 192.0.2.1 features ecn
      route add 10.1.0.0/16 via 192.0.2.1 rto_min 99ms quickack 1
      route add 10.1.0.0/16 via 192.0.2.1 congctl reno
      route add 10.1.0.0/16 via 192.0.2.1 congctl lock reno mtu 1300
      route add 10.1.0.0/16 via 192.0.2.1 fastopen_no_cookie 1
      route add 10.1.0.0/16 via 10.99.0.1 dev v0 onlink
      route add 10.1.0.0/16 via 192.0.2.1 dev v0 pervasive
      route add 10.1.0.0/16 via 192.0.2.1 realm 5
      route add 10.1.0.0/16 via 192.0.2.1 realms 5/6
      route add 10.1.0.0/16 via inet6 2001:db8::1 dev v0
      route add 10.1.0.0/16 via 192.0.2.1 ttl-propagate enabled
      route add blackhole 10.1.0.0/16
      route add unreachable 10.1.0.0/16
      route add prohibit 10.1.0.0/16 metric 5
      route add throw 10.1.0.0/16 table 77
      route add local 10.1.0.0/16 dev lo
      route add broadcast 10.1.0.0 dev v0
      route add multicast 239.9.0.0/16 dev v0
      route add 10.1.0.0/16 nexthop via 192.0.2.1 weight 5 nexthop via 192.0.2.2 dev v0 weight 256
      route add 10.1.0.0/16 nexthop via inet6 2001:db8::1 dev v0 weight 3 nexthop via 192.0.2.2
      route add 10.1.0.0/16 nexthop via 10.99.0.1 dev v0 onlink nexthop via 192.0.2.2
      route add 10.1.0.0/16 mtu 1300 nexthop via 192.0.2.1 realm 5 nexthop dev v0
      route add 10.1.0.0/16 nexthop encap ip id 7 dst 10.9.9.9 via 192.0.2.1 nexthop via 192.0.2.2
      route add 10.1.0.0/16 encap ip id 5 src 10.9.9.8 dst 10.9.9.9 ttl 7 tos 8 via 192.0.2.1
      route add 10.1.0.0/16 encap ip6 id 5 dst 2001:db8::9 via 192.0.2.1
      route add 10.1.0.0/16 encap mpls 100/200 via 192.0.2.1
      route add 10.1.0.0/16 nhid 90
      route add 10.1.0.0/16 nhid 91 metric 5 table 77
      route add 10.1.0.0/16 nhid 92
      route add 10.1.0.0/16 nhid 93
      route add 10.1.0.0/16 via 192.0.2.1; link set v1 down
      route add 10.1.0.0/16 nexthop via 192.0.2.1 nexthop via 192.0.2.2; link set v1 down
      -6 route add 2001:db8:9::/48 via 2001:db8::1
      -6 route add default via 2001:db8::1
      -6 route add 2001:db8:9::/48 dev v0
      -6 route add 2001:db8:9::/48 via fe80::1 dev v0 metric 7
      -6 route add 2001:db8:9::/48 via 2001:db8::1 pref high
      -6 route add 2001:db8:9::/48 via 2001:db8::1 pref low
      -6 route add 2001:db8:9::/48 via 2001:db8::1 expires 5000
      -6 route add 2001:db8:9::/48 via 2001:db8::1 mtu lock 1400 hoplimit 9
      -6 route add 2001:db8:9::/48 via 2001:db8::1 table 70000 proto 77
      -6 route add 2001:db8:9::/48 from 2001:db8:8::/48 via 2001:db8::1
      -6 route add 2001:db8:9::/48 src 2001:db8::5 via 2001:db8::1
      -6 route add 2001:db8:9::/48 via 2001:db8:77::1 dev v0 onlink
      -6 route add blackhole 2001:db8:9::/48
      -6 route add unreachable 2001:db8:9::/48
      -6 route add prohibit 2001:db8:9::/48
      -6 route add throw 2001:db8:9::/48 table 77
      -6 route add local 2001:db8:9::1 dev lo
      -6 route add anycast 2001:db8:9::1 dev v0
      -6 route add multicast ff05::77/128 dev v0 table local
      -6 route add 2001:db8:9::/48 nexthop via 2001:db8::1 weight 5 nexthop via 2001:db8::2 weight 9
      -6 route add 2001:db8:9::/48 dev v0; -6 route append 2001:db8:9::/48 dev v1
      -6 route add 2001:db8:9::/48 encap ip6 id 5 dst 2001:db8::9 via 2001:db8::1
      -6 route add 2001:db8:9::/48 encap seg6 mode encap segs 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End dev v0
      -6 route add 2001:db8:9::/48 encap ioam6 trace prealloc type 0x800000 ns 1 size 12 dev v0
      -6 route add 2001:db8:9::/48 encap rpl segs 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 nhid 94
      -6 route add 2001:db8:9::/48 via 2001:db8::1; link set v1 down
      """;

  private static final String RULES =
      """
      rule add from 192.0.2.0/24 lookup 77
      rule add to 192.0.2.0/24 lookup 77
      rule add from 192.0.2.5 to 198.51.100.0/24 lookup 77 priority 100
      rule add not from 192.0.2.5 lookup 77
      rule add tos 0x10 lookup 77
      rule add fwmark 5 lookup 77
      rule add fwmark 0x5/0xff lookup 77
      rule add fwmark 0/0xff lookup 77
      rule add fwmark 0/0xffffffff lookup 77
      rule add fwmark 0/0xffffffff lookup 77; rule add fwmark 7 lookup 77
      rule add from 192.0.2.5 lookup 77 priority 0
      rule add iif v0 lookup 77
      rule add oif v0 lookup 77
      rule add iif nowhere lookup 77
      rule add lookup 70000
      rule add lookup main suppress_prefixlength 0
      rule add lookup main suppress_ifgroup 5
      rule add uidrange 1000-2000 lookup 77
      rule add ipproto 6 lookup 77
      rule add ipproto 17 sport 53 lookup 77
      rule add dport 80 lookup 77
      rule add sport 1000-2000 dport 80-90 ipproto 6 lookup 77
      rule add dport 80 lookup 77 priority 50; rule add dport 81 lookup 77 priority 50
      rule add tun_id 77 lookup 77
      rule add protocol 77 lookup 77
      rule add realms 5 lookup 77
      rule add realms 5/6 lookup 77
      rule add l3mdev
      rule add goto 32766
      rule add from 192.0.2.5 blackhole
      rule add from 192.0.2.5 prohibit
      rule add from 192.0.2.5 unreachable
      -6 rule add from 2001:db8::/32 lookup 77
      -6 rule add to 2001:db8::/32 lookup 70000 priority 100
      -6 rule add not from 2001:db8::5 lookup 77
      -6 rule add tos 0x10 lookup 77
      -6 rule add fwmark 0x5/0xff iif v0 lookup 77
      -6 rule add fwmark 0/0xffffffff lookup 77
      -6 rule add from 2001:db8::5 lookup 77 priority 0
      -6 rule add oif v0 lookup 77
      -6 rule add lookup main suppress_prefixlength 1
      -6 rule add uidrange 0-0 lookup 77
      -6 rule add ipproto 58 lookup 77
      -6 rule add dport 80-90 ipproto 6 lookup 77
      -6 rule add sport 53 lookup 77
      -6 rule add tun_id 77 lookup 77
      -6 rule add l3mdev
      -6 rule add goto 32766
      -6 rule add from 2001:db8::5 unreachable
      """;

  private static final String NEIGHBOURS =
      """
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud permanent dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud reachable dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud stale dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud noarp dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 router dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 protocol 77 dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 extern_learn dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 nud stale dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 router dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 router extern_learn protocol 77 dev v0
      neigh add proxy 192.0.2.9 dev v0
      neigh add proxy 2001:db8::9 dev v0
      neigh add proxy 2001:db8::9 router dev v0
      neigh add proxy 192.0.2.9 protocol 77 dev v0
      """;

  private static final String NEXT_HOPS =
      """
      nexthop add id 10 via 192.0.2.1 dev v0
      nexthop add id 10 via 10.99.0.1 dev v0 onlink
      nexthop add id 10 via 192.0.2.1 dev v0 proto 77
      nexthop add id 10 dev v0
      nexthop add id 10 blackhole
      nexthop add id 10 via 2001:db8::1 dev v0
      nexthop add id 10 via fe80::1 dev v0
      -6 nexthop add id 10 blackhole
      -6 nexthop add id 10 dev v0
      nexthop add id 10 encap ip id 5 dst 10.9.9.9 via 192.0.2.1 dev v0
      nexthop add id 10 encap mpls 100 via 192.0.2.1 dev v0
      nexthop add id 10 group 90
      nexthop add id 10 group 90/91 proto 77
      nexthop add id 10 group 90,5/91,256
      nexthop add id 10 group 90/91 type mpath
      nexthop add id 10 group 90,3/91,2 type resilient buckets 8 idle_timer 9 unbalanced_timer 7
      nexthop add id 10 via 192.0.2.8 fdb
      nexthop add id 10 via 192.0.2.8 fdb; nexthop add id 11 group 10 fdb
      nexthop add id 10 via 192.0.2.7 dev v0; nexthop add id 11 group 10/90
      """;

  private static final String FORWARDING_ENTRIES =
      """
      bridge fdb append 02:00:00:00:00:71 dev p0 master static
      bridge fdb append 02:00:00:00:00:71 dev p0 master static sticky
      bridge fdb append 02:00:00:00:00:71 dev p0 master
      bridge fdb append 02:00:00:00:00:71 dev p0 master dynamic extern_learn
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8 static
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8 port 4790 vni 7
      bridge fdb append 02:00:00:00:00:71 dev vx nhid 96
      bridge fdb append 00:00:00:00:00:00 dev vx dst 192.0.2.8
      bridge fdb append 00:00:00:00:00:00 dev vx dst 192.0.2.8; fdb append 00:00:00:00:00:00 dev vx dst 192.0.2.9
      bridge vlan add dev p0 vid 5; fdb append 02:00:00:00:00:71 dev p0 master static vlan 5
      bridge fdb append 33:33:00:00:00:77 dev p0 self
      """;

  private static final String PORT_VLANS =
      """
      bridge vlan add dev p0 vid 5
      bridge vlan add dev p0 vid 5 pvid
      bridge vlan add dev p0 vid 5 untagged
      bridge vlan add dev p0 vid 5 pvid untagged
      bridge vlan add dev p0 vid 20-29; vlan add dev p0 vid 30-39 untagged
      bridge vlan add dev p0 vid 2-4094
      bridge vlan add dev p0 vid 5; vlan add dev sw vid 5 self
      """;

  private static final String QUEUE_DISCIPLINES =
      """
      qdisc add dev v0 root pfifo
      qdisc add dev v0 root handle 7: pfifo limit 77
      qdisc add dev v0 root bfifo limit 9000
      qdisc add dev v0 root tbf rate 1mbit burst 5kb latency 70ms
      qdisc add dev v0 root handle 1: htb
      qdisc add dev v0 root handle 1: htb default 5 r2q 7
      qdisc add dev v0 clsact
      qdisc add dev v0 ingress
      """;

  private static final String TRAFFIC_CLASSES =
      """
      qdisc add dev v0 root handle 1: htb; class add dev v0 parent 1: classid 1:10 htb rate 1mbit
      qdisc add dev v0 root handle 1: htb; class add dev v0 parent 1: classid 1:10 htb rate 2mbit ceil 3mbit prio 3
      """;

  /** BPF filters are read and deleted only: the kernel tells the number of a program. */
  private static final String TRAFFIC_FILTERS =
      """
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 2 matchall
      qdisc add dev v0 clsact; filter add dev v0 egress prio 7 handle 5 protocol ip matchall classid 1:1
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 flower skip_hw
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 handle 9 protocol ip flower src_ip 192.0.2.0/24 ip_proto tcp dst_port 80
      qdisc add dev v0 clsact; filter add dev v0 egress prio 3 protocol ipv6 flower dst_ip 2001:db8::/32 dst_mac 02:00:00:00:00:77 skip_hw
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 protocol 802.1q flower vlan_id 5 vlan_prio 3
      qdisc add dev v0 clsact; filter add dev v0 ingress chain 7 prio 3 flower
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 flower action drop
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 matchall action mirred egress redirect dev v1
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 u32 match u32 0 0
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 u32 match u32 0 0 action mirred egress redirect dev sw
      qdisc add dev v0 clsact; filter add dev v0 egress prio 3 u32 match u32 0 0 action mirred ingress mirror dev sw
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 u32 match u32 1 1; filter add dev v0 ingress prio 3 u32 match u32 0 0
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 5 protocol ip u32 match ip dst 192.0.2.0/24 match ip dport 80 0xffff flowid 1:1
      qdisc add dev v0 root handle 1: htb; class add dev v0 parent 1: classid 1:10 htb rate 1mbit; filter add dev v0 parent 1: protocol ip prio 2 u32 match ip src 192.0.2.5/32 flowid 1:10
      qdisc add dev v0 root handle 1: htb; filter add dev v0 parent 1: protocol ip prio 2 basic classid 1:10
      qdisc add dev v0 root handle 1: htb; filter add dev v0 parent 1: protocol ip prio 2 handle 77 fw classid 1:10
      qdisc add dev v0 root handle 1: htb; filter add dev v0 parent 1: prio 2 route to 7 classid 1:10
      qdisc add dev v0 root handle 1: htb; filter add dev v0 parent 1: prio 2 handle 1 flow map key dst divisor 8
      qdisc add dev v0 root handle 1: htb; filter add dev v0 parent 1: prio 2 handle 1: cgroup
      qdisc add dev v0 ingress; filter add dev v0 parent ffff: prio 3 matchall
      """;

  private static final String LINKS =
      """
      link add x type ifb
      link add x type dummy
      link add x numtxqueues 4 numrxqueues 3 type ifb
      link add x type bridge
      link add x type bridge stp_state 1 priority 4096 ageing_time 1000 forward_delay 500
      link add x type bridge hello_time 300 max_age 1500 group_fwd_mask 8
      link add x type bridge mcast_snooping 0
      link add x type bridge mcast_router 2 mcast_querier 1 mcast_query_interval 9000
      link add x type bridge mcast_hash_max 1024 mcast_igmp_version 3 mcast_mld_version 2
      link add x type bridge vlan_filtering 1 vlan_protocol 802.1ad vlan_default_pvid 7
      link add x type bridge vlan_stats_enabled 1 no_linklocal_learn 1
      link add x type bridge group_address 01:80:c2:00:00:04
      link add x type bridge nf_call_iptables 1
      link add x link v0 type macvlan mode private
      link add x link v0 type macvlan mode vepa
      link add x link v0 type macvlan mode bridge
      link add x link v0 type macvlan mode passthru nopromisc
      link add x link v0 type macvlan mode bridge bcqueuelen 77
      link add x link v0 type macvlan mode source; link set x type macvlan macaddr add 02:00:00:00:00:78
      link add x link v0 type macvtap mode bridge
      link add x link v0 type vlan id 5
      link add x link v0 type vlan id 4094 protocol 802.1ad gvrp on mvrp on loose_binding on
      link add x link v0 type vlan id 5 reorder_hdr off ingress-qos-map 1:2 3:4 egress-qos-map 5:6
      link add x link v0 type ipvlan mode l2
      link add x link v0 type ipvlan mode l3s private
      link add x type vrf table 77
      link add x type bond mode balance-rr packets_per_slave 5
      link add x type bond mode active-backup miimon 100 updelay 200 downdelay 300
      link add x type bond mode active-backup arp_interval 500 arp_ip_target 192.0.2.9 arp_validate 1
      link add x type bond mode balance-xor xmit_hash_policy layer3+4 min_links 2
      link add x type bond mode broadcast resend_igmp 5 num_grat_arp 3
      link add x type bond mode 802.3ad lacp_rate fast ad_select bandwidth ad_user_port_key 7
      link add x type bond mode 802.3ad ad_actor_sys_prio 99 ad_actor_system 02:00:00:00:00:79
      link add x type bond mode balance-tlb tlb_dynamic_lb 0
      link add x type bond mode balance-alb fail_over_mac 1
      link add x type vxlan id 5 dev v0 dstport 4789
      link add x type vxlan id 5 remote 192.0.2.9 local 192.0.2.5 ttl 9 tos 8 dstport 4789
      link add x type vxlan id 5 group 239.1.1.1 dev v0 dstport 8472 ageing 77 maxaddress 99 nolearning
      link add x type vxlan id 5 remote 2001:db8::9 dstport 4789 udp6zerocsumtx udp6zerocsumrx
      link add x type vxlan dstport 4789 external
      link add x type vxlan id 5 dev v0 dstport 4789 proxy l2miss l3miss rsc srcport 1000 2000 gbp
      link add x type geneve id 5 remote 192.0.2.9 ttl 9
      link add x type gre remote 192.0.2.9 local 192.0.2.5 ttl 9 key 7
      link add x type gretap remote 192.0.2.9 local 192.0.2.5
      link add x type ipip remote 192.0.2.9 local 192.0.2.5 ttl 9
      link add x type sit remote 192.0.2.9 local 192.0.2.5 ttl 9
      link add x type ip6tnl remote 2001:db8::9 local 2001:db8::5
      link add x type ip6gre remote 2001:db8::9 local 2001:db8::5
      link add x type vti remote 192.0.2.9 local 192.0.2.5 key 7
      link add x type xfrm dev v0 if_id 77
      link add x link v0 type macsec
      link add x type nlmon
      link add x type wireguard
      link add x type team
      link add x type bareudp dstport 6635 ethertype mpls_uc
      link add x type netdevsim
      link add x type ifb; link set x up alias something group 7 txqueuelen 77 mtu 1300
      link add x type bridge; link set x address 02:00:00:00:00:76
      link add x type ifb; link property add dev x altname other altname another
      link add x type ifb; link set x arp off multicast off allmulticast on promisc on
      link add x type ifb; link set x addrgenmode eui64; link set x mode dormant
      link add x type ifb; link set x gso_max_size 60000 gso_max_segs 99
      link add x type ifb; link set x gro_max_size 50000
      link add x type ifb; link set x master sw
      link add x type ifb; link set x master sw; link set x type bridge_slave cost 7 priority 5 hairpin on
      link add x type ifb; link set x master sw; link set x type bridge_slave guard on learning off isolated on
      link add x type ifb; link set x master sw; link set x type bridge_slave flood off mcast_flood off
      link set v0 mtu 1400
      link set v0 alias something
      link set v0 txqueuelen 77 group 7
      link set v0 address 02:00:00:00:00:75
      link set v0 arp off
      link set v0 allmulticast on
      link set v0 promisc on
      link set v0 addrgenmode eui64
      link set v0 addrgenmode random
      link set v0 mode dormant
      link set v0 gso_max_size 60000 gso_max_segs 99
      link set v0 gro_max_size 50000
      link set v0 protodown on
      link set v0 down
      """;

  private Varieties() {}

  /** {@return all varieties of all kinds} */
  static List<Variety> all() {
    List<Variety> all = new ArrayList<>();
    for (ObjectKind kind : ObjectKind.values()) {
      String table =
          switch (kind) {
            case LINK -> LINKS;
            case ADDRESS -> ADDRESSES;
            case ROUTE -> ROUTES;
            case NEIGHBOUR -> NEIGHBOURS;
            case RULE -> RULES;
            case FORWARDING_ENTRY -> FORWARDING_ENTRIES;
            case PORT_VLANS -> PORT_VLANS;
            case NEXT_HOP -> NEXT_HOPS;
            case QUEUE_DISCIPLINE -> QUEUE_DISCIPLINES;
            case TRAFFIC_CLASS -> TRAFFIC_CLASSES;
            case TRAFFIC_FILTER -> TRAFFIC_FILTERS;
          };
      table.lines().forEach(line -> all.add(new Variety(kind, line)));
    }
    return List.copyOf(all);
  }
}
