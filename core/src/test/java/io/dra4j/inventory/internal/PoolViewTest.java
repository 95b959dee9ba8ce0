package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.devices;
import static io.dra4j.inventory.internal.World.drawing;
import static io.dra4j.inventory.internal.World.poolsOf;
import static io.dra4j.inventory.internal.World.set;
import static io.dra4j.inventory.internal.World.slice;
import static io.dra4j.model.Features.without;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a pool is complete, of which slices it is made, and when these contradict each other. */
class PoolViewTest {

  private static List<String> pools(ResourceSlice... slices) throws Exception {
    return pools(Feature.kubernetes(), slices);
  }

  private static List<String> pools(Set<Feature> features, ResourceSlice... slices)
      throws Exception {
    List<KubernetesObject> objects = new ArrayList<>(List.of(Node.named("n"), Node.named("m")));
    objects.addAll(Arrays.asList(slices));
    return poolsOf(World.of(objects.toArray(new KubernetesObject[0])), "n", features);
  }

  // ---- Completeness

  @Test
  void aPoolHasAsManySlicesAsItSays() throws Exception {
    assertThat(pools(slice("a", 2, "d0"), slice("b", 2, "d1"))).containsExactly("gpu/p: d0 d1");
    assertThat(pools(slice("a", 3, "d0"), slice("b", 3, "d1"))).containsExactly("gpu/p incomplete");
    assertThat(pools(slice("a", 1, "d0"), slice("b", 1, "d1"))).containsExactly("gpu/p incomplete");
  }

  @Test
  void slicesAboutOtherNodesCountToo() throws Exception {
    ResourceSlice elsewhere = slice("b", 2).nodeSelection(ON_M).devices(devices("d1")).build();
    assertThat(pools(slice("a", 2, "d0"), elsewhere)).containsExactly("gpu/p: d0");
    ResourceSlice old = elsewhere.toBuilder().pool("p", 0, 2).build();
    assertThat(pools(slice("a", 2, "d0"), old)).containsExactly("gpu/p incomplete");
  }

  @Test
  void theFirstSliceSaysHowManyThereAre() throws Exception {
    assertThat(pools(slice("b", 2, "d1"), slice("a", 3, "d0"))).containsExactly("gpu/p: d0 d1");
    assertThat(pools(slice("a", 3, "d0"), slice("b", 2, "d1"))).containsExactly("gpu/p incomplete");
  }

  @Test
  void onlyTheNewestGenerationCounts() throws Exception {
    ResourceSlice newer = slice("b", 1).pool("p", 2, 1).devices(devices("new")).build();
    assertThat(pools(slice("a", 1, "old"), newer)).containsExactly("gpu/p: new");
    assertThat(pools(newer, slice("a", 1, "old"))).containsExactly("gpu/p: new");
  }

  @Test
  void aPoolThatHasMovedOnForOtherNodesIsNoneUnlessItsOldSlicesAreComplete() throws Exception {
    ResourceSlice newer =
        slice("b", 2).pool("p", 2, 2).nodeSelection(ON_M).devices(devices("new")).build();
    assertThat(pools(slice("a", 2, "old"), newer)).isEmpty();
    assertThat(pools(slice("a", 1, "old"), newer)).containsExactly("gpu/p: old"); // as Kubernetes
  }

  @Test
  void slicesWithCompatibilityGroupsDoNotCountWhereTheFeatureIsOff() throws Exception {
    Device grouped =
        Device.named("g")
            .consumesCounters(
                new DeviceCounterConsumption("s", Map.of("x", Quantity.of(1)), List.of("group")))
            .build();
    ResourceSlice counters = slice("c", 3).counterSet(set("s", "x")).build();
    ResourceSlice[] all = {
      counters, slice("a", 3, "d0"), slice("b", 3).device(grouped).build(),
    };
    assertThat(pools(all)).containsExactly("gpu/p: d0 g");
    assertThat(pools(without(Feature.COMPATIBILITY_GROUPS), all))
        .containsExactly("gpu/p incomplete");
    ResourceSlice elsewhere = all[2].toBuilder().nodeSelection(ON_M).build();
    assertThat(pools(counters, all[1], elsewhere)).containsExactly("gpu/p: d0");
    assertThat(pools(without(Feature.COMPATIBILITY_GROUPS), counters, all[1], elsewhere))
        .containsExactly("gpu/p incomplete");
  }

