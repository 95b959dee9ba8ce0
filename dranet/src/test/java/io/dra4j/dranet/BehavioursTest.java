package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.dranet.attach.LoadedProgram;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The end-to-end tests of the original on a cluster, here on one node with the configurations of
 * the claims: links are offered, claimed, seen in the pod with {@code ip} and {@code ping}, and
 * come back. Single quotes stand for double ones. VRFs are in {@code NetworkLabTest}.
 */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class BehavioursTest {

  private static final String STATIC =
      "{'interface': {'name': 'eth99', 'addresses': ['169.254.169.13/24']}}";

  private TestNode node;
  private TestHost host;

  @BeforeEach
  void open() throws IOException {
    node = new TestNode();
    host = node.host();
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void link(String name) throws IOException {
    node.link(name);
  }

  private TestHost newPod() throws IOException {
    return node.newPod();
  }

  private TestNode.Running claim(TestHost pod, String json, String... links) throws Exception {
    return node.attach(pod, node.prepare(json, links));
  }

  private void end(TestNode.Running running, TestHost pod) throws Exception {
    node.end(running, pod);
  }

  private static JsonNode address(TestHost pod, String link) throws IOException {
    return pod.json("ip -d -j addr show dev " + link).get(0);
  }

  @Test
  void aLinkIsRenamedAddressedAndToldInTheStatus() throws Exception {
    link("nic0");
    List<String> seen = host.seen("nic0");
    TestHost pod = newPod();

    TestNode.Running running = claim(pod, STATIC, "nic0");

    assertThat(pod.run("ip -br addr show dev eth99")).contains("169.254.169.13/24");
    assertThat(running.ips()).containsExactly("169.254.169.13/24");
    end(running, pod);
    assertThat(host.seen("nic0")).isEqualTo(seen);
  }

  @Test
  void aLinkWhoseNameIsNoLabelIsClaimedByItsNormalisedName() throws Exception {
    link("mlx5_6");
    TestHost pod = newPod();

    TestNode.Running running = claim(pod, STATIC, "mlx5_6");

    assertThat(running.statuses().get(0).device()).isEqualTo("net-nvwhqnk7gy");
    assertThat(pod.run("ip -br addr show dev eth99")).contains("169.254.169.13/24");
    end(running, pod);
    assertThat(host.run("ip -br link")).contains("mlx5_6");
  }

  @Test
  void arpIsConfiguredForTheLinkAloneAgainstTheDefaultOfThePod() throws Exception {
    link("nic0");
    TestHost pod = newPod();
    pod.namespace().setSysctl("net/ipv4/conf/default/arp_ignore", "2");

    claim(pod, "{'interface': {'name': 'arp', 'arpIgnore': 1, 'arpAnnounce': 2}}", "nic0");

    assertThat(pod.namespace().sysctl("net/ipv4/conf/arp/arp_ignore")).isEqualTo("1");
    assertThat(pod.namespace().sysctl("net/ipv4/conf/arp/arp_announce")).isEqualTo("2");
    assertThat(pod.namespace().sysctl("net/ipv4/conf/default/arp_announce")).isEqualTo("0");
  }

  @Test
  void withoutConfigurationTheAddressOfTheHostGoesAlong() throws Exception {
    link("nic0");
    host.ip("addr add 169.254.169.14/32 dev nic0");
    TestHost pod = newPod();

    TestNode.Running running = claim(pod, "{}", "nic0");

    assertThat(pod.run("ip -br addr show dev nic0")).contains("169.254.169.14/32");
    assertThat(running.ips()).containsExactly("169.254.169.14/32");
  }

  @Test
  void aRouteThroughAGatewayThatALaterRouteBringsNearIsAdded() throws Exception {
    link("nic0");
    TestHost pod = newPod();

    claim(
        pod,
        "{'interface': {'name': 'eth99', 'addresses': ['169.254.169.13/32']}, 'routes':"
            + " [{'destination': '169.254.169.0/24', 'gateway': '169.254.169.1'},"
            + " {'destination': '169.254.169.1/32', 'scope': 253}]}",
        "nic0");

    assertThat(pod.routes("ip route"))
        .contains("169.254.169.0/24 via 169.254.169.1 dev eth99", "169.254.169.1 dev eth99");
  }

  @Test
  void sizeAddressAndOffloadsAreSet() throws Exception {
    link("nic0");
    TestHost pod = newPod();

    claim(
        pod,
        "{'interface': {'name': 'dranet0', 'addresses': ['169.254.169.14/24'], 'mtu': 4321,"
            + " 'hardwareAddr': '00:11:22:33:44:55'}, 'ethtool': {'features':"
            + " {'tcp-segmentation-offload': false, 'generic-receive-offload': false,"
            + " 'large-receive-offload': false}}}",
        "nic0");

    assertThat(address(pod, "dranet0").get("mtu").asInt()).isEqualTo(4321);
    assertThat(address(pod, "dranet0").get("address").asText()).isEqualTo("00:11:22:33:44:55");
    assertThat(pod.run("ethtool -k dranet0"))
        .contains(
            "tcp-segmentation-offload: off",
            "generic-receive-offload: off",
            "large-receive-offload: off");
  }

  @Test
  void bigTcpIsSwitchedOnForBothFamilies() throws Exception {
    link("nic0");
    TestHost pod = newPod();

    claim(
        pod,
        "{'interface': {'name': 'dranet1', 'addresses': ['192.168.200.1/24'], 'mtu': 8896,"
            + " 'gsoMaxSize': 65536, 'groMaxSize': 65536, 'gsoIPv4MaxSize': 65536,"
            + " 'groIPv4MaxSize': 65536}, 'ethtool': {'features': {'tcp-segmentation-offload':"
            + " true, 'generic-receive-offload': true, 'large-receive-offload': false}}}",
        "nic0");

    try (RouteNetlink route = RouteNetlink.open(pod.namespace())) {
      var link = route.links().get("dranet1");
      assertThat(link.mtu()).isEqualTo(8896);
      assertThat(link.limits().gsoMaxSize()).isEqualTo(65_536);
      assertThat(link.limits().groMaxSize()).isEqualTo(65_536);
      assertThat(link.limits().gsoIpv4MaxSize()).isEqualTo(65_536);
      assertThat(link.limits().groIpv4MaxSize()).isEqualTo(65_536);
    }
    assertThat(pod.run("ethtool -k dranet1"))
        .contains("tcp-segmentation-offload: on", "generic-receive-offload: on");
  }

  @Test
  @EnabledIf("io.dra4j.dranet.attach.LoadedProgram#canAttach")
  void filtersAndProgramsArePublishedByTheirNamesAndRemovedInThePod() throws Exception {
    link("nic0");
    host.run("tc qdisc add dev nic0 clsact");
    TestHost pod = newPod();
    try (LoadedProgram program =
        new LoadedProgram(host.namespace(), LoadedProgram.Place.TCX_INGRESS, "handle_ingress")) {
      program.filter(node.index("nic0"), "dummy_bpf.o:[classifier]");
      assertThat(node.find("nic0").attributes())
          .containsEntry("ebpf", DeviceAttribute.of(true))
          .containsEntry("tcFilterNames", DeviceAttribute.of("dummy_bpf.o:[classifier]"))
          .doesNotContainKey("tcxProgramNames");
      program.attach(node.index("nic0"));
      assertThat(node.find("nic0").attributes())
          .containsEntry("tcxProgramNames", DeviceAttribute.of("handle_ingress"));

      claim(pod, "{'interface': {'disableEbpfPrograms': true}}", "nic0");
    }

    try (NetworkDriver inPod =
        NetworkDriver.builder()
            .namespace(pod.namespace())
            .filter((name, device) -> device.name().equals("nic0"))
            .build()) {
      assertThat(inPod.discover(HostInventory.builder().build()))
          .singleElement()
          .satisfies(
              one ->
                  assertThat(one.attributes())
                      .containsEntry("ebpf", DeviceAttribute.of(false))
                      .doesNotContainKeys("tcFilterNames", "tcxProgramNames"));
    }
  }

  @Test
  void twoDevicesOfOneRequestKeepTheirAddresses() throws Exception {
    link("nic0");
    link("nic1");
    host.ip("addr add 169.254.169.13/32 dev nic0", "addr add 169.254.169.14/32 dev nic1");
    TestHost pod = newPod();

    TestNode.Running running = claim(pod, "{}", "nic0", "nic1");

    assertThat(pod.run("ip -br addr show dev nic0")).contains("169.254.169.13/32");
    assertThat(pod.run("ip -br addr show dev nic1")).contains("169.254.169.14/32");
    assertThat(running.ips()).containsExactly("169.254.169.13/32", "169.254.169.14/32");
  }

  @Test
  void aDeviceThatCameBackIsClaimedAgainWithItsAddress() throws Exception {
    link("nic0");
    host.ip("addr add 169.254.169.14/32 dev nic0");
    for (int i = 0; i < 2; i++) {
      TestHost pod = newPod();
      TestNode.Running running = claim(pod, "{}", "nic0");
      assertThat(pod.run("ip -br addr show dev nic0")).contains("169.254.169.14/32");
      end(running, pod);
    }

    assertThat(host.run("ip -br addr show dev nic0")).contains("169.254.169.14/32");
  }

  @Test
  void permanentNeighboursGoAlongUnderTheNewNameAndAddress() throws Exception {
    link("nic0");
    host.ip(
        "addr add 169.254.169.15/32 dev nic0",
        "neigh add 192.168.1.1 lladdr 00:11:22:33:44:55 dev nic0 nud permanent",
        "neigh add 2001:db8::1 lladdr 00:aa:bb:cc:dd:ee dev nic0 nud permanent");
    TestHost pod = newPod();

    claim(pod, STATIC, "nic0");

    assertThat(pod.run("ip neigh"))
        .contains(
            "192.168.1.1 dev eth99 lladdr 00:11:22:33:44:55 PERM",
            "2001:db8::1 dev eth99 lladdr 00:aa:bb:cc:dd:ee PERM");
  }

  @Test
  void rulesAndRoutesOfOtherTablesGoAlongUnderTheNewName() throws Exception {
    link("nic0");
    host.ip(
        "addr add 169.254.169.13/24 dev nic0",
        "route add 10.10.10.0/24 via 169.254.169.1 dev nic0 table 100",
        "rule add from 10.20.30.0/24 table 100 priority 500");
    TestHost pod = newPod();

    claim(pod, STATIC, "nic0");

    assertThat(pod.routes("ip route show table 100"))
        .contains("10.10.10.0/24 via 169.254.169.1 dev eth99");
    assertThat(pod.run("ip rule")).contains("500:\tfrom 10.20.30.0/24 lookup 100");
  }

  @Test
  void theSubnetRouteOfIpv6IsThereOnce() throws Exception {
    link("nic0");
    host.ip("addr add fd36::3:0:e:0:0/96 dev nic0 nodad");
    TestHost pod = newPod();

    claim(pod, "{}", "nic0");

    assertThat(
            pod.routes("ip -6 route").lines().filter(one -> one.startsWith("fd36::3:0:e:0:0/96")))
        .singleElement()
        .asString()
        .startsWith("fd36::3:0:e:0:0/96 dev nic0 proto kernel metric 256");
  }

  /** A pod, a router with two links, and a pod, all of it by claims alone. */
  @Test
  void policyRoutingLeadsOverARouterByClaimsAlone() throws Exception {
    host.ip(
        "link add pod1 type veth peer name router1", "link add pod2 type veth peer name router2");
    TestHost first = newPod();
    TestHost router = newPod();
    TestHost second = newPod();
    String config =
        "{'interface': {'name': 'eth1', 'addresses': ['192.168.%d.10/24']}, 'rules': [{'source':"
            + " '192.168.%d.0/24', 'table': 100, 'priority': 32000}, {'destination':"
            + " '192.168.%d.0/24', 'table': 100, 'priority': 32000}], 'routes': [{'destination':"
            + " '0.0.0.0/0', 'table': 100, 'gateway': '192.168.%d.2'}]}";
    String routing =
        "{'interface': {'name': 'eth%d', 'addresses': ['192.168.%d.2/24'], 'forwarding': true}}";

    claim(first, config.formatted(100, 100, 200, 100), "pod1");
    claim(second, config.formatted(200, 200, 100, 200), "pod2");
    claim(router, routing.formatted(1, 100), "router1");
    claim(router, routing.formatted(2, 200), "router2");

    assertThat(first.run("ip route show table main")).doesNotContain("192.168.200");
    assertThat(first.run("ping -c 1 -w 120 192.168.200.10")).contains("from 192.168.200.10");
  }

  /** The facts and settings of a cloud or webhook: an attribute, an MTU, addresses of a profile. */
  @Test
  void aProviderTellsAttributesAndGivesWhatTheClaimDoesNotSay() throws Exception {
    link("nic0");
    link("nic1");
    node.restart(
        NetworkDriver.builder()
            .attributes(
                (NetworkDevice device) ->
                    Map.of("cloud.example.com/zone", DeviceAttribute.of("z-" + device.name())))
            .profiles(
                new ProfileProvider() {
                  @Override
                  public NetworkConfig acquire(ProfileRequest request) throws DriverException {
                    return NetworkConfig.parse(
                        "{\"interface\": {\"mtu\": 1234, \"addresses\": [\"203.0.113.7/24\"]}}");
                  }

                  @Override
                  public void release(ProfileRequest request) {}
                }));
    TestHost pod = newPod();

    assertThat(node.find("nic0").attributes())
        .containsEntry("cloud.example.com/zone", DeviceAttribute.of("z-nic0"));
    claim(pod, "{'profile': 'rail'}", "nic0");
    claim(pod, "{'profile': 'rail', 'interface': {'mtu': 1400, 'addresses': []}}", "nic1");

    assertThat(address(pod, "nic0").get("mtu").asInt()).isEqualTo(1234);
    assertThat(pod.run("ip -br addr show dev nic0")).contains("203.0.113.7/24");
    assertThat(address(pod, "nic1").get("mtu").asInt()).isEqualTo(1400);
    assertThat(pod.run("ip -br addr show dev nic1")).doesNotContain("203.0.113.7");
  }
}
