package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.candidate;
import static io.dra4j.inventory.internal.World.devices;
import static io.dra4j.inventory.internal.World.drawing;
import static io.dra4j.inventory.internal.World.holding;
import static io.dra4j.inventory.internal.World.id;
import static io.dra4j.inventory.internal.World.set;
import static io.dra4j.inventory.internal.World.sharing;
import static io.dra4j.inventory.internal.World.slice;
import static io.dra4j.inventory.internal.World.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.HoldOutcome;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Features;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    assertThat(stateOf(none).held().size()).isZero();
    assertThat(stateOf(none).claims().size()).isZero();
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

  @Test
  void aClaimWithoutAllocationOrTwiceIsNotHeld() {
    DeviceInventory inventory = inventory(holding("c", "d0"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inventory.hold(List.of(ResourceClaim.named("c").build())))
        .withMessage("allocated: claim default/c has no allocation");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inventory.hold(List.of(holding("c", "d0"), holding("c", "d1"))))
        .withMessage("allocated: claim default/c occurs twice");
  }

  @Test
  void aShareIsOneClaims() {
    ResourceClaim a = withShares("a", "1", "2");
    DeviceInventory inventory = inventory(a);
    assertThat(textOf(inventory, withShares("b", "3"))).isEqualTo("held");
    assertThat(textOf(inventory, withShares("a", "2"))).isEqualTo("held");
    assertThat(textOf(inventory, withShares("b", "3", "2")))
        .isEqualTo("default/b cannot have share 2 of gpu/p/s: it is in use by default/a");
    assertThat(textOf(inventory(), a, withShares("b", "1")))
        .isEqualTo("default/b cannot have share 1 of gpu/p/s: it is in use by default/a");
    assertThat(textOf(inventory(holding("w", "s")), withShares("b", "1")))
        .isEqualTo("default/b cannot have gpu/p/s: it is in use by default/w");
    // Another share is another holding.
    DeviceInventory changed = inventory.apply(List.of(new ClaimPut(withShares("a", "3", "2"))));
    assertThat(textOf(changed, withShares("b", "1"))).isEqualTo("held");
    assertThat(textOf(changed, withShares("b", "3"))).isNotEqualTo("held");
  }

  private static ResourceClaim withShares(String claim, String... ids) {
    AllocationResult.Builder allocation = AllocationResult.builder();
    for (String id : ids) {
      allocation.result(
          World.result("s").shareId(id).consumedCapacity(Map.of("bw", Quantity.of(1))).build());
    }
    return ResourceClaim.named(claim).allocation(allocation.build()).build();
  }

  /** Few are a list, many a map, and nobody sees which. */
  @Test
  void fewAndManySharesAreHeldAlike() throws Exception {
    Random random = new Random(7);
    DeviceInventory inventory = inventory();
    Map<ClaimKey, ResourceClaim> holding = new TreeMap<>();
    for (int step = 0; step < 2_000; step++) {
      int many = step / 500 % 2 == 0 ? 60 : 12; // there and back
      String name = "c" + random.nextInt(many);
      List<ClaimKey> others =
          holding.keySet().stream().filter(key -> !key.equals(key(name))).toList();
      if (holding.size() > many || random.nextInt(4) == 0) {
        ClaimKey gone = others.isEmpty() ? key(name) : others.get(random.nextInt(others.size()));
        holding.remove(gone);
        inventory = inventory.apply(List.of(new ClaimRemoved(gone)));
      } else {
        ResourceClaim claim = anyOf(name, random);
        holding.put(key(name), claim);
        inventory = inventory.apply(List.of(new ClaimPut(claim)));
      }
      assertSame(inventory, inventory(holding.values().toArray(ResourceClaim[]::new)), holding);
    }
  }

  private static ResourceClaim anyOf(String name, Random random) {
    AllocationResult.Builder allocation = AllocationResult.builder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      Quantity amount = Quantity.parse(random.nextBoolean() ? "1" : "1e3000"); // far apart
      String capacity = random.nextBoolean() ? "bw" : "mem";
      var result = World.result("s").consumedCapacity(Map.of(capacity, amount));
      allocation.result(
          (random.nextInt(20) == 0 ? result : result.shareId("id" + random.nextInt(100))).build());
    }
    return ResourceClaim.named(name).allocation(allocation.build()).build();
  }

  private static void assertSame(
      DeviceInventory inventory, DeviceInventory expected, Map<ClaimKey, ResourceClaim> holding)
      throws Exception {
    List<ClaimKey> keys = List.copyOf(holding.keySet());
    assertThat(inventory.holdersOf(id("s"))).isEqualTo(keys);
    assertThat(inventory.holders()).isEqualTo(keys);
    NodeView view = view(inventory);
    NodeView other = view(expected);
    NodeDevice device = candidate(view, "s");
    boolean whole =
        holding.values().stream()
            .flatMap(claim -> Holding.of(claim).stream())
            .anyMatch(h -> !h.share());
    assertThat(view.isTaken(device)).isEqualTo(whole).isEqualTo(other.isTaken(device));
    assertThat(view.isShared(device)).isEqualTo(other.isShared(device));
    assertThat(view.consumed(device)).isEqualTo(other.consumed(device));
    for (String id : List.of("id1", "id2", "id3")) {
      assertThat(textOf(inventory, withShares("new", id)))
          .isEqualTo(textOf(expected, withShares("new", id)));
    }
    if (!keys.isEmpty()) {
      PoolHoldings held =
          Objects.requireNonNull(stateOf(inventory).held().get(new PoolId("gpu", "p")));
      List<Holding> parts = Objects.requireNonNull(held.of("s")).parts();
      assertThat(parts)
          .isEqualTo(holding.values().stream().flatMap(c -> Holding.of(c).stream()).toList());
    }
  }

  @Test
  @Timeout(60) // minutes, were all shares copied for each
  void manySharesOfADeviceComeAndGoInTime() throws Exception {
    int many = 100_000;
    List<InventoryEvent> come = new ArrayList<>();
    List<InventoryEvent> go = new ArrayList<>();
    List<ResourceClaim> claims = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      claims.add(withShares("c" + i, "id" + i));
      come.add(new ClaimPut(claims.get(i)));
      go.add(new ClaimRemoved(key("c" + (many - 1 - i))));
    }
    DeviceInventory all = inventory().apply(come);
    assertThat(all.holdersOf(id("s"))).hasSize(many);
    NodeView view = view(all);
    @Nullable QuantitySum[] consumed = Objects.requireNonNull(view.consumed(candidate(view, "s")));
    assertThat(consumed[0]).isEqualTo(QuantitySum.of(Quantity.of(many)));
    assertThat(stateOf(all.apply(go)).held().size()).isZero();
    DeviceInventory held = inventory().hold(claims).fold(HoldOutcome.Held::inventory, i -> all);
    assertThat(held).isNotSameAs(all);
    assertThat(textOf(held, withShares("new", "id5")))
        .isEqualTo("default/new cannot have share id5 of gpu/p/s: it is in use by default/c5");
    assertThat(stateOf(held.apply(come.subList(0, many))).held()).isSameAs(stateOf(held).held());
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

  private static ResourceClaim ofUid(@Nullable String uid, ResourceClaim claim) {
    return claim.toBuilder().metadata(claim.metadata().toBuilder().uid(uid).build()).build();
  }

  private static DeviceInventory snapshot(ResourceClaim... claims) {
    List<KubernetesObject> objects = new ArrayList<>(List.of(claims));
    objects.add(Node.named("n"));
    objects.add(slice("a", 1, "d0", "d1", "d2"));
    return World.of(objects.toArray(new KubernetesObject[0]));
  }

  @Test
  void claimsOfOneNameAreToldApartByTheirUids() {
    DeviceInventory inventory =
        snapshot(ofUid("1", holding("c", "d0")), ofUid("2", holding("c", "d1")));
    assertThat(inventory.heldBy(key("c"))).containsExactly(id("d0"), id("d1"));
    assertThat(inventory.holders()).containsExactly(key("c"));
    for (String uid : new String[] {"1", "2", "", null}) {
      assertThat(inventory.isAllocated(ofUid(uid, holding("c")))).as("UID %s", uid).isTrue();
    }
    assertThat(inventory.isAllocated(ofUid("3", holding("c")))).isFalse();
    assertThat(inventory.isAllocated(ofUid("1", holding("other")))).isFalse();
    DeviceInventory unknown = snapshot(ofUid("", holding("c", "d0")));
    assertThat(unknown.isAllocated(ofUid("3", holding("c")))).isTrue();
    assertThat(stateOf(inventory.apply(List.of(new ClaimRemoved(key("c"))))).claims().size())
        .isZero();
    DeviceInventory put = inventory.apply(List.of(new ClaimPut(ofUid("3", holding("c", "d2")))));
    assertThat(put.heldBy(key("c"))).containsExactly(id("d2"));
  }

  @Test
  void whoHoldsDevicesTakesNoneFromAnotherClaimOfItsName() {
    DeviceInventory inventory = snapshot(ofUid("1", holding("c", "d0")));
    ResourceClaim anew = ofUid("2", holding("c", "d1"));
    DeviceInventory both = held(inventory.hold(List.of(anew)));
    assertThat(both.heldBy(key("c"))).containsExactly(id("d0"), id("d1"));
    assertThat(inventory.with(List.of(anew)).heldBy(key("c"))).containsExactly(id("d0"), id("d1"));
    ResourceClaim changed = ofUid("2", holding("c", "d2"));
    assertThat(held(both.hold(List.of(changed))).heldBy(key("c")))
        .containsExactly(id("d0"), id("d2"));
    assertThat(both.with(List.of(changed)).heldBy(key("c"))).containsExactly(id("d0"), id("d2"));
    assertThat(both.with(List.of(changed)).holdersOf(id("d1"))).isEmpty();
    assertThat(held(both.hold(List.of(holding("c", "d2")))).heldBy(key("c")))
        .as("without UID it is both")
        .containsExactly(id("d2"));
    HoldOutcome taken = inventory.hold(List.of(ofUid("2", holding("c", "d0"))));
    assertThat(taken.toString())
        .isEqualTo("default/c cannot have gpu/p/d0: it is in use by another claim with that name");
  }

  private static DeviceInventory held(HoldOutcome outcome) {
    return outcome.fold(
        HoldOutcome.Held::inventory,
        conflict -> {
          throw new AssertionError(conflict.reason());
        });
  }

  @Test
  void whatWasAllocatedOfAnInventoryIsHeldWhoeverElseHoldsIt() {
    DeviceInventory inventory = inventory(sharing("a", "s", Map.of()));
    DeviceInventory both = inventory.with(List.of(holding("b", "s")));
    assertThat(both.holdersOf(id("s"))).containsExactly(key("a"), key("b"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inventory.with(List.of(ResourceClaim.named("c").build())))
        .withMessage("allocated: claim default/c has no allocation");
  }

  @Test
  void veryManyClaimsOfOneNameAreNoTrouble() {
    ResourceClaim[] claims = new ResourceClaim[20_000];
    for (int i = 0; i < claims.length; i++) {
      claims[i] = ofUid("u" + i, holding("c", "d" + i));
    }
    DeviceInventory inventory = snapshot(claims);
    assertThat(inventory.isAllocated(ofUid("u19999", holding("c")))).isTrue();
    assertThat(inventory.with(List.of(claims[7])).heldBy(key("c"))).hasSize(20_000);
  }
}
