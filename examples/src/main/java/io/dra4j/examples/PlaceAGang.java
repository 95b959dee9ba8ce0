package io.dra4j.examples;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangOutcome;
import io.dra4j.placement.gang.GangPlacement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Places pods that work together, all of them or none, and returns their rate. */
public final class PlaceAGang {

  private PlaceAGang() {}

  /**
   * Places pods that each request four GPUs and four NICs.
   *
   * @param dump the output of {@code kubectl get nodes,deviceclasses,resourceslices,resourceclaims
   *     -A -o yaml}
   * @param pods the number of pods
   * @return the score of the plan in one sentence, or the reason why there is none
   * @throws ManifestException if the dump cannot be read
   */
  public static String plan(Path dump, int pods) throws ManifestException {
    DeviceInventory inventory = DeviceInventory.of(Manifests.readSnapshot(dump));
    // README: begin
    Allocator allocator =
        Allocator.builder().selectors(CelSelectors.create()).policy(PlacementPolicy.best()).build();
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      ResourceClaim claim =
          ResourceClaim.named("worker-" + i)
              .request("gpus", gpus -> gpus.deviceClass("gpu.nvidia.com").count(4))
              .request("nics", nics -> nics.deviceClass("dranet").count(4))
              .build();
      gang.add(GangMember.anywhere("worker-" + i, List.of(claim)));
    }
    GangOutcome outcome =
        GangPlacement.builder(allocator)
            .levels(List.of("topology.kubernetes.io/zone", "example.com/rack"))
            .build()
            .place(inventory, gang, Budget.of(Duration.ofSeconds(10)));
    return outcome instanceof GangOutcome.Placed placed
        ? placed.score().explanation() // and placed.members(): the node and the devices of each
        : outcome.toString();
    // README: end
  }
}
