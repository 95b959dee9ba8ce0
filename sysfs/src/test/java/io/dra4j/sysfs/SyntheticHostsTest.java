package io.dra4j.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.SyntheticBus;
import io.dra4j.testkit.SyntheticHost;
import io.dra4j.testkit.SyntheticHosts;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathMatrix;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers of which there is no capture, and what only they have. */
class SyntheticHostsTest {

  private static final String DEVICES = "sys/bus/pci/devices/";

  static List<CapturedHost> synthetic() {
    return SyntheticHosts.all();
  }

  static Stream<CapturedHost> all() {
    return Stream.concat(
        SyntheticHosts.all().stream(), CapturedHost.names().stream().map(CapturedHost::named));
  }

  /** Reads a host about which there is nothing to complain. */
  private static HostInventory read(CapturedHost host) throws IOException {
    HostInventory inventory = readWithWarnings(host);
    assertThat(inventory.warnings()).as(host.name()).isEmpty();
    return inventory;
  }

  private static HostInventory readWithWarnings(CapturedHost host) throws IOException {
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path root = memory.getPath("/host");
      host.expandTo(root);
      return SysfsReader.read(Host.captured(root));
    }
  }

  private static HostTopology topology(CapturedHost host) throws IOException {
    return read(host).topology().build();
  }

  private static PciFunction function(HostInventory inventory, String address) {
    return inventory.pciFunctions().stream()
        .filter(function -> function.address().equals(PciAddress.parse(address)))
        .findFirst()
        .orElseThrow();
  }

  /** How many GPUs and how many NICs with RDMA are in each group, in this form: {@code 2+1}. */
  private static List<String> gpusAndNics(HostTopology topology, PathType within) {
    return topology.groups(within).stream()
        .map(
            group ->
                "%d+%d"
                    .formatted(
                        group.stream().filter(d -> d.kind() == DeviceKind.GPU).count(),
                        group.stream().filter(SyntheticHostsTest::hasRdma).count()))
        .toList();
  }

  private static boolean hasRdma(TopologyDevice device) {
    return device.kind() == DeviceKind.NIC
        && device.names().stream().anyMatch(name -> name.startsWith("mlx5_") || isEfa(name));
  }

  private static boolean isEfa(String name) {
    return name.startsWith("rdmap");
  }

  /** How many of the paths from a GPU to a NIC with RDMA have each type. */
  private static Map<PathType, Integer> gpuToNic(HostTopology topology) {
    Map<PathType, Integer> counts = new EnumMap<>(PathType.class);
    for (TopologyDevice gpu : topology.endpoints()) {
      for (TopologyDevice nic : topology.endpoints()) {
        if (gpu.kind() == DeviceKind.GPU && hasRdma(nic)) {
          counts.merge(topology.path(gpu.id(), nic.id()), 1, Integer::sum);
        }
      }
    }
    return counts;
  }

  // ---- All of them ----

  @ParameterizedTest
  @MethodSource("synthetic")
  void everyFunctionIsRead(CapturedHost host) throws IOException {
    List<String> listed =
        host.paths().stream()
            .filter(path -> path.startsWith(DEVICES))
            .map(path -> path.substring(DEVICES.length()))
            .map(PciAddress::parse)
            .sorted()
            .map(PciAddress::toString)
            .toList();

    assertThat(read(host).pciFunctions())
        .extracting(function -> function.address().toString())
        .isNotEmpty()
        .containsExactlyElementsOf(listed);
  }

  /** Between endpoints; ports stand above each other. */
  @ParameterizedTest
  @MethodSource("all")
  void pathsAreSymmetricAndAnUltrametric(CapturedHost host) throws IOException {
    HostTopology topology = topology(host);
    PathMatrix paths = topology.matrix(topology.endpoints());
    int size = paths.devices().size();

    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        PathType type = paths.path(a, b);
        assertThat(type == PathType.SELF).isEqualTo(a == b);
        assertThat(type).isEqualTo(paths.path(b, a));
        assertThat(type)
            .isEqualTo(topology.path(paths.devices().get(b).id(), paths.devices().get(a).id()));
        for (int c = 0; c < size; c++) {
          PathType longer = type.isWithin(paths.path(b, c)) ? paths.path(b, c) : type;
          // Who knows only one of two distances knows nothing of the third.
          assertThat(longer == PathType.UNKNOWN || paths.path(a, c).isWithin(longer))
              .as("%s: %d %d %d", host.name(), a, b, c)
              .isTrue();
        }
      }
    }
  }

  // ---- Trees ----

  @Test
  void a4HasTwoGpusAndTwoNicsOnTheSwitchOfEachOfFourRoots() throws IOException {
    HostTopology topology = topology(SyntheticHosts.a4());

    assertThat(gpusAndNics(topology, PathType.SWITCH)).containsExactly("2+2", "2+2", "2+2", "2+2");
    assertThat(topology.groups(PathType.SWITCH))
        .allSatisfy(
            group ->
                assertThat(group.stream().map(TopologyDevice::pcieRoot).distinct()).hasSize(1));
    assertThat(gpuToNic(topology))
        .isEqualTo(Map.of(PathType.SWITCH, 16, PathType.NUMA_NODE, 16, PathType.SYSTEM, 32));
  }

  @Test
  void p4dHasTwoGpusAndOneEfaBelowEachOfFourHostBridges() throws IOException {
    HostTopology topology = topology(SyntheticHosts.p4d());

    assertThat(topology.groups(PathType.MULTI_SWITCH)).isEmpty();
    assertThat(gpusAndNics(topology, PathType.HOST_BRIDGE))
        .containsExactly("2+1", "2+1", "2+1", "2+1");
    assertThat(gpuToNic(topology))
        .isEqualTo(Map.of(PathType.HOST_BRIDGE, 8, PathType.NUMA_NODE, 8, PathType.SYSTEM, 16));
  }

  @Test
  void dgx16HasTwoGpusAndOneNicBelowEachOfEightInnerSwitches() throws IOException {
    HostTopology topology = topology(SyntheticHosts.dgx16());

    assertThat(gpusAndNics(topology, PathType.SWITCH)).hasSize(8).containsOnly("2+1");
    assertThat(gpusAndNics(topology, PathType.MULTI_SWITCH)).hasSize(4).containsOnly("4+2");
    assertThat(gpusAndNics(topology, PathType.NUMA_NODE)).containsExactly("8+4", "8+4");
    assertThat(gpuToNic(topology))
        .isEqualTo(
            Map.of(
                PathType.SWITCH, 16,
                PathType.MULTI_SWITCH, 16,
                PathType.NUMA_NODE, 32,
                PathType.SYSTEM, 64));
  }

  @Test
  void drivesBehindAHiddenRootMeetBelowTheFunctionThatHidesIt() throws IOException {
    HostInventory inventory = read(SyntheticHosts.vmd());
    HostTopology topology = inventory.topology().build();

    PciFunction drive = function(inventory, "10000:e1:00.0");
    assertThat(drive.kind()).isEqualTo(DeviceKind.NVME);
    assertThat(drive.otherNames()).containsExactly("nvme0");
    assertThat(drive.location().root()).isEqualTo("pci0000:00");
    assertThat(drive.location().bridges())
        .extracting(PciAddress::toString)
        .containsExactly("0000:00:0e.0", "10000:e0:06.0");
    assertThat(topology.path("10000:e1:00.0", "10000:e2:00.0")).isEqualTo(PathType.SWITCH);
    assertThat(topology.path("10000:e1:00.0", "0000:00:02.0")).isEqualTo(PathType.HOST_BRIDGE);
  }

  // ---- The VMBus ----

  @Test
  void ofNdH100v5TheTreeSaysNothingButTheNumaNode() throws IOException {
    HostInventory inventory = read(SyntheticHosts.ndH100v5());
    HostTopology topology = inventory.topology().build();

    assertThat(topology.groups(PathType.HOST_BRIDGE)).isEmpty();
    assertThat(gpuToNic(topology)).isEqualTo(Map.of(PathType.NUMA_NODE, 32, PathType.SYSTEM, 32));
    assertThat(function(inventory, "0101:00:00.0").names()).containsExactly("ib0", "mlx5_0");
    assertThat(inventory.netdevs())
        .filteredOn(netdev -> netdev.address() == null)
        .extracting(Netdev::name)
        .containsExactlyInAnyOrder("eth0", "lo");
  }

  @Test
  void ofNdH100v5NothingIsKnownOnceItsNumaNodesAreHidden() throws IOException {
    CapturedHost host = SyntheticHosts.ndH100v5();
    for (String path : SyntheticHosts.ndH100v5().paths()) {
      host = path.endsWith("/numa_node") ? host.withFile(path, "-1\n") : host;
    }

    assertThat(gpuToNic(topology(host))).isEqualTo(Map.of(PathType.UNKNOWN, 64));
  }

  /** Which GPU and which NIC share a switch; the bridges are made up, as those of clouds are. */
  private static TreeOverlay pairs(String... pairs) throws Exception {
    StringBuilder xml = new StringBuilder("<system version=\"1\">");
    for (int i = 0; i < pairs.length; i++) {
      String[] pair = pairs[i].split(" ", -1);
      xml.append(
          """
          <cpu numaid="%d"><pci busid="ffff:ff:%02x.0" class="0x060400">
            <pci busid="%s:00:00.0"/><pci busid="%s:00:00.0"/>
          </pci></cpu>
          """
              .formatted(i * 2 / Math.max(8, pairs.length), i + 1, pair[0], pair[1]));
    }
    xml.append("</system>");
    List<String> warnings = new ArrayList<>();
    byte[] bytes = xml.toString().getBytes(StandardCharsets.UTF_8);
    TreeOverlay overlay = NcclXml.read(new ByteArrayInputStream(bytes), "pairs", warnings::add);
    assertThat(warnings).isEmpty();
    return overlay;
  }

  @Test
  void ndH100v5HasEightPairsOnceItsOverlayIsMerged() throws Exception {
    HostTopology topology =
        read(SyntheticHosts.ndH100v5())
            .topology()
            .overlay(
                pairs(
                    "0001 0101",
                    "0002 0102",
                    "0003 0103",
                    "0008 0104",
                    "0009 0105",
                    "000a 0106",
                    "000b 0107",
                    "000c 0108"))
            .build();

    assertThat(topology.warnings()).isEmpty();
    assertThat(gpusAndNics(topology, PathType.SWITCH)).hasSize(8).containsOnly("1+1");
    assertThat(topology.path("0008:00:00.0", "0104:00:00.0")).isEqualTo(PathType.SWITCH);
    assertThat(gpuToNic(topology))
        .isEqualTo(Map.of(PathType.SWITCH, 8, PathType.NUMA_NODE, 24, PathType.SYSTEM, 32));
    // An overlay without classes and names leaves those of the host.
    assertThat(topology.device("0101:00:00.0").orElseThrow())
        .satisfies(nic -> assertThat(nic.kind()).isEqualTo(DeviceKind.NIC))
        .satisfies(nic -> assertThat(nic.names()).containsExactly("ib0", "mlx5_0"));
  }

  @Test
  void anOverlayOfOnePairLeavesTheOtherPathsToTheHost() throws Exception {
    HostTopology topology =
        read(SyntheticHosts.ndH100v5()).topology().overlay(pairs("0001 0101")).build();

    assertThat(gpuToNic(topology))
        .isEqualTo(Map.of(PathType.SWITCH, 1, PathType.NUMA_NODE, 31, PathType.SYSTEM, 32));
  }

  // ---- Coherent GPUs ----

  @Test
  void gb300PairsByNumaNode() throws IOException {
    HostInventory inventory = read(SyntheticHosts.gb300());

    assertThat(gpuToNic(inventory.topology().build()))
        .isEqualTo(Map.of(PathType.NUMA_NODE, 8, PathType.SYSTEM, 8));
    assertThat(inventory.numaNodes())
        .extracting(NumaNode::cpus)
        .containsExactly("0-63", "64-127", "", "", "", "");
  }

  /** nvidia-smi prints SYS on such a machine although sysfs gives GPUs and NICs equal nodes. */
  @Test
  void ofGb200AMatrixKnowsBetterThanNumaNodes() throws IOException {
    HostInventory inventory = read(SyntheticHosts.gb200());
    assertThat(gpuToNic(inventory.topology().build()))
        .isEqualTo(Map.of(PathType.NUMA_NODE, 16, PathType.SYSTEM, 16));

    Map<String, PathType> toNics = new HashMap<>();
    Map<String, PathType> toGpus = new HashMap<>();
    for (int i = 0; i < 8; i++) {
      toNics.put("NIC" + i, PathType.SYSTEM);
      toGpus.put("GPU" + i / 2, PathType.SYSTEM);
    }
    List<MatrixOverlay.Row> rows = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      rows.add(row("GPU" + i, DeviceKind.GPU, "GPU" + i, toNics));
    }
    for (int i = 0; i < 8; i++) {
      rows.add(row("NIC" + i, DeviceKind.NIC, "mlx5_" + i, toGpus));
    }
    HostTopology topology = inventory.topology().overlay(new MatrixOverlay("matrix", rows)).build();

    assertThat(topology.warnings()).isEmpty();
    assertThat(gpuToNic(topology)).isEqualTo(Map.of(PathType.SYSTEM, 32));
    assertThat(topology.path("0000:03:00.0", "0000:03:00.1")).isEqualTo(PathType.SAME_CARD);
  }

  private static MatrixOverlay.Row row(
      String label, DeviceKind kind, String name, Map<String, PathType> paths) {
    return new MatrixOverlay.Row(label, kind, name, OptionalInt.empty(), paths, Map.of());
  }

  // ---- SR-IOV ----

  @Test
  void physicalAndVirtualFunctionsKnowEachOther() throws IOException {
    HostInventory inventory = read(SyntheticHosts.manyFunctions());

    List<PciFunction> physical =
        inventory.pciFunctions().stream().filter(f -> f.totalVirtualFunctions() > 0).toList();
    assertThat(physical)
        .extracting(function -> function.address().toString())
        .containsExactly("0000:17:00.0", "0000:17:00.1", "0000:97:00.0", "0000:97:00.1");
    for (PciFunction function : physical) {
      assertThat(function.totalVirtualFunctions()).isEqualTo(8);
      assertThat(function.physicalFunction()).isNull();
      assertThat(function.virtualFunctions())
          .hasSize(8)
          .containsExactlyElementsOf(
              inventory.pciFunctions().stream()
                  .filter(virtual -> function.address().equals(virtual.physicalFunction()))
                  .map(PciFunction::address)
                  .toList());
    }
    assertThat(inventory.pciFunctions())
        .filteredOn(function -> function.kind() == DeviceKind.NIC)
        .extracting(PciFunction::iommuGroup)
        .doesNotHaveDuplicates()
        .allSatisfy(group -> assertThat(group).isPresent());
  }

  @Test
  void allFunctionsOfACardShareIt() throws IOException {
    HostTopology topology = topology(SyntheticHosts.manyFunctions());

    assertThat(topology.groups(PathType.SAME_CARD))
        .hasSize(2)
        .allSatisfy(card -> assertThat(card).hasSize(18));
    assertThat(topology.path("0000:17:00.1", "0000:17:00.2")).isEqualTo(PathType.SAME_CARD);
    assertThat(topology.path("0000:17:00.2", "0000:97:00.2")).isEqualTo(PathType.SYSTEM);
  }

  @Test
  void aSoftwareRdmaDeviceHasNoFunctionWhereItsInterfaceHasNone() throws IOException {
    HostInventory inventory = read(SyntheticHosts.manyFunctions());

    assertThat(inventory.rdmaDevices())
        .filteredOn(device -> device.name().equals("rxe0"))
        .singleElement()
        .extracting(RdmaDevice::address, RdmaDevice::parent)
        .containsExactly(null, "br0");
    assertThat(inventory.pciFunctions())
        .noneSatisfy(function -> assertThat(function.names()).contains("rxe0"));
  }

  // ---- What has been seen on real machines ----

  @Test
  void functionsOfOneCardShareItEvenIfTheirNumaNodesDiffer() throws IOException {
    CapturedHost host = SyntheticHosts.manyFunctions();
    HostTopology topology =
        topology(host.withFile(directory(host, "0000:17:00.1") + "/numa_node", "1\n"));

    assertThat(topology.path("0000:17:00.0", "0000:17:00.1")).isEqualTo(PathType.SAME_CARD);
  }

  @Test
  void anUnknownNumaNodeMattersBetweenHostBridgesOnly() throws IOException {
    CapturedHost host = SyntheticHosts.a4();
    HostTopology topology =
        topology(host.withFile(directory(host, "0000:8c:00.0") + "/numa_node", "-1\n"));

    assertThat(topology.path("0000:8c:00.0", "0000:8f:00.0")).isEqualTo(PathType.SWITCH);
    assertThat(topology.path("0000:8c:00.0", "0000:96:00.0")).isEqualTo(PathType.UNKNOWN);
    assertThat(topology.path("0000:8d:00.0", "0000:96:00.0")).isEqualTo(PathType.NUMA_NODE);
  }

  @Test
  void bridgesWithoutAnEntryOfTheirOwnAreStillOnTheWay() throws IOException {
    CapturedHost host = SyntheticHosts.a4();
    HostTopology topology = topology(host.without(DEVICES + "0000:8a:00.0"));

    assertThat(topology.device("0000:8a:00.0")).isEmpty();
    assertThat(topology.path("0000:8c:00.0", "0000:8f:00.0")).isEqualTo(PathType.SWITCH);
  }

  @Test
  void anInterfaceOfAVirtioDeviceBelongsToItsFunction() throws IOException {
    SyntheticHost host = new SyntheticHost("virtio").numaNode(0, "0-3", 10).socket(0, "0-3");
    host.root("pci0000:00", -1)
        .function("0000:00:03.0", 0x020000, 0x1af4, 0x1041)
        .driver("virtio-pci");
    host.networkInterface("pci0000:00/0000:00:03.0/virtio1", "ens3", 0);

    HostInventory inventory = read(host.build());

    assertThat(function(inventory, "0000:00:03.0").names()).containsExactly("ens3");
    assertThat(inventory.netdevs())
        .filteredOn(netdev -> netdev.name().equals("ens3"))
        .singleElement()
        .satisfies(netdev -> assertThat(netdev.address()).hasToString("0000:00:03.0"));
  }

  @Test
  void whateverCarriesAnRdmaDeviceIsANic() throws IOException {
    SyntheticHost host = new SyntheticHost("classes").numaNode(0, "0-3", 10).socket(0, "0-3");
    SyntheticBus bus = host.root("pci0000:00", 0);
    bus.function("0000:00:04.0", 0x0c0600, 0x15b3, 0x673c)
        .rdma("mlx4_0", "InfiniBand", "40 Gb/sec (4X QDR)");
    bus.function("0000:00:05.0", 0x028000, 0x15b3, 0x1003)
        .rdma("mlx4_1", "InfiniBand", "40 Gb/sec (4X QDR)");
    bus.function("0000:00:06.0", 0x058000, 0x15b3, 0x1004)
        .rdma("mlx4_2", "InfiniBand", "40 Gb/sec (4X QDR)");
    bus.function("0000:00:07.0", 0x058000, 0x15b3, 0x1004);

    assertThat(topology(host.build()).endpoints())
        .extracting(TopologyDevice::id, TopologyDevice::kind)
        .containsExactly(
            tuple("0000:00:04.0", DeviceKind.NIC),
            tuple("0000:00:05.0", DeviceKind.NIC),
            tuple("0000:00:06.0", DeviceKind.NIC));
  }

  private static String directory(CapturedHost host, String address) {
    String link = host.link(DEVICES + address).orElseThrow();
    return "sys/" + link.replace("../", "");
  }

  // ---- What would be published ----

  /** The helper of Kubernetes knows paths that begin with a host bridge, and short addresses. */
  @Test
  void attributesFollowTheRulesOfKubernetes() throws IOException {
    Map<String, String> published = new TreeMap<>();
    for (CapturedHost host :
        List.of(SyntheticHosts.a4(), SyntheticHosts.ndH100v5(), SyntheticHosts.vmd())) {
      for (Device device : HostDriver.create().discover(read(host))) {
        published.put(
            host.name() + " " + device.name(),
            Stream.of("pcieRoot", "pciBusID", "numaNode")
                .map(name -> value(device, "resource.kubernetes.io/" + name))
                .collect(Collectors.joining(" ")));
      }
    }

    assertThat(published)
        .containsEntry("a4 pci-0000-8c-00-0", "pci0000:8a 0000:8c:00.0 0")
        .containsEntry("nd-h100-v5 pci-0001-00-00-0", "- 0001:00:00.0 0")
        .containsEntry("nd-h100-v5 pci-0108-00-00-0", "- 0108:00:00.0 1")
        .containsEntry("vmd pci-0000-00-02-0", "pci0000:00 0000:00:02.0 -")
        .containsEntry("vmd pci-10000-e1-00-0", "- - -");
  }

  private static String value(Device device, String name) {
    DeviceAttribute value = device.attributes().get(name);
    if (value instanceof DeviceAttribute.StringValue text) {
      return text.value();
    }
    return value instanceof DeviceAttribute.IntValue number
        ? Objects.toString(number.value())
        : "-";
  }
}
