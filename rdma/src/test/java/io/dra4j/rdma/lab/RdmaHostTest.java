package io.dra4j.rdma.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkMove;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.uevent.DeviceMonitor;
import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.rdma.RdmaNetdevs;
import io.dra4j.rdma.RdmaReader;
import io.dra4j.rdma.health.ErrorLimits;
import io.dra4j.rdma.health.RdmaHealth;
import io.dra4j.rdma.health.RdmaHealthEvent;
import io.dra4j.rdma.health.RdmaHealthMonitor;
import io.dra4j.rdma.health.RdmaProblem;
import io.dra4j.rdma.verbs.PortField;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.rdma.verbs.VerbsGid;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.sysfs.HostDriver;
import io.dra4j.sysfs.InfinibandReader;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;

/** Software RDMA on emulated NICs, compared with rdma, ibv_devinfo, ibv_devices and stat. */
@EnabledIf("isOurs")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // the last ones change the machine
class RdmaHostTest {

  static boolean isOurs() {
    return Objects.equals(System.getenv("LAB"), "1") // as e2e/lab/run sets it
        && Files.isDirectory(Path.of("/sys/class/infiniband"));
  }

  private static String run(String command) throws IOException {
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static JsonNode json(String command) throws IOException {
    return new ObjectMapper().readTree(run(command));
  }

  private static HostInventory read() {
    HostInventory host = RdmaReader.read(Host.live());
    assertThat(host.warnings()).isEmpty();
    assertThat(host.rdmaDevices()).isNotEmpty();
    return host;
  }

  private static RdmaDevice device(String name) {
    return named(name, read().rdmaDevices());
  }

  private static RdmaDevice named(String name, List<RdmaDevice> devices) {
    return devices.stream().filter(device -> device.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void netlinkAndSysfsAgree() {
    List<RdmaDevice> files = new InfinibandReader().devices(Host.live(), warning -> {});
    List<RdmaDevice> both = read().rdmaDevices();

    assertThat(both).hasSameSizeAs(files);
    for (int i = 0; i < both.size(); i++) {
      RdmaDevice device = both.get(i);
      RdmaDevice file = files.get(i);
      assertThat(device.index()).isPresent();
      assertThat(device.protocol()).isEqualTo("roce");
      RdmaPort port = device.ports().get(0);
      assertThat(
              file.toBuilder()
                  .index(device.index().getAsInt())
                  .protocol("roce")
                  .ports(
                      List.of(
                          file.ports().get(0).toBuilder()
                              .netdev(file.parent())
                              .activeMtu(1_024)
                              .build()))
                  .build())
          .isEqualTo(device);
      assertThat(port.netdev()).isEqualTo(device.parent());
      assertThat(device.address()).isNotNull();
    }
  }

  @Test
  void areReadAsRdmaReadsThem() throws IOException {
    JsonNode theirs = json("rdma -d -j dev");
    List<RdmaDevice> ours = read().rdmaDevices();
    assertThat(theirs).hasSize(ours.size());
    for (JsonNode one : theirs) {
      RdmaDevice device = named(one.get("ifname").asText(), ours);
      assertThat(device.index()).hasValue(one.get("ifindex").asInt());
      assertThat(device.nodeType()).isEqualToIgnoringCase("1: " + one.get("node_type").asText());
      assertThat(device.nodeGuid()).isEqualTo(one.get("node_guid").asText());
      assertThat(device.sysImageGuid()).isEqualTo(one.get("sys_image_guid").asText());
      assertThat(device.protocol()).isEqualTo(one.get("protocol").asText());
    }
    for (JsonNode one : json("rdma -d -j link")) {
      RdmaPort port =
          named(one.get("ifname").asText(), ours).ports().get(one.get("port").asInt() - 1);
      assertThat(port.state()).isEqualTo(one.get("state").asText());
      assertThat(port.physicalState().replace("LinkUp", "LINK_UP"))
          .isEqualTo(one.get("physical_state").asText());
      assertThat(port.netdev()).isEqualTo(one.get("netdev").asText());
    }
  }

  /** The value of a line such as {@code active_mtu: 1024 (3)}. */
  private static String field(String text, String name) {
    Matcher line = Pattern.compile("(?m)^\\s*" + name + ":\\s*(.*?)\\s*$").matcher(text);
    assertThat(line.find()).as("%s in %s", name, text).isTrue();
    return line.group(1);
  }

  private static void assertAsIbvDevinfo(RdmaDevice device) throws IOException {
    String theirs = run("ibv_devinfo -v -d " + device.name());
    assertThat(field(theirs, "hca_id")).isEqualTo(device.name());
    // Where the kernel tells none, libibverbs writes the number 0 as a version.
    assertThat(field(theirs, "fw_ver"))
        .isEqualTo(device.firmwareVersion().isEmpty() ? "0.0.0" : device.firmwareVersion());
    assertThat(field(theirs, "node_guid")).isEqualTo(device.nodeGuid());
    assertThat(field(theirs, "sys_image_guid")).isEqualTo(device.sysImageGuid());
    assertThat(field(theirs, "phys_port_cnt")).isEqualTo(Integer.toString(device.ports().size()));
    RdmaPort port = device.ports().get(0);
    assertThat(field(theirs, "state")).isEqualTo("PORT_" + port.state() + " (4)");
    assertThat(field(theirs, "active_mtu")).startsWith(port.activeMtu().orElse(0) + " (");
    assertThat(field(theirs, "sm_lid")).isEqualTo("" + port.subnetManagerLid().orElse(0));
    assertThat(field(theirs, "port_lid")).isEqualTo("" + port.lid().orElse(0));
    assertThat(field(theirs, "port_lmc"))
        .isEqualTo("0x%02x".formatted(port.lidMaskCount().orElse(0)));
    assertThat(field(theirs, "link_layer")).isEqualTo(port.linkLayer());
    assertThat(field(theirs, "port_cap_flags"))
        .isEqualTo("0x%08x".formatted(port.capabilityMask().orElse(0)));
    assertThat(field(theirs, "phys_state")).startsWith("LINK_UP");
    List<String> gids = new ArrayList<>();
    Matcher gid =
        Pattern.compile("GID\\[\\s*(\\d+)]:\\s*(\\S+?)(?:, (.*))?\\s*\\n").matcher(theirs);
    while (gid.find()) {
      gids.add(gid.group(1) + " " + canonical(gid.group(2)) + " " + gid.group(3));
    }
    List<String> ours = new ArrayList<>();
    for (RdmaGid one : port.gids()) {
      ours.add(one.index() + " " + canonical(one.value()) + " " + one.type());
    }
    assertThat(ours).isNotEmpty().isEqualTo(gids);
  }

  /** A GID as 32 digits: ibv_devinfo shortens some as addresses of IPv6. */
  private static String canonical(String gid) throws IOException {
    byte[] bytes = InetAddress.getByName(gid).getAddress();
    return bytes.length == 16
        ? HexFormat.of().formatHex(bytes)
        : "00000000000000000000ffff" + HexFormat.of().formatHex(bytes);
  }

  @Test
  void factsAreThoseOfIbvDevinfo() throws IOException {
    for (RdmaDevice device : read().rdmaDevices()) {
      assertAsIbvDevinfo(device);
    }
  }

  /** The names that ibv_devinfo gives to fields of {@code struct ibv_port_attr}. */
  private static final Map<PortField, String> PORT_NAMES =
      Map.of(PortField.LID, "port_lid", PortField.LMC, "port_lmc");

  /** What ibv_devinfo says of fields that may stand for nothing, and then are left out. */
  private static final Set<String> LEFT_OUT =
      Set.of("max_map_per_fmr", "max_srq_wr", "max_srq_sge", "init_type_reply");

  /**
   * What neither exported calls give nor is text: names of bits, and what the inline calls give.
   */
  private static final Pattern OTHERS = Pattern.compile("(?m)^\\t+([a-z_A-Z0-9 ]+):");

  /** A number such as 7, 0x1AB, {@code 4096 (5)} or the name of a link layer; empty if absent. */
  private static OptionalLong number(String text, String name) {
    Matcher line = Pattern.compile("(?m)^\\s*" + name + ":\\s*(.*?)\\s*$").matcher(text);
    if (!line.find()) {
      return OptionalLong.empty();
    }
    String value = line.group(1);
    Matcher inBrackets = Pattern.compile(".* \\((\\d+)\\)").matcher(value);
    if (inBrackets.matches()) {
      return OptionalLong.of(Long.parseLong(inBrackets.group(1)));
    }
    if (value.startsWith("0x")) {
      return OptionalLong.of(Long.parseUnsignedLong(value.substring(2), 16));
    }
    return OptionalLong.of(
        switch (value) {
          case "InfiniBand" -> 1;
          case "Ethernet" -> 2;
          default -> Long.parseLong(value);
        });
  }

  @Test
  void limitsAreThoseOfIbvDevinfo() throws IOException {
    List<RdmaDevice> devices = read().rdmaDevices();
    List<RdmaLimits> all = RdmaLimits.read(warning -> assertThat(warning).isEmpty());
    assertThat(all)
        .extracting(RdmaLimits::device)
        .isEqualTo(devices.stream().map(RdmaDevice::name).toList());
    Set<String> others = new TreeSet<>();
    for (RdmaLimits limits : all) {
      RdmaDevice device = named(limits.device(), devices);
      String theirs = run("ibv_devinfo -v -d " + limits.device());
      Set<String> ours = new TreeSet<>(List.of("fw_ver", "node_guid", "sys_image_guid"));
      assertThat(field(theirs, "node_guid")).isEqualTo(limits.nodeGuid());
      assertThat(field(theirs, "sys_image_guid")).isEqualTo(limits.sysImageGuid());
      assertThat(field(theirs, "fw_ver")).isEqualTo(limits.firmwareVersion());
      limits
          .values()
          .forEach(
              (one, value) -> {
                ours.add(one.toString());
                assertThat(number(theirs, one.toString()).orElse(-7))
                    .as("%s in %s", one, theirs)
                    .isIn(value, LEFT_OUT.contains(one.toString()) ? -7L : value);
              });
      PortLimits port = limits.ports().get(0);
      port.values()
          .forEach(
              (one, value) -> {
                String name = PORT_NAMES.getOrDefault(one, one.toString());
                ours.add(name);
                assertThat(number(theirs, name).orElse(-7))
                    .as("%s in %s", name, theirs)
                    .isIn(value, LEFT_OUT.contains(name) ? -7L : value);
              });
      assertThat(port.gids())
          .extracting(VerbsGid::index, VerbsGid::value, VerbsGid::type)
          .isEqualTo(
              device.ports().get(0).gids().stream()
                  .map(gid -> Assertions.tuple(gid.index(), gid.value(), gid.type()))
                  .toList());
      assertThat(port.gids())
          .extracting(gid -> gid.netdevIndex().orElse(0))
          .containsOnly(
              Integer.parseInt(
                  Files.readString(Path.of("/sys/class/net/" + device.parent() + "/ifindex"))
                      .trim()));
      assertThat(port.pkeys()).isEqualTo(device.ports().get(0).pkeys());
      Matcher other = OTHERS.matcher(theirs);
      while (other.find()) {
        others.add(other.group(1));
      }
      others.removeAll(ours);
    }
    System.out.println("ibv_devinfo -v also says, not by exported calls: " + others);
  }

  @Test
  void limitsAreFactsAndCapacities() {
    HostInventory host = TopologyReaders.installed().read(Host.live());
    for (RdmaDevice device : host.rdmaDevices()) {
      assertThat(device.maxQueuePairs().orElse(0)).isPositive();
      assertThat(device.maxMemoryRegions().orElse(0)).isPositive();
      assertThat(device.ports().get(0).maxMtu()).hasValue(4_096);
      assertThat(device.ports().get(0).activeMtu()).hasValue(1_024);
    }
    assertThat(HostDriver.create().discover(host))
        .filteredOn(device -> device.attributes().containsKey("rdmaDevice"))
        .hasSameSizeAs(host.rdmaDevices())
        .allSatisfy(
            device ->
                assertThat(device.capacity())
                    .containsKeys(
                        HostDriver.RDMA_BANDWIDTH,
                        HostDriver.RDMA_QUEUE_PAIRS,
                        HostDriver.RDMA_MEMORY_REGIONS));
  }

  /** How long one list takes, for people: no test depends on it. */
  @Test
  void aListOfDevicesIsTimed() throws IOException {
    long[] times = new long[500];
    try (RdmaNetlink rdma = RdmaNetlink.open()) {
      for (int i = 0; i < times.length; i++) {
        long start = System.nanoTime();
        assertThat(rdma.devices()).isNotEmpty();
        times[i] = System.nanoTime() - start;
      }
    }
    long[] warm = Arrays.copyOfRange(times, 200, times.length);
    Arrays.sort(warm);
    System.out.printf(
        "one NLDEV dump, warm: %d us median, %d us worst of %d%n",
        warm[warm.length / 2] / 1_000, warm[warm.length - 1] / 1_000, warm.length);
  }

  @Test
  void namesAndGuidsAreThoseOfIbvDevices() throws IOException {
    String theirs = run("ibv_devices");
    for (RdmaDevice device : read().rdmaDevices()) {
      assertThat(theirs)
          .containsPattern(device.name() + "\\s+" + device.nodeGuid().replace(":", ""));
    }
  }

  @Test
  void filesAreThoseThatStatSees() throws IOException {
    for (RdmaDevice device : read().rdmaDevices()) {
      CharacterDevices nodes = CharacterDevices.of(Host.live(), device);
      assertThat(nodes.list())
          .extracting(CharacterDevice::kind)
          .contains(CharacterDevice.Kind.UVERBS);
      assertThat(nodes.list())
          .extracting(CharacterDevice::name)
          .containsAll(
              Files.exists(Path.of("/dev/infiniband/rdma_cm")) ? List.of("rdma_cm") : List.of());
      assertThat(nodes.problems())
          .isSubsetOf("no character device rdma_cm: is the module rdma_ucm loaded?");
      System.out.println(
          device.name() + " has " + nodes.list().stream().map(CharacterDevice::name).toList());
      for (CharacterDevice node : nodes.list()) {
        assertThat(
                "%x %x %o character special file"
                    .formatted(node.major(), node.minor(), node.mode().orElse(0)))
            .isEqualTo(run("stat -c %t_%T_%a_%F " + node.path()).trim().replace('_', ' '));
      }
    }
  }

  @Test
  @Order(Order.DEFAULT + 1)
  void severalAddressesAreSeveralGids() throws IOException {
    RdmaDevice device = read().rdmaDevices().get(0);
    String netdev = Objects.requireNonNull(device.parent());
    try (RouteNetlink route = RouteNetlink.open()) {
      int index = route.links().get(netdev).index();
      for (String address : List.of("10.7.0.1/24", "10.7.1.1/24", "fd00:7::1/64")) {
        route.addresses().add(InterfaceAddress.of(index, IpPrefix.parse(address)));
      }
      awaitGids(device.name(), device.ports().get(0).gids().size() + 3);
      assertAsIbvDevinfo(device(device.name()));
      assertThat(device(device.name()).ports().get(0).gids())
          .extracting(RdmaGid::netdev)
          .containsOnly(netdev);
      for (String address : List.of("10.7.0.1/24", "10.7.1.1/24", "fd00:7::1/64")) {
        route.addresses().delete(InterfaceAddress.of(index, IpPrefix.parse(address)));
      }
    }
    awaitGids(device.name(), device.ports().get(0).gids().size());
  }

  private static void awaitGids(String device, int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (device(device).ports().get(0).gids().size() != count) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(100_000_000);
    }
  }

  /** Where the kernel refuses, nothing has changed. */
  @Test
  @Order(Order.DEFAULT + 2)
  void aDeviceMovesOrIsRefused() throws IOException {
    List<RdmaDevice> before = new ArrayList<>(read().rdmaDevices());
    String name = before.get(0).name();
    setShared(false);
    try (NetworkNamespace home = NetworkNamespace.current();
        NetworkNamespace pod = NetworkNamespace.create()) {
      boolean moved = true;
      try {
        move(home, name, pod);
      } catch (NetlinkException.Unsupported e) {
        moved = false;
      }
      System.out.println("moves of rxe: " + (moved ? "granted" : "refused with EOPNOTSUPP"));
      if (moved) {
        move(pod, name, home);
        before.set(0, withoutConnectionManager(before.get(0)));
      }
    }
    setShared(true);
    assertThat(read().rdmaDevices()).isEqualTo(before);
  }

  private static void move(NetworkNamespace from, String device, NetworkNamespace to)
      throws IOException {
    try (RdmaNetlink rdma = RdmaNetlink.open(from)) {
      for (io.dra4j.netlink.rdma.RdmaDevice one : rdma.devices()) {
        if (one.name().equals(device)) {
          rdma.move(one.index(), to);
        }
      }
    }
  }

  /** rxe makes its queue pair once: {@code IB_PORT_CM_SUP}, 1 << 16, is gone and nothing else. */
  private static RdmaDevice withoutConnectionManager(RdmaDevice device) {
    RdmaPort port = device.ports().get(0);
    assertThat(port.capabilityMask()).hasValue(1 << 16);
    return device.toBuilder().ports(List.of(port.toBuilder().capabilityMask(0).build())).build();
  }

  @Test
  @Order(Order.DEFAULT + 3)
  void aSoftwareDeviceVanishesWithItsNetworkDevice() throws IOException {
    RdmaDevice device = read().rdmaDevices().get(0);
    String netdev = Objects.requireNonNull(device.parent());
    try (NetworkNamespace home = NetworkNamespace.current();
        NetworkNamespace pod = NetworkNamespace.create();
        RouteNetlink inside = RouteNetlink.open(pod)) {
      LinkKey link = LinkKey.of(netdev);
      assertThatExceptionOfType(NetlinkException.Exists.class)
          .isThrownBy(() -> LinkMove.move(home, link, pod, "lo"));
      assertThat(RdmaNetdevs.of(read()).find(netdev)).isPresent();

      LinkMove.move(home, link, pod, "net1");

      assertThat(inside.links().list()).extracting(Link::name).contains("net1");
      assertThat(RdmaReader.read(Host.live()).rdmaDevices())
          .extracting(RdmaDevice::name)
          .doesNotContain(device.name());
      LinkMove.move(pod, LinkKey.of("net1"), home, netdev);
      try (RouteNetlink route = RouteNetlink.open()) {
        assertThat(route.links().get(LinkKey.of(netdev)).name()).isEqualTo(netdev);
      }
    }
  }

  /** Of which the kernel tells: nothing is looked at between events. */
  @Test
  @Order(Order.DEFAULT + 1)
  void aPortThatGoesDownAndUpIsToldWithoutPolling() throws Exception {
    RdmaDevice device = read().rdmaDevices().get(0);
    String netdev = Objects.requireNonNull(device.parent());
    RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());
    try (RdmaHealthMonitor monitor =
        RdmaHealthMonitor.open(health, Duration.ofDays(1), RdmaHostTest::warn)) {
      assertThat(monitor.await(Duration.ZERO)).isEmpty();
      run("ip link set " + netdev + " down");
      RdmaHealthEvent down = next(monitor);
      assertThat(down.begins()).isTrue();
      assertThat(down.problem().message())
          .startsWith("port 1 of RDMA device " + device.name() + " is DOWN");
      assertThat(health.taints(device.name(), "dra.example.com"))
          .extracting(DeviceTaint::key)
          .containsExactly("dra.example.com/rdma-port-down");
      run("ip link set " + netdev + " up");
      assertThat(next(monitor).begins()).isFalse();
      assertThat(health.problems()).isEmpty();
    }
    awaitGids(device.name(), device.ports().get(0).gids().size());
  }

  private static void warn(String warning) {
    System.out.println("warning: " + warning);
  }

  private static RdmaHealthEvent next(RdmaHealthMonitor monitor) throws Exception {
    List<RdmaHealthEvent> events = monitor.await(Duration.ofSeconds(60));
    assertThat(events).hasSize(1);
    return events.get(0);
  }

  private static void write(String file, String text) throws IOException {
    Files.writeString(Path.of(file), text);
  }

  private static PciFunction function(HostInventory host, PciAddress address) {
    return host.pciFunctions().stream()
        .filter(one -> one.address().equals(address))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Reads while functions come and go: whatever it meets on the way, it ends with what is there.
   */
  @Test
  @Order(Order.DEFAULT + 4)
  void virtualFunctionsComeAndGoWhileTheHostIsWatched() throws Exception {
    List<RdmaDevice> devices = RdmaReader.read(Host.live()).rdmaDevices();
    String functions = "/sys/class/net/pf0/device/sriov_numvfs";
    RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());
    try (RdmaHealthMonitor monitor =
            RdmaHealthMonitor.open(health, Duration.ofMillis(50), RdmaHostTest::warn);
        DeviceMonitor events = DeviceMonitor.open()) {
      for (int count : new int[] {3, 0, 7, 0}) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread writer =
            new Thread(
                () -> {
                  try {
                    write(functions, count + "\n");
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
        writer.start();
        do {
          assertThat(RdmaReader.read(Host.live()).rdmaDevices()).isEqualTo(devices);
          assertThat(monitor.await(Duration.ZERO)).isEmpty();
        } while (writer.isAlive());
        assertThat(failure.get()).isNull();

        HostInventory host = RdmaReader.read(Host.live());
        assertThat(host.warnings()).isEmpty();
        List<PciFunction> virtual =
            host.pciFunctions().stream().filter(one -> one.physicalFunction() != null).toList();
        assertThat(virtual).hasSize(count);
        if (count > 0) {
          PciAddress physical = Objects.requireNonNull(virtual.get(0).physicalFunction());
          assertThat(function(host, physical).virtualFunctions())
              .isEqualTo(virtual.stream().map(PciFunction::address).toList());
        }
        assertThat(events.await(Duration.ofSeconds(10), Duration.ofMillis(200)))
            .filteredOn(
                event ->
                    event.subsystem().equals("pci")
                        && event.action().equals(count > 0 ? "add" : "remove"))
            .hasSizeGreaterThanOrEqualTo(count);
      }
      assertThat(health.problems()).isEmpty();
    }
  }

  @Test
  @Order(Order.DEFAULT + 5)
  void aNicIsRemovedAndFoundAgainWhileItIsWatched() throws Exception {
    HostInventory before = RdmaReader.read(Host.live());
    List<RdmaDevice> devices = before.rdmaDevices();
    RdmaDevice device = devices.get(devices.size() - 1);
    PciAddress address = Objects.requireNonNull(device.address());
    String netdev = Objects.requireNonNull(device.parent());
    RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());
    try (RdmaHealthMonitor monitor =
        RdmaHealthMonitor.open(health, Duration.ofDays(1), RdmaHostTest::warn)) {
      assertThat(monitor.await(Duration.ZERO)).isEmpty();

      write("/sys/bus/pci/devices/" + address + "/remove", "1\n");

      assertThat(next(monitor).problem()).isEqualTo(new RdmaProblem.DeviceGone(device.name()));
      assertThat(health.taints(device.name(), "dra.example.com"))
          .extracting(DeviceTaint::effect)
          .containsExactly(TaintEffect.NO_EXECUTE);
      HostInventory without = RdmaReader.read(Host.live());
      assertThat(without.warnings()).isEmpty();
      assertThat(without.pciFunctions()).noneMatch(one -> one.address().equals(address));
      assertThat(without.rdmaDevices()).isEqualTo(devices.subList(0, devices.size() - 1));

      write("/sys/bus/pci/rescan", "1\n");
      String name = awaitNetdev(address);
      run("ip link set " + name + " down");
      run("ip link set " + name + " name " + netdev);
      run("ip link set " + netdev + " up");
      run("rdma link add " + device.name() + " type rxe netdev " + netdev);
      List<RdmaHealthEvent> back = new ArrayList<>();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!health.problems().isEmpty() || back.isEmpty()) {
        back.addAll(monitor.await(Duration.ofSeconds(10)));
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
      assertThat(back)
          .contains(
              new RdmaHealthEvent(
                  new RdmaProblem.DeviceGone(device.name()), false, back.get(0).at()));
    }
    awaitGids(device.name(), device.ports().get(0).gids().size());
    HostInventory after = RdmaReader.read(Host.live());
    assertThat(function(after, address)).isEqualTo(function(before, address));
    assertThat(after.rdmaDevices())
        .extracting(one -> one.toBuilder().index(0).build())
        .isEqualTo(devices.stream().map(one -> one.toBuilder().index(0).build()).toList());
  }

  private static String awaitNetdev(PciAddress address) throws IOException {
    Path directory = Path.of("/sys/bus/pci/devices/" + address + "/net");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      if (Files.isDirectory(directory)) {
        try (Stream<Path> names = Files.list(directory)) {
          Optional<Path> name = names.findFirst();
          if (name.isPresent()) {
            return name.get().getFileName().toString();
          }
        }
      }
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(100_000_000);
    }
  }

  /** The kernel refuses while a namespace of another test has not quite gone. */
  private static void setShared(boolean shared) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try (RdmaNetlink rdma = RdmaNetlink.open()) {
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
  }
}