  @Test
  void slicesThatDrawFromCountersWithoutGroupsCountWithoutTheFeature() throws Exception {
    ResourceSlice counters = slice("c", 2).counterSet(set("s", "x")).build();
    ResourceSlice devices = slice("d", 2).device(drawing("d0", "s", "x")).build();
    assertThat(pools(without(Feature.COMPATIBILITY_GROUPS), counters, devices))
        .containsExactly("gpu/p: d0");
  }

  // ---- Order

  @Test
  void slicesAreTriedByNameAndDevicesAsPublished() throws Exception {
    assertThat(pools(slice("b", 3, "z", "a"), slice("c", 3, "m"), slice("a", 3, "y", "x")))
        .containsExactly("gpu/p: y x z a m");
  }

  // ---- Contradictions

  @Test
  void aDeviceNameIsUniqueAmongTheSlicesForTheNode() throws Exception {
    assertThat(pools(slice("a", 2, "d0", "d1"), slice("b", 2, "d1")))
        .containsExactly("gpu/p invalid: duplicate device name d1");
    ResourceSlice elsewhere = slice("b", 2).nodeSelection(ON_M).devices(devices("d1")).build();
    assertThat(pools(slice("a", 2, "d0", "d1"), elsewhere)).containsExactly("gpu/p: d0 d1");
  }

  @Test
  void aCounterSetNameIsUniqueInThePool() throws Exception {
    ResourceSlice one = slice("a", 2).counterSet(set("s", "x")).build();
    ResourceSlice two = slice("b", 2).counterSet(set("s", "y")).build();
    assertThat(pools(one, two)).containsExactly("gpu/p invalid: duplicate counter set name s");
    assertThat(pools(one, two.toBuilder().nodeSelection(ON_M).build()))
        .containsExactly("gpu/p invalid: duplicate counter set name s");
  }

  @Test
  void aCounterThatADeviceDrawsFromExists() throws Exception {
    ResourceSlice counters = slice("c", 2).counterSet(set("s", "x")).build();
    ResourceSlice good = slice("d", 2).device(drawing("d0", "s", "x")).build();
    ResourceSlice noSet = slice("d", 2).device(drawing("d0", "t", "x")).build();
    ResourceSlice noCounter = slice("d", 2).device(drawing("d0", "s", "y")).build();
    assertThat(pools(counters, good)).containsExactly("gpu/p: d0");
    assertThat(pools(counters, noSet)).containsExactly("gpu/p invalid: counter set t not found");
    assertThat(pools(counters, noCounter))
        .containsExactly("gpu/p invalid: counter y not found in counter set s");
  }

  @Test
  void aDeviceForOtherNodesDrawsFromCountersOfThePoolToo() throws Exception {
    ResourceSlice counters = slice("c", 3).counterSet(set("s", "x")).build();
    ResourceSlice here = slice("d", 3).device(drawing("d0", "s", "x")).build();
    ResourceSlice good = slice("e", 3).nodeSelection(ON_M).device(drawing("d1", "s", "x")).build();
    ResourceSlice bad = slice("e", 3).nodeSelection(ON_M).device(drawing("d1", "s", "y")).build();
    assertThat(pools(counters, here, good)).containsExactly("gpu/p: d0");
    assertThat(pools(counters, here, bad))
        .containsExactly("gpu/p invalid: counter y not found in counter set s");
  }

  @Test
  void countersOfASliceAboutOtherNodesAreThePools() throws Exception {
    ResourceSlice counters = slice("c", 2).nodeSelection(ON_M).counterSet(set("s", "x")).build();
    ResourceSlice here = slice("d", 2).device(drawing("d0", "s", "x")).build();
    assertThat(pools(counters, here)).containsExactly("gpu/p: d0");
    ResourceSlice otherPool = counters.toBuilder().pool("q", 1, 1).build();
    ResourceSlice alone = here.toBuilder().pool("p", 1, 1).build();
    assertThat(pools(otherPool, alone)).containsExactly("gpu/p invalid: counter set s not found");
  }

  @Test
  void withoutTheFeatureSlicesOfCountersAreIgnoredAndNotChecked() throws Exception {
    Set<Feature> off = without(Feature.PARTITIONABLE_DEVICES);
    ResourceSlice counters = slice("c", 1).counterSet(set("s", "x")).build();
    assertThat(pools(off, counters)).isEmpty();
    assertThat(pools(off, slice("d", 1).device(drawing("d0", "t", "x")).build()))
        .containsExactly("gpu/p: d0");
    ResourceSlice perDevice =
        slice("e", 1).nodeSelection(NodeSelection.ALL_NODES).perDeviceNodeSelection(false).build();
    assertThat(pools(off, perDevice)).isEmpty();
    assertThat(pools(perDevice)).containsExactly("gpu/p:");
  }

