package io.dra4j.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.InventoryEvent.NodePut;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.InventoryEvent.SliceRemoved;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceInventoryTest {

  private static final DeviceId D0 = new DeviceId("gpu", "n", "d0");

  private static DeviceInventory twoDevices() {
    ResourceSlice slice =
        ResourceSlice.onNode(
            "s", "gpu", "n", List.of(Device.named("d0").build(), Device.named("d1").build()));
    return DeviceInventory.empty()
        .apply(List.of(new NodePut(Node.named("n")), new SlicePut(slice)));
  }

  private static ResourceClaim holding(String name) {
    DeviceRequestAllocationResult result = DeviceRequestAllocationResult.of("r", D0).build();
    return ResourceClaim.named("default", name)
        .request("r", request -> request.deviceClass("gpu"))
        .build()
        .withAllocation(new AllocationResult(List.of(result), List.of(), null, null));
  }

  private static int free(DeviceInventory inventory) {
    return inventory.devicesOf("n").orElseThrow().free().size();
  }

  @Test
  void aClaimHoldsItsDevicesOnceHoweverOftenItIsPutAndReleasesThem() {
    ClaimPut put = new ClaimPut(holding("a"));
    DeviceInventory held = twoDevices().apply(List.of(put, put));
    assertThat(held.holdersOf(D0)).containsExactly(new ClaimKey("default", "a"));
    assertThat(free(held)).isEqualTo(1);
    ClaimRemoved removed = new ClaimRemoved(new ClaimKey("default", "a"));
    DeviceInventory released = held.apply(List.of(removed, removed));
    assertThat(released.holdersOf(D0)).isEmpty();
    assertThat(free(released)).isEqualTo(2);
    assertThat(free(held)).isEqualTo(1);
  }

  @Test
  void aDeviceThatSomebodyHoldsIsRefusedInASentence() {
    DeviceInventory held = twoDevices().apply(List.of(new ClaimPut(holding("a"))));
    assertThat(held.hold(List.of(holding("b"))).fold(h -> "held", HoldOutcome.InUse::reason))
        .isEqualTo("default/b cannot have gpu/n/d0: it is in use by default/a");
    assertThat(held.hold(List.of(holding("a"))).fold(h -> "held", HoldOutcome.InUse::reason))
        .isEqualTo("held");
  }

  @Test
  void whatIsNotThereIsAnAnswer() throws NodeSelectorException {
    DeviceInventory inventory = twoDevices();
    assertThat(inventory.devicesOf("m")).isEmpty();
    assertThat(inventory.nodesOf("t")).isEmpty();
    assertThat(inventory.nodesOf("s").orElseThrow()).containsExactly(Node.named("n"));
    assertThat(inventory.heldBy(new ClaimKey("default", "a"))).isEmpty();
    DeviceInventory without = inventory.apply(List.of(new SliceRemoved("s")));
    assertThat(without.devicesOf("n").orElseThrow().list()).isEmpty();
    assertThat(without.publishedSlices()).isEmpty();
  }
}
