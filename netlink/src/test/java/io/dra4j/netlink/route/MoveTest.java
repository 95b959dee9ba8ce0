package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.lab.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A link goes from a host into a pod, with everything that belongs to it, and comes back. {@code
 * ip} looks on before, between and after.
 */
@EnabledIf(TestNamespace.MAY)
class MoveTest {

  private static final String HOST_NAME = "nic0";
  private static final String POD_NAME = "net1";

  private static final Set<String> CARRIER = Set.of("LOWER_UP", "NO-CARRIER");

  /** Routes that the kernel makes some time after a link is up. */
  private static final Pattern LINK_LOCAL = Pattern.compile("fe80:|ff00:");

  private TestNamespace host;
  private TestNamespace pod;

  private static final IpPrefix ADDRESS = IpPrefix.parse("192.0.2.5/24");

  @BeforeEach
  void open() throws IOException {
    host = new TestNamespace();
    pod = new TestNamespace();
    prepare(host);
    prepare(pod);
  }

  private static void prepare(TestNamespace namespace) throws IOException {
    namespace.run(
        "sysctl", "-qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.default.addr_gen_mode=1");
    namespace.route.links().change(LinkKey.of(1), LinkSettings.none().up());
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  /** The link, and below it what a macvlan needs. */
  private void make(String kind) throws IOException {
    Links links = host.route.links();
    if (kind.equals("veth")) {
      links.create(NewLink.veth(HOST_NAME, "other"));
    } else {
      links.create(NewLink.veth("parent", "other"));
      Link parent = links.get("parent");
      links.change(parent, LinkSettings.none().up());
      links.create(
          NewLink.macvlan(HOST_NAME, parent.index(), LinkData.MacvlanMode.BRIDGE)
              .with(LinkSettings.none().address(HardwareAddress.parse("02:00:00:00:00:01"))));
    }
    links.change(links.get("other"), LinkSettings.none().up());
  }

  /** Configures a link of the host as hosts do. */
  private void configure(String name) throws IOException {
    Links links = host.route.links();
    Link link = links.get(name);
    links.change(link, LinkSettings.none().mtu(1_450).up());
    host.route.addresses().add(InterfaceAddress.of(link.index(), IpPrefix.parse("192.0.2.5/24")));
    host.route.addresses().add(InterfaceAddress.of(link.index(), IpPrefix.parse("2001:db8::5/64")));
    host.route
        .routes()
        .add(
            Route.to(IpPrefix.parse("198.51.100.0/24"))
                .withGateway(IpAddress.parse("192.0.2.1"))
                .withLink(link.index()));
    host.route
        .neighbours()
        .add(
            Neighbour.permanent(
                link.index(),
                IpAddress.parse("192.0.2.1"),
                HardwareAddress.parse("02:00:00:00:00:98")));
  }

  /** What {@code ip} says of a link and what belongs to it, without what changes by itself. */
  private record Seen(
      JsonNode link, List<JsonNode> routes, List<JsonNode> neighbours, List<JsonNode> rules) {

    static Seen by(TestNamespace namespace, String name) throws IOException {
      List<JsonNode> routes = new ArrayList<>();
      for (String family : List.of("-4", "-6")) {
        namespace.ip(family + " -N route show table all dev " + name).forEach(routes::add);
      }
      routes.removeIf(route -> LINK_LOCAL.matcher(route.get("dst").asText()).lookingAt());
      // The kernel makes those of addresses some time after up, when it has looked for duplicates.
      routes.removeIf(
          route ->
              route.path("protocol").asText().equals("2")
                  && route.path("table").asText().equals("255"));
      List<JsonNode> neighbours = new ArrayList<>();
      for (JsonNode one : namespace.json("ip -j neigh show nud permanent dev " + name)) {
        neighbours.add(one);
      }
      List<JsonNode> rules = new ArrayList<>();
      namespace.ip("rule show").forEach(rules::add);
      return new Seen(link(namespace, name), routes, neighbours, rules);
    }

    private static JsonNode link(TestNamespace namespace, String name) throws IOException {
      ObjectNode link = (ObjectNode) namespace.ip("addr show dev " + name).get(0);
      link.remove(List.of("stats64", "ifindex", "link_index", "operstate", "qdisc", "promiscuity"));
      for (Iterator<JsonNode> each = link.get("addr_info").iterator(); each.hasNext(); ) {
        ObjectNode address = (ObjectNode) each.next();
        address.remove(List.of("nodad", "tentative"));
        if (address.get("scope").asText().equals("link")) { // the kernel's own, some time after up
          each.remove();
        }
      }
      for (Iterator<JsonNode> each = link.get("flags").iterator(); each.hasNext(); ) {
        if (CARRIER.contains(each.next().asText())) { // needs its time after up
          each.remove();
        }
      }
      return link;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"veth", "macvlan"})
  void aLinkGoesIntoAPodAndComesBackAsItWas(String kind) throws IOException {
    make(kind);
    goAndComeBack(HOST_NAME);
  }

  @Test
  @EnabledIf(Machine.HAS_FUNCTIONS)
  void aVirtualFunctionGoesIntoAPodAndComesBackAsItWas() throws IOException {
    host.close();
    host = TestNamespace.current();
    prepare(host);
    host.route
        .links()
        .change(
            host.route.links().get(Machine.physicalFunctions().get(0)), LinkSettings.none().up());
    goAndComeBack(Machine.virtualFunctions().get(0));
  }

  private void goAndComeBack(String name) throws IOException {
    configure(name);
    Agreement.check(host);
    Seen ipBefore = Seen.by(host, name);
    Link before = host.route.links().get(name);
    int index = before.index();
    List<InterfaceAddress> addresses = host.route.addresses().list(LinkKey.of(index));
    List<Route> routes =
        host.route.routes().list().stream()
            .filter(route -> route.index().orElse(0) == index)
            .filter(route -> route.protocol() != Route.PROTOCOL_KERNEL)
            .toList();
    List<Neighbour> neighbours =
        host.route.neighbours().list(LinkKey.of(index)).stream()
            .filter(Neighbour::isPermanent)
            .toList();
    assertThat(addresses).hasSizeGreaterThanOrEqualTo(2);
    assertThat(routes).hasSize(1);
    assertThat(neighbours).hasSize(1);

    attach(before);
    Agreement.check(host);
    Agreement.check(pod);
    assertAttached(name);

    detach(before, addresses, routes, neighbours);
    Agreement.check(host);
    Agreement.check(pod);
    assertThat(Seen.by(host, name)).isEqualTo(ipBefore);
    Link after = host.route.links().get(name);
    assertThat(after.mtu()).isEqualTo(before.mtu()).isEqualTo(1_450);
    assertThat(after.address()).isEqualTo(before.address());
    assertThat(after.isUp()).isTrue();
    assertThat(TestNamespace.ownNames(pod.ip("link show").findValuesAsText("ifname")))
        .containsExactly("lo");
    assertThat(pod.ip("-4 rule show")).hasSize(3); // the kernel's own
  }

  /** In the order of a driver: down, one message, then in the pod everything else. */
  private void attach(Link link) throws IOException {
    host.route.links().change(link, LinkSettings.none().down());
    host.route
        .links()
        .change(
            link,
            LinkSettings.none()
                .name(POD_NAME)
                .mtu(1_400)
                .address(HardwareAddress.parse("02:00:00:00:00:42"))
                .namespace(pod.namespace));
    RouteNetlink route = pod.route;
    Link moved = route.links().get(POD_NAME);
    pod.namespace.setSysctl("net/ipv4/conf/" + POD_NAME + "/arp_ignore", "1");
    for (String address : List.of("10.1.0.5/24", "2001:db8:1::5/64")) {
      route.addresses().add(InterfaceAddress.of(moved.index(), IpPrefix.parse(address)));
    }
    route.links().change(moved, LinkSettings.none().up());
    route
        .routes()
        .add(
            Route.to(IpPrefix.parse("10.9.0.1/32"))
                .withLink(moved.index())
                .withScope(Scope.LINK)
                .withTable(100));
    route
        .routes()
        .add(
            Route.to(IpPrefix.parse("10.8.0.0/16"))
                .withGateway(IpAddress.parse("10.1.0.1"))
                .withLink(moved.index()));
    route
        .rules()
        .add(Rule.lookup(false, 100).withSource(IpPrefix.parse("10.1.0.5/32")).withPriority(1_000));
    route
        .neighbours()
        .add(
            Neighbour.permanent(
                moved.index(),
                IpAddress.parse("10.1.0.1"),
                HardwareAddress.parse("02:00:00:00:00:99")));
  }

  private void assertAttached(String name) throws IOException {
    assertThat(host.route.links().find(name)).isEmpty();
    assertThat(host.ip("link show").findValuesAsText("ifname")).doesNotContain(name, POD_NAME);
    JsonNode link = pod.ip("addr show dev " + POD_NAME).get(0);
    assertThat(link.get("mtu").asInt()).isEqualTo(1_400);
    assertThat(link.get("address").asText()).isEqualTo("02:00:00:00:00:42");
    assertThat(link.get("flags").toString()).contains("\"UP\"");
    assertThat(link.get("addr_info").findValuesAsText("local"))
        .contains("10.1.0.5", "2001:db8:1::5");
    assertThat(host.ip("route show table all").toString()).doesNotContain("198.51.100.0");
    assertThat(pod.ip("route show").toString())
        .contains("\"dst\":\"10.8.0.0/16\",\"gateway\":\"10.1.0.1\",\"dev\":\"net1\"");
    assertThat(pod.ip("route show table 100").get(0).get("dst").asText()).isEqualTo("10.9.0.1");
    assertThat(pod.ip("rule show").toString()).contains("\"src\":\"10.1.0.5\",\"table\":\"100\"");
    assertThat(pod.ip("neigh show nud permanent").findValuesAsText("dst")).contains("10.1.0.1");
    assertThat(pod.namespace.sysctl("net/ipv4/conf/" + POD_NAME + "/arp_ignore")).isEqualTo("1");
  }

  /** The way back restores what the way there changed: the kernel does not. */
  private void detach(
      Link former, List<InterfaceAddress> addresses, List<Route> routes, List<Neighbour> neighbours)
      throws IOException {
    pod.route
        .rules()
        .delete(
            Rule.lookup(false, 100).withSource(IpPrefix.parse("10.1.0.5/32")).withPriority(1_000));
    Link there = pod.route.links().get(POD_NAME);
    pod.route.links().change(there, LinkSettings.none().down());
    pod.route
        .links()
        .change(
            there,
            LinkSettings.none()
                .name(former.name())
                .mtu(former.mtu())
                .address(former.address())
                .namespace(host.namespace));
    Link back = host.route.links().get(former.name());
    host.route.links().change(back, LinkSettings.none().up());
    for (InterfaceAddress address : addresses) {
      if (!address.address().address().isLinkLocal()) {
        host.route.addresses().add(address.moved(address.index(), back.index()));
      }
    }
    for (Route route : routes) {
      host.route.routes().add(route.withLink(back.index()));
    }
    for (Neighbour neighbour : neighbours) {
      host.route
          .neighbours()
          .add(Neighbour.permanent(back.index(), neighbour.destination(), neighbour.address()));
    }
  }

  /** A link that is up, with an address and a default route. */
  private void makeInUse() throws IOException {
    make("veth");
    Link link = host.route.links().get(HOST_NAME);
    host.route.links().change(link, LinkSettings.none().up());
    host.route.addresses().add(InterfaceAddress.of(link.index(), ADDRESS));
    IpAddress gateway = IpAddress.parse("192.0.2.1");
    host.route.routes().add(Route.to(IpPrefix.ALL_V4).withGateway(gateway));
  }

  /** The kernel checks the name before the move only if the old one is in use, too. */
  @ParameterizedTest
  @ValueSource(strings = {"other", HOST_NAME})
  void aNameThatIsInUseThereLeavesTheLinkWhereItWas(String second) throws IOException {
    makeInUse();
    Link before = host.route.links().get(HOST_NAME);
    pod.route.links().create(NewLink.veth(POD_NAME, second));
    List<Link> inPod = pod.route.links().list(LinkQuery.lean());

    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(
            () -> LinkMove.move(host.namespace, LinkKey.of(HOST_NAME), pod.namespace, POD_NAME))
        .withMessageContaining("has that name in " + pod.namespace)
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());

    Link after = host.route.links().get(HOST_NAME);
    assertThat(after.address()).isEqualTo(before.address());
    assertThat(after.isUp()).isTrue();
    assertThat(host.route.addresses().list(after))
        .extracting(one -> one.address())
        .contains(ADDRESS);
    assertThat(host.route.routes().through(after))
        .anyMatch(route -> route.destination().equals(IpPrefix.ALL_V4));
    assertThat(pod.route.links().list(LinkQuery.lean()))
        .extracting(Link::name)
        .containsExactlyElementsOf(inPod.stream().map(Link::name).toList());
  }