  @Test
  void theCountersOfAPoolAreKnownByName() throws Exception {
    DeviceInventory inventory =
        World.of(
            Node.named("n"),
            slice("c", 2).counterSet(set("s", "x")).counterSet(set("t", "y")).build(),
            slice("d", 2, "d0"));
    PoolView pool = World.view(inventory).pools().get(0);
    assertThat(pool.counterSets())
        .containsOnly(Map.entry("s", set("s", "x")), Map.entry("t", set("t", "y")));
  }

  // ---- Views

  private static PoolView viewOf(DeviceInventory inventory, String node, Set<Feature> features)
      throws Exception {
    return World.view(inventory, node, features).pools().get(0);
  }

  @Test
  void nodesAboutWhichTheSameSlicesAreShareAView() throws Exception {
    ResourceSlice inA = slice("a", 2).nodeSelection(World.zone("a")).devices(devices("d0")).build();
    ResourceSlice everywhere =
        slice("b", 2).nodeSelection(NodeSelection.ALL_NODES).devices(devices("d1")).build();
    DeviceInventory inventory =
        World.of(
            World.inZone("n", "a"),
            World.inZone("m", "a"),
            World.inZone("o", "b"),
            inA,
            everywhere);
    PoolView first = viewOf(inventory, "n", Feature.kubernetes());
    assertThat(viewOf(inventory, "m", Feature.kubernetes())).isSameAs(first);
    assertThat(viewOf(inventory, "o", Feature.kubernetes())).isNotSameAs(first);
    assertThat(viewOf(inventory, "n", without(Feature.PARTITIONABLE_DEVICES))).isNotSameAs(first);
    assertThat(poolsOf(inventory, "n", Feature.kubernetes())).containsExactly("gpu/p: d0 d1");
  }

  @Test
  void aNodeIsSelfContainedIfNoOtherNodeCanUseItsPools() throws Exception {
    Node n = World.inZone("n", "a");
    assertThat(World.view(World.of(n, slice("a", 1, "d0"))).isSelfContained()).isTrue();
    ResourceSlice zone = slice("a", 1).nodeSelection(World.zone("a")).build();
    assertThat(World.view(World.of(n, zone)).isSelfContained()).isFalse();
    ResourceSlice elsewhere = slice("b", 2).nodeSelection(ON_M).devices(devices("d1")).build();
    assertThat(World.view(World.of(n, slice("a", 2, "d0"), elsewhere)).isSelfContained()).isFalse();
    assertThat(
            World.view(World.of(n, slice("a", 1, "d0"), zone.toBuilder().pool("q", 1, 1).build()))
                .isSelfContained())
        .isFalse();
  }

  @Test
  void aPoolSaysHowManyOfItsSlicesAreThere() throws Exception {
    assertThat(problem(slice("a", 2, "of-a"))).isEqualTo("1 of its 2 slices is there");
    assertThat(problem(slice("a", 3, "of-a"), slice("b", 3, "of-b")))
        .isEqualTo("2 of its 3 slices are there");
    assertThat(problem(slice("a", 1, "of-a"), slice("b", 1, "of-b")))
        .isEqualTo("2 slices are there, but resourceSliceCount is 1");
    ResourceSlice none =
        new ResourceSlice(
            ObjectMeta.named("a"),
            "gpu",
            new ResourcePool("p", 1, 0), // builders refuse less than 1
            NodeSelection.ofNode("n"),
            null,
            List.of(),
            List.of(),
            null,
            List.of());
    assertThat(problem(none)).isEqualTo("1 slice is there, but resourceSliceCount is 0");
    assertThat(problem(slice("a", 1, "of-a"))).isEmpty();
  }

  private static String problem(ResourceSlice... slices) throws Exception {
    List<KubernetesObject> objects = new ArrayList<>(List.of(Node.named("n")));
    objects.addAll(Arrays.asList(slices));
    DeviceInventory inventory = World.of(objects.toArray(new KubernetesObject[0]));
    return viewOf(inventory, "n", Feature.kubernetes()).problem();
  }
}
