package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeastUsedPolicyTest {

  private static Device gpu(String name, long hours) {
    return Device.named(name).attribute("serviceHours", hours).build();
  }

  private static String allocate(ResourceClaim claim) {
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(
                List.of(
                    Node.named("node-1"),
                    DeviceClass.named("gpu"),
                    ResourceSlice.onNode(
                        "gpus",
                        "gpu.example.com",
                        "node-1",
                        List.of(
                            Device.named("unknown").build(),
                            gpu("old", 900),
                            gpu("new", 5),
                            gpu("used", 70))))));
    AllocationOutcome outcome =
        Allocator.builder()
            .selectors(CelSelectors.create())
            .policy(new LeastUsedPolicy())
            .build()
            .allocate(inventory, "node-1", List.of(claim));
    return outcome.toString();
  }

  @Test
  void eachRequestTakesTheLeastUsedOfWhatIsLeft() {
    assertThat(
            allocate(
                ResourceClaim.named("c")
                    .request("first", request -> request.deviceClass("gpu").count(2))
                    .request("second", request -> request.deviceClass("gpu"))
                    .build()))
        .contains(
            "first: gpu.example.com/node-1/new, first: gpu.example.com/node-1/used,"
                + " second: gpu.example.com/node-1/old");
  }

  @Test
  void whatARequestNeedsStillDecides() {
    assertThat(
            allocate(
                ResourceClaim.named("c")
                    .request(
                        "gpu",
                        request ->
                            request
                                .deviceClass("gpu")
                                .selector(
                                    "!('serviceHours' in device.attributes['gpu.example.com'])"))
                    .build()))
        .contains("gpu.example.com/node-1/unknown");
  }
}
