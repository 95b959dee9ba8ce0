package io.dra4j.examples;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.policy.Score;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import java.nio.file.Path;
import java.util.List;

/** Takes the GPUs and NICs that are nearest to each other, and says what they carry. */
public final class ChooseTheBest {

  private ChooseTheBest() {}

  /**
   * Finds the best GPUs and NICs of a node.
   *
   * @param dump the output of {@code kubectl get nodes,deviceclasses,resourceslices,resourceclaims
   *     -A -o yaml}
   * @param node the node to look at
   * @param count how many GPUs, and how many NICs
   * @return what they are worth in one sentence, or why there are none
   * @throws ManifestException if the dump cannot be read
   */
  public static String score(Path dump, String node, int count) throws ManifestException {
    DeviceInventory inventory = DeviceInventory.of(Manifests.readSnapshot(dump));
    // README: begin
    Allocator allocator =
        Allocator.builder().selectors(CelSelectors.create()).policy(PlacementPolicy.best()).build();
    ResourceClaim claim =
        ResourceClaim.named("training")
            .request("gpus", gpus -> gpus.deviceClass("gpu.nvidia.com").count(count))
            .request("nics", nics -> nics.deviceClass("dranet").count(count))
            .build();
    return allocator
        .allocate(inventory, node, List.of(claim))
        .fold(
            allocated -> allocated.score().map(Score::explanation).orElse("no score"),
            unallocatable -> "does not fit: " + unallocatable.explanation().summary(),
            rejected -> "error: " + rejected.error(),
            undecided -> "undecided: " + undecided.reason());
    // README: end
  }
}
