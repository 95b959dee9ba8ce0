package io.dra4j.dranet.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.attach.LoadedProgram;
import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.RdmaDeviceException;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.bpf.LinkPrograms;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * VRFs, BPF filters, dummies, virtual functions and RDMA devices. Single quotes are double ones.
 */
@EnabledIf("isOurs")
class NetworkLabTest {

  private final MemoryJournal journal = new MemoryJournal();
  private final List<String> notices = new ArrayList<>();
  private TestHost host;
  private TestHost pod;
  private Attacher attacher;

  static boolean isOurs() {
    return Objects.equals(System.getenv("LAB"), "1"); // as e2e/lab/run sets it
  }

  static boolean hasFunctions() throws IOException {
    return isOurs() && virtualFunction() != null;
  }

  static boolean hasRdma() {
    return isOurs() && Files.isDirectory(Path.of("/sys/class/infiniband"));
  }

  private static Path virtualFunction() throws IOException {
    try (var links = Files.list(Path.of("/sys/class/net"))) {
      return links
          .filter(one -> Files.exists(one.resolve("device/physfn")))
          .sorted()
          .findFirst()
          .orElse(null);
    }
  }

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip(
        "link add nic0 type veth peer name other0",
        "link set other0 up",
        "link set nic0 mtu 1400 up",
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 2001:db8::5/64 dev nic0 nodad");
    attacher = Attacher.in(host.namespace(), notices::add);
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  private static AttachRequest request(String link, String json) throws ConfigurationException {
    return AttachRequest.ofLink(link, NetworkConfig.parse(json.replace('\'', '"')));
  }

  private void attach(AttachRequest... requests) throws Exception {
    attacher.attach(List.of(requests), pod.namespace(), journal);
  }

  private void detach() throws Exception {
    journal.undo(step -> attacher.undo(step, pod.namespace()));
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aVrfIsMadeWithItsTableAndRoutesAndGoesAgain() throws Exception {
    List<String> before = host.seen("nic0");
    String accept = pod.namespace().sysctl("net/ipv4/tcp_l3mdev_accept");

    attach(
        request(
            "nic0",
            "{'interface': {'name': 'net1', 'vrf': {'name': 'blue'}}, 'routes': [{'destination':"
                + " '10.0.0.0/8', 'gateway': '192.0.2.1', 'table': 7}, {'destination':"
                + " '2001:db8:7::/48', 'gateway': '2001:db8::1'}]}"));

    JsonNode vrf = pod.json("ip -d -j link show dev blue").get(0);
    assertThat(vrf.get("linkinfo").get("info_data").get("table").asInt()).isEqualTo(1541);
    assertThat(vrf.get("flags").toString()).contains("\"UP\"");
    assertThat(pod.json("ip -j link show dev net1").get(0).get("master").asText())
        .isEqualTo("blue");
    assertThat(pod.run("ip -br addr show dev net1")).contains("192.0.2.5/24", "2001:db8::5/64");
    assertThat(pod.run("ip route show table 1541"))
        .contains("10.0.0.0/8 via 192.0.2.1 dev net1", "192.0.2.0/24 dev net1");
    assertThat(pod.run("ip -6 route show table 1541")).contains("2001:db8:7::/48 via 2001:db8::1");
    assertThat(pod.namespace().sysctl("net/ipv4/tcp_l3mdev_accept")).isEqualTo("1");
    detach();
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.run("ip -br link")).doesNotContain("blue", "net1");
    assertThat(pod.namespace().sysctl("net/ipv4/tcp_l3mdev_accept")).isEqualTo(accept);
  }

  @Test
  void twoLinksShareAVrf() throws Exception {
    host.ip("link add nic1 type veth peer name other1", "link set nic1 up");
    List<String> first = host.seen("nic0");
    List<String> second = host.seen("nic1");

    attach(
        request("nic0", "{'interface': {'vrf': {'name': 'red', 'table': 42}}}"),
        request("nic1", "{'interface': {'vrf': {'name': 'red', 'table': 42}}}"));

    assertThat(pod.json("ip -j link show master red")).hasSize(2);
    detach();
    assertThat(host.seen("nic0")).isEqualTo(first);
    assertThat(host.seen("nic1")).isEqualTo(second);
    assertThat(pod.run("ip -br link")).doesNotContain("red");
  }

  @Test
  void aVrfOfThePodStaysAndOneOfAnotherTableIsRefused() throws Exception {
    pod.ip("link add blue type vrf table 77");
    List<String> before = host.seen("nic0");

    assertThatExceptionOfType(Exception.class)
        .isThrownBy(() -> attach(request("nic0", "{'interface': {'vrf': {'name': 'blue'}}}")))
        .withMessageContaining("the pod already has a link blue that is not a VRF with table 1541");
    detach();
    assertThat(host.seen("nic0")).isEqualTo(before);
    attach(request("nic0", "{'interface': {'vrf': {'name': 'blue', 'table': 77}}}"));
    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.run("ip -br link")).contains("blue");
  }

