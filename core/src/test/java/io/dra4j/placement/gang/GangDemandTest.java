package io.dra4j.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.Servers;
import io.dra4j.placement.internal.policy.PolicyEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangDemandTest {

  private static GangDemand wants(int nodes, int pods) throws Exception {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(DeviceClass.named("gpu", Servers.GPU_DRIVER));
    List<Device> gpus =
        IntStream.range(0, 8).mapToObj(i -> Device.named("gpu-" + i).build()).toList();
    for (int i = 0; i < nodes; i++) {
      objects.add(Node.named("n" + i));
      objects.add(ResourceSlice.onNode("n" + i, Servers.GPU_DRIVER, "n" + i, gpus));
    }
    List<GangMember> members = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      int number = i;
      ResourceClaim claim =
          ResourceClaim.named("p" + i)
              .request("gpus-" + i, gpu -> gpu.deviceClass("gpu").count(1 + number % 8))
              .request("low", gpu -> gpu.deviceClass("gpu").selector("below:" + number % 100))
              .build();
      members.add(GangMember.anywhere("p" + i, List.of(claim)));
    }
    Allocator allocator = Allocator.builder().selectors(Servers.SELECTORS).build();
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
    GangCandidates site =
        new GangCandidates(
            allocator,
            PolicyEngine.of(PlacementPolicy.best()),
            new Rails.ByIndex(),
            List.of(),
            inventory,
            inventory.nodes());
    site.view(0, Budget.unlimited());
    return new GangDemand(site, members, PlacementPolicy.firstFit(), Budget.unlimited());
  }

  @Test
  void podsOfManyKindsDoNotKeepTheDevicesOfTheClusterEach() throws Exception {
    GangDemand few = wants(400, 1);
    long before = used();
    GangDemand many = wants(400, 150);
    long more = used() - before;

    assertThat(more).isLessThan(12L << 20);
    assertThat(few.scarcestFirst()).hasSize(1);
    assertThat(many.scarcestFirst()).hasSize(150);
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
