package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.NvidiaSmiMatrix;
import io.dra4j.testkit.SyntheticHosts;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyOverlay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The answers of the policy {@code best} on existing servers: from published slices and recorded
 * topologies, which are stored outside the project, and from a server of which only the model is
 * known.
 */
class PublishedServersTest {

  private static final Path DATA =
      Path.of(Objects.requireNonNullElse(System.getenv("DRA4J_SHARED"), "../../shared"))
          .resolve("data");

  private static Path published(String file) {
    Path path = DATA.resolve(file);
    assumeTrue(Files.exists(path), () -> "nothing at " + path.toAbsolutePath());
    return path;
  }

  /** The only node of some slices, with classes for its GPUs and for what it does RDMA with. */
  private record Server(String node, DeviceInventory inventory, List<TopologyOverlay> overlays) {

    static Server of(Path... files) throws Exception {
      List<ResourceSlice> slices = Manifests.readSnapshot(files).resourceSlices();
      String node = Objects.requireNonNull(slices.get(0).nodeSelection().nodeName());
      List<KubernetesObject> objects = new ArrayList<>(slices);
      objects.add(Node.named(node));
      objects.add(
          DeviceClass.named(
              "gpu",
              "device.driver == 'gpu.nvidia.com' || (device.driver == 'host.dra4j.io' &&"
                  + " device.attributes['host.dra4j.io'].kind == 'gpu')"));
      objects.add(
          DeviceClass.named(
              "rdma",
              "device.driver in ['dra.net', 'host.dra4j.io'] &&"
                  + " device.attributes[device.driver].?rdma.orValue(false)"));
      return new Server(node, DeviceInventory.of(ClusterSnapshot.of(objects)), List.of());
    }

    static Server published(String... names) throws Exception {
      List<Path> files = new ArrayList<>();
      for (String name : names) {
        files.add(PublishedServersTest.published("resourceslices/" + name + ".json"));
      }
      return of(files.toArray(Path[]::new));
    }

    Server with(TopologyOverlay overlay) {
      return new Server(node, inventory, List.of(overlay));
    }

    AllocationOutcome allocate(ResourceClaim claim) {
      return Allocator.builder()
          .selectors(CelSelectors.create())
          .policy(PlacementPolicy.best().withOverlays(name -> overlays))
          .build()
          .allocate(inventory, node, List.of(claim));
    }

    Map<PathType, Integer> paths(int gpus, int nics) {
      return score(allocate(claim(gpus, nics).build())).paths();
    }
  }

  private static ResourceClaim.Builder claim(int gpus, int nics) {
    ResourceClaim.Builder claim = ResourceClaim.named("training");
    if (gpus > 0) {
      claim.request("gpus", request -> request.deviceClass("gpu").count(gpus));
    }
    return claim.request("nics", request -> request.deviceClass("rdma").count(nics));
  }

  private static PlacementScore score(AllocationOutcome outcome) {
    return (PlacementScore) ((Allocated) outcome).score().orElseThrow();
  }

  private static List<String> devices(AllocationOutcome outcome) {
    return ((Allocated) outcome)
        .allocations().get(0).result().results().stream()
            .map(DeviceRequestAllocationResult::device)
            .toList();
  }

  private static TopologyOverlay ncclXml(Path file) throws Exception {
    return NcclXml.read(file, warning -> assertThat(warning).isEmpty());
  }

