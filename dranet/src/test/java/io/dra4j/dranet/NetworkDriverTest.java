package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.Condition;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The driver as a runtime calls it. Single quotes stand for double ones. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class NetworkDriverTest {

  /** Gives one address, and records the requests. */
  private static final class OneAddress implements ProfileProvider {

    private final List<String> asked = new ArrayList<>();

    @Override
    public NetworkConfig acquire(ProfileRequest request) throws DriverException {
      asked.add("acquire " + request.profile() + " " + request.device());
      return NetworkConfig.parse("{\"interface\": {\"addresses\": [\"203.0.113.7/24\"]}}");
    }

    @Override
    public void release(ProfileRequest request) {
      asked.add("release " + request.profile() + " " + request.device());
    }
  }

  private final OneAddress profiles = new OneAddress();
  private final MemoryJournal journal = new MemoryJournal();
  private TestHost host;
  private TestHost pod;
  private NetworkDriver driver;
  private List<Device> devices;

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip(
        "link add nic0 type veth peer name other0",
        "link add nic1 type veth peer name other1",
        "link add mac0 link other1 type macvlan",
        "link add br0 type bridge");
    driver =
        NetworkDriver.builder()
            .namespace(host.namespace())
            .filter((name, device) -> !device.name().equals("mac0"))
            .profiles(profiles)
            .build();
    devices = driver.discover(HostInventory.builder().build());
  }

  @AfterEach
  void close() {
    driver.close();
    pod.close();
    host.close();
  }

  private ClaimedDevices claim(String... configurations) {
    Device device =
        devices.stream().filter(one -> one.name().equals("nic0")).findFirst().orElseThrow();
    List<OpaqueConfiguration> all = new ArrayList<>();
    for (String one : configurations) {
      all.add(
          new OpaqueConfiguration(
              AllocationConfigSource.FROM_CLAIM, List.of(), one.replace('\'', '"')));
    }
    return new ClaimedDevices(
        new ClaimReference("default", "rail", "uid-1"),
        List.of(),
        List.of(
            new ClaimedDevice(
                DeviceRequestAllocationResult.of("nic", new DeviceId("dra.net", "node", "nic0"))
                    .build(),
                device,
                0,
                all)));
  }

  private Sandbox sandbox(TestHost where) {
    return Sandbox.of(
        Path.of(
            "/proc/%d/fd/%d"
                .formatted(
                    ProcessHandle.current().pid(), where.namespace().descriptor().number())));
  }

  @Test
  void devicesAreThoseThatTheFilterLetsThrough() {
    assertThat(devices)
        .extracting(Device::name)
        .contains("nic0", "other0") // kernels with tunnels have more in each namespace
        .doesNotContain("mac0", "br0");
  }

  @Test
  void withoutFilterEndsOfVethPairsAreNotOffered() throws IOException {
    try (NetworkDriver plain =
        NetworkDriver.builder().namespace(host.namespace()).name("net.example.com").build()) {
      assertThat(plain.name()).isEqualTo("net.example.com");
      assertThat(plain.discover(HostInventory.builder().build()))
          .extracting(Device::name)
          .contains("mac0")
          .doesNotContain("nic0", "other0", "br0");
    }
  }

  @Test
  void aClaimIsPreparedAttachedDetachedAndUnprepared() throws Exception {
    List<String> before = host.seen("nic0");
    ClaimedDevices claimed =
        claim("{'interface': {'name': 'net1', 'addresses': ['192.0.2.5/24']}}");

    Prepared prepared = driver.prepare(claimed, journal);
    assertThat(host.seen("nic0")).isEqualTo(before);
    PreparedClaim claim = new PreparedClaim(claimed, prepared);
    List<AllocatedDeviceStatus> statuses = driver.attach(claim, sandbox(pod), journal);

    assertThat(pod.run("ip -br addr")).contains("net1", "192.0.2.5/24");
    assertThat(statuses)
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.device()).isEqualTo("nic0");
              NetworkDeviceData data = Objects.requireNonNull(status.networkData());
              assertThat(data.interfaceName()).isEqualTo("net1");
              assertThat(data.ips()).containsExactly("192.0.2.5/24");
              assertThat(status.conditions())
                  .extracting(Condition::type)
                  .containsExactly("Ready", "NetworkReady");
            });
    driver.detach(claim, sandbox(pod), journal);
    driver.settle(claim, sandbox(pod), journal);
    driver.detach(claim, sandbox(pod), journal);
    driver.settle(claim, sandbox(pod), journal);
    driver.unprepare(claim, journal);
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aLateStopFindsTheNamespaceThoughItsPathIsGone() throws Exception {
    List<String> before = host.seen("nic0");
    ClaimedDevices claimed = claim("{}");
    PreparedClaim claim = new PreparedClaim(claimed, driver.prepare(claimed, journal));
    Sandbox sandbox = sandbox(pod);
    driver.attach(claim, sandbox, journal);
    pod.close();

    driver.detach(claim, sandbox, journal);
    driver.settle(claim, sandbox, journal);

    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  @Test
  void aDriverOfALaterProcessDetaches() throws Exception {
    List<String> before = host.seen("nic0");
    ClaimedDevices claimed = claim("{'rules': [{'table': 5}]}");
    PreparedClaim claim = new PreparedClaim(claimed, driver.prepare(claimed, journal));
    driver.attach(claim, sandbox(pod), journal);
    driver.close();

    try (NetworkDriver later = NetworkDriver.builder().namespace(host.namespace()).build()) {
      later.resume(claim, sandbox(pod));
      later.detach(claim, sandbox(pod), journal);
      later.settle(claim, sandbox(pod), journal);
    }

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.run("ip rule")).doesNotContain("lookup 5");
  }

  @Test
  void whatAProfileGivesIsUnderTheConfigurationAndGivenBack() throws Exception {
    ClaimedDevices claimed =
        claim("{'profile': 'rail0'}", "{'interface': {'addresses': ['192.0.2.5/24']}}");

    PreparedClaim claim = new PreparedClaim(claimed, driver.prepare(claimed, journal));
    assertThat(journal.steps()).hasSize(1);
    MemoryJournal attaching = new MemoryJournal();
    driver.attach(claim, sandbox(pod), attaching);
    assertThat(pod.run("ip -br addr")).contains("203.0.113.7/24", "192.0.2.5/24");
    driver.detach(claim, sandbox(pod), attaching);
    driver.settle(claim, sandbox(pod), attaching);
    driver.unprepare(claim, journal);

    assertThat(profiles.asked).containsExactly("acquire rail0 nic0", "release rail0 nic0");
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aProfileOfAForgottenClaimIsGivenBack() throws Exception {
    ClaimedDevices claimed = claim("{'profile': 'rail0'}");
    PreparedClaim claim = new PreparedClaim(claimed, driver.prepare(claimed, journal));

    driver.forget(claim, journal.steps());

    assertThat(profiles.asked).containsExactly("acquire rail0 nic0", "release rail0 nic0");
  }

  @Test
  void aLinkThatIsUpWithoutCarrierIsUnhealthy() throws Exception {
    host.ip("link set other0 down", "link set nic0 up");
    driver.discover(HostInventory.builder().build());
    assertThat(driver.health(HostInventory.builder().build()))
        .filteredOn(one -> one.device().equals("nic0"))
        .containsExactly(
            new DeviceHealth(
                "nic0", DeviceHealth.Status.UNHEALTHY, "nic0 is up but has no carrier"));

    host.ip("link set nic0 down");
    driver.discover(HostInventory.builder().build());

    assertThat(driver.health(HostInventory.builder().build()))
        .filteredOn(one -> one.device().equals("nic0"))
        .containsExactly(new DeviceHealth("nic0", DeviceHealth.Status.HEALTHY, ""));
  }

  /**
   * Operators exclude links with the filter; the runtime reports the health of devices that are not
   * offered.
   */
  @Test
  void healthIsReportedOfOfferedDevicesAlone() throws Exception {
    host.ip("link set other0 down", "link set nic0 up");
    try (NetworkDriver filtered =
        NetworkDriver.builder()
            .namespace(host.namespace())
            .filter((name, device) -> !device.name().equals("nic0"))
            .build()) {
      List<Device> offered = filtered.discover(HostInventory.builder().build());

      assertThat(filtered.devices()).containsKey("nic0");
      assertThat(filtered.health(HostInventory.builder().build()))
          .extracting(DeviceHealth::device)
          .isNotEmpty()
          .isSubsetOf(offered.stream().map(Device::name).toList());
    }
  }

  @Test
  void anRdmaDeviceWithoutInterfaceIsAsHealthyAsItsPorts(@TempDir Path root) throws Exception {
    PciAddress address = PciAddress.parse("0000:8a:00.0");
    RdmaDevice down =
        RdmaDevice.named("mlx5_0")
            .address(address)
            .ports(List.of(RdmaPort.numbered(1).state("DOWN").build()))
            .build();
    RdmaDevice up =
        down.toBuilder().ports(List.of(RdmaPort.numbered(1).state("ACTIVE").build())).build();
    try (NetworkDriver captured = NetworkDriver.builder().host(Host.captured(root)).build()) {
      HostInventory inventory = HostInventory.builder().rdmaDevice(down).build();
      captured.discover(inventory);
      assertThat(captured.health(inventory))
          .containsExactly(
              new DeviceHealth(
                  "pci-0000-8a-00-0",
                  DeviceHealth.Status.UNHEALTHY,
                  "no port of mlx5_0 is active: port 1 is DOWN"));

      inventory = HostInventory.builder().rdmaDevice(up).build();
      captured.discover(inventory);

      assertThat(captured.health(inventory))
          .extracting(DeviceHealth::status)
          .containsExactly(DeviceHealth.Status.HEALTHY);
    }
  }

  /** Those of other devices on the host are not among them. */
  @Test
  void characterDevicesAreThoseOfTheClaimedDeviceAlone(@TempDir Path root) throws Exception {
    String[] nodes = {"mlx5_0", "231:192", "mlx5_1", "231:193"};
    for (int i = 0; i < 2; i++) {
      Path node = root.resolve("sys/class/infiniband_verbs/uverbs" + i);
      Files.createDirectories(node);
      Files.writeString(node.resolve("ibdev"), nodes[2 * i] + "\n");
      Files.writeString(node.resolve("dev"), nodes[2 * i + 1] + "\n");
    }
    HostInventory inventory =
        HostInventory.builder()
            .rdmaDevice(
                RdmaDevice.named("mlx5_0").address(PciAddress.parse("0000:8a:00.0")).build())
            .rdmaDevice(
                RdmaDevice.named("mlx5_1").address(PciAddress.parse("0000:8b:00.0")).build())
            .build();
    try (NetworkDriver captured = NetworkDriver.builder().host(Host.captured(root)).build()) {
      Device device = captured.discover(inventory).get(1);
      DeviceId id = new DeviceId("dra.net", "node", device.name());
      ClaimedDevice claimed =
          new ClaimedDevice(
              DeviceRequestAllocationResult.of("nic", id).build(), device, 0, List.of());

      Prepared prepared =
          captured.prepare(
              new ClaimedDevices(
                  new ClaimReference("default", "rail", "uid-1"), List.of(), List.of(claimed)),
              journal);

      assertThat(device.name()).isEqualTo("pci-0000-8b-00-0");
      assertThat(prepared.devices().get(0).edits().deviceNodes())
          .extracting(DeviceNode::path)
          .containsExactly("/dev/infiniband/uverbs1");
    }
  }

  @Test
  void whatTheDeviceDoesNotAllowIsRefusedWhenItIsPrepared() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> driver.prepare(claim("{'interface': {'mtu': 70000}}"), journal))
        .withMessageContaining("nic0 supports 68 to 65535 bytes")
        .satisfies(e -> assertThat(e.field()).isEqualTo("/interface/mtu"));
  }

  @Test
  void aPodInTheNetworkOfTheHostIsRefused() throws Exception {
    ClaimedDevices claimed = claim("{}");
    PreparedClaim claim = new PreparedClaim(claimed, driver.prepare(claimed, journal));

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> driver.attach(claim, sandbox(host), journal))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID));
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () ->
                driver.attach(claim, Sandbox.ofPod("s", "u").pod("default", "p").build(), journal))
        .withMessageContaining(
            "sandbox default/p (s): the container runtime did not report its network namespace, so"
                + " network devices cannot be attached")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID));
  }

  @Test
  void aNamespaceThatIsGoneIsUnavailable() throws Exception {
    ClaimedDevices claimed = claim("{}");
    PreparedClaim claim = new PreparedClaim(claimed, driver.prepare(claimed, journal));

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () -> driver.attach(claim, Sandbox.of(Path.of("/run/netns/gone-away")), journal))
        .withMessageContaining("/run/netns/gone-away")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));
    driver.detach(claim, Sandbox.of(Path.of("/run/netns/gone-away")), journal);
    driver.settle(claim, Sandbox.of(Path.of("/run/netns/gone-away")), journal);
  }
}
