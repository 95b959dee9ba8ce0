package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostTopologyTest {

  private static final String A = "0000:0a:00.0";
  private static final String B = "0000:0b:00.0";

  private static TopologyDevice device(String address, DeviceKind kind, Location location) {
    return TopologyDevice.of(PciAddress.parse(address), kind, location);
  }

  private static TopologyDevice device(String address, String root, int numaNode, String... chain) {
    return device(address, DeviceKind.GPU, location(root, numaNode, chain));
  }

  private static Location location(String root, int numaNode, String... chain) {
    return new Location(
        root,
        Arrays.stream(chain).filter(text -> !text.isEmpty()).map(PciAddress::parse).toList(),
        numaNode < 0 ? OptionalInt.empty() : OptionalInt.of(numaNode));
  }

  private static NumaNode node(int id) {
    return new NumaNode(id, "", OptionalInt.empty(), List.of());
  }

  private static HostTopology host(TopologyDevice... devices) {
    return HostTopology.builder()
        .devices(List.of(devices))
        .numaNodes(List.of(node(0), node(1)))
        .build();
  }

  // Bridges are written as bus numbers, the root first; the columns are those of rule, a, b.
  @ParameterizedTest
  @CsvSource({
    "SWITCH,              pci0000:00 01 02 03, pci0000:00 01 02 04", // ports of one switch
    "SWITCH,              pci0000:00 01,       pci0000:00 01", // one root port
    "SWITCH,              pci0000:00 01 02,    pci0000:00 01",
    "MULTI_SWITCH,        pci0000:00 01 02 03 05 06, pci0000:00 01 02 04",
    "MULTI_SWITCH,        pci0000:00 01 02 03, pci0000:00 01",
    "HOST_BRIDGE,         pci0000:00 01 02 03, pci0000:00 11 12 13",
    "HOST_BRIDGE,         pci0000:00,          pci0000:00 11",
    "HOST_BRIDGE,         pci0000:00,          pci0000:00",
    "NUMA_NODE,           pci0000:00 01,       pci0000:80 01"
  })
  void bridgesBelowTheMeetingPointDecide(PathType expected, String a, String b) {
    HostTopology host = host(at(A, a), at(B, b));

    assertThat(host.path(A, B)).isEqualTo(expected);
    assertThat(host.path(B, A)).isEqualTo(expected);
  }

  private static TopologyDevice at(String address, String place) {
    String[] parts = place.split(" ", -1);
    String[] chain =
        Arrays.stream(parts).skip(1).map(bus -> "0000:" + bus + ":00.0").toArray(String[]::new);
    return device(address, parts[0], 0, chain);
  }

  @ParameterizedTest
  @CsvSource({
    "0,  0,  2, NUMA_NODE",
    "0,  1,  2, SYSTEM",
    "0,  -1, 2, UNKNOWN",
    "-1, -1, 2, UNKNOWN",
    "-1, -1, 1, NUMA_NODE",
    "-1, -1, 0, NUMA_NODE",
    "0,  -1, 0, UNKNOWN"
  })
  void numaNodesDecideBetweenHostBridges(int a, int b, int nodes, PathType expected) {
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0000:00", a), device(B, "pci0000:80", b)))
            .numaNodes(List.of(node(0), node(1)).subList(0, nodes))
            .build();

    assertThat(host.path(A, B)).isEqualTo(expected);
  }

  @Test
  void functionsOfOneCardAreOnItWhateverTheirNumaNodesSay() {
    HostTopology host =
        host(device("0000:0a:00.0", "pci0000:00", 0), device("0000:0a:00.1", "pci0000:00", 1));

    assertThat(host.path("0000:0a:00.0", "0000:0a:00.1")).isEqualTo(PathType.SAME_CARD);
  }

  @Test
  void virtualFunctionsAreOnTheCardOfTheirPhysicalFunction() {
    PciAddress physical = PciAddress.parse("0000:0a:00.0");
    HostTopology host =
        host(
            device("0000:0a:00.0", "pci0000:00", 0, "0000:00:01.0"),
            virtual("0000:0a:10.0", physical),
            virtual("0000:0b:01.2", physical));

    assertThat(host.path("0000:0a:00.0", "0000:0a:10.0")).isEqualTo(PathType.SAME_CARD);
    assertThat(host.path("0000:0b:01.2", "0000:0a:10.0")).isEqualTo(PathType.SAME_CARD);
  }

  private static TopologyDevice virtual(String address, PciAddress physical) {
    return new TopologyDevice(
        address,
        DeviceKind.NIC,
        PciAddress.parse(address),
        null,
        location("pci0000:00", 0, "0000:00:01.0"),
        null,
        physical,
        null,
        List.of());
  }

  @Test
  void broadcomsTwoLevelsCountAsOneUnlessAskedFor() {
    List<TopologyDevice> devices = new ArrayList<>();
    devices.add(
        device(
            A,
            "pci0000:00",
            0,
            "0000:01:00.0",
            "0000:02:00.0",
            "0000:03:00.0",
            "0000:04:00.0",
            "0000:05:00.0"));
    devices.add(
        device(
            B,
            "pci0000:00",
            0,
            "0000:01:00.0",
            "0000:02:00.0",
            "0000:03:01.0",
            "0000:06:00.0",
            "0000:07:00.0"));
    for (String bridge :
        List.of(
            "0000:02:00.0",
            "0000:03:00.0",
            "0000:03:01.0",
            "0000:04:00.0",
            "0000:05:00.0",
            "0000:06:00.0",
            "0000:07:00.0")) {
      devices.add(
          new TopologyDevice(
              bridge,
              DeviceKind.BRIDGE,
              PciAddress.parse(bridge),
              new PciIdentity(0x060400, 0x1000, 0xc030, 0, 0),
              Location.UNKNOWN,
              null,
              null,
              null,
              List.of()));
    }

    assertThat(HostTopology.builder().devices(devices).build().path(A, B))
        .isEqualTo(PathType.SWITCH);
    assertThat(
            HostTopology.builder()
                .devices(devices)
                .flattenBroadcomSwitches(false)
                .build()
                .path(A, B))
        .isEqualTo(PathType.MULTI_SWITCH);
  }

  @Test
  void aDeviceIsAtNoDistanceFromItself() {
    assertThat(host(device(A, "pci0000:00", 0)).path(A, A)).isEqualTo(PathType.SELF);
  }

  @Test
  void unknownDevicesAreNamed() {
    HostTopology host = host(device(A, "pci0000:00", 0));

    assertThatThrownBy(() -> host.path(A, "0000:ff:00.0"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("no device '0000:ff:00.0' on this host");
  }

  @Test
  void numbersOfNoDeviceAreRefused() {
    TopologyDevice nowhere = device(A, DeviceKind.GPU, Location.UNKNOWN);
    HostTopologyBuilder builder =
        HostTopology.builder().devices(List.of(nowhere, device(B, "pci0000:00", 0)));
    HostTopology plain = builder.build();
    HostTopology overlaid = builder.overlay(nccl("nccl.xml", device(B, "cpu:0", 0))).build();

    for (int none : new int[] {-1, 2, 99}) {
      for (int other : new int[] {0, 1, none}) {
        for (HostTopology host : List.of(plain, overlaid)) {
          assertThatThrownBy(() -> host.path(none, other))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> host.path(other, none))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> host.sourcedPath(other, none))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> host.sourcedPath(none, other))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> host.directLink(other, none))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> host.directLink(none, other))
              .isInstanceOf(IndexOutOfBoundsException.class);
        }
      }
    }
  }

  @Test
  void aHostBridgeWithoutANameIsNone() {
    HostTopology host = host(device(A, "", 0), device(B, "", 1));

    assertThat(host.path(A, B)).isEqualTo(PathType.SYSTEM);
    assertThat(new Location("", List.of(), OptionalInt.empty())).isEqualTo(Location.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "'',         SWITCH,       01",
    "'',         SWITCH,       01 02",
    "'',         MULTI_SWITCH, 01 02 03",
    "'',         UNKNOWN,      04",
    "pci0000:00, SWITCH,       01"
  })
  void aBridgeIsSharedWhetherOrNotTheHostBridgeHasAName(
      String root, PathType expected, String chain) {
    HostTopology host =
        host(
            device(A, DeviceKind.GPU, at(A, root + " 01").location()),
            device(B, DeviceKind.NIC, location("", -1, chainOf(chain))));

    assertThat(host.path(A, B)).isEqualTo(expected);
    assertThat(host.path(B, A)).isEqualTo(expected);
  }

  private static String[] chainOf(String buses) {
    return Arrays.stream(buses.split(" ", -1))
        .map(bus -> "0000:" + bus + ":00.0")
        .toArray(String[]::new);
  }

  @Test
  @SuppressWarnings({"NullAway", "DataFlowIssue"}) // which is what is tried
  void nullIsNamed() {
    HostTopology host = host(device(A, "pci0000:00", 0));
    HostTopologyBuilder builder = HostTopology.builder();
    List<ThrowingCallable> calls =
        List.of(
            () -> HostTopology.ofSlices(null),
            () -> HostTopology.ofSlices(Arrays.asList((ResourceSlice) null)),
            () -> builder.devices(null),
            () -> builder.devices(Arrays.asList((TopologyDevice) null)),
            () -> builder.numaNodes(null),
            () -> builder.numaNodes(Arrays.asList((NumaNode) null)),
            () -> builder.overlay(null),
            () -> host.groups(null),
            () -> host.matrix(null),
            () -> new Location("r", null, OptionalInt.empty()),
            () -> new Location("r", List.of(), null),
            () -> made(null, DeviceKind.GPU, Location.UNKNOWN, List.of(), OptionalLong.empty()),
            () -> made("a", null, Location.UNKNOWN, List.of(), OptionalLong.empty()),
            () -> made("a", DeviceKind.GPU, null, List.of(), OptionalLong.empty()),
            () -> made("a", DeviceKind.GPU, Location.UNKNOWN, null, OptionalLong.empty()),
            () -> made("a", DeviceKind.GPU, Location.UNKNOWN, List.of(), null));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(NullPointerException.class)
          .hasMessageMatching("[a-zA-Z]+");
    }
  }

  private static TopologyDevice made(
      String id, DeviceKind kind, Location location, List<String> names, OptionalLong rate) {
    return new TopologyDevice(id, kind, null, null, location, null, null, null, names, rate, null);
  }

  // ---- Overlays ----

  private static TreeOverlay nccl(String origin, TopologyDevice... devices) {
    return TreeOverlay.builder(origin, TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
        .devices(List.of(devices))
        .build();
  }

  @Test
  void anOverlayPairsWhatTheHypervisorHides() {
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0001:00", 0), device(B, "pci0101:00", 0)))
            .numaNodes(List.of(node(0), node(1)))
            .overlay(
                nccl(
                    "nd.xml",
                    device(A, "cpu:0", 0, "ffff:ff:01.0"),
                    device(B, "cpu:0", 0, "ffff:ff:01.0")))
            .build();

    assertThat(host.path(A, B)).isEqualTo(PathType.SWITCH);
    assertThat(host.sourcedPath(host.indexOf(A), host.indexOf(B)))
        .isEqualTo(new DevicePath(PathType.SWITCH, TopologySource.NCCL_XML));
  }

  @ParameterizedTest
  @CsvSource({
    "pci0000:00, pci0000:00, HOST_BRIDGE",
    "pci0000:00, pci0000:80, NUMA_NODE",
    "pci0000:00, , HOST_BRIDGE_OR_NUMA_NODE"
  })
  void theHostTellsWhatAnNcclFileLeavesOpen(String rootA, String rootB, PathType expected) {
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, rootA, 0), device(B, rootB, 0)))
            .overlay(nccl("x.xml", device(A, "cpu:0", 0), device(B, "cpu:0", 0)))
            .build();

    assertThat(host.path(A, B)).isEqualTo(expected);
  }

  @Test
  void whatTheHostTellsIsTheHostsWord() {
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0000:00", 0), device(B, "pci0000:00", 0)))
            .overlay(nccl("x.xml", device(A, "cpu:0", 0), device(B, "cpu:0", 0)))
            .build();

    assertThat(host.sourcedPath(0, 1))
        .isEqualTo(new DevicePath(PathType.HOST_BRIDGE, TopologySource.SYSFS));
  }

  @ParameterizedTest
  @CsvSource({
    "HOST_BRIDGE, HOST_BRIDGE,              NVIDIA_SMI, 0",
    "NUMA_NODE,   NUMA_NODE,                NVIDIA_SMI, 0",
    "SWITCH,      HOST_BRIDGE_OR_NUMA_NODE, NCCL_XML,   1",
    "SYSTEM,      HOST_BRIDGE_OR_NUMA_NODE, NCCL_XML,   1"
  })
  void anOverlayThatSaysLessLeavesWhatAnEarlierOneKnew(
      PathType earlier, PathType expected, TopologySource source, int contradictions) {
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device(A, DeviceKind.GPU, Location.UNKNOWN),
                    device(B, DeviceKind.GPU, Location.UNKNOWN)))
            .overlay(
                new MatrixOverlay(
                    "topo.txt",
                    List.of(
                        row("GPU0", DeviceKind.GPU, "GPU0", Map.of("GPU1", earlier), Map.of()),
                        row("GPU1", DeviceKind.GPU, "GPU1", Map.of(), Map.of()))))
            .overlay(nccl("x.xml", device(A, "cpu:0", -1), device(B, "cpu:0", -1)))
            .build();

    assertThat(host.sourcedPath(0, 1)).isEqualTo(new DevicePath(expected, source));
    assertThat(host.warnings()).hasSize(contradictions);
  }

  // ---- Devices that a file knows by name ----

  private static final String NIC = "0000:0c:00.0";

  private static TopologyDevice nic(String root, int numaNode) {
    return device(NIC, DeviceKind.NIC, location(root, numaNode)).withNames(List.of("eth0"));
  }

  private static TopologyDevice byName(String name, String root, int numaNode) {
    return new TopologyDevice(
        "net:" + name,
        DeviceKind.NIC,
        null,
        null,
        location(root, numaNode),
        null,
        null,
        null,
        List.of(name),
        OptionalLong.of(10_000),
        null);
  }

  /** As NCCL writes it: what it has no address of is at the first CPU. */
  private static TreeOverlay dump(TopologyDevice... devices) {
    return TreeOverlay.builder("dump.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
        .devices(List.of(devices))
        .unplaced(Set.of("net:eth0"))
        .build();
  }

  @Test
  void aNicThatAFileKnowsByNameIsTheHostsOfThatName() {
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0000:00", 0), nic("pci0000:80", 1)))
            .numaNodes(List.of(node(0), node(1)))
            .overlay(dump(device(A, "cpu:0", 0), byName("eth0", "cpu:0", 0)))
            .build();

    assertThat(host.devices()).extracting(TopologyDevice::id).containsExactly(A, NIC);
    assertThat(host.sourcedPath(0, 1))
        .isEqualTo(new DevicePath(PathType.SYSTEM, TopologySource.SYSFS));
    TopologyDevice nic = host.device(NIC).orElseThrow();
    assertThat(nic.location()).isEqualTo(location("pci0000:80", 1));
    assertThat(host.place(nic)).isEqualTo(nic.location());
    assertThat(nic.megabitsPerSecond()).hasValue(10_000);
  }

  @Test
  void aPlaceThatAFileMeansIsThatOfTheNicOfThatName() {
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0000:00", 0), nic("pci0000:00", 0)))
            .numaNodes(List.of(node(0), node(1)))
            .overlay(nccl("x.xml", device(A, "cpu:0", 0), byName("eth0", "cpu:1", 1)))
            .build();

    assertThat(host.devices()).hasSize(2);
    assertThat(host.sourcedPath(0, 1))
        .isEqualTo(new DevicePath(PathType.SYSTEM, TopologySource.NCCL_XML));
    assertThat(host.device(NIC).orElseThrow().location().numaNode()).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesThatKnowANicByNameAndByAddressAreOfOneDevice(boolean isNameFirst) {
    TreeOverlay named = dump(device(A, "cpu:0", 0), byName("eth0", "cpu:0", 0));
    TreeOverlay addressed =
        TreeOverlay.builder("export.xml", TopologySource.HWLOC_XML, TreeOverlay.Levels.BRIDGES)
            .devices(List.of(device(A, "pci0000:00", 0), nic("pci0000:80", 1)))
            .build();
    HostTopology host =
        HostTopology.builder()
            .overlay(isNameFirst ? named : addressed)
            .overlay(isNameFirst ? addressed : named)
            .build();

    assertThat(host.devices()).extracting(TopologyDevice::id).containsExactly(A, NIC);
    assertThat(host.path(A, NIC)).isEqualTo(PathType.SYSTEM);
    assertThat(host.device(NIC).orElseThrow().megabitsPerSecond()).hasValue(10_000);
  }

  @Test
  void aNicOfANameThatNobodyElseKnowsStaysWhereTheFileHasIt() {
    TopologyDevice usb = device(B, DeviceKind.OTHER, location("pci0000:80", 1));
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0000:00", 0), usb.withNames(List.of("eth0"))))
            .numaNodes(List.of(node(0), node(1)))
            .overlay(dump(device(A, "cpu:0", 0), byName("eth0", "cpu:0", 0)))
            .build();

    assertThat(host.devices()).hasSize(3);
    assertThat(host.path(A, "net:eth0")).isEqualTo(PathType.HOST_BRIDGE_OR_NUMA_NODE);
  }

  @Test
  void aNicOfASliceIsThatOfItsName() {
    ResourceSlice slice =
        ResourceSlice.onNode(
            "nics",
            "dra.net",
            "n",
            List.of(
                Device.named("near")
                    .attribute("dra.net/ifName", "eth0")
                    .attribute("resource.kubernetes.io/pcieRoot", "pci0000:8c")
                    .build()));
    HostTopology host =
        HostTopology.ofSlices(List.of(slice)).overlay(dump(byName("eth0", "cpu:0", 0))).build();

    assertThat(host.devices()).extracting(TopologyDevice::id).containsExactly("dra.net/n/near");
  }

  @Test
  void aPartialOverlayLeavesTheRestToTheHost() {
    String c = "0000:0c:00.0";
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device(A, "pci0000:00", 0, "0000:00:01.0"),
                    device(B, "pci0000:00", 0, "0000:00:02.0"),
                    device(c, "pci0000:00", 0, "0000:00:01.0")))
            .overlay(
                nccl(
                    "part.xml",
                    device(A, "cpu:0", 0, "ffff:ff:01.0"),
                    device(B, "cpu:0", 0, "ffff:ff:01.0")))
            .build();

    assertThat(host.path(A, B)).isEqualTo(PathType.SWITCH);
    assertThat(host.path(A, c)).isEqualTo(PathType.SWITCH);
    assertThat(host.path(B, c)).isEqualTo(PathType.HOST_BRIDGE);
  }

  @Test
  void ofOverlaysThatContradictEachOtherTheLastWinsAndBothAreNamed() {
    HostTopology host =
        HostTopology.builder()
            .overlay(
                nccl(
                    "first.xml",
                    device(A, "cpu:0", 0, "ffff:ff:01.0"),
                    device(B, "cpu:0", 0, "ffff:ff:01.0")))
            .overlay(nccl("second.xml", device(A, "cpu:0", 0), device(B, "cpu:1", 1)))
            .build();

    assertThat(host.path(A, B)).isEqualTo(PathType.SYSTEM);
    assertThat(host.warnings())
        .singleElement()
        .asString()
        .contains("SWITCH apart in first.xml", "SYSTEM in second.xml", "second.xml wins");
  }

  @Test
  void anOverlayGivesDevicesTheirNumaNodes() {
    String c = "0000:0c:00.0";
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0000:00", -1), device(c, "pci0000:80", 1)))
            .numaNodes(List.of(node(0), node(1)))
            .overlay(nccl("x.xml", device(A, "cpu:1", 1)))
            .build();

    assertThat(host.path(A, c)).isEqualTo(PathType.NUMA_NODE);
    assertThat(host.device(A).orElseThrow().location().numaNode()).hasValue(1);
  }

  @Test
  void aMatrixNamesGpusByOrderAndNicsByName() {
    TopologyDevice nic =
        device("0000:03:00.0", DeviceKind.NIC, location("pci0000:00", 0))
            .withNames(List.of("mlx5_7"));
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt",
            List.of(
                row(
                    "GPU0",
                    DeviceKind.GPU,
                    "GPU0",
                    Map.of("NIC0", PathType.SYSTEM),
                    Map.of("GPU1", 18)),
                row(
                    "GPU1",
                    DeviceKind.GPU,
                    "GPU1",
                    Map.of("NIC0", PathType.SWITCH),
                    Map.of("GPU0", 18)),
                row("NIC0", DeviceKind.NIC, "mlx5_7", Map.of(), Map.of())));
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0008:00", 0), device(B, "pci0009:00", 0), nic))
            .overlay(matrix)
            .build();

    assertThat(host.path(A, nic.id())).isEqualTo(PathType.SYSTEM);
    assertThat(host.path(B, nic.id())).isEqualTo(PathType.SWITCH);
    assertThat(host.directLink(host.indexOf(A), host.indexOf(B)))
        .contains(new DirectLink(A, B, DirectLink.Type.NVLINK, 18));
  }

  @Test
  void rowsOfAMatrixThatFitNoDeviceAreReported() {
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt", List.of(row("GPU0", DeviceKind.GPU, "GPU0", Map.of(), Map.of())));
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0008:00", 0), device(B, "pci0009:00", 0)))
            .overlay(matrix)
            .build();

    assertThat(host.warnings())
        .containsExactly("topo.txt: 1 GPU in the matrix, 2 here (" + A + ", " + B + "); left out");
  }

  /** Two GPUs with a NIC beside each; the NIC of the first is the second RDMA device. */
  private static HostTopologyBuilder twoPairs(String nicOfA, String nicOfB) {
    return HostTopology.builder()
        .devices(
            List.of(
                device(A, "pci0008:00", 0),
                device(B, "pci0009:00", 0),
                device("0008:03:00.0", DeviceKind.NIC, location("pci0008:00", 0))
                    .withNames(List.of("ib0", nicOfA)),
                device("0009:03:00.0", DeviceKind.NIC, location("pci0009:00", 0))
                    .withNames(List.of("ib1", nicOfB))));
  }

  private static MatrixOverlay pairs(String nic0, String nic1) {
    return new MatrixOverlay(
        "topo.txt",
        List.of(
            gpu(0, Map.of("NIC0", PathType.SWITCH, "NIC1", PathType.NUMA_NODE), Map.of()),
            gpu(1, Map.of("NIC0", PathType.NUMA_NODE, "NIC1", PathType.SWITCH), Map.of()),
            row("NIC0", DeviceKind.NIC, nic0, Map.of("NIC1", PathType.NUMA_NODE), Map.of()),
            row("NIC1", DeviceKind.NIC, nic1, Map.of("NIC0", PathType.NUMA_NODE), Map.of())));
  }

  @ParameterizedTest
  @CsvSource({
    "NIC0, NIC1, mlx5_0, mlx5_1, SWITCH",
    "NIC0, NIC1, mlx5_1, mlx5_0, NUMA_NODE",
    "NIC0, NIC1, bnxt_re1, bnxt_re0, NUMA_NODE",
    "mlx5_5, mlx5_3, mlx5_3, mlx5_5, NUMA_NODE",
    "rocep8s0, rocep9s0, rocep9s0, rocep8s0, NUMA_NODE"
  })
  void nicsOfAMatrixAreThoseOfTheirRdmaNames(
      String nic0, String nic1, String nicOfA, String nicOfB, PathType path) {
    HostTopology host = twoPairs(nicOfA, nicOfB).overlay(pairs(nic0, nic1)).build();

    assertThat(host.warnings()).isEmpty();
    assertThat(host.path(A, "0008:03:00.0")).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "mlx5_0, mlx5_2", // a gap: which number NIC1 has is not known
    "mlx5_1, mlx5_2",
    "mlx5_0, ionic_0",
    "rdmap8s0, rdmap9s0",
    "eth1, eth2"
  })
  void nicsWithoutANameAreLeftOutWhereTheirOrderIsNotKnown(String nicOfA, String nicOfB) {
    HostTopology host = twoPairs(nicOfA, nicOfB).overlay(pairs("NIC0", "NIC1")).build();

    assertThat(host.warnings())
        .containsExactly(
            "topo.txt: 2 NICs without a NIC legend, whose order is not known; left out");
    assertThat(host.path(A, "0008:03:00.0")).isEqualTo(PathType.HOST_BRIDGE);
  }

  @Test
  void nicsWithoutANameNeedNoOrderIfTheirRowsAreEqual() {
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt",
            List.of(
                gpu(0, Map.of("NIC0", PathType.SYSTEM, "NIC1", PathType.SYSTEM), Map.of()),
                gpu(1, Map.of("NIC0", PathType.SYSTEM, "NIC1", PathType.SYSTEM), Map.of()),
                row("NIC0", DeviceKind.NIC, "NIC0", Map.of(), Map.of()),
                row("NIC1", DeviceKind.NIC, "NIC1", Map.of(), Map.of())));
    HostTopology host = twoPairs("eth1", "eth2").overlay(matrix).build();

    assertThat(host.warnings()).isEmpty();
    assertThat(host.path(A, "0008:03:00.0")).isEqualTo(PathType.SYSTEM);
  }

  @ParameterizedTest
  @CsvSource({"rdmap79s0, rdmap80s0", "ionic_0, ionic_1", "mlx5_7, mlx5_8"})
  void aMatrixWithTheNicsOfAnotherMachineSaysNothing(String nic0, String nic1) {
    MatrixOverlay matrix = pairs(nic0, nic1);
    HostTopology without = twoPairs("mlx5_0", "mlx5_1").build();
    HostTopology host = twoPairs("mlx5_0", "mlx5_1").overlay(matrix).build();

    assertThat(matrix.match(without).found()).isZero();
    assertThat(host.warnings())
        .containsExactly(
            "topo.txt: it is about another machine: its NICs are %s, %s, the NICs here are mlx5_0,"
                    .formatted(nic0, nic1)
                + " mlx5_1; left out");
    assertThat(host.path(A, "0008:03:00.0")).isEqualTo(PathType.HOST_BRIDGE);
  }

  @Test
  void aNicOfAMatrixThatIsNotHereIsReported() {
    HostTopology host = twoPairs("mlx5_0", "mlx5_1").overlay(pairs("mlx5_0", "mlx5_8")).build();

    assertThat(host.warnings())
        .containsExactly("topo.txt: NICs of the matrix that are not here: mlx5_8; left out");
    assertThat(host.path(A, "0008:03:00.0")).isEqualTo(PathType.SWITCH);
  }

  @Test
  void aMatrixStandsByItselfUnderItsLabels() {
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt",
            List.of(
                new MatrixOverlay.Row(
                    "GPU0",
                    DeviceKind.GPU,
                    "GPU0",
                    OptionalInt.of(1),
                    Map.of("NIC0", PathType.MULTI_SWITCH),
                    Map.of("GPU10", 4)),
                new MatrixOverlay.Row(
                    "GPU10",
                    DeviceKind.GPU,
                    "GPU10",
                    OptionalInt.of(0),
                    Map.of("NIC0", PathType.SYSTEM),
                    Map.of("GPU0", 4)),
                row("NIC0", DeviceKind.NIC, "mlx5_0", Map.of(), Map.of())));
    HostTopology host = HostTopology.builder().devices(matrix.devices()).overlay(matrix).build();

    assertThat(host.warnings()).isEmpty();
    assertThat(host.path("GPU0", "NIC0")).isEqualTo(PathType.MULTI_SWITCH);
    assertThat(host.path("GPU10", "NIC0")).isEqualTo(PathType.SYSTEM);
    assertThat(host.device("NIC0").orElseThrow().location().numaNode()).hasValue(1);
    assertThat(host.links())
        .containsExactly(new DirectLink("GPU0", "GPU10", DirectLink.Type.NVLINK, 4));
  }

  @Test
  void devicesWithoutAddressesAreInTheOrderOfTheirNumbers() {
    List<MatrixOverlay.Row> rows =
        List.of("NIC2", "NIC10", "NIC0", "rdmap1s10", "rdmap1s9", "NIC010").stream()
            .map(
                label ->
                    new MatrixOverlay.Row(
                        label, DeviceKind.NIC, label, OptionalInt.empty(), Map.of(), Map.of()))
            .toList();

    assertThat(
            HostTopology.builder()
                .devices(new MatrixOverlay("matrix", rows).devices())
                .build()
                .devices())
        .extracting(TopologyDevice::id)
        .containsExactly("NIC0", "NIC2", "NIC010", "NIC10", "rdmap1s9", "rdmap1s10");
  }

  @Test
  void aMatrixThatContradictsItselfIsReported() {
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt",
            List.of(
                gpu(0, Map.of("GPU1", PathType.SWITCH), Map.of("GPU2", 18)),
                gpu(1, Map.of("GPU0", PathType.SYSTEM, "GPU2", PathType.SYSTEM), Map.of()),
                gpu(2, Map.of("GPU1", PathType.SYSTEM), Map.of("GPU0", 12))));
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device(A, "pci0008:00", 0),
                    device(B, "pci0009:00", 0),
                    device("0000:0c:00.0", "pci000a:00", 0)))
            .overlay(matrix)
            .build();

    assertThat(host.warnings())
        .containsExactly(
            "topo.txt: from GPU0 to GPU1 it is SWITCH, and back SYSTEM (and 1 more such pairs);"
                + " the later row counts");
    assertThat(host.path(A, B)).isEqualTo(PathType.SYSTEM);
    assertThat(host.directLink(0, 2).orElseThrow().count()).isEqualTo(12);
  }

  @Test
  void ofTwoRowsOfOneLabelTheLastWinsWhichIsSaid() {
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt",
            List.of(
                gpu(0, Map.of("GPU1", PathType.NUMA_NODE), Map.of()),
                gpu(0, Map.of("GPU1", PathType.SWITCH), Map.of()),
                gpu(1, Map.of("GPU0", PathType.SWITCH), Map.of())));
    HostTopology host =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0008:00", 0), device(B, "pci0009:00", 0)))
            .overlay(matrix)
            .build();

    assertThat(host.warnings()).containsExactly("topo.txt: GPU0 occurs twice; the last one wins");
    assertThat(host.path(A, B)).isEqualTo(PathType.SWITCH);
  }

  private static MatrixOverlay.Row gpu(
      int index, Map<String, PathType> paths, Map<String, Integer> links) {
    return row("GPU" + index, DeviceKind.GPU, "GPU" + index, paths, links);
  }

  @Test
  void whatIsBuiltTwiceIsTheSameTwice() {
    HostTopologyBuilder builder =
        HostTopology.builder()
            .devices(List.of(device(A, "pci0008:00", 0), device(B, "pci0009:00", 0)))
            .overlay(
                new MatrixOverlay(
                    "one.txt", List.of(row("GPU0", DeviceKind.GPU, "GPU0", Map.of(), Map.of()))));
    HostTopology first = builder.build();
    assertThat(builder.build().warnings()).isEqualTo(first.warnings()).hasSize(1);

    builder.overlay(
        new MatrixOverlay(
            "two.txt", List.of(row("GPU0", DeviceKind.GPU, "GPU0", Map.of(), Map.of()))));
    assertThat(builder.build().warnings()).hasSize(2);
    assertThat(first.warnings()).hasSize(1);
  }

  private static MatrixOverlay.Row row(
      String label,
      DeviceKind kind,
      String name,
      Map<String, PathType> paths,
      Map<String, Integer> links) {
    return new MatrixOverlay.Row(label, kind, name, OptionalInt.empty(), paths, links);
  }

  // ---- ResourceSlices ----

  @Test
  void slicesAloneTellRootsAndNumaNodes() {
    ResourceSlice gpus =
        ResourceSlice.onNode(
            "gpus",
            "gpu.nvidia.com",
            "node-1",
            List.of(
                Device.named("gpu-0")
                    .attribute("resource.kubernetes.io/pciBusID", "0000:8f:00.0")
                    .attribute("resource.kubernetes.io/pcieRoot", "pci0000:8c")
                    .attribute("numa", 1)
                    .build(),
                Device.named("gpu-1")
                    .attribute("resource.kubernetes.io/pcieRoot", "pci0008:00")
                    .build()));
    ResourceSlice nics =
        ResourceSlice.onNode(
            "nics",
            "dra.net",
            "node-1",
            List.of(
                nic("near", "pci0000:8c", 1),
                nic("side", "pci0000:c0", 1),
                nic("far", "pci0000:10", 0)));
    HostTopology host = HostTopology.ofSlices(List.of(gpus, nics)).build();

    String gpu = "gpu.nvidia.com/node-1/gpu-0";
    assertThat(host.path(gpu, "dra.net/node-1/near")).isEqualTo(PathType.HOST_BRIDGE);
    assertThat(host.path(gpu, "dra.net/node-1/side")).isEqualTo(PathType.NUMA_NODE);
    assertThat(host.path(gpu, "dra.net/node-1/far")).isEqualTo(PathType.SYSTEM);
    assertThat(host.path("gpu.nvidia.com/node-1/gpu-1", "dra.net/node-1/far"))
        .isEqualTo(PathType.UNKNOWN);
    assertThat(host.device("dra.net/node-1/near").orElseThrow().kind()).isEqualTo(DeviceKind.NIC);
    assertThat(host.device(gpu).orElseThrow().kind()).isEqualTo(DeviceKind.GPU);
  }

  @Test
  void slicesOfAnOlderGenerationDoNotCount() {
    ResourceSlice old = gpus("old", 1, Map.of("gpu-0", "pci0000:00", "gpu-9", "pci0000:00"));
    ResourceSlice now = gpus("now", 2, Map.of("gpu-0", "pci0000:80"));
    ResourceSlice more = gpus("more", 2, Map.of("gpu-1", "pci0000:80"));
    ResourceSlice nics =
        ResourceSlice.onNode("nics", "dra.net", "node-1", List.of(nic("near", "pci0000:80", 1)));
    for (List<ResourceSlice> order :
        List.of(List.of(old, now, more, nics), List.of(more, nics, now, old))) {
      HostTopology host = HostTopology.ofSlices(order).build();

      assertThat(host.devices())
          .extracting(TopologyDevice::id)
          .containsExactly(
              "dra.net/node-1/near", "gpu.nvidia.com/node-1/gpu-0", "gpu.nvidia.com/node-1/gpu-1");
      assertThat(host.device("gpu.nvidia.com/node-1/gpu-0").orElseThrow().pcieRoot())
          .isEqualTo("pci0000:80");
      assertThat(host.warnings()).isEmpty();
    }
  }

  private static ResourceSlice gpus(String name, long generation, Map<String, String> roots) {
    List<Device> devices = new ArrayList<>();
    roots.forEach(
        (device, root) ->
            devices.add(
                Device.named(device).attribute("resource.kubernetes.io/pcieRoot", root).build()));
    ResourceSlice slice = ResourceSlice.onNode(name, "gpu.nvidia.com", "node-1", devices);
    return slice.toBuilder().pool(new ResourcePool("node-1", generation, 1)).build();
  }

  @Test
  void anEmptyRootOfASliceIsNotKnownWhichIsSaid() {
    ResourceSlice nics =
        ResourceSlice.onNode(
            "nics", "dra.net", "node-1", List.of(nic("one", "", 0), nic("other", "", 1)));
    HostTopology host = HostTopology.ofSlices(List.of(nics)).build();

    assertThat(host.path("dra.net/node-1/one", "dra.net/node-1/other")).isEqualTo(PathType.SYSTEM);
    assertThat(host.device("dra.net/node-1/one").orElseThrow().pcieRoot()).isNull();
    assertThat(host.warnings())
        .containsExactly(
            "device dra.net/node-1/one: its pcieRoot is empty; it counts as unknown",
            "device dra.net/node-1/other: its pcieRoot is empty; it counts as unknown");
  }

  @Test
  void slicesTellRatesLinksAndPhysicalFunctions() {
    ResourceSlice slice =
        ResourceSlice.onNode(
            "nics",
            "host.dra4j.io",
            "node-1",
            List.of(
                Device.named("vf")
                    .attribute("kind", "nic")
                    .attribute("link", "2.5 GT/s x8")
                    .attribute("megabitsPerSecond", 400_000)
                    .attribute("physicalFunction", "0000:0a:00.0")
                    .build(),
                Device.named("odd")
                    .attribute("kind", "nic")
                    .attribute("link", "fast")
                    .attribute("megabitsPerSecond", -1)
                    .build()));
    HostTopology host = HostTopology.ofSlices(List.of(slice)).build();

    TopologyDevice vf = host.device(new DeviceId("host.dra4j.io", "node-1", "vf")).orElseThrow();
    assertThat(vf.megabitsPerSecond()).hasValue(400_000);
    assertThat(vf.link()).isEqualTo(new PcieLink(2_500, 8));
    assertThat(vf.physicalFunction()).isEqualTo(PciAddress.parse("0000:0a:00.0"));
    TopologyDevice odd = host.device(new DeviceId("host.dra4j.io", "node-1", "odd")).orElseThrow();
    assertThat(odd.megabitsPerSecond()).isEmpty();
    assertThat(odd.link()).isNull();
    assertThat(host.device(new DeviceId("host.dra4j.io", "node-2", "odd"))).isEmpty();
  }

  @Test
  void addressesThatAreNoneAreTold() {
    ResourceSlice slice =
        ResourceSlice.onNode(
            "nics",
            "dra.net",
            "node-1",
            List.of(
                Device.named("good")
                    .attribute(StandardAttributes.PCI_BUS_ID, "10000:01:00.7")
                    .build(),
                Device.named("short").attribute(StandardAttributes.PCI_BUS_ID, "01:00.0").build(),
                Device.named("old").attribute("dra.net/pciAddress", "nowhere").build(),
                Device.named("number").attribute(StandardAttributes.PCI_BUS_ID, 5).build()));

    assertThat(HostTopology.ofSlices(List.of(slice)).build().warnings())
        .isEqualTo(HostTopology.unreadableAddresses(slice))
        .containsExactly(
            "ResourceSlice nics: device short: resource.kubernetes.io/pciBusID: expected"
                + " DDDD:BB:DD.F, such as 0000:8f:00.0, found \"01:00.0\"",
            "ResourceSlice nics: device old: dra.net/pciAddress: expected DDDD:BB:DD.F, such as"
                + " 0000:8f:00.0, found \"nowhere\"",
            "ResourceSlice nics: device number: resource.kubernetes.io/pciBusID: expected"
                + " DDDD:BB:DD.F, such as 0000:8f:00.0, found no string");
  }

  @ParameterizedTest
  @CsvSource({
    "gpu, GPU",
    "nic, NIC",
    "accelerator, ACCELERATOR",
    "nvme, NVME",
    "later, UNKNOWN",
    "GPU, UNKNOWN"
  })
  void slicesOfTheHostDriverSayWhatTheirDevicesAre(String text, DeviceKind kind) {
    ResourceSlice slice =
        ResourceSlice.onNode(
            "s",
            "host.dra4j.io",
            "n",
            List.of(
                Device.named("d")
                    .attribute("kind", text)
                    .attribute("ifName", "eth7")
                    .attribute("rdmaDevice", "mlx5_7")
                    .build()));
    TopologyDevice device =
        HostTopology.ofSlices(List.of(slice)).build().device("host.dra4j.io/n/d").orElseThrow();
    assertThat(device.kind()).isEqualTo(kind);
    assertThat(device.names()).containsExactly("eth7", "mlx5_7");
  }

  private static Device nic(String name, String root, int numaNode) {
    return Device.named(name)
        .attribute("dra.net/rdmaDevice", "mlx5_" + name)
        .attribute("resource.kubernetes.io/pcieRoot", root)
        .attribute("dra.net/numaNode", numaNode)
        .build();
  }

  // ---- Properties ----

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void pathsAreSymmetricAndAnUltrametric(long seed) {
    Random random = new Random(seed);
    List<TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int root = random.nextInt(4);
      // Root ports, two switches below each, and their ports: nothing hangs beside a switch.
      String port = "00%02x:01:%02x.0".formatted(root, random.nextInt(2));
      String upper = port.replace(":01:", ":02:");
      String lower = upper.replace(":02:", ":03:").replace(".0", "." + random.nextInt(2));
      devices.add(
          device(
              "00%02x:%02x:00.0".formatted(root, 16 + i),
              "pci00%02x:00".formatted(root),
              root / 2,
              port,
              upper,
              lower));
    }
    HostTopology host = host(devices.toArray(TopologyDevice[]::new));

    PathMatrix matrix = host.matrix(host.devices());
    for (int a = 0; a < 40; a++) {
      for (int b = 0; b < 40; b++) {
        assertThat(matrix.path(a, b)).isEqualTo(matrix.path(b, a)).isEqualTo(host.path(a, b));
        for (int c = 0; c < 40; c++) {
          PathType longer =
              matrix.path(a, b).isWithin(matrix.path(b, c)) ? matrix.path(b, c) : matrix.path(a, b);
          assertThat(matrix.path(a, c).isWithin(longer)).isTrue();
        }
      }
    }
  }

  @Test
  void groupsAreWhatIsWithinOneDistance() {
    HostTopology host =
        host(
            device("0000:01:00.0", DeviceKind.GPU, location("pci0000:00", 0, "0000:00:01.0")),
            device("0000:02:00.0", DeviceKind.NIC, location("pci0000:00", 0, "0000:00:01.0")),
            device("0000:03:00.0", DeviceKind.GPU, location("pci0000:00", 0, "0000:00:02.0")),
            device("0000:04:00.0", DeviceKind.OTHER, location("pci0000:00", 0, "0000:00:02.0")));

    assertThat(host.groups(PathType.SWITCH))
        .singleElement()
        .satisfies(
            group ->
                assertThat(group)
                    .extracting(TopologyDevice::id)
                    .containsExactly("0000:01:00.0", "0000:02:00.0"));
    assertThat(host.groups(PathType.HOST_BRIDGE).get(0)).hasSize(3);
  }

  @Test
  void eachKindOfOverlayHasItsContribution() {
    assertThat(TopologyOverlay.class.getPermittedSubclasses())
        .as("OverlayContribution.of needs a case for each")
        .containsExactly(TreeOverlay.class, MatrixOverlay.class);
  }
}
