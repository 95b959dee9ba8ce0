package io.dra4j.netlink.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaEvent;
import io.dra4j.netlink.rdma.RdmaLink;
import io.dra4j.netlink.rdma.RdmaMonitor;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Software RDMA on emulated NICs, compared with what {@code rdma -d -j} says. */
@EnabledIf(Machine.HAS_RDMA)
@Order(1) // other tests start processes in namespaces, which then live for another minute
class RdmaDevicesTest {

  private static final List<String> PORT_STATES =
      List.of("NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER");
  private static final List<String> PHYSICAL_STATES =
      List.of("NOP", "SLEEP", "POLLING", "DISABLED", "PORT_CONFIGURATION_TRAINING", "LINK_UP");

  private RdmaNetlink rdma;

  @BeforeEach
  void open() throws IOException {
    rdma = RdmaNetlink.open();
  }

  @AfterEach
  void close() throws IOException {
    setShared(true);
    rdma.close();
  }

  /** The kernel refuses while a namespace of another test has not quite gone. */
  private void setShared(boolean shared) throws NetlinkException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        rdma.setShared(shared);
        return;
      } catch (NetlinkException.Busy e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(100_000_000);
      }
    }
  }

  /** Such as 5054:00ff:fe0d:a000. */
  private static long guid(String text) {
    return Long.parseUnsignedLong(text.replace(":", ""), 16);
  }

  private static List<RdmaDevice> devices(JsonNode rdma) {
    List<RdmaDevice> devices = new ArrayList<>();
    for (JsonNode one : rdma) {
      assertThat(one.get("node_type").asText()).isEqualTo("ca");
      devices.add(
          new RdmaDevice(
              one.get("ifindex").asInt(),
              one.get("ifname").asText(),
              1,
              1,
              guid(one.get("node_guid").asText()),
              guid(one.get("sys_image_guid").asText()),
              0,
              one.path("fw").asText(""),
              one.get("protocol").asText()));
    }
    return devices;
  }

  /** {@code rdma} prints names of capabilities, of which it does not know all. */
  private static RdmaDevice withoutCapabilities(RdmaDevice device) {
    return new RdmaDevice(
        device.index(),
        device.name(),
        device.ports(),
        device.nodeType(),
        device.nodeGuid(),
        device.systemImageGuid(),
        0,
        device.firmwareVersion(),
        device.protocol());
  }

  private static void assertSame(List<RdmaDevice> ours, JsonNode theirs) {
    assertThat(ours.stream().map(RdmaDevicesTest::withoutCapabilities).toList())
        .isEqualTo(devices(theirs));
    for (int i = 0; i < ours.size(); i++) {
      assertThat(Long.bitCount(ours.get(i).capabilities()))
          .isEqualTo(theirs.get(i).get("caps").size());
    }
  }

  @Test
  void areReadAsRdmaReadsThem() throws IOException {
    assertThat(rdma.devices()).hasSize(3);
    assertSame(rdma.devices(), Machine.json("rdma -d -j dev"));
  }

  @Test
  void portsAreReadAsRdmaReadsThem() throws IOException {
    JsonNode theirs = Machine.json("rdma -d -j link");
    List<RdmaLink> ours = new ArrayList<>();
    for (RdmaDevice device : rdma.devices()) {
      ours.addAll(rdma.links(device.index()));
    }

    assertThat(ours).hasSize(theirs.size());
    for (int i = 0; i < ours.size(); i++) {
      RdmaLink link = ours.get(i);
      JsonNode said = theirs.get(i);
      assertThat(link.deviceIndex()).isEqualTo(said.get("ifindex").asInt());
      assertThat(link.deviceName()).isEqualTo(said.get("ifname").asText());
      assertThat(link.port()).isEqualTo(said.get("port").asInt());
      assertThat(PORT_STATES.get(link.state())).isEqualTo(said.get("state").asText());
      assertThat(PHYSICAL_STATES.get(link.physicalState()))
          .isEqualTo(said.get("physical_state").asText());
      assertThat(link.netdevName()).isEqualTo(said.get("netdev").asText());
      assertThat(link.netdevIndex()).hasValue(said.get("netdev_index").asInt());
      assertThat(rdma.link(link.deviceIndex(), link.port())).isEqualTo(link);
    }
  }

  @Test
  void aDeviceThatIsNotThereIsToldByAnError() {
    assertThatExceptionOfType(NetlinkException.class)
        .isThrownBy(() -> rdma.links(4_711))
        .withMessageStartingWith("list ports of RDMA device 4711: EINVAL");
  }

  private static String system() throws IOException {
    return Machine.run("rdma system");
  }

  @Test
  void theModeIsSetAsRdmaSeesIt() throws IOException {
    assertThat(rdma.isShared()).isTrue();
    assertThat(system()).startsWith("netns shared ");

    setShared(false);

    assertThat(rdma.isShared()).isFalse();
    assertThat(system()).startsWith("netns exclusive ");
  }

  @Test
  void theModeStaysAsLongAsThereAreOtherNamespaces() throws IOException {
    setShared(false);
    try (NetworkNamespace other = NetworkNamespace.create();
        RdmaNetlink inside = RdmaNetlink.open(other)) {
      assertThat(inside.isShared()).isFalse();
      assertThatExceptionOfType(NetlinkException.Busy.class)
          .isThrownBy(() -> rdma.setShared(true))
          .withMessageStartingWith("set RDMA namespace mode, shared true: EBUSY");
    }
  }

  @Test
  void sharedDevicesAreSeenEverywhere() throws IOException {
    try (NetworkNamespace other = NetworkNamespace.create();
        RdmaNetlink inside = RdmaNetlink.open(other)) {
      assertThat(inside.devices()).isEqualTo(rdma.devices()).isNotEmpty();
      assertSame(inside.devices(), Machine.json(Machine.inside(other, "rdma -d -j dev")));
    }
  }

  /** The NIC of the machine that has no RDMA device yet. */
  private Link spare(RouteNetlink route) throws IOException {
    List<String> names = new ArrayList<>(Machine.nics());
    for (RdmaDevice device : rdma.devices()) {
      rdma.links(device.index()).forEach(link -> names.remove(link.netdevName()));
    }
    return route.links().get(names.get(0));
  }

  @Test
  void devicesOfExclusiveNamespacesAreNotSeenElsewhere() throws IOException {
    setShared(false);
    try (NetworkNamespace other = NetworkNamespace.create();
        RdmaNetlink inside = RdmaNetlink.open(other)) {
      assertThat(inside.devices()).isEmpty();
      assertThat(Machine.json(Machine.inside(other, "rdma -d -j dev"))).isEmpty();
      assertThat(rdma.devices()).isNotEmpty();
    }
  }

  @Test
  void theNetworkDeviceOfAPortIsToldInItsOwnNamespace() throws IOException {
    try (NetworkNamespace home = NetworkNamespace.current();
        NetworkNamespace other = NetworkNamespace.create();
        RouteNetlink route = RouteNetlink.open();
        RouteNetlink there = RouteNetlink.open(other);
        RdmaNetlink inside = RdmaNetlink.open(other)) {
      Link nic = spare(route);
      route.links().change(nic, LinkSettings.none().name("net1").namespace(other));
      Link moved = there.links().get("net1");
      try {
        there.links().change(moved, LinkSettings.none().up());
        Machine.run(Machine.inside(other, "rdma link add inner type rxe netdev net1"));
        RdmaDevice device = device(inside, "inner");

        assertThat(device(rdma, "inner")).isEqualTo(device);
        assertThat(inside.links(device.index()))
            .singleElement()
            .satisfies(link -> assertThat(link.netdevName()).isEqualTo("net1"))
            .satisfies(link -> assertThat(link.netdevIndex()).hasValue(moved.index()));
        assertThat(rdma.links(device.index()))
            .singleElement()
            .satisfies(link -> assertThat(link.netdevName()).isEmpty())
            .satisfies(link -> assertThat(link.netdevIndex()).isEmpty());
        assertThat(port(Machine.inside(other, "rdma -d -j link")).path("netdev").asText(""))
            .isEqualTo("net1");
        assertThat(port("rdma -d -j link").has("netdev")).isFalse();
      } finally {
        there.links().change(moved, LinkSettings.none().down());
        there.links().change(moved, LinkSettings.none().name(nic.name()).namespace(home));
      }
      assertThat(rdma.devices()).extracting(RdmaDevice::name).doesNotContain("inner");
    }
  }

  @Test
  void eventsAreToldAsRdmaTellsThem() throws Exception {
    assertThat(rdma.reportsEvents()).isEqualTo(system().contains("monitor on")).isTrue();
    Process theirs = new ProcessBuilder("rdma", "monitor").redirectErrorStream(true).start();
    try (RdmaMonitor monitor = RdmaMonitor.open();
        RouteNetlink route = RouteNetlink.open();
        BufferedReader lines = theirs.inputReader(StandardCharsets.UTF_8)) {
      Link nic = spare(route);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (listeners() < 2) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(20_000_000);
      }
      Machine.run("rdma link add inner type rxe netdev " + nic.name());
      RdmaDevice device = device(rdma, "inner");
      Machine.run("rdma link delete inner");
      List<RdmaEvent> events = new ArrayList<>();
      while (events.stream().noneMatch(e -> e.kind() == RdmaEvent.Kind.UNREGISTERED)) {
        List<RdmaEvent> more = monitor.await(Duration.ofSeconds(30));
        assertThat(more).isNotEmpty();
        events.addAll(more);
      }

      assertThat(events)
          .first()
          .isEqualTo(
              new RdmaEvent(
                  RdmaEvent.Kind.REGISTERED,
                  device.index(),
                  "inner",
                  OptionalInt.empty(),
                  OptionalInt.empty(),
                  ""));
      assertThat(events)
          .filteredOn(event -> event.kind() == RdmaEvent.Kind.NETDEV_ATTACHED)
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.deviceIndex()).isEqualTo(device.index());
                assertThat(event.port()).hasValue(1);
                assertThat(event.netdevIndex()).hasValue(nic.index());
              });
      for (RdmaEvent event : events) {
        String line = lines.readLine();
        assertThat(line)
            .startsWith("[" + TOLD.get(event.kind()) + "]")
            .containsPattern("dev " + event.deviceIndex() + "\\b");
        event
            .netdevIndex()
            .ifPresent(index -> assertThat(line).containsPattern("netdev " + index + "\\b"));
      }
    } finally {
      theirs.destroyForcibly();
    }
  }

  private static final Map<RdmaEvent.Kind, String> TOLD =
      Map.of(
          RdmaEvent.Kind.REGISTERED, "REGISTER",
          RdmaEvent.Kind.UNREGISTERED, "UNREGISTER",
          RdmaEvent.Kind.NETDEV_ATTACHED, "NETDEV_ATTACH",
          RdmaEvent.Kind.NETDEV_DETACHED, "NETDEV_DETACH",
          RdmaEvent.Kind.RENAMED, "RENAME",
          RdmaEvent.Kind.NETDEV_RENAMED, "NETDEV_RENAME");

  /** How many sockets of protocol 20 have joined group 4. */
  private static long listeners() throws IOException {
    Pattern line = Pattern.compile("\\S+ +20 +\\S+ +00000008 .*");
    return Files.readString(Path.of("/proc/net/netlink"))
        .lines()
        .filter(line.asMatchPredicate())
        .count();
  }

  private static RdmaDevice device(RdmaNetlink rdma, String name) throws IOException {
    return rdma.devices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode port(String command) throws IOException {
    for (JsonNode port : Machine.json(command)) {
      if (port.get("ifname").asText().equals("inner")) {
        return port;
      }
    }
    throw new AssertionError("no port of inner");
  }

  @Test
  void sharedDevicesStayWhereTheyAre() throws IOException {
    RdmaDevice device = rdma.devices().get(0);
    try (NetworkNamespace pod = NetworkNamespace.create(POD)) {
      assertRefused(device, pod, Machine.ask(moveByRdma(device)));
    } finally {
      NetworkNamespace.delete(POD);
    }
  }

  /** Older drivers of devices in software cannot be moved; then both are refused alike. */
  @Test
  void aDeviceMovesAsRdmaMovesIt() throws IOException {
    setShared(false);
    List<RdmaDevice> before = rdma.devices();
    RdmaDevice device = before.get(0);
    List<RdmaLink> ports = rdma.links(device.index());
    try (NetworkNamespace home = NetworkNamespace.current();
        NetworkNamespace pod = NetworkNamespace.create(POD);
        RdmaNetlink inside = RdmaNetlink.open(pod)) {
      Machine.Answer theirs = Machine.ask(moveByRdma(device));
      if (theirs.status() != 0) {
        assertRefused(device, pod, theirs);
        return;
      }
      assertThat(inside.devices()).containsExactly(device);
      inside.move(device.index(), home);
      assertThat(inside.devices()).isEmpty();
      assertThat(rdma.devices()).isEqualTo(before);
      assertThat(rdma.links(device.index())).isEqualTo(ports);

      rdma.move(device.index(), pod);

      assertThat(rdma.devices()).isEqualTo(before.subList(1, before.size()));
      assertSame(rdma.devices(), Machine.json("rdma -d -j dev"));
      assertThat(inside.devices()).containsExactly(device);
      assertSame(inside.devices(), Machine.json(Machine.inside(pod, "rdma -d -j dev")));
    } finally {
      NetworkNamespace.delete(POD);
    }
    awaitDevices(before);
    assertThat(rdma.links(device.index())).isEqualTo(ports);
  }

  private static final String POD = "dra4j-rdma";

  private static String moveByRdma(RdmaDevice device) {
    return "rdma dev set " + device.name() + " netns " + POD;
  }

  /**
   * Ours is refused, too, and for the same reason: the kernel's words, as {@code rdma} shows them.
   */
  private void assertRefused(RdmaDevice device, NetworkNamespace to, Machine.Answer theirs)
      throws IOException {
    assertThat(theirs.status()).isNotZero();
    assertThat(theirs.output()).contains("Operation not supported");
    Matcher words = Pattern.compile("Error: (.*)\\.\n").matcher(theirs.output());
    String kernel = words.lookingAt() ? ", kernel says: " + words.group(1) : "";
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> rdma.move(device.index(), to))
        .withMessage(
            "move RDMA device %d to network namespace %s: EOPNOTSUPP%s"
                .formatted(device.index(), to, kernel));
    assertThat(rdma.devices()).contains(device);
  }

  /** A namespace that goes gives its devices back, a moment later. */
  private void awaitDevices(List<RdmaDevice> devices) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!rdma.devices().equals(devices) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(20_000_000);
    }
    assertThat(rdma.devices()).isEqualTo(devices);
  }
}
