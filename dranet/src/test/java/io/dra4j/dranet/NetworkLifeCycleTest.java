package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of claims between prepare and unprepare. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class NetworkLifeCycleTest {

  private static final HostInventory EMPTY = HostInventory.builder().build();
  private static final String RDMA = "pci-0000-8a-00-0";

  private final MemoryJournal journal = new MemoryJournal();
  private TestNode node;
  private TestHost pod;

  @BeforeEach
  void open() throws IOException {
    node = new TestNode();
    pod = node.newPod();
    node.link("nic0");
    node.host().ip("addr add 192.0.2.5/24 dev nic0");
  }

  @AfterEach
  void close() {
    node.close();
  }

  private static Sandbox sandbox(TestHost of, String id, String pod) {
    return Sandbox.ofPod(id, "uid-" + pod)
        .pod("default", pod)
        .networkNamespace(TestNode.sandbox(of).networkNamespace())
        .build();
  }

  private List<DeviceHealth> health(String device) {
    node.driver().discover(EMPTY);
    return node.driver().health(EMPTY).stream().filter(one -> one.device().equals(device)).toList();
  }

  private static ClaimedDevices claim(Device device, String... pods) {
    return new ClaimedDevices(
        new ClaimReference("default", "rail", "uid"),
        List.of(pods).stream()
            .map(one -> new ResourceClaimConsumerReference("", "pods", one, "uid-" + one))
            .toList(),
        List.of(
            new ClaimedDevice(
                DeviceRequestAllocationResult.of(
                        "nic", new DeviceId(NetworkDriver.NAME, "node", device.name()))
                    .build(),
                device,
                0,
                List.of())));
  }

  /** An RDMA device whose function has no interface, which all namespaces share here. */
  private Device rdma() {
    HostInventory inventory =
        HostInventory.builder()
            .rdmaDevice(
                RdmaDevice.named("mlx5_0").address(PciAddress.parse("0000:8a:00.0")).build())
            .build();
    return node.driver().discover(inventory).stream()
        .filter(one -> one.name().equals(RDMA))
        .findFirst()
        .orElseThrow();
  }

  /** The only health that a kubelet asks for is that of devices in pods. */
  @Test
  void aLinkInAPodIsAsHealthyAsItsSignal() throws Exception {
    PreparedClaim claim = node.prepare("{'interface': {'name': 'net1'}}", "nic0");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    node.attach(sandbox, claim, journal);
    assertThat(health("nic0")).containsExactly(DeviceHealth.healthy("nic0"));

    node.host().ip("link set far0 down");

    assertThat(health("nic0"))
        .containsExactly(
            DeviceHealth.unhealthy("nic0", "net1 in pod default/p (s1) is up but has no carrier"));
    pod.ip("link set net1 down", "link set net1 name other");
    assertThat(health("nic0"))
        .extracting(DeviceHealth::status)
        .containsExactly(DeviceHealth.Status.UNKNOWN);
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);
    assertThat(health("nic0"))
        .containsExactly(DeviceHealth.unhealthy("nic0", "nic0 is up but has no carrier"));
  }

  @Test
  void aLaterProcessKnowsTheHealthOfWhatItResumes() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    node.attach(sandbox, claim, journal);
    node.restart(NetworkDriver.builder());
    node.host().ip("link set far0 down");

    node.driver().resume(claim, sandbox);

    assertThat(health("nic0"))
        .extracting(DeviceHealth::status)
        .containsExactly(DeviceHealth.Status.UNHEALTHY);
  }

  /** The reports of changes in pods, in order. */
  private static final class Changes implements DriverContext {

    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    @Override
    public String node() {
      return "node";
    }

    @Override
    public void changed(String why) {
      all.add(why);
    }

    private String next() throws InterruptedException {
      return String.valueOf(all.poll(30, TimeUnit.SECONDS));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"started, then attached", "attached, then started", "resumed"})
  void aLinkThatLosesItsCarrierInAPodIsReportedAtOnce(String order) throws Exception {
    Changes changes = new Changes();
    PreparedClaim claim = node.prepare("{'interface': {'name': 'net1'}}", "nic0");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    if (order.startsWith("started")) {
      node.driver().start(changes);
    }
    node.attach(sandbox, claim, journal);
    if (order.equals("resumed")) {
      node.restart(NetworkDriver.builder());
      node.driver().resume(claim, sandbox);
    }
    if (!order.startsWith("started")) {
      node.driver().start(changes);
    }

    assertThat(changes.next()).isEqualTo("watching the links of pod default/p (s1)");
    pod.ip("link add other type veth peer name other1", "link set other up");
    node.host().ip("link set far0 down");

    assertThat(changes.next()).isEqualTo("link net1 in pod default/p (s1)");
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);
    awaitNoWatch();
    changes.all.clear();
    node.host().ip("link set far0 up", "link set far0 down");
    assertThat(changes.all).isEmpty();
  }

  @Test
  @Timeout(60)
  void noWatchOfAPodIsLeftWhenItsLinkIsHome() throws Exception {
    node.driver().start(new Changes());
    Sandbox sandbox = sandbox(pod, "s1", "p");
    for (int i = 0; i < 5; i++) {
      PreparedClaim claim = node.prepare("{}", "nic0");
      node.attach(sandbox, claim, journal);
      assertThat(watches()).isPositive();
      node.driver().detach(claim, sandbox, journal);
      node.driver().settle(claim, sandbox, journal);
      awaitNoWatch();
    }
  }

  private static void awaitNoWatch() throws InterruptedException {
    while (watches() > 0) { // for ever only if one is left
      Thread.sleep(5);
    }
  }

  private static long watches() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(one -> one.getName().equals("dra4j-watch-pod"))
        .count();
  }

  @Test
  void aLinkForSeveralPodsIsRefusedWhenItIsPrepared() throws Exception {
    Device device = node.find("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.driver().prepare(claim(device, "p", "q"), journal))
        .withMessage(
            "device nic0: the claim is reserved for 2 consumers (p, q), but nic0 can be in"
                + " only one pod: use a ResourceClaimTemplate, which creates a claim for each pod")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID));
    assertThat(journal.steps()).isEmpty();
    assertThat(node.driver().prepare(claim(device, "p"), journal).devices()).hasSize(1);
  }

  @Test
  void aSecondPodIsRefusedForALinkThatIsPrepared() throws Exception {
    Device device = node.find("nic0");
    Prepared prepared = node.driver().prepare(claim(device, "p"), journal);

    node.driver().reserve(new PreparedClaim(claim(device, "q"), prepared));
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () -> node.driver().reserve(new PreparedClaim(claim(device, "p", "q"), prepared)))
        .withMessageContaining("reserved for 2 consumers (p, q), but nic0 can be in only one pod")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID));
  }

  @Test
  void aSecondSandboxIsRefusedWithTheOneThatHasTheLink() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    node.attach(sandbox(pod, "s1", "p"), claim, journal);
    MemoryJournal second = new MemoryJournal();

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.attach(sandbox(node.newPod(), "s2", "q"), claim, second))
        .withMessage(
            "device nic0: nic0 is in sandbox default/p (s1): it can be in only one pod at a"
                + " time")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));
    assertThat(second.steps()).isEmpty();
  }

  /** The previous claim was forgotten, which drivers are not informed of. */
  @Test
  void aLinkThatAnOperatorBroughtHomeIsForTheNextClaim() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    node.attach(sandbox(pod, "s1", "p"), claim, journal);
    long process = ProcessHandle.current().pid();
    int number = node.host().namespace().descriptor().number();
    pod.ip("link set nic0 netns /proc/%d/fd/%d".formatted(process, number));

    PreparedClaim next = node.prepare("{}", "nic0");
    assertThat(health("nic0")).containsExactly(DeviceHealth.healthy("nic0"));
    TestHost other = node.newPod();
    node.attach(sandbox(other, "s2", "q"), next, new MemoryJournal());

    assertThat(other.run("ip -o link show dev nic0")).contains("nic0");
  }

  /** As the test before, of a claim whose link was home and not what it had been. */
  @Test
  void aLinkThatAnOperatorRestoredIsTakenForWhatItIs() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    node.attach(sandbox, claim, journal);
    node.driver().detach(claim, sandbox, journal);
    node.host().ip("link set nic0 up", "addr add 192.0.2.77/24 dev nic0");

    PreparedClaim next = node.prepare("{}", "nic0");
    TestNode.Running running =
        node.attach(sandbox(node.newPod(), "s2", "q"), next, new MemoryJournal());

    assertThat(running.ips()).containsExactly("192.0.2.77/24");
  }

  /** Devices that are not moved stay in place. */
  @ParameterizedTest
  @EnumSource(Sandbox.Network.class)
  void anRdmaDeviceThatNamespacesShareIsForAllPods(Sandbox.Network network) throws Exception {
    ClaimedDevices claimed = claim(rdma(), "p", "q");
    PreparedClaim claim = new PreparedClaim(claimed, node.driver().prepare(claimed, journal));
    Sandbox sandbox =
        switch (network) {
          case OWN -> sandbox(pod, "s", "p");
          case HOST -> Sandbox.ofPod("s", "uid-p").pod("default", "p").hostNetwork().build();
          case UNKNOWN -> Sandbox.ofPod("s", "uid-p").pod("default", "p").build();
        };

    Attached attached = node.driver().attachDevices(claim, sandbox, journal);

    assertThat(attached.statuses())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.device()).isEqualTo(RDMA);
              assertThat(one.conditions()).extracting("reason").contains("RDMAOnlyDeviceReady");
            });
    node.driver().resume(claim, sandbox);
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);
    node.driver().unprepare(claim, journal);
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aLinkIsForNoPodOfTheHostNetwork() throws Exception {
    PreparedClaim claim = node.prepare("{}", "nic0");
    Sandbox ofHost = Sandbox.ofPod("s", "uid-p").pod("default", "p").hostNetwork().build();

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.attach(ofHost, claim, journal))
        .withMessage(
            "sandbox default/p (s) uses the host's network namespace: a pod with hostNetwork: true"
                + " cannot have network devices")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID));
  }

  /** A sandbox that could not be started is followed by the next one at once. */
  @Test
  void theNextSandboxWaitsForTheReturnAloneAndGetsWhatTheHostHad() throws Exception {
    List<String> before = node.host().seen("nic0");
    PreparedClaim claim = node.prepare("{}", "nic0");
    Sandbox first = sandbox(pod, "s1", "p");
    node.attach(first, claim, journal);

    node.driver().detach(claim, first, journal);

    assertThat(journal.steps()).extracting(Step::name).containsExactly("keep the state of nic0");
    assertThat(node.host().run("ip -br addr show dev nic0")).doesNotContain("192.0.2.5");
    MemoryJournal next = new MemoryJournal();
    TestHost other = node.newPod();
    Sandbox second = sandbox(other, "s2", "p");
    assertThat(node.attach(second, claim, next).ips()).containsExactly("192.0.2.5/24");
    node.driver().settle(claim, first, journal);
    assertThat(other.run("ip -br addr show dev nic0")).contains("192.0.2.5/24");
    node.driver().detach(claim, second, next);
    node.driver().settle(claim, second, next);
    assertThat(node.host().seen("nic0")).isEqualTo(before);
    assertThat(journal.steps()).isEmpty();
    assertThat(next.steps()).isEmpty();
  }

  @Test
  void aLinkThatThePodHasHiddenKeepsTheClaimAttached() throws Exception {
    List<String> before = node.host().seen("nic0");
    PreparedClaim claim = node.prepare("{}", "nic0");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    node.attach(sandbox, claim, journal);
    try (TestHost below = new TestHost()) {
      pod.ip("link set nic0 netns " + TestNode.sandbox(below).networkNamespace());

      assertThatExceptionOfType(DriverException.class)
          .isThrownBy(() -> node.driver().detach(claim, sandbox, journal))
          .withMessageStartingWith("nic0 has not returned to the host")
          .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));
      assertThat(journal.steps()).isNotEmpty();

      below.ip("link set nic0 netns " + TestNode.sandbox(pod).networkNamespace());
    }
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);
    assertThat(node.host().seen("nic0")).isEqualTo(before);
  }

  /** A pod may make such links by the hundred, and a provider may be slow. */
  @Test
  void aProviderIsNotAskedForWhatIsNeverOffered() throws Exception {
    List<String> asked = new ArrayList<>();
    node.host().ip("link add link nic0 name mac7 type macvlan");
    try (NetworkDriver driver =
        NetworkDriver.builder()
            .namespace(node.host().namespace())
            .attributes(
                new AttributeProvider() {
                  @Override
                  public void expect(List<NetworkDevice> devices) {
                    devices.forEach(one -> asked.add("expect " + one.name()));
                  }

                  @Override
                  public Map<String, DeviceAttribute> attributesOf(NetworkDevice device) {
                    asked.add("attributes of " + device.name());
                    return Map.of();
                  }
                })
            .build()) {
      driver.discover(EMPTY);
    }
    assertThat(asked).containsExactly("expect mac7", "attributes of mac7");
  }

  /** Whichever of them it is. */
  @ParameterizedTest
  @ValueSource(strings = {"nic0", "nic1", "nic2"})
  void aLinkThatCannotComeHomeKeepsNoOtherOfTheClaimInThePod(String hidden) throws Exception {
    List<String> all = List.of("nic0", "nic1", "nic2");
    node.link("nic1");
    node.link("nic2");
    PreparedClaim claim = node.prepare("{'interface': {'mtu': 1300}}", "nic0", "nic1", "nic2");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    node.attach(sandbox, claim, journal);
    try (TestHost below = new TestHost()) {
      pod.ip("link set " + hidden + " netns " + TestNode.sandbox(below).networkNamespace());

      assertThatExceptionOfType(DriverException.class)
          .isThrownBy(() -> node.driver().detach(claim, sandbox, journal))
          .withMessageStartingWith(hidden + " has not returned to the host");
      assertThat(node.host().json("ip -j link show").findValuesAsText("ifname"))
          .containsAll(all.stream().filter(one -> !one.equals(hidden)).toList())
          .doesNotContain(hidden);

      below.ip("link set " + hidden + " netns " + TestNode.sandbox(pod).networkNamespace());
    }
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);
    assertThat(node.host().json("ip -j link show").findValuesAsText("ifname")).containsAll(all);
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void afterARebootNothingIsWrittenOverWhatTheHostHasNow() throws Exception {
    PreparedClaim claim = node.prepare("{'interface': {'mtu': 1300}}", "nic0");
    Sandbox sandbox = sandbox(pod, "s1", "p");
    node.attach(sandbox, claim, journal);
    List<Step> steps = journal.steps();
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);
    node.host().ip("addr flush dev nic0", "link set nic0 mtu 1400");
    node.host().ip("addr add 203.0.113.9/24 dev nic0");
    List<String> today = node.host().seen("nic0");
    Journal ofOtherBoot = new OtherBoot(steps);
    node.restart(NetworkDriver.builder());

    Sandbox gone = Sandbox.of(Path.of("/run/netns/gone-away"));
    node.driver().detach(claim, gone, ofOtherBoot);
    node.driver().settle(claim, gone, ofOtherBoot);
    node.driver().unprepare(claim, ofOtherBoot);

    assertThat(node.host().seen("nic0")).isEqualTo(today);
    assertThat(ofOtherBoot.steps()).isEmpty();
  }

  /** The journal of a claim of the boot before. */
  private static final class OtherBoot implements Journal {

    private final MemoryJournal steps = new MemoryJournal();

    OtherBoot(List<Step> steps) {
      this.steps.record(steps);
    }

    @Override
    public void record(List<Step> more) {
      steps.record(more);
    }

    @Override
    public List<Step> steps() {
      return steps.steps();
    }

    @Override
    public void keep(int count) {
      steps.keep(count);
    }

    @Override
    public boolean isOfOtherBoot() {
      return true;
    }
  }
}
