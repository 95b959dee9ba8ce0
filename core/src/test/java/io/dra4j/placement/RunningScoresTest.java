package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningScoresTest {

  private final Allocator allocator =
      Allocator.builder().selectors(Servers.SELECTORS).policy(PlacementPolicy.best()).build();

  private Allocated allocated(DeviceInventory inventory, ResourceClaim claim) {
    return (Allocated) allocator.allocate(inventory, "n", List.of(claim));
  }

  @Test
  void whatASentenceSaysBesidesStays() {
    // The GPUs that are left are in one NUMA node, the NICs in the other one.
    DeviceInventory before =
        Servers.onRoots(1)
            .busy("gpu-2", "gpu-3", "gpu-4", "gpu-5", "gpu-6", "gpu-7", "nic-0", "nic-1", "nic-2")
            .busy("nic-3", "nic-4", "nic-5")
            .inventory();
    String wish =
        """
        {"apiVersion": "dra4j.io/v1alpha1", "kind": "Placement",
         "alignment": {"within": "HOST_BRIDGE"}}
        """;
    Allocated first = allocated(before, Servers.claim(1, 1).config("dra4j.io", wish).build());
    DeviceInventory between = GangSearch.with(before, first.allocations());
    ResourceClaim other =
        ResourceClaim.named("other")
            .request("gpu", gpu -> gpu.deviceClass("gpu"))
            .request("nic", nic -> nic.deviceClass("nic"))
            .build();
    DeviceInventory after = GangSearch.with(between, allocated(between, other).allocations());

    PlacementScore alone = Servers.score(first).noting("there may be a better one");
    PlacementScore among =
        RunningScores.of(allocator, PlacementPolicy.best(), after)
            .amongAll(
                alone,
                "n",
                first.allocations().stream().map(ClaimAllocation::allocatedClaim).toList());

    assertThat(among.gigabytesPerSecond()).isLessThan(alone.gigabytesPerSecond());
    assertThat(among.notes()).containsExactly("there may be a better one");
    assertThat(among.explanation())
        .contains("1 pair shares links; 0 of 1 within HOST_BRIDGE, as preferred, and the rest")
        .endsWith("; there may be a better one");
  }
}
