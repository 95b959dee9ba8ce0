package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is not there is {@link NetlinkException.NotFound}, whatever it is and whatever number the
 * kernel has for that; and a link is meant by an index, by a name or by a link everywhere alike.
 */
@EnabledIf(TestNamespace.MAY)
class NothingThereTest {

  private static final IpAddress FAR = IpAddress.parse("198.51.100.7");
  private static final HardwareAddress HARDWARE = HardwareAddress.parse("02:00:00:00:00:77");

  private TestNamespace inside;
  private RouteNetlink route;
  private Link link;

  @BeforeEach
  void makeNamespace() throws IOException {
    inside = new TestNamespace();
    route = inside.route;
    link = inside.veth("veth0", "veth1");
    inside.run("ip", "link property add dev veth0 altname a-name-longer-than-fifteen");
    inside.run("ip", "addr add 192.0.2.5/24 dev veth0");
  }

  @AfterEach
  void closeNamespace() {
    inside.close();
  }

  private static void assertNotFound(ThrowingCallable deletion) {
    assertThatExceptionOfType(NetlinkException.NotFound.class).isThrownBy(deletion);
  }

  @ParameterizedTest
  @EnumSource
  void objectsOfEveryKind(ObjectKind kind) throws IOException {
    int index = link.index();
    switch (kind) {
      case LINK -> {
        assertNotFound(() -> route.links().delete(LinkKey.of("none")));
        assertNotFound(() -> route.links().delete(LinkKey.of("none-of-so-long-a-name")));
        assertNotFound(() -> route.links().delete(LinkKey.of(4_711)));
      }
      case ADDRESS -> {
        InterfaceAddress v4 = InterfaceAddress.of(index, IpPrefix.host(FAR));
        assertNotFound(() -> route.addresses().delete(v4));
        assertNotFound(() -> route.addresses().delete(v4.moved(v4.index(), 4_711)));
        IpPrefix v6 = IpPrefix.parse("2001:db8::7/64");
        assertNotFound(() -> route.addresses().delete(InterfaceAddress.of(index, v6)));
      }
      case ROUTE -> {
        Route v4 = Route.to(IpPrefix.host(FAR)).withLink(index);
        assertNotFound(() -> route.routes().delete(v4));
        assertNotFound(() -> route.routes().delete(v4.withTable(77)));
        assertNotFound(() -> route.routes().delete(v4.withNextHopObject(77)));
        IpPrefix v6 = IpPrefix.parse("2001:db8:7::/48");
        assertNotFound(() -> route.routes().delete(Route.to(v6).withLink(index)));
      }
      case RULE -> {
        assertNotFound(() -> route.rules().delete(Rule.lookup(false, 77)));
        assertNotFound(() -> route.rules().delete(Rule.lookup(true, 77).withPriority(7)));
      }
      case NEIGHBOUR -> {
        assertNotFound(() -> route.neighbours().delete(Neighbour.permanent(index, FAR, HARDWARE)));
        assertNotFound(() -> route.neighbours().delete(Neighbour.permanent(4_711, FAR, HARDWARE)));
        assertNotFound(() -> route.neighbours().delete(Neighbour.proxy(index, FAR)));
      }
      case FORWARDING_ENTRY -> {
        inside.run("ip", "link add sw type bridge");
        inside.run("ip", "link set veth0 master sw");
        ForwardingEntry entry = ForwardingEntry.ofPort(index, HARDWARE);
        assertNotFound(() -> route.forwardingEntries().delete(entry));
        assertNotFound(() -> route.forwardingEntries().delete(entry.moved(index, 4_711)));
      }
      case PORT_VLANS -> {
        PortVlans vlans = PortVlans.of(index, List.of(new BridgeVlan(5, false, false)));
        assertNotFound(() -> route.bridgeVlans().delete(vlans));
        assertNotFound(() -> route.bridgeVlans().remove(LinkKey.of("none"), 5));
        assertNotFound(() -> route.bridgeVlans().delete(vlans.moved(index, 4_711)));
      }
      case NEXT_HOP -> {
        assertNotFound(() -> route.nextHopObjects().delete(NextHopObject.via(77, FAR, index)));
        assertNotFound(() -> route.nextHopObjects().delete(NextHopObject.group(78, Map.of(77, 1))));
        assertNotFound(() -> route.nextHopObjects().get(77));
      }
      case QUEUE_DISCIPLINE ->
          assertNotFound(
              () -> route.queueDisciplines().delete(TrafficControl.clsact(link.index())));
      case TRAFFIC_CLASS -> {
        inside.run("tc", "qdisc add dev veth0 root handle 1: htb");
        inside.run("tc", "class add dev veth0 parent 1: classid 1:10 htb rate 1mbit");
        TrafficControl made = route.trafficClasses().list(link).get(0);
        route.trafficClasses().delete(made);
        assertNotFound(() -> route.trafficClasses().delete(made));
        inside.run("tc", "qdisc del dev veth0 root");
        assertNotFound(() -> route.trafficClasses().delete(made));
      }
      case TRAFFIC_FILTER -> filters();
    }
  }

