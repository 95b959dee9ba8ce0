package io.dra4j.placement.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.Compatibility;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.Servers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentionScoresTest {

  private final Allocator allocator =
      Allocator.builder().selectors(Servers.SELECTORS).policy(PlacementPolicy.best()).build();

  private Allocated allocated(DeviceInventory inventory, ResourceClaim claim) {
    return (Allocated) allocator.allocate(inventory, "n", List.of(claim));
  }

  private static DeviceInventory with(
      DeviceInventory inventory, List<ClaimAllocation> allocations) {
    return inventory.with(allocations.stream().map(ClaimAllocation::allocatedClaim).toList());
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
    DeviceInventory between = with(before, first.allocations());
    ResourceClaim other =
        ResourceClaim.named("other")
            .request("gpu", gpu -> gpu.deviceClass("gpu"))
            .request("nic", nic -> nic.deviceClass("nic"))
            .build();
    DeviceInventory after = with(between, allocated(between, other).allocations());

    PlacementScore alone =
        PlacementScores.withNote(Servers.score(first), "there may be a better one");
    PlacementScore among =
        ContentionScores.of(allocator, PolicyEngine.of(PlacementPolicy.best()), after)
            .withContention(
                alone,
                "n",
                first.allocations().stream().map(ClaimAllocation::allocatedClaim).toList());

    assertThat(among.gigabytesPerSecond()).isLessThan(alone.gigabytesPerSecond());
    assertThat(among.notes()).containsExactly("there may be a better one");
    assertThat(among.explanation())
        .contains("1 pair shares links; 0 of 1 within HOST_BRIDGE, as preferred, and the rest")
        .endsWith("; there may be a better one");
  }

  @Test
  void whoHasAShareOfADeviceHasAShareOfItsRateWhenItCanBeSharedNoLonger() {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(Node.named("n"));
    objects.add(DeviceClass.named("gpu", Servers.GPU_DRIVER));
    objects.add(DeviceClass.named("nic", Servers.NIC_DRIVER));
    objects.add(
        ResourceSlice.onNode(
            "g", Servers.GPU_DRIVER, "n", List.of(onOneRoot("g0"), onOneRoot("g1"))));
    objects.add(ResourceSlice.onNode("k", Servers.NIC_DRIVER, "n", List.of(onOneRoot("k0"))));
    ResourceClaim wish =
        ResourceClaim.named("w")
            .request("gpu", gpu -> gpu.deviceClass("gpu"))
            .request("nic", nic -> nic.deviceClass("nic"))
            .build();
    Allocator strict =
        Allocator.builder()
            .selectors(Servers.SELECTORS)
            .compatibility(Compatibility.STRICT)
            .policy(PlacementPolicy.best())
            .build();
    PlacementScore alone =
        Servers.score(
            (Allocated)
                strict.allocate(
                    DeviceInventory.of(ClusterSnapshot.of(objects)), "n", List.of(wish)));
    ResourceClaim one = sharing("a", "g0");
    ResourceClaim other = sharing("b", "g1");
    objects.add(one);
    objects.add(other);
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));

    PlacementScore among =
        ContentionScores.of(strict, PolicyEngine.of(PlacementPolicy.best()), inventory)
            .withContention(alone, "n", List.of(one));

    assertThat(among.gigabytesPerSecond()).isLessThan(alone.gigabytesPerSecond());
  }

  private static Device onOneRoot(String name) {
    return Device.named(name).attribute(StandardAttributes.PCIE_ROOT, "pci0000:00").build();
  }

  private static ResourceClaim sharing(String name, String gpu) {
    return ResourceClaim.named(name)
        .allocation(
            AllocationResult.builder()
                .result(
                    DeviceRequestAllocationResult.of(
                            "gpu", new DeviceId(Servers.GPU_DRIVER, "n", gpu))
                        .build())
                .result(
                    DeviceRequestAllocationResult.of(
                            "nic", new DeviceId(Servers.NIC_DRIVER, "n", "k0"))
                        .shareId(name)
                        .build())
                .build())
        .build();
  }
}
