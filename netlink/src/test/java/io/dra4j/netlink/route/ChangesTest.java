package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What {@code ip} did between two lists. */
@EnabledIf(TestNamespace.MAY)
class ChangesTest {

  private TestNamespace inside;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    inside.veth("veth0", "veth1");
  }

  @AfterEach
  void close() {
    inside.close();
  }

  @Test
  void ofLinksAreToldWithTheirProperties() throws IOException {
    LinkSnapshot before = LinkSnapshot.of(inside.route.links().list());
    int index = before.find("veth1").orElseThrow().index();
    assertThat(before.changesSince(before).isEmpty()).isTrue();
    inside.run("ip link add new0 type veth peer name new1");
    inside.run("ip link set veth1 mtu 1300 alias storage name other");

    Changes<Link> changes = LinkSnapshot.of(inside.route.links().list()).changesSince(before);

    assertThat(changes.added()).extracting(Link::name).containsExactlyInAnyOrder("new0", "new1");
    assertThat(changes.gone()).isEmpty();
    assertThat(changes.changed())
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.after().index()).isEqualTo(index);
              assertThat(change.properties())
                  .isEqualTo(
                      Map.of(
                          "name", new Changes.Values("veth1", "other"),
                          "mtu", new Changes.Values("1500", "1300"),
                          "alias", new Changes.Values("", "storage")));
            });
    inside.run("ip link del other");
    assertThat(LinkSnapshot.of(inside.route.links().list()).changesSince(before).gone())
        .extracting(Link::name)
        .containsExactlyInAnyOrder("veth0", "veth1");
  }

  @Test
  void ofAddressesRoutesRulesAndNeighboursAreTold() throws IOException {
    inside.run("ip link set veth0 up");
    inside.run("ip link set veth1 up");
    inside.run("ip addr add 192.0.2.5/24 dev veth0");
    inside.awaitCarrier("veth0");
    inside.awaitCarrier("veth1");
    inside.run("ip route add 198.18.0.0/15 via 192.0.2.1");
    inside.run("ip neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev veth0 nud permanent");
    List<InterfaceAddress> addresses = inside.route.addresses().list();
    List<Route> routes = inside.route.routes().list(Route.MAIN_TABLE);
    List<Rule> rules = inside.route.rules().list();
    List<Neighbour> neighbours = inside.route.neighbours().list();
    inside.run("ip addr add 192.0.2.6/24 dev veth0");
    inside.run("ip route replace 198.18.0.0/15 via 192.0.2.2");
    inside.run("ip route add 203.0.113.0/24 via 192.0.2.2");
    inside.run("ip rule add iif veth0 lookup 77 pref 7");
    inside.run("ip neigh replace 192.0.2.1 lladdr 02:00:00:00:00:02 dev veth0 nud permanent");

    assertThat(Changes.ofAddresses(addresses, inside.route.addresses().list()).added())
        .extracting(InterfaceAddress::address)
        .contains(IpPrefix.parse("192.0.2.6/24"));
    Changes<Route> ofRoutes =
        Changes.ofRoutes(routes, inside.route.routes().list(Route.MAIN_TABLE));
    assertThat(ofRoutes.added())
        .extracting(Route::destination)
        .contains(IpPrefix.parse("203.0.113.0/24"));
    assertThat(ofRoutes.changed())
        .filteredOn(change -> !change.after().destination().address().isV6())
        .singleElement()
        .satisfies(
            change ->
                assertThat(change.properties())
                    .containsEntry("gateway", new Changes.Values("192.0.2.1", "192.0.2.2")));
    assertThat(Changes.ofRules(rules, inside.route.rules().list()).added())
        .extracting(Rule::inputLink)
        .containsExactly("veth0");
    assertThat(Changes.ofNeighbours(neighbours, inside.route.neighbours().list()).changed())
        .filteredOn(change -> change.after().isPermanent())
        .singleElement()
        .satisfies(
            change ->
                assertThat(change.properties())
                    .containsEntry(
                        "lladdr", new Changes.Values("02:00:00:00:00:01", "02:00:00:00:00:02")));
  }
}