  @Test
  void anAlternativeNameThatIsInUseThereIsTakenToo() throws IOException {
    makeInUse();
    Link other = pod.route.links().create(NewLink.veth("other", "third"));
    pod.route.links().addAlternativeName(other, POD_NAME);

    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(
            () -> LinkMove.move(host.namespace, LinkKey.of(HOST_NAME), pod.namespace, POD_NAME))
        .withMessageContaining("(other) has that name in " + pod.namespace);

    assertThat(host.route.links().get(HOST_NAME).isUp()).isTrue();
  }

  @Test
  void aLinkIsRenamedWhereItIs() throws IOException {
    makeInUse();
    Link made = host.route.links().get(HOST_NAME);

    Link same = LinkMove.move(host.namespace, made, host.namespace, HOST_NAME);
    Link after = LinkMove.move(host.namespace, made, host.namespace, "after");

    assertThat(same.index()).isEqualTo(made.index());
    assertThat(same.isUp()).as("it has the name").isTrue();
    assertThat(after.index()).isEqualTo(made.index());
    assertThat(after.name()).isEqualTo("after");
  }

  @Test
  void aLinkMovesUnderANewNameAndBack() throws IOException {
    make("veth");
    Link before = host.route.links().get(HOST_NAME);

    Link there = LinkMove.move(host.namespace, before, pod.namespace, POD_NAME);
    Link back = LinkMove.move(pod.namespace, LinkKey.of(POD_NAME), host.namespace, HOST_NAME);

    assertThat(there.name()).isEqualTo(POD_NAME);
    assertThat(back.address()).isEqualTo(before.address());
    assertThat(pod.route.links().find(POD_NAME)).isEmpty();
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> LinkMove.move(pod.namespace, LinkKey.of("none"), host.namespace, "none"));
  }
}
