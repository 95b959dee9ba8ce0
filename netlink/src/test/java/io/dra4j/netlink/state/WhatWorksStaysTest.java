package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is there and in use does not go for what cannot come, and nothing goes twice in vain. */
@EnabledIf(Host.MAY)
class WhatWorksStaysTest extends TwoHosts {

  private static final Restoration NOTHING = new Restoration(0, List.of());

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up");
    host.pair("nic0");
    host.pair("up0");
    host.ip("link property add dev nic0 altname second");
  }

  private String routes() throws IOException {
    return host.run("ip -4 route show") + host.run("ip -6 route show");
  }

  @Test
  void aRouteStaysWhereTheOneThatWasInItsPlaceIsRefused() throws IOException {
    host.ip(
        "addr add 10.1.0.1/24 dev nic0",
        "addr add 2001:db8:1::1/64 dev nic0 nodad",
        "addr add 10.2.0.1/24 dev up0",
        "addr add 2001:db8:2::1/64 dev up0 nodad",
        "route add default via 10.1.0.9 src 10.2.0.1",
        "route add default via 2001:db8:1::9 dev nic0 src 2001:db8:2::1");
    LinkState before = host.captured("nic0");
    host.ip(
        "addr del 10.2.0.1/24 dev up0",
        "addr del 2001:db8:2::1/64 dev up0",
        "route add default via 10.1.0.9");
    String seen = routes();

    assertThat(host.left(before, "nic0"))
        .anyMatch(one -> one.contains("Invalid prefsrc address"))
        .filteredOn(one -> one.endsWith("it was added later, and stays"))
        .isNotEmpty();

    assertThat(routes()).isEqualTo(seen).contains("default via 10.1.0.9", "default via 2001:db8");
  }

  @Test
  void withAnIpv6LeaseThatHasEndedARouteLosesOnlyWhatItSendsFrom() throws IOException {
    host.ip(
        "addr add 2001:db8:1::1/64 dev nic0 nodad",
        "addr add 2001:db8:2::1/64 dev nic0 nodad noprefixroute valid_lft 3000 preferred_lft 3000",
        "route add default via 2001:db8:1::9 dev nic0 src 2001:db8:2::1",
        "route add 2001:db8:9::/48 via 2001:db8:3::9 dev up0 onlink src 2001:db8:2::1");
    LinkState before = host.captured("nic0", 3_500);
    host.ip("addr del 2001:db8:2::1/64 dev nic0");
    String seen = routes();
    assertThat(seen).contains("default via 2001:db8:1::9").doesNotContain("src");

    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(NOTHING);
    assertThat(routes()).isEqualTo(seen);

    Scenario.goAndComeBack(host, pod, "nic0");

    assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();
    assertThat(routes()).isEqualTo(seen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "master"})
  void aLinkIsNotSwitchedOffForWhatCannotBe(String what) throws IOException {
    host.ip("addr add 10.0.0.1/24 dev nic0");
    if (what.equals("master")) {
      host.ip("link add br0 type bridge", "link set nic0 master br0");
    }
    LinkState before = host.captured("nic0");
    host.ip(
        "link set nic0 down",
        "link set nic0 nomaster",
        "link set nic0 name net1",
        "link set net1 up");
    host.ip(what.equals("master") ? "link del br0" : "link add nic0 type bridge");
    String name = what.equals("master") ? "nic0" : "net1";
    before.restore(host.namespace, "net1");
    host.ip(
        "route add 2001:db8:9::/48 dev " + name + " proto ra",
        "route add 10.9.0.0/16 via 10.0.0.9 dev " + name + " proto ra");
    String seen = routes();

    assertThat(before.restore(host.namespace, name).left())
        .extracting(Difference::fact)
        .contains(what);

    assertThat(routes()).as("the kernel forgets them when the link goes down").isEqualTo(seen);
  }

  @Test
  void theNetworkOfAnAddressThatIsRefusedIsNotMadeUp() throws IOException {
    host.ip("addr add 2001:db8:1::1/64 dev nic0 nodad");
    LinkState before = host.captured("nic0");
    host.ip(
        "addr del 2001:db8:1::1/64 dev nic0",
        "addr add 2001:db8:1::1/48 dev nic0 nodad",
        "route add 2001:db8:9::/48 via 2001:db8::9 dev up0 onlink src 2001:db8:1::1");
    String seen = routes();

    assertThat(host.left(before, "nic0")).anyMatch(one -> one.contains("EEXIST"));

    assertThat(routes()).isEqualTo(seen);
  }
}
