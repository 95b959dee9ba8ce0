package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/** What a host has made of a link, and what a driver does to it. */
final class Scenario {

  private Scenario() {}

  /** A NIC has it some time after it was switched on, and routes are told otherwise until then. */
  static void awaitCarrier(Host host, String name) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!host.json("ip -j link show dev " + name).toString().contains("\"LOWER_UP\"")) {
      assertThat(System.nanoTime()).as("%s has no carrier", name).isLessThan(deadline);
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** Some of everything. */
  static void configure(Host host, String name) throws IOException {
    host.ip(
        "link set NAME mtu 1450 txqueuelen 777 group 5 alias storage".replace("NAME", name),
        "link property add dev NAME altname storage-network altname second".replace("NAME", name),
        "link set NAME gso_max_size 40000 gso_max_segs 100".replace("NAME", name));
    LinkSysctls sysctls = LinkSysctls.of(host.namespace, name);
    sysctls.set("ipv6/conf/accept_dad", "0");
    sysctls.set("ipv6/conf/addr_gen_mode", "1");
    sysctls.set("ipv6/conf/accept_ra", "2");
    sysctls.set("ipv6/conf/router_solicitation_interval", "9");
    sysctls.set("ipv4/conf/arp_ignore", "2");
    sysctls.set("ipv4/conf/arp_announce", "1");
    sysctls.set("ipv4/conf/rp_filter", "2");
    sysctls.set("ipv4/conf/forwarding", "1");
    sysctls.set("ipv4/neigh/gc_stale_time", "77");
    sysctls.set("ipv6/neigh/retrans_time_ms", "1234");
    sysctls.set("ipv4/neigh/locktime", "55");
    host.ip("link set NAME up".replace("NAME", name));
    awaitCarrier(host, name);
    host.ip(
        """
        addr add 192.0.2.5/24 dev NAME
        addr add 192.0.2.6/24 dev NAME
        addr add 198.51.100.7/32 dev NAME noprefixroute
        addr add 10.9.0.1 peer 10.9.0.2/32 dev NAME label NAME:p2p
        addr add 10.9.1.1/24 dev NAME preferred_lft 0
        addr add 2001:db8::5/64 dev NAME
        addr add 2001:db8::6/64 dev NAME
        addr add 2001:db8:1::7/64 dev NAME valid_lft 4000 preferred_lft 3000
        """
            .replace("NAME", name)
            .strip()
            .split("\n"));
    while (!host.json("ip -6 -j addr show tentative dev " + name).isEmpty()) {
      Thread.onSpinWait(); // the kernel looks for duplicates at its own time, if only for none
    }
    host.ip(
        """
        nexthop add id 910 via 192.0.2.1 dev NAME
        nexthop add id 911 via 192.0.2.2 dev NAME
        nexthop add id 912 group 910,3/911,5
        route add 198.18.0.0/15 via 192.0.2.1 dev NAME metric 50
        route add 198.19.0.0/16 via 192.0.2.1 dev NAME src 192.0.2.6 mtu 1300 table 910
        route add 203.0.113.0/24 nhid 910
        route add 203.0.114.0/24 nhid 912
        route add default scope global nexthop via 192.0.2.3 dev NAME weight 2 nexthop via 192.0.2.4 dev NAME
        route add 100.64.0.0/10 via 198.18.0.1 dev NAME onlink
        route add 2001:db8:9::/48 via 2001:db8::1 dev NAME metric 9
        route add 2001:db8:a::/48 via 2001:db8::1 dev NAME src 2001:db8::6 table 910
        route add default via 2001:db8::1 dev NAME
        neigh add 192.0.2.1 lladdr 02:00:00:00:00:98 dev NAME nud permanent
        neigh add 2001:db8::1 lladdr 02:00:00:00:00:98 dev NAME nud permanent
        neigh add proxy 192.0.2.99 dev NAME
        rule add iif NAME lookup 910 pref 910
        rule add oif NAME to 198.19.0.0/16 dport 80 ipproto 6 lookup 910 pref 911\
        """
            .replace("NAME", name)
            .split("\n"));
    host.json("ip -6 rule add iif NAME lookup 910 pref 912".replace("NAME", name));
  }

  /** As a driver does it: down, and in one message renamed, changed and moved. */
  static void go(Host host, Host pod, String name) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      Link link = route.links().get(name);
      route.links().change(link, LinkSettings.none().down());
      route
          .links()
          .change(
              link,
              LinkSettings.none()
                  .name("net1")
                  .mtu(1_400)
                  .address(HardwareAddress.parse("02:00:00:00:00:42"))
                  .namespace(pod.namespace));
    }
  }

  /** Everything else is changed in the pod. */
  static void goAndComeBack(Host host, Host pod, String name) throws IOException {
    go(host, pod, name);
    comeBack(host, pod, name);
  }

  static void comeBack(Host host, Host pod, String name) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(pod.namespace)) {
      Link link = route.links().get("net1");
      LinkSysctls sysctls = LinkSysctls.of(pod.namespace, "net1");
      sysctls.set("ipv4/conf/arp_ignore", "1");
      sysctls.set("ipv6/conf/accept_ra", "0");
      sysctls.set("ipv4/neigh/gc_stale_time", "11");
      route
          .links()
          .change(
              link,
              LinkSettings.none()
                  .alias("pod")
                  .sendQueueLength(99)
                  .group(0)
                  .gsoMaxSize(30_000)
                  .up());
      route.links().addAlternativeName(link, "pods-own");
      route.links().removeAlternativeName(link, "second");
      route.addresses().add(InterfaceAddress.of(link.index(), IpPrefix.parse("10.1.0.5/24")));
      route.links().change(link, LinkSettings.none().down());
      route.links().change(link, LinkSettings.none().name(name).namespace(host.namespace));
    }
  }

  /** A stored state that was edited, with the checksum of what it is now. */
  static String sealed(String text) {
    String body = text.substring(0, text.lastIndexOf("\nend ") + 1);
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    return body + "end " + String.format("%08x", crc.getValue()) + "\n";
  }
}