  @Test
  void alternativeNames() throws NetlinkException {
    Link other = route.links().get("veth1");

    assertNotFound(() -> route.links().removeAlternativeName(link, "none"));
    assertNotFound(() -> route.links().removeAlternativeName(link, "veth0")); // its own
    assertNotFound(() -> route.links().removeAlternativeName(other, "a-name-longer-than-fifteen"));
    assertNotFound(() -> route.links().removeAlternativeName(LinkKey.of("none"), "none"));
    assertNotFound(() -> route.links().addAlternativeName(LinkKey.of(4_711), "none"));
  }

  private void filters() throws IOException {
    inside.run("tc", "qdisc add dev veth0 clsact");
    inside.run("tc", "filter add dev veth0 ingress prio 5 u32 match u32 0 0");
    List<TrafficControl> filters = route.filters().list(link);
    inside.run("tc", "filter del dev veth0 ingress prio 5");
    assertThat(filters).isNotEmpty();
    filters.forEach(filter -> assertNotFound(() -> route.filters().delete(filter)));
    inside.run("tc", "qdisc del dev veth0 clsact"); // filters have nowhere to be then
    filters.forEach(filter -> assertNotFound(() -> route.filters().delete(filter)));
    assertThat(route.filters().list(LinkKey.of("none"))).isEmpty();
  }

  static Stream<LinkKey> keys() {
    return Stream.of(LinkKey.of("veth0"), LinkKey.of("a-name-longer-than-fifteen"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aLinkIsMeantByAnyOfItsNamesByItsIndexOrByItself(LinkKey name) throws IOException {
    for (LinkKey key : List.of(name, LinkKey.of(link.index()), link)) {
      assertThat(route.links().get(key).index()).isEqualTo(link.index());
      assertThat(route.addresses().list(key)).hasSize(1);
      assertThat(route.neighbours().list(key)).isEmpty();
      assertThat(route.filters().list(key)).isEmpty();
      assertThat(route.links().virtualFunctions(key)).isEmpty();
      route.links().addAlternativeName(key, "another");
      route.links().removeAlternativeName(key, "another");
      route.links().change(key, LinkSettings.none().mtu(1_400).name("renamed"));
      assertThat(route.links().get("renamed").mtu()).isEqualTo(1_400);
      route.links().change(LinkKey.of("renamed"), LinkSettings.none().mtu(1_500).name("veth0"));
    }
    route.links().delete(name);
    assertThat(TestNamespace.own(route.links().list())).hasSize(1);
  }

  @Test
  void aLinkThatIsMadeIsTheOneThatIsGiven() throws IOException {
    Link made = route.links().create(NewLink.ofKind("br0", "bridge"));
    assertThat(route.links().get(made).name()).isEqualTo("br0");
    try (NetworkNamespace other = NetworkNamespace.create();
        RouteNetlink there = RouteNetlink.open(other)) {
      Link elsewhere =
          route
              .links()
              .create(NewLink.ofKind("br1", "bridge").with(LinkSettings.none().namespace(other)));
      assertThat(there.links().get(elsewhere).name()).isEqualTo("br1");
    }
  }
}
