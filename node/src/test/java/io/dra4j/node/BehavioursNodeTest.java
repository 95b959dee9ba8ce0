package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.dranet.ProfileProvider;
import io.dra4j.dranet.ProfileRequest;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.DriverException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the original's own end-to-end tests ({@code tests/*.bats}) show, in pods of a real cluster:
 * macvlans of two wires and an end of a veth pair, claimed by their names, and looked at from
 * inside.
 */
class BehavioursNodeTest {

  private static final String SETUP =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: behaviours}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.net"'}}]}
      """;

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: %1$s, namespace: default}
      spec:
        devices:
          requests:
          - name: nic
            exactly:
              deviceClassName: behaviours
              count: %2$d
              selectors: [{cel: {expression: '%3$s'}}]
          config:
          - opaque: {driver: dra.net, parameters: %4$s}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: default, labels: {test: behaviours}}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 0
        resourceClaims:
      %2$s
        containers:
        - name: main
          image: %3$s
          imagePullPolicy: Never
          command: [sh, -c, '%4$s; echo END; exec sleep 600']
          resources: {claims: [%5$s]}
      """;

  /** Gives the addresses of a profile, as whereabouts does by DraNet's webhook. */
  private static final class Pools implements ProfileProvider {

    @Override
    public NetworkConfig acquire(ProfileRequest request) throws DriverException {
      return NetworkConfig.parse(
          "{\"interface\": {\"mtu\": 1234, \"addresses\": [\"203.0.113.7/24\"]}}");
    }

    @Override
    public void release(ProfileRequest request) {}
  }

  private static NodeCluster cluster;
  @TempDir private Path directory;
  private NodeCluster.Driver driver;

  @BeforeAll
  static void connect() throws Exception {
    cluster = NodeCluster.connect();
    for (String wire : List.of("left", "right")) {
      run("ip", "link", "add", wire, "mtu", "9000", "type", "veth", "peer", "name", wire + "p");
      run("ip", "link", "set", wire + "p", "mtu", "9000", "up");
      run("ip", "link", "set", wire, "up");
    }
    link("left", "pod1");
    link("left", "router1");
    link("right", "pod2");
    link("right", "router2");
    link("left", "mlx5_6");
    run("ip", "link", "add", "pair1", "type", "veth", "peer", "name", "pair1p");
    cluster.create(SETUP);
  }

  private static void link(String wire, String name) throws Exception {
    run("ip", "link", "add", name, "link", wire, "type", "macvlan", "mode", "bridge");
  }

  @AfterAll
  static void disconnect() throws Exception {
    if (cluster != null) {
      run("ip", "link", "del", "left");
      run("ip", "link", "del", "right");
      run("ip", "link", "del", "pair1p");
      cluster.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    // With a filter, ends of veth pairs are offered, too: macvlans cannot switch offloads.
    NetworkDriver network =
        NetworkDriver.builder()
            .filter((name, device) -> !device.name().startsWith("veth"))
            .profiles(new Pools())
            .build();
    DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(network)
            .node(NodeCluster.NODE)
            .store(directory.resolve("claims.db"))
            .discovery(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(10))
            .build();
    driver = new NodeCluster.Driver(network, runtime, cluster.start(runtime));
  }

  @AfterEach
  void stop() throws Exception {
    if (driver != null) {
      cluster.client.pods().inNamespace(NodeCluster.NAMESPACE).withLabel("test").delete();
      await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
      cluster.deleteClaims();
      driver.close();
    }
  }

  private static String named(String link) {
    return "device.attributes[\"dra.net\"].ifName == \"%s\"".formatted(link);
  }

  private static void claim(String name, String link, String config) {
    cluster.create(CLAIM.formatted(name, 1, named(link), config));
  }

  /** Starts a pod with claims; returns what it prints. */
  private static String pod(String name, String look, String... claims) throws Exception {
    StringBuilder named = new StringBuilder();
    StringBuilder used = new StringBuilder();
    for (String claim : claims) {
      named.append("  - {name: %1$s, resourceClaimName: %1$s}%n".formatted(claim));
      used.append(used.isEmpty() ? "" : ", ").append("{name: %s}".formatted(claim));
    }
    cluster.create(
        POD.formatted(name, named.toString().stripTrailing(), NodeCluster.IMAGE, look, used));
    await(name + " runs", () -> cluster.phase(name).equals("Running"));
    await(name + " has looked", () -> cluster.log(name).contains("END"));
    return cluster.log(name);
  }

  @Test
  void linkWhoseNameIsNoLabelIsClaimedByTheNameOfItsDevice() throws Exception {
    claim("odd", "mlx5_6", "{interface: {name: eth9, addresses: [169.254.169.13/24]}}");
    assertThat(pod("odd", "ip address show eth9", "odd")).contains("169.254.169.13/24");
    await(
        "the status has the device",
        () -> cluster.statusDevices("odd").toString().contains("net-nvwhqnk7gy"));
  }

  @Test
  void arpSizeAddressAndForwardingAreThoseOfTheClaim() throws Exception {
    claim(
        "settings",
        "pod1",
        "{interface: {name: eth1, mtu: 4321, hardwareAddr: '02:00:00:00:43:21', arpIgnore: 1,"
            + " arpAnnounce: 2, forwarding: true, addresses: [192.0.2.1/24]}}");
    String seen =
        pod(
            "settings",
            "ip link show eth1; cd /proc/sys/net/ipv4/conf/eth1; grep . arp_ignore arp_announce"
                + " forwarding",
            "settings");
    assertThat(seen)
        .contains(
            "mtu 4321", "02:00:00:00:43:21", "arp_ignore:1", "arp_announce:2", "forwarding:1");
  }

  @Test
  void offloadsAndBigTcpAreThoseOfTheClaim() throws Exception {
    assumeTrue(
        Stream.of("/usr/sbin/ethtool", "/sbin/ethtool", "/usr/bin/ethtool")
            .anyMatch(program -> Files.isExecutable(Path.of(program))),
        "no program ethtool");
    claim(
        "offloads",
        "pair1",
        "{interface: {name: eth1, gsoMaxSize: 65000, groMaxSize: 65000, gsoIPv4MaxSize: 65000,"
            + " groIPv4MaxSize: 65000}, ethtool: {features: {tcp-segmentation-offload: false,"
            + " generic-receive-offload: false, large-receive-offload: false}}}");
    pod("offloads", "true", "offloads");
    String namespace = namespaceOf("eth1");
    assertThat(run("nsenter", "--net=" + namespace, "ip", "-details", "link", "show", "eth1"))
        .contains(
            "gso_max_size 65000",
            "gro_max_size 65000"); // those of IPv4 are read back by the driver
    assertThat(run("nsenter", "--net=" + namespace, "ethtool", "-k", "eth1"))
        .contains(
            "tcp-segmentation-offload: off",
            "generic-receive-offload: off",
            "large-receive-offload: off");
  }

  @Test
  void filterIsPublishedAndIsNotInThePod() throws Exception {
    run("tc", "qdisc", "add", "dev", "pair1", "clsact");
    run("tc", "filter", "add", "dev", "pair1", "ingress", "bpf", "da", "bytecode", "1,6 0 0 0,");
    String isFiltered = named("pair1") + " && device.attributes[\"dra.net\"].ebpf";
    cluster.create(
        CLAIM.formatted("filter", 1, isFiltered, "{interface: {disableEbpfPrograms: true}}"));
    pod("filter", "true", "filter");
    String namespace = namespaceOf("pair1");
    assertThat(
            run("nsenter", "--net=" + namespace, "tc", "filter", "show", "dev", "pair1", "ingress"))
        .isBlank();
  }

  /** The namespace of the pod that has a link. */
  private static String namespaceOf(String link) throws Exception {
    try (Stream<Path> all = Files.list(Path.of(System.getenv("NETNS_DIR")))) {
      for (Path one : all.toList()) {
        if (run("nsenter", "--net=" + one, "ip", "-brief", "link").contains(link + "@")) {
          return one.toString();
        }
      }
    }
    throw new AssertionError("no namespace has " + link);
  }

  @Test
  void routesAreAddedThoughTheGatewayComesLater() throws Exception {
    claim(
        "routes",
        "pod1",
        "{interface: {name: eth1, addresses: [169.254.169.13/32]}, routes: [{destination:"
            + " 203.0.113.0/24, gateway: 169.254.169.1}, {destination: 169.254.169.0/24, scope:"
            + " 253}]}");
    assertThat(pod("routes", "ip route", "routes"))
        .contains("203.0.113.0/24 via 169.254.169.1 dev eth1", "169.254.169.0/24 dev eth1");
  }

  @Test
  void neighboursRulesTablesAndSubnetRoutesOfTheHostGoAlong() throws Exception {
    run("ip", "link", "set", "pod1", "up");
    run("ip", "address", "add", "192.168.67.1/24", "dev", "pod1");
    run("ip", "address", "add", "fd36::3:0:e:0:1/96", "dev", "pod1", "nodad");
    run("ip", "neigh", "add", "192.168.67.9", "lladdr", "00:11:22:33:44:55", "dev", "pod1");
    run("ip", "-6", "neigh", "add", "fd36::9", "lladdr", "00:11:22:33:44:66", "dev", "pod1");
    run("ip", "route", "add", "10.9.0.0/16", "via", "192.168.67.9", "dev", "pod1", "table", "100");
    run("ip", "rule", "add", "from", "192.168.67.1", "table", "100", "priority", "32000");
    try {
      claim("along", "pod1", "{interface: {name: eth1}}");
      String seen =
          pod(
              "along",
              "ip address show eth1; ip neigh; ip rule; ip route show table 100; ip -6 route",
              "along");
      assertThat(seen)
          .contains(
              "192.168.67.1/24",
              "192.168.67.9 dev eth1 lladdr 00:11:22:33:44:55",
              "fd36::9 dev eth1 lladdr 00:11:22:33:44:66",
              "from 192.168.67.1 lookup 100",
              "10.9.0.0/16 via 192.168.67.9 dev eth1");
      assertThat(seen.lines().filter(line -> line.startsWith("fd36::3:0:e:0:0/96"))).hasSize(1);
    } finally {
      run("ip", "rule", "del", "priority", "32000");
    }
  }

  @Test
  void twoDevicesOfOneRequestAreBothThere() throws Exception {
    String both = "[\"pod2\", \"router2\"].exists(n, n == device.attributes[\"dra.net\"].ifName)";
    cluster.create(CLAIM.formatted("two", 2, both, "{interface: {name: net%d}}"));
    assertThat(pod("two", "ip -o link", "two")).contains("net0", "net1");
  }

  @Test
  void profileGivesWhatTheClaimDoesNotSay() throws Exception {
    claim("profile", "pod2", "{profile: rail, interface: {name: eth2}}");
    assertThat(pod("profile", "ip address show eth2", "profile"))
        .contains("mtu 1234", "203.0.113.7/24");
  }

  @Test
  void policyRoutingLeadsFromPodToPodOverARouter() throws Exception {
    String config =
        "{interface: {name: eth1, addresses: [192.168.%d.10/24]}, rules: [{source:"
            + " 192.168.%d.0/24, table: 100, priority: 32000}, {destination: 192.168.%d.0/24,"
            + " table: 100, priority: 32000}], routes: [{destination: 0.0.0.0/0, table: 100,"
            + " gateway: 192.168.%d.2}]}";
    String routing = "{interface: {name: eth%d, addresses: [192.168.%d.2/24], forwarding: true}}";
    claim("first", "pod1", config.formatted(100, 100, 200, 100));
    claim("second", "pod2", config.formatted(200, 200, 100, 200));
    claim("near", "router1", routing.formatted(1, 100));
    claim("far", "router2", routing.formatted(2, 200));
    pod("router", "true", "near", "far");
    pod("second", "true", "second");
    assertThat(pod("first", "ping -c 1 -W 30 192.168.200.10", "first"))
        .contains("from 192.168.200.10");
  }
}