  /** A pod, a router with two links, and a pod, all of it by configurations alone. */
  @Test
  void aVrfLeadsOverARouterWhoseLinksShareOne() throws Exception {
    host.ip(
        "link add pod1 type veth peer name router1", "link add pod2 type veth peer name router2");
    String end =
        "{'interface': {'name': 'eth1', 'addresses': ['10.10.%d.1/24'], 'vrf': {'name':"
            + " 'test-vrf'}}, 'routes': [{'destination': '0.0.0.0/0', 'gateway': '10.10.%d.2'}]}";
    String routing =
        "{'interface': {'name': 'eth%d', 'addresses': ['10.10.%d.2/24'], 'forwarding': true, 'vrf':"
            + " {'name': 'test-vrf'}}}";
    try (TestHost router = new TestHost();
        TestHost second = new TestHost()) {
      attach(request("pod1", end.formatted(10, 10)));
      attacher.attach(List.of(request("pod2", end.formatted(20, 20))), second.namespace(), journal);
      attacher.attach(
          List.of(
              request("router1", routing.formatted(1, 10)),
              request("router2", routing.formatted(2, 20))),
          router.namespace(),
          journal);

      assertThat(pod.run("ip -d link show dev test-vrf")).contains("vrf table 1890");
      assertThat(pod.run("ip route")).doesNotContain("default");
      assertThat(pod.run("ping -I eth1 -c 1 -w 120 10.10.20.1")).contains("from 10.10.20.1");
    }
  }

  @Test
  void aProgramOfNetkitIsDetachedInThePodAndToldOnReturn() throws Exception {
    host.ip("link add nk0 type netkit peer name nk1", "link set nk0 up", "link set nk1 up");
    LinkPrograms inPod = LinkPrograms.in(pod.namespace());
    LinkKey nk0 = LinkKey.of("nk0");
    try (LoadedProgram program =
        new LoadedProgram(host.namespace(), LoadedProgram.Place.NETKIT_PRIMARY, "agent")) {
      program.attach(host.json("ip -j link show dev nk0").get(0).get("ifindex").asInt());
      assertThat(LinkPrograms.in(host.namespace()).list(nk0)).hasSize(1);

      attach(request("nk0", "{'interface': {'disableEbpfPrograms': true}}"));

      assertThat(inPod.list(nk0)).isEmpty();
      detach();
      assertThat(notices)
          .anySatisfy(
              one ->
                  assertThat(one).contains("(agent) at NETKIT_PRIMARY was detached for the pod"));
      assertThat(host.run("ip -br link")).contains("nk0@nk1");
    }
  }

  @Test
  void filtersArePublishedAndRemovedInThePod() throws Exception {
    host.run("tc qdisc add dev nic0 clsact");
    String pass = "1,6 0 0 4294967295"; // classic BPF: take the whole packet
    for (String side : List.of("ingress", "egress")) {
      host.runWords("tc", "filter", "add", "dev", "nic0", side, "bpf", "da", "bytecode", pass);
    }
    try (NetworkDriver driver =
        NetworkDriver.builder()
            .namespace(host.namespace())
            .filter((name, device) -> true)
            .build()) {
      Device device = find(driver.discover(HostInventory.builder().build()), "nic0");
      assertThat(device.attributes()).containsEntry("ebpf", DeviceAttribute.of(true));
    }

    attach(request("nic0", "{'interface': {'disableEbpfPrograms': true}}"));

    assertThat(pod.run("tc filter show dev nic0 ingress")).doesNotContain("bpf");
    assertThat(pod.run("tc filter show dev nic0 egress")).doesNotContain("bpf");
    detach();
  }

  @Test
  void aDummyKeepsItsAddressesWithBigTcpAndComesBack() throws Exception {
    host.ip(
        "link add dummy0 type dummy",
        "link set dummy0 up",
        "addr add 198.51.100.9/24 dev dummy0",
        "route add 203.0.113.0/24 via 198.51.100.1 dev dummy0");
    List<String> before = host.seen("dummy0");

    attach(
        request(
            "dummy0",
            "{'interface': {'name': 'eth9', 'gsoMaxSize': 65000, 'groMaxSize': 65000,"
                + " 'gsoIPv4MaxSize': 65000, 'groIPv4MaxSize': 65000}}"));

    JsonNode link = pod.json("ip -d -j addr show dev eth9").get(0);
    assertThat(link.get("gso_max_size").asInt()).isEqualTo(65000);
    assertThat(link.get("gro_ipv4_max_size").asInt()).isEqualTo(65000);
    assertThat(link.get("addr_info").get(0).get("local").asText()).isEqualTo("198.51.100.9");
    assertThat(pod.run("ip route")).contains("203.0.113.0/24 via 198.51.100.1 dev eth9");
    detach();
    assertThat(host.seen("dummy0")).isEqualTo(before);
  }

