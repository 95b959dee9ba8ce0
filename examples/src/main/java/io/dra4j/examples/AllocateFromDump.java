package io.dra4j.examples;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.ResourceClaim;
import java.nio.file.Path;
import java.util.List;

/** Reads a dump of a cluster, and allocates pairs of a GPU and a NIC on one of its nodes. */
public final class AllocateFromDump {

  private AllocateFromDump() {}

  /**
   * Allocates pairs of a GPU and an RDMA NIC, each pair behind one PCIe root.
   *
   * @param dump the output of {@code kubectl get nodes,deviceclasses,resourceslices,resourceclaims
   *     -A -o yaml}
   * @param node the name of the node
   * @param pairCount the number of pairs, 1 to 16
   * @return the devices, or the reason why the pairs do not fit
   * @throws ManifestException if the dump cannot be read
   */
  public static String pairs(Path dump, String node, int pairCount) throws ManifestException {
    // README: begin
    ClusterSnapshot cluster = Manifests.readSnapshot(dump);
    DeviceInventory inventory = DeviceInventory.of(cluster);
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    ResourceClaim claim =
        ResourceClaim.named("training")
            .pairs(
                pairCount,
                gpu -> gpu.deviceClass("gpu.nvidia.com"),
                nic -> nic.deviceClass("dranet").selector("device.attributes['dra.net'].rdma"))
            .build();
    return allocator
        .allocate(inventory, node, List.of(claim))
        .fold(
            allocated -> allocated.toString(), // a line for each claim, with its devices
            unallocatable -> "does not fit: " + unallocatable.explanation().summary(),
            rejected -> "error: " + rejected.error(),
            undecided -> "undecided: " + undecided.reason());
    // README: end
  }
}
