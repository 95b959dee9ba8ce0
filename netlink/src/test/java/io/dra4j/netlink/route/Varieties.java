package io.dra4j.netlink.route;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code ip} can make, as a table: one line per variety, the commands that make it without the
 * {@code ip}, separated by semicolons, and behind {@code #} why it does not come back, or that the
 * lab lacks it. Each namespace has the pair {@code v0} (192.0.2.5/24, 2001:db8::5/64) and {@code
 * v1}, both up, the bridge {@code sw}, and the next-hop objects 90 and 91.
 */
final class Varieties {

  /**
   * One variety.
   *
   * @param kind what it makes
   * @param commands the commands that make it
   * @param lost why it does not come back as it was; empty if it does
   * @param labLacks whether kernel or {@code ip} of the lab lack it
   */
  record Variety(ObjectKind kind, String commands, String lost, boolean labLacks) {

    /** A line of a table: commands, and behind {@code #} a reason, or {@code lab lacks it}. */
    static Variety of(ObjectKind kind, String line) {
      String[] parts = line.split(" # ", 2);
      String said = parts.length == 1 ? "" : parts[1];
      boolean isLacking = said.equals("lab lacks it");
      return new Variety(kind, parts[0], isLacking ? "" : said, isLacking);
    }
  }

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
      addr add 198.51.100.1/24 brd - dev v0
      addr add 198.51.100.1/24 valid_lft forever preferred_lft 4000 dev v0
      addr add 198.51.100.1/31 dev v0
      addr add 198.51.100.1/0 dev v0
      addr add 198.51.100.1 peer 198.51.100.2 dev lo
      addr add 198.51.100.1/24 dev v0; addr add 198.51.100.1/25 dev v0
      addr add 198.51.100.1/24 dev v0; addr add 198.51.100.1/24 dev v1
      addr add 198.51.100.1/24 metric 77 noprefixroute label v0:1234567890 dev v0
      addr add 2001:db8:1::1/64 valid_lft forever preferred_lft 4000 dev v0
      addr add 2001:db8:1::1/64 home nodad mngtmpaddr noprefixroute metric 9 dev v0
      addr add 2001:db8:1::1 peer 2001:db8:2::2/64 dev v0
      addr add 2001:db8:1::1/0 dev v0
      addr add 2001:db8:1::1/127 dev v0
      addr add ::ffff:198.51.100.1/128 dev v0
      addr add fec0::77/64 dev v0
      addr add fd00::77/8 dev v0; addr add fd00::78/8 dev v0
      addr add 2001:db8:1::1/64 dev v0; addr add 2001:db8:1::1/64 dev v1
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
      route add 10.1.0.0/16 via 192.0.2.1 dev v0 pervasive # lab lacks it
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
      -6 route add 2001:db8:9::/48 encap ioam6 trace prealloc type 0x800000 ns 1 size 12 dev v0 # lab lacks it
      -6 route add 2001:db8:9::/48 encap rpl segs 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 nhid 94
      -6 route add 2001:db8:9::/48 via 2001:db8::1; link set v1 down
      route add 10.1.0.0/16 dev v0 scope host src 192.0.2.5
      route add 10.1.0.0/16 via 192.0.2.1 scope site
      route add 0.0.0.0/1 via 192.0.2.1
      route add 10.1.0.0/31 via 192.0.2.1
      route add default via 192.0.2.1 metric 4294967295
      route add default dev v0 scope link
      route add default dev v0 scope link; route add default via 192.0.2.1 metric 7 onlink dev v0
      route add 10.1.0.0/16 via 192.0.2.1 mtu lock 1400 window lock 1000 rtt lock 100 rttvar lock 50
      route add 10.1.0.0/16 via 192.0.2.1 ssthresh lock 9 cwnd lock 8 advmss lock 1000 reordering lock 7
      route add 10.1.0.0/16 via 192.0.2.1 hoplimit lock 44
      route add 10.1.0.0/16 via 192.0.2.1 features tcp_usec_ts
      route add 10.1.0.0/16 via 192.0.2.1 proto ra
      route add 10.1.0.0/16 via 192.0.2.1 proto bird
      route add 10.1.0.0/16 dev v0 proto static scope link src 192.0.2.5 metric 5 table 77
      route add 10.1.0.0/16 tos 0x10 via 192.0.2.1; route add 10.1.0.0/16 tos 0x08 via 192.0.2.2; route add 10.1.0.0/16 via 192.0.2.3
      route add 10.1.0.0/16 via 192.0.2.1 table 77; route add 10.1.0.0/16 via 192.0.2.1 table 78
      route add blackhole default metric 4294967295
      route add unreachable default metric 4278198272
      route add prohibit 10.1.0.0/16 tos 0x10
      route add throw 10.1.0.0/16 table 70000 proto 77
      route add local 10.1.0.1 dev v0 table local
      route add local 0.0.0.0/0 dev lo table 100
      route add 10.1.0.0/16 nexthop via 192.0.2.1 weight 1 nexthop via 192.0.2.2 weight 1 nexthop via 192.0.2.3 weight 254
      route add 10.1.0.0/16 nexthop dev v0 nexthop dev v1
      route add default proto 77 metric 5 nexthop via 192.0.2.1 nexthop via 192.0.2.2
      route add 10.1.0.0/16 table 77 src 192.0.2.5 nexthop via 192.0.2.1 nexthop via inet6 2001:db8::1 dev v0
      route add 10.1.0.0/16 encap ip id 5 dst 10.9.9.9 csum via 192.0.2.1
      route add 10.1.0.0/16 encap ip id 5 dst 10.9.9.9 key seq via 192.0.2.1
      route add 10.1.0.0/16 encap ip6 id 5 src 2001:db8::8 dst 2001:db8::9 tc 7 hoplimit 9 via 192.0.2.1
      route add 10.1.0.0/16 encap mpls 100 ttl 7 via 192.0.2.1
      route add 10.1.0.0/16 encap xfrm if_id 77 dev v0 # lab lacks it
      route add 10.1.0.0/16 encap seg6 mode encap segs 2001:db8::7 dev v0
      route add 10.1.0.0/16 nhid 90 proto 77 tos 0x10 src 192.0.2.5
      route add 10.1.0.0/16 nhid 94
      route add 10.1.0.0/16 nhid 90; route append 10.1.0.0/16 nhid 91
      -6 route add 2001:db8:9::/48 via 2001:db8::1 metric 4294967295
      -6 route add ::/1 via 2001:db8::1
      -6 route add 2001:db8:9::1 via 2001:db8::1
      -6 route add 2001:db8:9::/48 via 2001:db8::1 proto ra
      -6 route add 2001:db8:9::/48 via 2001:db8::1 proto ra expires 5000 pref high
      -6 route add 2001:db8:9::/48 via 2001:db8::1 pref medium
      -6 route add 2001:db8:9::/48 via 2001:db8::1 advmss 1000 window 900 initcwnd 9 initrwnd 8 rto_min 99ms
      -6 route add 2001:db8:9::/48 via 2001:db8::1 congctl reno quickack 1 features ecn
      -6 route add 2001:db8:9::/48 via 2001:db8::1 fastopen_no_cookie 1 cwnd 7 ssthresh 8 reordering 9
      -6 route add default dev v0 metric 9
      -6 route add default via fe80::1 dev v0; -6 route add default via fe80::2 dev v0 metric 7
      -6 route add 2001:db8:9::/48 dev v0 mtu 1300 proto static
      -6 route add blackhole default metric 4294967295
      -6 route add unreachable 2001:db8:9::/48 metric 7 table 77
      -6 route add prohibit 2001:db8:9::/48 dev lo metric 8 proto 77
      -6 route add local ::/0 dev lo table 100
      -6 route add default from 2001:db8:8::/48 via fe80::1 dev v0
      -6 route add 2001:db8:9::/48 from 2001:db8:8::1 via 2001:db8::1 src 2001:db8::5
      -6 route add 2001:db8:9::/48 nexthop via 2001:db8::1 nexthop via 2001:db8::2 nexthop via fe80::3 dev v0
      -6 route add 2001:db8:9::/48 mtu 1300 proto 77 table 77 nexthop via 2001:db8::1 nexthop via 2001:db8::2 onlink dev v0
      -6 route add default nexthop via fe80::1 dev v0 nexthop via fe80::2 dev v1 weight 7
      -6 route add 2001:db8:9::/48 nexthop via 2001:db8::1 nexthop via 2001:db8::2; link set v1 down
      -6 route add 2001:db8:9::/48 nexthop encap ip6 id 7 dst 2001:db8::9 via 2001:db8::1 nexthop via 2001:db8::2
      -6 route add 2001:db8:9::/48 encap ip id 5 dst 10.9.9.9 ttl 7 via 2001:db8::1
      -6 route add 2001:db8:9::/48 encap mpls 100/200 via 2001:db8::1
      -6 route add 2001:db8:9::/48 encap xfrm if_id 77 dev v0 # lab lacks it
      -6 route add 2001:db8:9::/48 encap ila 1:2:3:4 csum-mode adj-transport ident-type luid hook-type output via 2001:db8::1 # lab lacks it
      -6 route add 2001:db8:9::/48 encap seg6 mode inline segs 2001:db8::7,2001:db8::8 dev v0
      -6 route add 2001:db8:9::/48 encap seg6 mode l2encap segs 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 encap seg6 mode encap.red segs 2001:db8::7,2001:db8::8 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.X nh6 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.X nh6 fe80::7 oif v0 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.T table 77 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.DX2 oif v1 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.DX4 nh4 192.0.2.7 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.DX6 nh6 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.DT6 table 77 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.B6 srh segs 2001:db8::7,2001:db8::8 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End.B6.Encaps srh segs 2001:db8::7 dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End count dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End flavors psp dev v0
      -6 route add 2001:db8:9::/48 encap seg6local action End flavors next-csid lblen 48 nflen 16 dev v0
      -6 route add 2001:db8:9::/48 encap ioam6 mode encap tundst 2001:db8::7 trace prealloc type 0x800000 ns 1 size 12 dev v0 # lab lacks it
      -6 route add 2001:db8:9::/48 encap ioam6 freq 1/5 mode auto tundst 2001:db8::7 trace prealloc type 0x800000 ns 1 size 12 dev v0 # lab lacks it
      -6 route add 2001:db8:9::/48 nhid 94 metric 9 table 77 proto 77
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
      rule add from 192.0.2.5 nop
      rule add from all lookup 4294967295
      rule add not fwmark 5 lookup 77
      rule add not iif v0 lookup 77
      rule add iif lo lookup 77
      rule add iif v0 oif v1 lookup 77
      rule add iif 0123456789abcde lookup 77
      rule add from 0.0.0.0/1 to 128.0.0.0/1 lookup 77
      rule add dscp 10 lookup 77
      rule add dscp 8/0x38 lookup 77
      rule add dport 0x50/0xff lookup 77
      rule add sport 80/0xfff0 ipproto 6 lookup 77
      rule add fwmark 0xffffffff/0xffffffff lookup 77
      rule add uidrange 0-4294967294 lookup 77
      rule add uidrange 0-0 lookup 77
      rule add ipproto 6 dport 80 uidrange 5-6 fwmark 7/0xff tos 0x10 from 192.0.2.0/24 iif v0 lookup 77 protocol 77 priority 9
      rule add lookup main suppress_prefixlength 32
      rule add lookup main suppress_prefixlength 0 suppress_ifgroup 0
      rule add l3mdev protocol 77 priority 900
      rule add l3mdev unreachable
      rule add goto 40000
      rule add priority 100 goto 200; rule add priority 200 lookup 77
      rule add priority 4294967295 lookup 77
      rule add from 192.0.2.5 lookup 77 priority 5; rule add from 192.0.2.5 lookup 78 priority 5
      rule add lookup 77 priority 5; rule add lookup 77 priority 5 iif v0
      -6 rule add iif nowhere lookup 77
      -6 rule add not to 2001:db8::/32 lookup 77
      -6 rule add dscp 10 lookup 77
      -6 rule add flowlabel 0x12345 lookup 77
      -6 rule add flowlabel 0x12300/0xfff00 lookup 77
      -6 rule add lookup main suppress_ifgroup 5
      -6 rule add from 2001:db8::5 blackhole
      -6 rule add from 2001:db8::5 prohibit
      -6 rule add from 2001:db8::5 to 2001:db8::6 iif v0 ipproto 17 sport 53 dport 54 fwmark 7 protocol 77 lookup 70000 priority 8
      -6 rule add protocol 77 lookup 77
      -6 rule add lookup 77 priority 5; -6 rule add lookup 78 priority 5
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
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud delay dev v0 # the kernel goes on to probe at once
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud probe dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 nud permanent router extern_learn protocol 9 dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 managed dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 dev v0; neigh add 192.0.2.9 lladdr 02:00:00:00:00:78 dev v1
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 nud permanent protocol 77 dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 nud reachable dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 nud noarp dev v0
      neigh add 2001:db8::9 lladdr 02:00:00:00:00:77 extern_learn dev v0
      neigh add fe80::9 lladdr 02:00:00:00:00:77 dev v0
      neigh add 239.1.1.9 lladdr 01:00:5e:01:01:09 nud permanent dev v0
      neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 dev lo
      neigh add proxy 2001:db8::9 protocol 77 dev v0
      neigh add proxy 192.0.2.9 dev v0; neigh add proxy 192.0.2.9 dev v1
      neigh add proxy 192.0.2.9 dev v0; neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 dev v0
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
      nexthop add id 4294967294 via 192.0.2.1 dev v0
      nexthop add id 10 blackhole proto 77
      nexthop add id 10 via 192.0.2.1 dev v0 onlink proto static
      -6 nexthop add id 10 via 2001:db8:77::1 dev v0 onlink
      nexthop add id 10 encap ip6 id 5 dst 2001:db8::9 via 192.0.2.1 dev v0
      nexthop add id 10 encap ip6 id 5 dst 2001:db8::9 via 2001:db8::1 dev v0
      nexthop add id 10 encap mpls 100/200 via 2001:db8::1 dev v0
      nexthop add id 10 encap seg6 mode encap segs 2001:db8::7 via 2001:db8::1 dev v0
      nexthop add id 10 group 94
      nexthop add id 10 group 92
      nexthop add id 10 group 90,257/91,65535
      nexthop add id 10 group 90/91 hw_stats on
      nexthop add id 10 group 90/91 type resilient buckets 32
      nexthop add id 10 group 90/91 type resilient buckets 32; nexthop add id 11 group 90 type resilient buckets 4 idle_timer 3
      nexthop add id 10 via 2001:db8::8 fdb
      nexthop add id 10 via 2001:db8::8 fdb; nexthop add id 11 via 2001:db8::7 fdb; nexthop add id 12 group 10,5/11,7 fdb
      nexthop add id 10 dev lo
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
      bridge fdb append 02:00:00:00:00:71 dev p0 master local
      bridge fdb append 02:00:00:00:00:71 dev p0 master permanent
      bridge fdb append 02:00:00:00:00:71 dev p0 self permanent
      bridge fdb append 02:00:00:00:00:71 dev p0 master static activity_notify # lab lacks it
      bridge fdb append 02:00:00:00:00:71 dev p0 master static activity_notify inactive # lab lacks it
      bridge fdb append 02:00:00:00:00:71 dev p0 master static; fdb append 02:00:00:00:00:71 dev p0 self
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8 via v1
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8 via v0 static extern_learn
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8 router
      bridge fdb append 02:00:00:00:00:71 dev vx dst 192.0.2.8 dynamic
      bridge fdb append 02:00:00:00:00:71 dev sw self permanent
      bridge fdb append 02:00:00:00:00:71 dev sw self local
      bridge fdb append 33:33:00:00:00:77 dev sw self
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
      bridge vlan add dev p0 vid 5; vlan add dev p0 vid 4094 pvid untagged
      bridge vlan add dev sw vid 5 self pvid untagged
      bridge link set dev p0 vlan_tunnel on; vlan add dev p0 vid 5; vlan add dev p0 vid 5 tunnel_info id 500
      bridge link set dev p0 vlan_tunnel on; vlan add dev p0 vid 10-12; vlan add dev p0 vid 10-12 tunnel_info id 1010-1012
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
      qdisc add dev v0 root fq_codel
      qdisc add dev v0 root fq_codel limit 77 flows 64 target 7ms interval 70ms noecn
      qdisc add dev v0 root fq limit 777 flow_limit 7 quantum 3000 nopacing
      qdisc add dev v0 root prio bands 4 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1
      qdisc add dev v0 root codel limit 77 target 7ms ecn
      qdisc add dev v0 root netem delay 10ms loss 1%
      qdisc add dev v0 root red limit 60kb min 15kb max 45kb avpkt 1000 burst 20 ecn bandwidth 10mbit # its table is not reported (TCA_RED_STAB)
      qdisc add dev v0 root pie limit 77 ecn
      qdisc add dev v0 root noqueue
      qdisc add dev v0 root handle 1: prio; qdisc add dev v0 parent 1:1 handle 10: pfifo limit 7
      qdisc add dev v0 root handle 1: htb; qdisc add dev v1 root handle 1: htb default 7
      """;

  private static final String TRAFFIC_CLASSES =
      """
      qdisc add dev v0 root handle 1: htb; class add dev v0 parent 1: classid 1:10 htb rate 1mbit
      qdisc add dev v0 root handle 1: htb; class add dev v0 parent 1: classid 1:10 htb rate 2mbit ceil 3mbit prio 3
      qdisc add dev v0 root handle 1: drr; class add dev v0 parent 1: classid 1:10 drr quantum 777
      qdisc add dev v0 root handle 1: qfq; class add dev v0 parent 1: classid 1:10 qfq weight 7 maxpkt 2000
      qdisc add dev v0 root handle 1: htb; class add dev v0 parent 1: classid 1:1 htb rate 5mbit; class add dev v0 parent 1:1 classid 1:10 htb rate 1mbit burst 9k cburst 8k quantum 3000
      """;

  /** BPF filters are read and deleted only: the kernel tells the number of a program. */
  private static final String TRAFFIC_FILTERS =
      """
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 2 matchall # lab lacks it
      qdisc add dev v0 clsact; filter add dev v0 egress prio 7 handle 5 protocol ip matchall classid 1:1
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 flower skip_hw
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 handle 9 protocol ip flower src_ip 192.0.2.0/24 ip_proto tcp dst_port 80
      qdisc add dev v0 clsact; filter add dev v0 egress prio 3 protocol ipv6 flower dst_ip 2001:db8::/32 dst_mac 02:00:00:00:00:77 skip_hw
      qdisc add dev v0 clsact; filter add dev v0 ingress prio 3 protocol 802.1q flower vlan_id 5 vlan_prio 3 # a VLAN of flower is reported otherwise than it is set
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
      qdisc add dev v0 root handle 1: htb; filter add dev v0 parent 1: prio 2 handle 1: cgroup # the kernel deletes no single one
      qdisc add dev v0 ingress; filter add dev v0 parent ffff: prio 3 matchall # lab lacks it
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
      link add x type bareudp dstport 6635 ethertype mpls_uc # lab lacks it
      link add x type netdevsim # lab lacks it
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
      link set v0 protodown on # lab lacks it
      link set v0 down
      link add x link v0 type vlan id 0
      link add x link v0 type vlan id 7 gvrp on
      link add x link v0 type vlan id 7 mvrp on reorder_hdr off
      link add x link v0 type vlan id 7 loose_binding on; link set x up
      link add x link sw type vlan id 7 bridge_binding on
      link add x link v0 type vlan id 7 egress-qos-map 0:1 1:2 2:3 3:4 4:5 5:6 6:7 7:0
      link add x link v0 type vlan id 7; link set x type vlan ingress-qos-map 1:2; link set x mtu 1300 up
      link add y link v0 type vlan id 7 protocol 802.1ad; link add x link y type vlan id 8
      link add x link v0 type macvlan mode passthru
      link add x link v0 type macvlan mode source; link set x type macvlan macaddr set 02:00:00:00:00:78 02:00:00:00:00:79 02:00:00:00:00:7a
      link add x link v0 type macvlan mode source nodst; link set x type macvlan macaddr add 02:00:00:00:00:78
      link add x link v0 type macvlan mode source
      link add x link v0 type macvlan mode bridge bclim 7
      link add x link v0 address 02:00:00:00:00:74 type macvlan mode bridge; link set x up mtu 1300
      link add x link v0 type macvlan mode bridge; link add y link v0 type macvlan mode bridge
      link add x link v0 type macvtap mode private
      link add x link v0 type macvtap mode vepa
      link add x link v0 type macvtap mode passthru nopromisc
      link add x link v0 type macvtap mode source; link set x type macvtap macaddr add 02:00:00:00:00:78
      link add x link v0 type ipvlan mode l3
      link add x link v0 type ipvlan mode l3 vepa
      link add x link v0 type ipvlan mode l2 private
      link add x link v0 type ipvlan mode l2 bridge
      link add x link v0 type ipvtap mode l2
      link add x link v0 type ipvtap mode l3s vepa
      link add x type veth peer name y # the other end is a link of its own: the kernel names the new one
      link add x numtxqueues 3 numrxqueues 2 type veth peer name y; link set x up alias one # the other end is a link of its own: the kernel names the new one
      link add x type vrf table 70000
      link add x type vrf table 4294967294
      link add v2 type vrf table 9; link add x type ifb; link set x master v2
      link add x type bond
      link add x type bond mode active-backup miimon 100 primary_reselect better
      link add x type bond mode active-backup miimon 100 all_slaves_active 1 num_unsol_na 7 resend_igmp 9
      link add x type bond mode active-backup fail_over_mac follow
      link add x type bond mode active-backup arp_interval 500 arp_ip_target 192.0.2.9,192.0.2.8 arp_all_targets all arp_validate all
      link add x type bond mode active-backup arp_interval 500 ns_ip6_target 2001:db8::9
      link add x type bond mode active-backup arp_interval 500 ns_ip6_target 2001:db8::9,2001:db8::8 arp_validate filter
      link add x type bond mode active-backup primary v1
      link add x type bond mode balance-xor xmit_hash_policy encap2+3
      link add x type bond mode balance-xor xmit_hash_policy vlan+srcmac
      link add x type bond mode balance-xor arp_interval 500 arp_ip_target 192.0.2.9
      link add x type bond mode 802.3ad lacp_active off min_links 3 ad_select count
      link add x type bond mode 802.3ad coupled_control off
      link add x type bond mode 802.3ad xmit_hash_policy layer2+3 miimon 77 updelay 154
      link add x type bond mode balance-tlb lp_interval 7 xmit_hash_policy layer2+3
      link add x type bond mode balance-tlb tlb_dynamic_lb 1 primary v1
      link add x type bond mode balance-alb lp_interval 9 miimon 50
      link add x type bond mode active-backup miimon 100; link set v1 down; link set v1 master x; link set x type bond primary v1; link set x up # its members are links of their own
      link add v2 type bond mode active-backup; link add x type dummy; link set x master v2
      link add v2 type bond mode active-backup; link add x type dummy; link set x master v2; link set x type bond_slave prio 7 queue_id 3
      link add x type vxlan id 0 dev v0 dstport 4789
      link add x type vxlan id 16777215 dev v0 dstport 1
      link add x type vxlan id 5 remote 192.0.2.9 dstport 4789 ttl inherit
      link add x type vxlan id 5 remote 192.0.2.9 dstport 4789 ttl auto tos inherit
      link add x type vxlan id 5 remote 192.0.2.9 dstport 4789 df set
      link add x type vxlan id 5 remote 192.0.2.9 dstport 4789 df inherit
      link add x type vxlan id 5 remote 2001:db8::9 local 2001:db8::5 dstport 4789 flowlabel 0x12345 udpcsum
      link add x type vxlan id 5 group ff05::100 dev v0 dstport 4789
      link add x type vxlan id 5 remote 192.0.2.9 dstport 4789 noudpcsum remcsumtx remcsumrx
      link add x type vxlan id 5 remote 192.0.2.9 dstport 4789 ageing none
      link add x type vxlan id 5 local 192.0.2.5 dev v0 dstport 4789 nolearning proxy; link set x up mtu 1300
      link add x type vxlan id 5 remote 192.0.2.9 dev v0 dstport 4789 nolocalbypass
      link add x type vxlan id 5 group 239.1.1.1 dev v0 dstport 4789 mcroute # lab lacks it
      link add x type vxlan external gpe dstport 4790
      link add x type vxlan external gbp dstport 4789
      link add x type vxlan external vnifilter dstport 4789
      link add x type vxlan external local 192.0.2.5 ttl 7 dstport 4789 nolearning
      link add x type geneve external
      link add x type geneve external dstport 7777 udp6zerocsumrx
      link add x type geneve id 16777215 remote 2001:db8::9 flowlabel 0x12345 udp6zerocsumtx
      link add x type geneve id 5 remote 192.0.2.9 dstport 7777 tos 8 ttl inherit df set
      link add x type geneve id 5 remote 192.0.2.9 noudpcsum df inherit
      link add x type geneve id 5 remote 192.0.2.9 tos inherit df unset innerprotoinherit
      link add x type gre external
      link add x type gre remote 192.0.2.9 local 192.0.2.5 ikey 7 okey 8 icsum ocsum iseq oseq
      link add x type gre remote 192.0.2.9 local 192.0.2.5 csum seq tos 8 dev v0
      link add x type gre remote 192.0.2.9 local 192.0.2.5 nopmtudisc ignore-df
      link add x type gre remote 192.0.2.9 local 192.0.2.5 tos inherit fwmark 7
      link add x type gre remote 192.0.2.9 encap gue encap-sport auto encap-dport 5555 encap-csum encap-remcsum # lab lacks it
      link add x type gre remote 192.0.2.9 encap fou encap-sport 4444 encap-dport 5555 # lab lacks it
      link add x type gre local 192.0.2.5
      link add x type gretap external
      link add x type gretap remote 192.0.2.9 local 192.0.2.5 key 7 ttl 9 tos 8 dev v0
      link add x type gretap remote 192.0.2.9 nopmtudisc ignore-df encap fou encap-sport auto encap-dport 5555 # lab lacks it
      link add x type gretap remote 192.0.2.9 ikey 7 okey 8 csum fwmark 0x7
      link add x type erspan remote 192.0.2.9 local 192.0.2.5 seq key 7 erspan_ver 0
      link add x type erspan remote 192.0.2.9 local 192.0.2.5 seq key 7 erspan_ver 1 erspan 77
      link add x type erspan remote 192.0.2.9 local 192.0.2.5 seq key 7 erspan_ver 2 erspan_dir egress erspan_hwid 0x7
      link add x type erspan external
      link add x type ip6gre external
      link add x type ip6gre remote 2001:db8::9 local 2001:db8::5 key 7 csum seq hoplimit 9 encaplimit none
      link add x type ip6gre remote 2001:db8::9 local 2001:db8::5 flowlabel 0x12345 tclass 0x10 dev v0
      link add x type ip6gre remote 2001:db8::9 tclass inherit flowlabel inherit dscp inherit
      link add x type ip6gre remote 2001:db8::9 encaplimit 7 fwmark 7 allow-localremote
      link add x type ip6gretap external
      link add x type ip6gretap remote 2001:db8::9 local 2001:db8::5
      link add x type ip6gretap remote 2001:db8::9 ikey 7 okey 8 hoplimit 9 encaplimit 3 dev v0
      link add x type ip6erspan remote 2001:db8::9 local 2001:db8::5 seq key 7 erspan_ver 1 erspan 77
      link add x type ip6erspan remote 2001:db8::9 local 2001:db8::5 seq key 7 erspan_ver 2 erspan_dir ingress erspan_hwid 0x7
      link add x type ip6erspan external
      link add x type ipip external
      link add x type ipip remote 192.0.2.9 mode any
      link add x type ipip remote 192.0.2.9 mode mplsip
      link add x type ipip remote 192.0.2.9 ttl 9 tos 8 dev v0
      link add x type ipip remote 192.0.2.9 nopmtudisc fwmark 7
      link add x type ipip remote 192.0.2.9 encap fou encap-sport auto encap-dport 5555 encap-csum # lab lacks it
      link add x type sit remote 192.0.2.9 mode any
      link add x type sit remote 192.0.2.9 mode ipip
      link add x type sit local 192.0.2.5 isatap
      link add x type sit remote 192.0.2.9 tos inherit dev v0 fwmark 7
      link add x type sit local 192.0.2.5 ttl 64 6rd-prefix 2001:db8::/32
      link add x type sit local 192.0.2.5 ttl 64 6rd-prefix 2001:db8::/32 6rd-relay_prefix 192.0.0.0/16
      link add x type sit remote 192.0.2.9 encap gue encap-sport 4444 encap-dport 5555 # lab lacks it
      link add x type ip6tnl external
      link add x type ip6tnl mode ip6ip6 remote 2001:db8::9 local 2001:db8::5 hoplimit 9 encaplimit none
      link add x type ip6tnl mode ipip6 remote 2001:db8::9 local 2001:db8::5 flowlabel 0x12345 tclass 0x10
      link add x type ip6tnl mode any remote 2001:db8::9 dscp inherit allow-localremote dev v0
      link add x type ip6tnl remote 2001:db8::9 tclass inherit flowlabel inherit fwmark 7
      link add x type ip6tnl remote 2001:db8::9 encap fou encap-sport auto encap-dport 5555 encap-csum6 # lab lacks it
      link add x type vti remote 192.0.2.9 local 192.0.2.5 ikey 7 okey 8 fwmark 9 dev v0
      link add x type vti6 remote 2001:db8::9 local 2001:db8::5 key 7
      link add x type vti6 remote 2001:db8::9 local 2001:db8::5 ikey 7 okey 8 fwmark 9 dev v0
      link add x type xfrm if_id 77
      link add x type xfrm external
      link add x link v0 type macsec port 7
      link add x link v0 type macsec sci 0102030405060708
      link add x link v0 type macsec cipher gcm-aes-256 icvlen 16 encrypt on
      link add x link v0 type macsec cipher gcm-aes-xpn-128
      link add x link v0 type macsec send_sci off end_station on
      link add x link v0 type macsec send_sci off scb on
      link add x link v0 type macsec protect off validate check
      link add x link v0 type macsec replay on window 77 validate strict encodingsa 3
      link add x link v0 type macsec; link set x up mtu 1300
      link add x type hsr slave1 v0 slave2 v1
      link add x type hsr slave1 v0 slave2 v1 supervision 45
      link add x type hsr slave1 v0 slave2 v1 proto 1
      link add v2 type veth peer name v3; link add x type hsr slave1 v0 slave2 v1 interlink v2 supervision 7 version 1 # the version is not reported
      link add x type netkit # the other end is a link of its own: the kernel names the new one
      link add x type netkit peer name y # the other end is a link of its own: the kernel names the new one
      link add x type netkit mode l2 blackhole peer forward name y # the other end is a link of its own: the kernel names the new one
      link add x type netkit mode l3 forward peer blackhole # the other end is a link of its own: the kernel names the new one
      link add x type netkit mode l2 scrub none peer scrub default name y # the other end is a link of its own: the kernel names the new one
      link add x type bareudp dstport 6635 ethertype ipv4 # lab lacks it
      link add x type bareudp dstport 6635 ethertype ipv4 multiproto srcportmin 9000 # lab lacks it
      link add x type amt mode gateway local 192.0.2.5 discovery 192.0.2.9 dev v0 gateway_port 2268 relay_port 2269 # lab lacks it
      link add x type amt mode relay local 192.0.2.5 dev v0 max_tunnels 7 # lab lacks it
      link add x type vcan
      link add x type vcan; link set x mtu 72
      link add x type vxcan peer name y # the other end is a link of its own: the kernel names the new one
      link add x type gtp role sgsn # its sockets are those of the program that made it, and are not reported
      link add x type batadv
      link add x type batadv ra BATMAN_IV
      link add x link v0 type virt_wifi # lab lacks it
      link add x type bridge mcast_stats_enabled 1 mcast_vlan_snooping 0
      link add x type bridge vlan_filtering 1 mcast_vlan_snooping 1
      link add x type bridge mst_enabled 1
      link add x type bridge vlan_filtering 1 vlan_stats_per_port 1 vlan_default_pvid 0
      link add x type bridge mcast_query_use_ifaddr 1 mcast_last_member_count 7 mcast_startup_query_count 9
      link add x type bridge mcast_last_member_interval 777 mcast_membership_interval 7777 mcast_querier_interval 8888
      link add x type bridge mcast_query_response_interval 777 mcast_startup_query_interval 3333
      link add x type bridge nf_call_ip6tables 1 nf_call_arptables 1
      link add x type bridge fdb_max_learned 77
      link add x type bridge fdb_local_vlan_0 1 # lab lacks it
      link add x type bridge stp_state 1; link set x up
      link add x type bridge priority 0 forward_delay 0 ageing_time 0
      link add x type bridge mcast_router 0
      link add x type bridge; link set x alias switch txqueuelen 7 mtu 1300 addrgenmode none
      link add x type ifb; link set x master sw; link set x type bridge_slave root_block on fastleave on mcast_router 2
      link add x type ifb; link set x master sw; link set x type bridge_slave proxy_arp on proxy_arp_wifi on
      link add x type ifb; link set x master sw; link set x type bridge_slave bcast_flood off mcast_to_unicast on vlan_tunnel on
      link add x type ifb; link set x master sw; link set x type bridge_slave group_fwd_mask 8 neigh_suppress on
      link add x type ifb; link set x master sw; link set v1 master sw; link set x type bridge_slave backup_port v1
      link add x type ifb; link set x master sw; link set x type bridge_slave locked on mab on learning on
      link add x type ifb; link set x master sw; link set x type bridge_slave locked on
      link add x type ifb; link set x master sw; link set x type bridge_slave neigh_vlan_suppress on
      link add x type ifb; link set x master sw; nexthop add id 95 via 192.0.2.8 fdb; nexthop add id 96 group 95 fdb; link set x type bridge_slave backup_nhid 96
      link add x type ifb; link set x master sw up; link set sw up; link set x type bridge_slave cost 65535 priority 63
      link add x type dummy; link set x carrier off
      link add x type dummy; link set x trailers on dynamic on
      link add x link v0 type macvlan mode bridge; link set x protodown on
      link add x type dummy; link set x addrgenmode random
      link add x type dummy; link set x addrgenmode none up
      link add x index 7777 type dummy
      link add x txqueuelen 0 type dummy
      link add x address 02:00:00:00:00:74 broadcast 02:ff:ff:ff:ff:ff type dummy
      link add x mtu 65535 type dummy
      link add x mtu 68 type dummy
      link add x numtxqueues 64 numrxqueues 64 type dummy
      link add x type dummy; link set x gso_ipv4_max_size 60000 gro_ipv4_max_size 50000
      link add x type dummy; link set x gro_max_size 200000
      link add x type dummy; link set x up; link set x group 2147483647
      link add x type dummy; link set x promisc on allmulticast on; link set x up
      link set v0 trailers off
      link set v0 multicast off
      link set v0 dynamic on
      link set v0 broadcast 02:ff:ff:ff:ff:ff
      link set v0 gso_ipv4_max_size 60000 gro_ipv4_max_size 50000
      link set v0 mtu 65535
      link set v0 mtu 68
      link set v0 txqueuelen 0
      link set v0 group 2147483647
      link set v0 master sw
      link set v0 down; link set v0 name 0123456789abcde; link set 0123456789abcde name v0
      """;

  private Varieties() {}

  /** {@return the table for people, {@code docs/varieties.md}} */
  static String document() {
    List<Variety> all = all();
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Varieties: what `ip` makes, read and written back

        Each line is made by `ip` (`bridge`, `tc`) in a namespace with a pair `v0` and `v1`, a bridge `sw` and next-hop objects 90 to 94;
        read, deleted, written back, and read again. It is *written back* if this library and `ip -d -j` then see what they saw before.
        `VarietiesTest` does so with all that the kernel and `ip` at hand have, and nightly with those of the lab. This file is made from
        the table in `Varieties` by `VarietiesDocumentTest`.

        """);
    long lost = all.stream().filter(one -> !one.lost.isEmpty()).count();
    long lacking = all.stream().filter(Variety::labLacks).count();
    text.append(
        "%d varieties: %d written back, %d not, with the reason; %d that the lab lacks and other kernels may have.%n"
            .formatted(all.size(), all.size() - lost - lacking, lost, lacking));
    for (ObjectKind kind : ObjectKind.values()) {
      String name = kind.toString();
      text.append("\n## ").append(Character.toUpperCase(name.charAt(0))).append(name.substring(1));
      text.append("\n\n| Made by | |\n|---|---|\n");
      for (Variety one : all) {
        if (one.kind == kind) {
          String result = one.labLacks ? "the lab lacks it" : "written back";
          text.append("| `").append(one.commands).append("` | ");
          text.append(one.lost.isEmpty() ? result : "not written back: " + one.lost).append(" |\n");
        }
      }
    }
    return text.toString();
  }

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
      table.lines().forEach(line -> all.add(Variety.of(kind, line)));
    }
    return List.copyOf(all);
  }
}
