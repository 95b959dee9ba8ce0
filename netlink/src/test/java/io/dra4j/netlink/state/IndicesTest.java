package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A link has another index once it comes back, and another link may have the one it had. */
@EnabledIf(Host.MAY)
class IndicesTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up", "link add nic0 index 70 type veth peer name pnic0 index 71");
    host.ip("link set pnic0 up", "link set nic0 up", "addr add 10.0.0.5/24 dev nic0");
  }

  private static void move(Host from, Host to) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(from.namespace)) {
      route.links().change(LinkKey.of("nic0"), LinkSettings.none().down().namespace(to.namespace));
    }
  }

  private void another() throws IOException {
    host.ip(
        "link add up0 index 50 type veth peer name pup0",
        "link set pup0 up",
        "link set up0 up",
        "addr add 10.1.0.5/24 dev up0",
        "addr add 2001:db8:1::5/64 dev up0 nodad",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "route add 10.7.0.0/16 via 10.1.0.1 dev up0 src 10.0.0.5",
        "route add 10.8.0.0/16 nexthop via 10.1.0.1 dev up0 nexthop via 10.0.0.1 dev nic0",
        "route add 2001:db8:7::/48 via 2001:db8:1::1 dev up0 src 2001:db8::5");
  }

  @Test
  void whatWentThroughAnotherLinkIsNotPutOntoTheOneThatHasItsIndex() throws IOException {
    another();
    LinkState before = host.captured("nic0");
    move(host, pod);
    host.ip("link del up0", "link add cni0 index 50 type bridge", "link set cni0 up");
    host.ip("addr add 10.1.0.9/24 dev cni0", "addr add 2001:db8:1::9/64 dev cni0 nodad");
    String routes = host.run("ip route show dev cni0") + host.run("ip -6 route show dev cni0");
    move(pod, host);

    List<String> left = host.left(before, "nic0");

    assertThat(host.run("ip route show dev cni0") + host.run("ip -6 route show dev cni0"))
        .isEqualTo(routes);
    for (String to : List.of("10.7.0.0/16", "10.8.0.0/16", "2001:db8:7::/48")) {
      assertThat(left)
          .anyMatch(
              one ->
                  one.startsWith("route " + to)
                      && one.endsWith("was there, is gone: link 50 was up0, is cni0"));
    }
  }

  @Test
  void routesOfALinkThatHasOnlyAnotherNameStay() throws IOException {
    another();
    LinkState before = host.captured("nic0");
    host.ip("link set up0 down", "link set up0 name up9", "link set up9 up");
    host.ip("route replace 10.7.0.0/16 via 10.1.0.1 dev up9 src 10.0.0.5");
    host.ip("route replace 10.8.0.0/16 nexthop via 10.1.0.1 dev up9 nexthop via 10.0.0.1 dev nic0");
    host.ip("addr add 2001:db8:1::5/64 dev up9 nodad");
    host.ip("route replace 2001:db8:7::/48 via 2001:db8:1::1 dev up9 src 2001:db8::5");
    String seen = host.run("ip route show") + host.run("ip -6 route show 2001:db8:7::/48");

    isBack(before);

    assertThat(host.run("ip route show") + host.run("ip -6 route show 2001:db8:7::/48"))
        .isEqualTo(seen);
  }

  @Test
  void whatHowPacketsAreWrappedNamesIsTheSameLink() throws IOException {
    host.ip(
        "link add side index 90 type bridge",
        "route add 2001:db8:5::1/128 encap seg6local action End.DX2 oif nic0 dev nic0",
        "route add 2001:db8:5::2/128 encap seg6local action End.DX2 oif side dev nic0",
        "route add 2001:db8:5::3/128 encap seg6local action End.X nh6 fe80::1 oif nic0 dev nic0");
    LinkState before = host.captured("nic0");
    move(host, pod);
    host.ip(
        "link del side", "link add evil index 90 type bridge", "link add ill index 70 type bridge");
    move(pod, host);

    assertThat(host.left(before, "nic0"))
        .singleElement()
        .asString()
        .startsWith("route 2001:db8:5::2/128")
        .endsWith("link 90 was side, is evil");

    assertThat(host.run("ip -6 route show"))
        .contains("2001:db8:5::1", "2001:db8:5::3", "oif nic0")
        .doesNotContain("2001:db8:5::2", "oif ill", "oif evil");
  }
}
