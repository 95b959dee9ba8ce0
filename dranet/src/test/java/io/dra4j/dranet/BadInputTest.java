package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.dranet.config.InterfaceConfig;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.DriverException.Kind;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Claims with impossible requests, and hosts that change during a claim: the error names device and
 * field, and nothing is half attached. The runtime adds the claim and the driver. Single quotes
 * stand for double ones.
 */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class BadInputTest {

  private TestNode node;
  private TestHost host;
  private TestHost pod;

  @BeforeEach
  void open() throws IOException {
    node = new TestNode();
    host = node.host();
    pod = node.newPod();
    node.link("nic0");
    node.link("nic1");
    host.ip("addr add 192.0.2.5/24 dev nic0", "addr add 192.0.2.6/24 dev nic1");
  }

  @AfterEach
  void close() {
    node.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'interface': {'name': 'sixteen-bytes-xy'}} | nic0 | /interface/name",
        "{'interface': {'name': 'net0'}} | nic1 | /interface/name",
        "{'interface': {'name': 'fifteen-bytes-x%d'}} | nic0 | /interface/name",
        "{'interface': {'addresses': ['192.0.2.9/24']}} | nic1 | /interface/addresses/0",
        "{'interface': {'hardwareAddr': '02:00:00:00:00:09'}} | nic1 | /interface/hardwareAddr",
        "{'interface': {'mtu': 65536}} | nic0 | /interface/mtu",
        "{'interface': {'mtu': 1000, 'addresses': ['2001:db8::5/64']}} | nic0 | /interface/mtu",
        "{'interface': {'dhcp': true, 'addresses': ['192.0.2.5/24']}} | nic0 | /interface/dhcp",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '2001:db8::1'}]} | nic0 |"
            + " /routes/0/gateway",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '203.0.113.1'}]} | nic0 |"
            + " /routes/0/gateway",
        "{'routes': [{'destination': '10.0.0.0/8', 'scope': 253, 'source': '2001:db8::1'}]} | "
            + "nic0 |"
            + " /routes/0/source",
        "{'rules': [{'source': '10.0.0.0/8', 'destination': '2001:db8::/32'}]} | nic0 |"
            + " /rules/0/destination",
        "{'neighbors': [{'destination': '192.0.2.7', 'hardwareAddr': '02:00:00:00:00:00:00:09'}]} |"
            + " nic0 | /neighbors/0/hardwareAddr",
        "{'ethtool': {'features': {'warp': true}}} | nic0 | /ethtool/features/warp",
        "{'profile': 'rail'} | nic0 | /profile",
        "{'interface': {'naem': 'x'}} | nic0 | /interface/naem",
        "nonsense | nic0 | ``",
      })
  void aConfigurationThatLiesIsRefusedWithDeviceAndField(String json, String device, String field)
      throws Exception {
    List<String> first = host.seen("nic0");
    List<String> second = host.seen("nic1");

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> node.prepare(json, "nic0", "nic1"))
        .satisfies(
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.INVALID);
              assertThat(e.device()).isEqualTo(device);
              assertThat(e.field()).isEqualTo(field);
              assertThat(e.getMessage()).startsWith("device " + device + ": ");
            });
    assertThat(host.seen("nic0")).isEqualTo(first);
    assertThat(host.seen("nic1")).isEqualTo(second);
    assertThat(node.journal().steps()).isEmpty();
  }

  @Test
  void whatChangesBetweenPrepareAndAttachIsLookedAtAgain() throws Exception {
    PreparedClaim claim =
        node.prepare("{'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.0.2.1'}]}", "nic0");
    host.ip("addr flush dev nic0");
    List<String> seen = host.seen("nic0");

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> node.attach(pod, claim))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic0"))
        .satisfies(e -> assertThat(e.field()).isEqualTo("/routes/0/gateway"));
    assertThat(host.seen("nic0")).isEqualTo(seen);
    assertThat(node.journal().steps()).isEmpty();
  }

  @Test
  void aDeviceThatIsGoneBeforeItIsPreparedOrAttachedIsUnavailable() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0", "nic1");
    host.ip("link delete nic1");
    List<String> seen = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.attach(pod, claim))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic1"));
    assertThat(host.seen("nic0")).isEqualTo(seen);
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.driver().prepare(claim.claimed(), node.journal()))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic1"));
    assertThat(node.journal().steps()).isEmpty();
  }

  @Test
  void aLinkThatBecameTheUplinkIsNotTaken() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    host.ip("route add default via 192.0.2.1 dev nic0");
    List<String> seen = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.attach(pod, claim))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .withMessage("device nic0: nic0 is an uplink of the host: a default route uses it");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.driver().prepare(claim.claimed(), node.journal()))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic0"));
    assertThat(host.seen("nic0")).isEqualTo(seen);
  }

  @Test
  void anotherLinkThatGotTheNameMeanwhileIsNotTaken() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    host.ip("link set nic0 down", "link set nic1 down");
    host.ip("link set nic0 name nic9", "link set nic1 name nic0");
    List<String> seen = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.attach(pod, claim))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic0"))
        .withMessageContaining("nic0 on the host was replaced since it was allocated");
    assertThat(host.seen("nic0")).isEqualTo(seen);
  }

  @Test
  void aFunctionWhoseInterfaceIsElsewhereIsNeitherOfferedNorReady() throws Exception {
    HostInventory inventory =
        HostInventory.builder()
            .pciFunction(
                PciFunction.at(PciAddress.parse("0000:8a:00.0"))
                    .identity(new PciIdentity(0x02_00_00, 0x8086, 0x10d3, 0, 0))
                    .driver("e1000e")
                    .build())
            .build();
    assertThat(node.driver().discover(inventory))
        .extracting(Device::name)
        .doesNotContain("pci-0000-8a-00-0");
    Device device = Device.named("pci-0000-8a-00-0").build();
    ClaimedDevices claim =
        new ClaimedDevices(
            new ClaimReference("default", "rail", "uid"),
            List.of(),
            List.of(
                new ClaimedDevice(
                    DeviceRequestAllocationResult.of(
                            "nic", new DeviceId(NetworkDriver.NAME, "node", device.name()))
                        .build(),
                    device,
                    0,
                    List.of())));

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.driver().prepare(claim, node.journal()))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .satisfies(e -> assertThat(e.device()).isEqualTo("pci-0000-8a-00-0"))
        .withMessageContaining("its network interface is not on the host");
  }

  @Test
  void aProfileMayNotSayWhatNoConfigurationMay() throws Exception {
    node.restart(
        NetworkDriver.builder()
            .profiles(
                new ProfileProvider() {
                  @Override
                  public NetworkConfig acquire(ProfileRequest request) {
                    return NetworkConfig.EMPTY.withLink(
                        new InterfaceConfig(
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            new VrfConfig("blue", 255L)));
                  }

                  @Override
                  public void release(ProfileRequest request) {}
                }));

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> node.prepare("{'profile': 'rail'}", "nic0"))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic0"))
        .satisfies(e -> assertThat(e.field()).isEqualTo("/interface/vrf/table"));
  }

  @Test
  void providersOfAttributesThatErrLeaveTheDevicesOffered() throws Exception {
    node.restart(
        NetworkDriver.builder()
            .attributes(
                device -> {
                  throw new IllegalStateException("no cloud");
                })
            .attributes(
                device ->
                    Map.of(
                        "dra.net/mtu", DeviceAttribute.of(1),
                        "cloud.example.com/rack-id", DeviceAttribute.of("r"),
                        "cloud.example.com/rack", DeviceAttribute.of("r7"))));

    assertThat(node.find("nic0").attributes())
        .containsEntry("mtu", DeviceAttribute.of(1500))
        .containsEntry("cloud.example.com/rack", DeviceAttribute.of("r7"))
        .doesNotContainKey("cloud.example.com/rack-id");
  }

  @Test
  void noMoreAddressesAreToldThanAStatusTakes() throws Exception {
    for (int i = 10; i < 30; i++) {
      host.ip("addr add 192.0.2." + i + "/24 dev nic0");
    }

    assertThat(node.attach(pod, node.prepare("{}", "nic0")).ips()).hasSize(16);
    assertThat(pod.run("ip -4 -o addr show dev nic0").lines()).hasSize(21);
  }

  /** Does something before the step whose name begins with a text. */
  private final class Meddling implements Journal {

    private final MemoryJournal journal = node.journal();
    private final String step;
    private final Meddler meddler;

    Meddling(String step, Meddler meddler) {
      this.step = step;
      this.meddler = meddler;
    }

    @Override
    public void record(List<Step> steps) {
      journal.record(steps);
    }

    @Override
    public void beginning(Step one) {
      if (one.name().startsWith(step)) {
        try {
          meddler.meddle();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }

    @Override
    public List<Step> steps() {
      return journal.steps();
    }

    @Override
    public void keep(int count) {
      journal.keep(count);
    }
  }

  private interface Meddler {
    void meddle() throws IOException;
  }

  @ParameterizedTest
  @ValueSource(strings = {"add address", "set net1 up", "add route", "add neighbour", "move nic1"})
  void aDeviceThatVanishesHalfWayIsNamedWithTheStepAndTheOtherComesBack(String step)
      throws Exception {
    List<String> first = host.seen("nic0");
    PreparedClaim claim =
        node.prepare(
            "{'interface': {'name': 'net%d'}, 'routes': [{'destination': '10.0.0.0/8', 'scope':"
                + " 253}], 'neighbors': [{'destination': '192.0.2.7', 'hardwareAddr':"
                + " '02:00:00:00:00:09'}]}",
            "nic0", "nic1");
    Meddling meddling =
        new Meddling(
            step,
            () -> {
              if (pod.run("ip -br link").contains("net1")) {
                pod.ip("link delete net1");
              } else if (step.equals("move nic1")) {
                host.ip("link delete nic1");
              }
            });

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.attach(TestNode.sandbox(pod), claim, meddling))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .satisfies(e -> assertThat(e.device()).isEqualTo("nic1"))
        .withMessageContaining(step);
    node.driver().detach(claim, TestNode.sandbox(pod), node.journal());
    node.driver().settle(claim, TestNode.sandbox(pod), node.journal());

    assertThat(host.seen("nic0")).isEqualTo(first);
    assertThat(pod.run("ip -br link")).doesNotContain("net0", "net1");
    assertThat(node.journal().steps()).isEmpty();
  }

  @Test
  void aNamespaceWhosePathVanishesHalfWayIsServedToTheEnd() throws Exception {
    List<String> seen = host.seen("nic0");
    PreparedClaim claim = node.prepare("{'interface': {'name': 'net1'}}", "nic0");
    TestHost ending = node.newPod();
    Sandbox sandbox = TestNode.sandbox(ending);

    TestNode.Running running =
        node.attach(sandbox, claim, new Meddling("add address", ending::close));

    assertThat(running.ips()).containsExactly("192.0.2.5/24");
    node.driver().detach(claim, sandbox, node.journal());
    node.driver().settle(claim, sandbox, node.journal());
    assertThat(host.seen("nic0")).isEqualTo(seen);
    assertThat(node.journal().steps()).isEmpty();
  }
}