  @Test
  void p4dHasFourPairsByRoot() throws Exception {
    Server p4d = Server.published("aws-p4d-gpu", "aws-p4d-dranet");

    PlacementScore score = score(p4d.allocate(claim(4, 4).build()));

    assertThat(score.paths()).isEqualTo(Map.of(PathType.HOST_BRIDGE, 4));
    assertThat(score.alignment()).isEqualTo(1);
    assertThat(p4d.paths(8, 4)).isEqualTo(Map.of(PathType.HOST_BRIDGE, 4));
    assertThat(
            score(
                    p4d.allocate(
                        claim(2, 1)
                            .constraint(
                                DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
                            .build()))
                .paths())
        .isEqualTo(Map.of(PathType.HOST_BRIDGE, 1));
    assertThat(p4d.with(ncclXml(published("topology/nccl-xml/aws-p4d.xml"))).paths(4, 4))
        .isEqualTo(Map.of(PathType.SWITCH, 4));
  }

  @Test
  void mi300xGivesNicsOfOneNumaNodeBeforeThoseOfTwo() throws Exception {
    Server mi300x = Server.published("azure-mi300x-dranet");

    assertThat(devices(mi300x.allocate(claim(0, 4).build())))
        .containsExactly(
            "pci-0101-00-00-0", "pci-0102-00-00-0", "pci-0103-00-00-0", "pci-0104-00-00-0");
    ResourceClaim notTheFirst =
        ResourceClaim.named("training")
            .request(
                "nics",
                request ->
                    request
                        .deviceClass("rdma")
                        .count(4)
                        .selector("device.attributes['dra.net'].rdmaDevice != 'mlx5_0'"))
            .build();
    assertThat(devices(mi300x.allocate(notTheFirst)))
        .containsExactly(
            "pci-0105-00-00-0", "pci-0106-00-00-0", "pci-0107-00-00-0", "pci-0108-00-00-0");
    PlacementScore all = score(mi300x.allocate(claim(0, 8).build()));
    assertThat(all.rails()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(all.pairs()).isEmpty();
  }

  @Test
  void gb300PairsByNumaNodeOnceItsMatrixIsKnown() throws Exception {
    Server gb300 = Server.published("azure-gb300-gpu", "azure-gb300-dranet");
    assertThat(gb300.paths(2, 2)).isEqualTo(Map.of(PathType.UNKNOWN, 2));

    Server known =
        gb300.with(NvidiaSmiMatrix.read(published("topology/nvidia-smi/azure-gb300.csv")));

    assertThat(known.paths(1, 1)).isEqualTo(Map.of(PathType.NUMA_NODE, 1));
    assertThat(known.paths(2, 2)).isEqualTo(Map.of(PathType.NUMA_NODE, 2));
    assertThat(known.paths(4, 4)).isEqualTo(Map.of(PathType.NUMA_NODE, 4));
  }

  @Test
  void gb200IsNeverCalledAligned() throws Exception {
    Server unknown = Server.published("oci-gb200-gpu", "oci-gb200-dranet");
    Server known =
        unknown.with(NvidiaSmiMatrix.read(published("topology/nvidia-smi/oci-gb200.csv")));

    for (int pairs : List.of(1, 2, 4)) {
      assertThat(unknown.paths(pairs, pairs)).isEqualTo(Map.of(PathType.UNKNOWN, pairs));
      assertThat(known.paths(pairs, pairs)).isEqualTo(Map.of(PathType.SYSTEM, pairs));
    }
    for (Server server : List.of(unknown, known)) {
      assertThat(server.allocate(requiring("NUMA_NODE", 1))).isInstanceOf(Unallocatable.class);
      assertThat(
              server.allocate(
                  claim(1, 1)
                      .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
                      .build()))
          .isInstanceOf(Unallocatable.class);
    }
  }

  private static ResourceClaim requiring(String within, int pairs) {
    String parameters =
        """
        {"apiVersion": "dra4j.io/v1alpha1", "kind": "Placement",
         "alignment": {"within": "%s", "mode": "Required"}}
        """
            .formatted(within);
    return claim(pairs, pairs)
        .config(
            new DeviceClaimConfiguration(
                List.of(), new OpaqueDeviceConfiguration("dra4j.io", parameters)))
        .build();
  }

  private static Server ndH100v5(Path directory) throws Exception {
    Path root = Files.createDirectory(directory.resolve("host"));
    SyntheticHosts.ndH100v5().expandTo(root);
    Cli discovered = Cli.run("discover", "--root", root.toString(), "-o", "yaml");
    assertThat(discovered.code()).as(discovered.err()).isZero();
    Path slices = Files.writeString(directory.resolve("slices.yaml"), discovered.out());
    return Server.of(slices);
  }

  @Test
  void ndH100v5PairsByNumaNodeAndByItsOverlay(@TempDir Path directory) throws Exception {
    Server server = ndH100v5(directory);
    Server known = server.with(ncclXml(Path.of("../examples/nd-h100-v5.nccl.xml")));

    for (int pairs : List.of(1, 4, 8)) {
      assertThat(server.paths(pairs, pairs)).isEqualTo(Map.of(PathType.NUMA_NODE, pairs));
      assertThat(known.paths(pairs, pairs)).isEqualTo(Map.of(PathType.SWITCH, pairs));
    }
    assertThat(score(server.allocate(claim(4, 4).build())).gigabytesPerSecond()).isEqualTo(160);
    assertThat(score(known.allocate(claim(4, 4).build())).gigabytesPerSecond()).isEqualTo(192);
    assertThat(server.allocate(requiring("SWITCH", 4))).isInstanceOf(Unallocatable.class);
    assertThat(known.allocate(requiring("SWITCH", 8))).isInstanceOf(Allocated.class);
  }

  @Test
  void ndH100v5PairsByTheOverlayThatAzurePublishes(@TempDir Path directory) throws Exception {
    TopologyOverlay overlay = ncclXml(published("topology/nccl-xml/azure-ndv5-h100.xml"));

    assertThat(ndH100v5(directory).with(overlay).paths(8, 8)).isEqualTo(Map.of(PathType.SWITCH, 8));
  }
}
