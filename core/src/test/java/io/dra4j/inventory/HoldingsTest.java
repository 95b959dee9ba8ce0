package io.dra4j.inventory;

import static io.dra4j.inventory.World.ON_M;
import static io.dra4j.inventory.World.candidate;
import static io.dra4j.inventory.World.devices;
import static io.dra4j.inventory.World.drawing;
import static io.dra4j.inventory.World.holding;
import static io.dra4j.inventory.World.id;
import static io.dra4j.inventory.World.set;
import static io.dra4j.inventory.World.sharing;
import static io.dra4j.inventory.World.slice;
import static io.dra4j.inventory.World.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Feature;
import io.dra4j.model.Features;
import io.dra4j.model.Node;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who holds what, and what a node sees of it. */
class HoldingsTest {

  private static ClaimKey key(String claim) {
    return new ClaimKey("default", claim);
  }

  private static DeviceInventory inventory(ResourceClaim... claims) {
    Device shared =
        Device.named("s")
            .capacity("bw", "10")
            .capacity("mem", "10")
            .allowMultipleAllocations()
            .build();
    ResourceSlice slice = slice("a", 1).devices(devices("d0", "d1")).device(shared).build();
    return World.of(Node.named("n"), slice)
        .apply(Arrays.stream(claims).map(ClaimPut::new).toList());
  }

