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

/** Allocates the GPUs and NICs that are nearest to each other, and returns their rate. */
public final class ChooseTheBest {

  private ChooseTheBest() {}

  /**
   * Allocates the best GPUs and NICs of a node.
   *
   * @param dump the output of {@code kubectl get nodes,deviceclasses,resourceslices,resourceclaims
   *     -A -o yaml}
   * @param node the name of the node
   * @param count the number of GPUs, and of NICs
   * @return the score in one sentence, or the reason why the claim does not fit
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
