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

/** Asks, given a dump of a cluster, whether a node has GPU and NIC pairs to give. */
public final class AllocateFromDump {

  private AllocateFromDump() {}

  /**
   * Finds pairs of a GPU and an RDMA NIC, each pair behind one PCIe root.
   *
   * @param dump the output of {@code kubectl get nodes,deviceclasses,resourceslices,resourceclaims
   *     -A -o yaml}
   * @param node the node to look at
   * @param pairs how many pairs, 1 to 16
   * @return the devices, or why there are none
   * @throws ManifestException if the dump cannot be read
   */
  public static String pairs(Path dump, String node, int pairs) throws ManifestException {
    // README: begin
    ClusterSnapshot cluster = Manifests.readSnapshot(dump);
    DeviceInventory inventory = DeviceInventory.of(cluster);
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    ResourceClaim claim =
        ResourceClaim.named("training")
            .pairs(
                pairs,
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