  @Test
  void aClaimHoldsWhatItsAllocationSaysButForAdminAccess() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .allocation(
                AllocationResult.builder()
                    .result(World.result("d0").build())
                    .result(World.result("d1").adminAccess(true).build())
                    .result(World.result("s").adminAccess(false).shareId("x").build())
                    .result(World.result("s").shareId("y").build())
                    .build())
            .build();
    DeviceInventory inventory = inventory(claim);
    assertThat(inventory.heldBy(key("c"))).containsExactly(id("d0"), id("s"));
    assertThat(inventory.holdersOf(id("d1"))).isEmpty();
    assertThat(inventory.holdersOf(id("s"))).containsExactly(key("c"));
    assertThat(
            inventory
                .apply(List.of(new ClaimPut(ResourceClaim.named("c").build())))
                .heldBy(key("c")))
        .isEmpty();
  }

  @Test
  void aClaimThatIsPutAgainHoldsWhatItSaysNow() {
    DeviceInventory inventory = inventory(holding("c", "d0"), holding("other", "d0"));
    DeviceInventory changed = inventory.apply(List.of(new ClaimPut(holding("c", "d1", "gone"))));
    assertThat(changed.holdersOf(id("d0"))).containsExactly(key("other"));
    assertThat(changed.holdersOf(id("d1"))).containsExactly(key("c"));
    assertThat(changed.holdersOf(id("gone"))).containsExactly(key("c"));
    assertThat(changed.heldBy(key("c"))).containsExactly(id("d1"), id("gone"));
    DeviceInventory none =
        changed.apply(List.of(new ClaimRemoved(key("c")), new ClaimRemoved(key("other"))));
    assertThat(none.held.size()).isZero();
    assertThat(none.claims.size()).isZero();
  }

  @Test
  void wholeDevicesAreTakenAndSharesAreNot() throws Exception {
    DeviceInventory inventory =
        inventory(holding("c", "d0"), sharing("a", "s", Map.of()), holding("d", "s"));
    NodeView view = view(inventory);
    assertThat(view.isTaken(candidate(view, "d0"))).isTrue();
    assertThat(view.isShared(candidate(view, "d0"))).isFalse();
    assertThat(view.consumed(candidate(view, "d0"))).isNull();
    assertThat(view.isTaken(candidate(view, "d1"))).isFalse();
    assertThat(view.isTaken(candidate(view, "s"))).isTrue();
    assertThat(view.isShared(candidate(view, "s"))).isTrue();
    NodeView released = view(inventory.apply(List.of(new ClaimRemoved(key("d")))));
    assertThat(released.isTaken(candidate(released, "s"))).isFalse();
    assertThat(released.isShared(candidate(released, "s"))).isTrue();
    NodeView exclusive = view(inventory, "n", Features.without(Feature.CONSUMABLE_CAPACITY));
    assertThat(exclusive.isTaken(candidate(exclusive, "s"))).isTrue();
    assertThat(exclusive.isShared(candidate(exclusive, "s"))).isFalse();
  }

  @Test
  void whatSharesConsumeIsAddedForEachCapacity() throws Exception {
    DeviceInventory inventory =
        inventory(
            sharing("a", "s", Map.of("bw", Quantity.of(3))),
            sharing("b", "s", Map.of("bw", Quantity.of(4), "other", Quantity.of(1))));
    NodeView view = view(inventory);
    @Nullable QuantitySum[] consumed = Objects.requireNonNull(view.consumed(candidate(view, "s")));
    assertThat(consumed).containsExactly(QuantitySum.of(Quantity.of(7)), null);
  }

  @Test
  void whoHoldsAWholeDeviceConsumesNoCapacity() throws Exception {
    ResourceClaim whole =
        ResourceClaim.named("c")
            .allocation(
                AllocationResult.builder()
                    .result(
                        World.result("s").consumedCapacity(Map.of("bw", Quantity.of(5))).build())
                    .build())
            .build();
    NodeView view = view(inventory(whole));
    assertThat(view.consumed(candidate(view, "s"))).isNull();
  }

  @Test
  void heldDevicesThatDrawFromCountersAreKnownForWhateverNode() throws Exception {
    ResourceSlice counters = slice("c", 3).counterSet(set("x", "y")).build();
    ResourceSlice here =
        slice("d", 3).device(drawing("d0", "x", "y")).device(Device.named("plain").build()).build();
    ResourceSlice there =
        slice("e", 3)
            .nodeSelection(ON_M)
            .device(drawing("far", "x", "y"))
            .device(drawing("free", "x", "y"))
            .build();
    DeviceInventory inventory =
        World.of(Node.named("n"), Node.named("m"), counters, here, there)
            .apply(List.of(new ClaimPut(holding("c", "far", "plain", "d0"))));
    NodeView view = view(inventory);
    assertThat(view.drawing(candidate(view, "d0")))
        .extracting(Device::name)
        .containsExactly("d0", "far");
    NodeView other = view(inventory, "m", Feature.kubernetes());
    assertThat(other.drawing(candidate(other, "far")))
        .isSameAs(view.drawing(candidate(view, "d0")));
    ResourceSlice changed = there.toBuilder().devices(List.of(drawing("free", "x", "y"))).build();
    NodeView later = view(inventory.apply(List.of(new SlicePut(changed))));
    assertThat(later.drawing(candidate(later, "d0")))
        .extracting(Device::name)
        .containsExactly("d0");
    DeviceInventory free = inventory.apply(List.of(new ClaimRemoved(key("c"))));
    assertThat(view(free).drawing(candidate(view(free), "d0"))).isEmpty();
  }

  @Test
  void heldDevicesWithGroupsComeInTheOrderOfTheReference() throws Exception {
    ResourceSlice counters = slice("c", 5).counterSet(set("x", "y")).build();
    ResourceSlice[] devices = {
      slice("z", 5).device(grouped("z")).build(),
      slice("m2", 5).nodeSelection(ON_M).device(grouped("m2")).build(),
      slice("a", 5).device(grouped("a")).build(),
      slice("m1", 5).nodeSelection(ON_M).device(grouped("m1")).build(),
    };
    DeviceInventory inventory =
        World.of(Node.named("n"), Node.named("m"), counters)
            .apply(Arrays.stream(devices).<InventoryEvent>map(SlicePut::new).toList())
            .apply(List.of(new ClaimPut(holding("c", "z", "m2", "a", "m1"))));
    NodeView here = view(inventory);
    NodeView there = view(inventory, "m", Feature.kubernetes());
    for (int i = 0; i < 2; i++) { // what a view asked for does not change what others get
      assertThat(here.drawing(candidate(here, "a")))
          .extracting(Device::name)
          .containsExactly("a", "z", "m2", "m1");
      assertThat(there.drawing(candidate(there, "m1")))
          .extracting(Device::name)
          .containsExactly("m1", "m2", "z", "a");
    }
  }

  private static Device grouped(String name) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption("x", Map.of("y", Quantity.of(1)), List.of("group")))
        .build();
  }

  @Test
  void aClaimCanBeHeldOnlyWithWhatIsFreeOrItsOwn() {
    DeviceInventory inventory = inventory(holding("c", "d0"), sharing("a", "s", Map.of()));
    assertThat(textOf(inventory, holding("x", "d1"))).isEqualTo("held");
    assertThat(textOf(inventory, holding("c", "d0", "d1"))).isEqualTo("held");
    assertThat(textOf(inventory, holding("x", "d1", "d0")))
        .isEqualTo("default/x cannot have gpu/p/d0: it is in use by default/c");
    assertThat(textOf(inventory, sharing("x", "s", Map.of()))).isEqualTo("held");
    assertThat(textOf(inventory, holding("x", "s")))
        .isEqualTo("default/x cannot have gpu/p/s: it is in use by default/a");
    assertThat(textOf(inventory, sharing("x", "d0", Map.of())))
        .isEqualTo("default/x cannot have gpu/p/d0: it is in use by default/c");
    // Several at a time: all or none.
    assertThat(textOf(inventory, holding("x", "d1"), holding("y", "d1")))
        .isEqualTo("default/y cannot have gpu/p/d1: it is in use by default/x");
    HoldOutcome.Held held =
        (HoldOutcome.Held) inventory.hold(List.of(holding("c", "d1"), holding("y", "d0")));
    assertThat(held.inventory().holdersOf(id("d0"))).containsExactly(key("y"));
    assertThat(held.inventory().holdersOf(id("d1"))).containsExactly(key("c"));
  }

  private static String textOf(DeviceInventory inventory, ResourceClaim... claims) {
    return inventory.hold(List.of(claims)).fold(held -> "held", HoldOutcome.InUse::reason);
  }

  @Test
  void aSnapshotMayHaveAClaimTwice() {
    DeviceInventory inventory =
        World.of(Node.named("n"), holding("c", "d0"), holding("c", "d1"), holding("b", "d0"));
    assertThat(inventory.heldBy(key("c"))).containsExactly(id("d0"), id("d1"));
    assertThat(inventory.holdersOf(id("d0"))).containsExactly(key("b"), key("c"));
  }
}
