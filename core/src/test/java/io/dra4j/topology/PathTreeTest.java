package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PathTreeTest {

  private static TopologyDevice device(int number, String root, int numaNode, String... bridges) {
    List<PciAddress> chain = new ArrayList<>();
    for (String bridge : bridges) {
      chain.add(PciAddress.parse(bridge));
    }
    return TopologyDevice.of(
        new PciAddress(0, number, 0, 0),
        number % 2 == 0 ? DeviceKind.GPU : DeviceKind.NIC,
        new Location(root, chain, numaNode < 0 ? OptionalInt.empty() : OptionalInt.of(numaNode)));
  }

  private static HostTopology host(List<TopologyDevice> devices, TopologyOverlay... overlays) {
    HostTopologyBuilder builder =
        HostTopology.builder()
            .devices(devices)
            .numaNodes(
                List.of(
                    new NumaNode(0, "", OptionalInt.empty(), List.of()),
                    new NumaNode(1, "", OptionalInt.empty(), List.of())));
    for (TopologyOverlay overlay : overlays) {
      builder.overlay(overlay);
    }
    return builder.build();
  }

  /** Where two devices meet, the slow way. */
  private static PathType meeting(PathTree tree, int a, int b) {
    for (int up = tree.nodeOf(a); ; up = tree.parent(up)) {
      for (int other = tree.nodeOf(b); other >= 0; other = tree.parent(other)) {
        if (other == up) {
          return tree.type(up);
        }
      }
    }
  }

  @Test
  void devicesMeetWhereTheirPathSays() {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 200; round++) {
      List<TopologyDevice> devices = new ArrayList<>();
      int size = 2 + random.nextInt(14);
      for (int i = 0; i < size; i++) {
        int root = random.nextInt(4);
        int bridge = random.nextInt(2);
        devices.add(
            device(
                i,
                "pci000%d:00".formatted(root),
                root / 2,
                "000%d:00:0%d.0".formatted(root, bridge),
                "000%d:01:0%d.0".formatted(root, random.nextInt(3))));
      }
      HostTopology host = host(devices);

      PathTree tree = PathTree.of(host, devices).orElseThrow();

      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          if (a != b) {
            assertThat(meeting(tree, a, b))
                .isEqualTo(host.path(devices.get(a).id(), devices.get(b).id()));
          }
        }
      }
    }
  }

  @Test
  void childrenComeBeforeTheirParentsAndTheRootIsLast() {
    List<TopologyDevice> devices =
        List.of(
            device(0, "pci0000:00", 0),
            device(1, "pci0000:00", 0),
            device(2, "pci0001:00", 1),
            device(3, "pci0001:00", 1));

    PathTree tree = PathTree.of(host(devices), devices).orElseThrow();

    assertThat(tree.size()).isEqualTo(3);
    assertThat(List.of(tree.parent(0), tree.parent(1), tree.parent(2))).containsExactly(2, 2, -1);
    assertThat(tree.type(0)).isEqualTo(PathType.HOST_BRIDGE);
    assertThat(tree.type(2)).isEqualTo(PathType.SYSTEM);
  }

  @Test
  void aHostBridgeThatIsAloneInItsNumaNodeIsThatNumaNode() {
    List<TopologyDevice> devices =
        List.of(device(0, "pci0000:00", 0), device(1, "pci0000:00", 0), device(2, "pci0001:00", 1));

    PathTree tree = PathTree.of(host(devices), devices).orElseThrow();

    assertThat(tree.type(tree.nodeOf(0))).isEqualTo(PathType.HOST_BRIDGE);
    assertThat(tree.widestType(tree.nodeOf(0))).isEqualTo(PathType.NUMA_NODE);
  }

  /** Kinds alternate, so that 0 and 2 are GPU0 and GPU1, and 1 is the only NIC. */
  @Test
  void contradictingPathsMakeNoTree() {
    List<TopologyDevice> devices =
        List.of(
            device(0, "pci0000:00", 0),
            device(1, "pci0001:00", 0).withNames(List.of("mlx5_0")),
            device(2, "pci0002:00", 1));
    MatrixOverlay matrix =
        new MatrixOverlay(
            "topo.txt",
            List.of(
                row("GPU0", DeviceKind.GPU, "GPU0", Map.of("NIC0", PathType.SWITCH)),
                row("GPU1", DeviceKind.GPU, "GPU1", Map.of("NIC0", PathType.SWITCH)),
                row("NIC0", DeviceKind.NIC, "mlx5_0", Map.of())));
    HostTopology host = host(devices, matrix);

    assertThat(host.warnings()).isEmpty();
    assertThat(host.path(0, 1)).isEqualTo(PathType.SWITCH);
    assertThat(host.path(1, 2)).isEqualTo(PathType.SWITCH);
    assertThat(host.path(0, 2)).isEqualTo(PathType.SYSTEM);
    assertThat(PathTree.of(host, devices)).isEmpty();
  }

  private static MatrixOverlay.Row row(
      String label, DeviceKind kind, String name, Map<String, PathType> paths) {
    return new MatrixOverlay.Row(label, kind, name, OptionalInt.empty(), paths, Map.of());
  }

  @Test
  void whatNobodyKnowsMeetsInTheRoot() {
    List<TopologyDevice> devices = List.of(device(0, "pci0000:00", -1), device(1, "pci0001:00", 0));

    PathTree tree = PathTree.of(host(devices), devices).orElseThrow();

    assertThat(tree.size()).isEqualTo(1);
    assertThat(tree.type(0)).isEqualTo(PathType.SYSTEM);
  }

  @Test
  void whatOthersTieTogetherIsTogether() {
    List<TopologyDevice> devices =
        List.of(
            device(0, "pci0000:00", 0), device(1, "pci0000:00", -1), device(2, "pci0001:00", 0));
    HostTopology host = host(devices);

    assertThat(host.path(devices.get(1).id(), devices.get(2).id())).isEqualTo(PathType.UNKNOWN);
    assertThat(meeting(PathTree.of(host, devices).orElseThrow(), 1, 2))
        .isEqualTo(PathType.NUMA_NODE);
  }

  @Test
  void noDevicesAreATreeOfOneNode() {
    assertThat(PathTree.of(host(List.of()), List.of()).orElseThrow().size()).isEqualTo(1);
  }
}