  @Test
  void anIpvlanGetsNoMoreThanItsLowerLinkHas() throws Exception {
    host.ip("link add ip0 link other0 type ipvlan mode l2");

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(
            () -> attacher.dryRun(List.of(request("ip0", "{'interface': {'mtu': 1501}}")), null))
        .withMessageContaining(
            "ip0 (ipvlan) is built on other0, whose MTU is 1500 bytes, less than 1501");

    attach(request("ip0", "{'interface': {'name': 'net1', 'mtu': 1500}}"));
    assertThat(pod.run("ip link show net1")).contains("mtu 1500");
    detach();
  }

  private static Device find(List<Device> devices, String name) {
    return devices.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  @EnabledIf("hasFunctions")
  void aVirtualFunctionTellsItsPhysicalOneAndTakesNoLargerMtu() throws Exception {
    Path entry = Objects.requireNonNull(virtualFunction());
    String name = entry.getFileName().toString();
    String address = entry.resolve("device").toRealPath().getFileName().toString();
    String physical = entry.resolve("device/physfn").toRealPath().getFileName().toString();
    try (NetworkDriver driver = NetworkDriver.builder().build()) {
      List<Device> devices = driver.discover(TopologyReaders.installed().read(Host.live()));
      Device device = find(devices, "pci-" + address.replaceAll("[:.]", "-"));
      Device parent = find(devices, "pci-" + physical.replaceAll("[:.]", "-"));

      assertThat(device.attributes())
          .containsEntry("isSriovVf", DeviceAttribute.of(true))
          .containsEntry("ifName", DeviceAttribute.of(name))
          .containsEntry("pfName", parent.attributes().get("ifName"))
          .containsEntry("driver", DeviceAttribute.of("igbvf"));
      assertThat(parent.attributes())
          .containsEntry("sriov", DeviceAttribute.of(true))
          .doesNotContainKey("isSriovVf");
      ClaimedDevices claim =
          new ClaimedDevices(
              new ClaimReference("default", "rail", "uid"),
              List.of(),
              List.of(
                  new ClaimedDevice(
                      DeviceRequestAllocationResult.of(
                              "nic", new DeviceId("dra.net", "node", device.name()))
                          .build(),
                      device,
                      0,
                      List.of(
                          new OpaqueConfiguration(
                              AllocationConfigSource.FROM_CLAIM,
                              List.of(),
                              "{\"interface\": {\"mtu\": 9100}}")))));
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(() -> driver.prepare(claim, journal))
          .satisfies(e -> assertThat(e.field()).isEqualTo("/interface/mtu"));
    }
  }

  @Test
  @EnabledIf("hasRdma")
  void anRdmaDeviceGoesAloneAndComesBack() throws Exception {
    host.close();
    try (NetworkNamespace here = NetworkNamespace.current();
        RdmaNetlink rdma = RdmaNetlink.open(here)) {
      host = new TestHost();
      RdmaDevice device = rdma.devices().get(0);
      attacher = Attacher.in(here, notices::add);
      AttachRequest request =
          new AttachRequest("r", null, device.name(), NetworkConfig.EMPTY, 0, OptionalInt.empty());
      assumeThat(rdma.isShared()).isFalse();

      attach(request);

      try (RdmaNetlink away = RdmaNetlink.open(pod.namespace())) {
        assertThat(away.devices()).extracting(RdmaDevice::name).containsExactly(device.name());
      }
      assertThat(rdma.devices()).extracting(RdmaDevice::name).doesNotContain(device.name());
      detach();
      assertThat(rdma.devices()).extracting(RdmaDevice::name).contains(device.name());
    }
  }

  @Test
  void anRdmaDeviceThatIsGoneIsAFailureOfRdma() throws Exception {
    host.close();
    try (NetworkNamespace here = NetworkNamespace.current();
        RdmaNetlink rdma = RdmaNetlink.open(here)) {
      host = new TestHost();
      attacher = Attacher.in(here, notices::add);
      AttachRequest request =
          new AttachRequest("r", null, "gone0", NetworkConfig.EMPTY, 0, OptionalInt.empty());
      assumeThat(rdma.isShared()).isFalse();

      assertThatExceptionOfType(RdmaDeviceException.class)
          .isThrownBy(() -> attach(request))
          .withMessage("device r: RDMA device gone0 does not exist on the host");
    }
  }
}
