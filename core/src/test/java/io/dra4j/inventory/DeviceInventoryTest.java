package io.dra4j.inventory;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.InventoryEvent.NodePut;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.InventoryEvent.SliceRemoved;
import io.dra4j.inventory.InventoryEvent.TaintRulePut;
import io.dra4j.inventory.InventoryEvent.TaintRuleRemoved;
import io.dra4j.inventory.internal.DeviceHoldings;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.inventory.internal.PoolHoldings;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
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
    return holding(name, D0);
  }

  private static ResourceClaim holding(String name, DeviceId device) {
    DeviceRequestAllocationResult result = DeviceRequestAllocationResult.of("r", device).build();
    return ResourceClaim.named("default", name)
        .request("r", request -> request.deviceClass("gpu"))
        .build()
        .withAllocation(new AllocationResult(List.of(result), List.of(), null, null));
  }

  private static int free(DeviceInventory inventory) {
    return inventory.devicesOf("n").orElseThrow().free().size();
  }

  @Test
  void slicesOfNoSingleNodeAreThoseOfTheNewestGenerationThatNameNone() {
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(
                List.of(
                    Node.named("n"),
                    ResourceSlice.onNode("own", "gpu", "n", List.of(Device.named("d").build())),
                    ResourceSlice.named("old", "fabric")
                        .pool("p", 1, 1)
                        .nodeSelection(NodeSelection.ALL_NODES)
                        .build(),
                    ResourceSlice.named("new", "fabric")
                        .pool("p", 2, 2)
                        .nodeSelection(NodeSelection.ALL_NODES)
                        .build(),
                    ResourceSlice.named("unnamed", "fabric")
                        .pool("p", 2, 2)
                        .nodeSelection(new NodeSelection("", true, null))
                        .build())));
    assertThat(inventory.slicesOfNoSingleNode())
        .extracting(slice -> slice.metadata().name())
        .containsExactly("new", "unnamed");
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

  /** What one of them held another can have, whoever comes first. */
  @Test
  void claimsThatAreHeldTogetherLeaveWhatTheyHeldBefore() {
    DeviceInventory held = twoDevices().apply(List.of(new ClaimPut(holding("a"))));
    DeviceId d1 = new DeviceId("gpu", "n", "d1");
    ResourceClaim moved = holding("a", d1);
    ResourceClaim heir = holding("b");
    for (List<ResourceClaim> order : List.of(List.of(moved, heir), List.of(heir, moved))) {
      DeviceInventory after = held.hold(order).fold(HoldOutcome.Held::inventory, refused -> held);
      assertThat(after.heldBy(new ClaimKey("default", "a"))).containsExactly(d1);
      assertThat(after.heldBy(new ClaimKey("default", "b"))).containsExactly(D0);
    }
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

  @Test
  void anEntryThatAnEventReplacedIsNotKept() throws Exception {
    DeviceInventory inventory = twoDevices();
    inventory.devicesOf("n"); // puts its pools together
    WeakReference<Object> old = new WeakReference<>(stateOf(inventory).nodes().get("n"));
    ResourceSlice changed =
        ResourceSlice.onNode("s", "gpu", "n", List.of(Device.named("d0").build()));
    inventory = inventory.apply(List.of(new SlicePut(changed)));
    for (int i = 0; i < 1_000 && old.get() != null; i++) {
      System.gc();
      Thread.sleep(5);
    }
    assertThat(old.get()).isNull();
    assertThat(inventory.devicesOf("n").orElseThrow().list()).hasSize(1);
  }

  /** A pool whose slices are about a node each, with counters and a device that draws from one. */
  private static ClusterSnapshot partitionedPool(int nodes) {
    List<KubernetesObject> objects = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      objects.add(Node.named("n" + i));
      ResourceSlice.Builder counters =
          ResourceSlice.named("c" + i, "gpu")
              .pool("p", 1, 2L * nodes)
              .nodeSelection(NodeSelection.ofNode("n" + i))
              .counterSet(new CounterSet("m" + i, Map.of("gi", Quantity.of(8))));
      Device device =
          Device.named("d" + i)
              .consumesCounters(
                  new DeviceCounterConsumption(
                      "m" + (i + 1) % nodes, Map.of("gi", Quantity.of(1)), List.of()))
              .build();
      ResourceSlice.Builder devices =
          ResourceSlice.named("d" + i, "gpu")
              .pool("p", 1, 2L * nodes)
              .nodeSelection(NodeSelection.ofNode("n" + i))
              .device(device);
      objects.add(counters.build());
      objects.add(devices.build());
      DeviceRequestAllocationResult held =
          DeviceRequestAllocationResult.of("r", new DeviceId("gpu", "p", "d" + i)).build();
      if (i % 2 == 0) {
        objects.add(allocated("a" + i, held));
      }
    }
    return ClusterSnapshot.of(objects);
  }

  private static ResourceClaim allocated(String name, DeviceRequestAllocationResult... results) {
    return ResourceClaim.named("default", name)
        .request("r", request -> request.deviceClass("gpu"))
        .build()
        .withAllocation(new AllocationResult(List.of(results), List.of(), null, null));
  }

  @Test
  void nodesOfOnePoolShareItsCountersAndWhatDrawsFromThem() throws Exception {
    DeviceInventory inventory = DeviceInventory.of(partitionedPool(40));
    List<PoolView> views = new ArrayList<>();
    for (Node node : inventory.nodes()) {
      NodeView view =
          Objects.requireNonNull(
              stateOf(inventory).view(node.name(), Feature.kubernetes(), Budget.unlimited()));
      views.addAll(List.of(view.pools.pools));
    }
    assertThat(views).hasSize(40).doesNotHaveDuplicates().allMatch(PoolView::usable);
    PoolHoldings held =
        Objects.requireNonNull(stateOf(inventory).held().get(new PoolId("gpu", "p")));
    List<Device> drawing = views.get(0).state(held, Budget.unlimited()).drawing();
    assertThat(drawing).hasSize(20);
    for (PoolView view : views) {
      assertThat(view.counterSets()).hasSize(40).isSameAs(views.get(0).counterSets());
      assertThat(view.state(held, Budget.unlimited()).drawing()).isSameAs(drawing);
    }
    assertThat(views.get(0).bytes()).isGreaterThan(views.get(1).bytes() + 40 * 8);
    long bytes = views.stream().mapToLong(PoolView::bytes).sum();
    assertThat(stateOf(inventory).caches().views.bytes()).isGreaterThan(bytes);
  }

  @Test
  void aSnapshotIsWhatItsObjectsAddOneByOne() {
    ClusterSnapshot cluster = partitionedPool(5);
    List<InventoryEvent> events = new ArrayList<>();
    cluster.nodes().forEach(node -> events.add(new NodePut(node)));
    cluster.resourceSlices().forEach(slice -> events.add(new SlicePut(slice)));
    cluster.resourceClaims().forEach(claim -> events.add(new ClaimPut(claim)));
    DeviceInventory atOnce = DeviceInventory.of(cluster);
    DeviceInventory oneByOne = DeviceInventory.empty().apply(events);
    assertThat(atOnce.publishedSlices())
        .isEqualTo(oneByOne.publishedSlices())
        .isEqualTo(cluster.resourceSlices());
    for (Node node : cluster.nodes()) {
      assertThat(atOnce.devicesOf(node.name()).orElseThrow().list())
          .hasSize(1)
          .isEqualTo(oneByOne.devicesOf(node.name()).orElseThrow().list());
    }
  }

  @Test
  void holdersOfSharesAreInTheOrderOfTheirKeysHoweverTheyCame() {
    List<String> names = List.of("c", "a", "d", "b", "a");
    List<ResourceClaim> claims = new ArrayList<>();
    for (String name : names) {
      DeviceRequestAllocationResult.Builder share =
          DeviceRequestAllocationResult.of("r", D0).consumedCapacity(Map.of("m", Quantity.of(1)));
      claims.add(allocated(name, share.shareId(name + 1).build(), share.shareId(name + 2).build()));
    }
    DeviceInventory oneByOne = twoDevices().apply(claims.stream().map(ClaimPut::new).toList());
    List<ClaimKey> keys =
        Stream.of("a", "b", "c", "d").map(name -> new ClaimKey("default", name)).toList();
    assertThat(oneByOne.holdersOf(D0)).isEqualTo(keys);
    assertThat(DeviceInventory.of(ClusterSnapshot.of(claims)).holdersOf(D0)).isEqualTo(keys);
    DeviceHoldings parts =
        Objects.requireNonNull(
            Objects.requireNonNull(stateOf(oneByOne).held().get(new PoolId("gpu", "n"))).of("d0"));
    assertThat(parts.parts()).hasSize(8);
    DeviceInventory without = oneByOne.apply(List.of(new ClaimRemoved(keys.get(1))));
    assertThat(without.holdersOf(D0)).containsExactly(keys.get(0), keys.get(2), keys.get(3));
  }

  private static DeviceTaintRule rule(String name, String device, String key) {
    return new DeviceTaintRule(
        ObjectMeta.named(name),
        new DeviceTaintSelector("gpu", null, device),
        DeviceTaint.of(key, "", TaintEffect.NO_SCHEDULE));
  }

  /** The keys of the taints of d0 and d1. */
  private static List<String> taints(DeviceInventory inventory) {
    return inventory.publishedSlices().stream()
        .flatMap(slice -> slice.devices().stream())
        .map(device -> String.join(" ", device.taints().stream().map(DeviceTaint::key).toList()))
        .toList();
  }

  @Test
  void whatASnapshotHasTwiceCountsAsInTheReference() {
    ResourceSlice here = ResourceSlice.onNode("s", "gpu", "n", List.of(Device.named("d0").build()));
    ResourceSlice there =
        ResourceSlice.onNode("s", "nic", "n", List.of(Device.named("d1").build()));
    DeviceInventory twice =
        DeviceInventory.of(
            ClusterSnapshot.of(
                List.of(
                    Node.named("n").toBuilder().label("is", "first").build(),
                    Node.named("m"),
                    Node.named("n").toBuilder().label("is", "last").build(),
                    DeviceClass.named("k", "first"),
                    DeviceClass.named("k", "last"),
                    here,
                    there)));
    assertThat(twice.nodes()).extracting(Node::name).containsExactly("n", "m");
    assertThat(twice.node("n").orElseThrow().metadata().labels()).containsEntry("is", "last");
    assertThat(twice.deviceClass("k")).contains(DeviceClass.named("k", "first"));
    assertThat(twice.publishedSlices()).containsExactly(here, there);
    assertThat(twice.slice("s")).contains(there);
    assertThat(twice.apply(List.of(new SliceRemoved("s"))).publishedSlices()).isEmpty();
    assertThat(twice.apply(List.of(new SlicePut(here))).publishedSlices()).containsExactly(here);
  }

  @Test
  void slicesDevicesAndHoldersAreFoundByTheirNames() {
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(
                List.of(
                    Node.named("n"),
                    generation("old", 1, Device.named("d").attribute("is", "old").build()),
                    generation("new", 2, Device.named("d").attribute("is", "new").build()),
                    rule("r", "d", "tainted"),
                    holding("b"),
                    holding("a"))));
    assertThat(inventory.slice("old").orElseThrow().devices()).hasSize(1);
    assertThat(inventory.slice("new").orElseThrow().devices().get(0).taints()).hasSize(1);
    assertThat(inventory.slice("none")).isEmpty();
    DeviceId id = new DeviceId("gpu", "p", "d");
    InventoryDevice device = inventory.device(id).orElseThrow();
    assertThat(device.device().attributes()).containsEntry("is", DeviceAttribute.of("new"));
    assertThat(device.device().taints()).hasSize(1);
    assertThat(device.isFree()).isTrue();
    assertThat(inventory.devicesOf("n").orElseThrow().list()).containsExactly(device);
    assertThat(inventory.device(new DeviceId("gpu", "p", "other"))).isEmpty();
    assertThat(inventory.device(D0)).isEmpty(); // held, and not published
    assertThat(inventory.holders())
        .containsExactly(new ClaimKey("default", "a"), new ClaimKey("default", "b"));
    ResourceClaim nothing =
        ResourceClaim.named("c").allocation(AllocationResult.builder().build()).build();
    assertThat(twoDevices().apply(List.of(new ClaimPut(nothing))).holders()).isEmpty();
    assertThat(
            twoDevices()
                .apply(List.of(new ClaimPut(holding("a"))))
                .device(D0)
                .orElseThrow()
                .holders())
        .containsExactly(new ClaimKey("default", "a"));
  }

  private static ResourceSlice generation(String name, long generation, Device device) {
    return ResourceSlice.named(name, "gpu")
        .pool("p", generation, 1)
        .nodeSelection(NodeSelection.ofNode("n"))
        .device(device)
        .build();
  }

  @Test
  void aRuleTakesThePlaceOfAllOfItsName() {
    List<KubernetesObject> objects = new ArrayList<>(twoDevices().publishedSlices());
    objects.add(rule("r", "d0", "first"));
    objects.add(rule("other", "d0", "other"));
    objects.add(rule("r", "d1", "second"));
    DeviceInventory both = DeviceInventory.of(ClusterSnapshot.of(objects));
    assertThat(taints(both)).containsExactly("first other", "second");
    assertThat(taints(both.apply(List.of(new TaintRuleRemoved("r"))))).containsExactly("other", "");
    assertThat(taints(both.apply(List.of(new TaintRulePut(rule("r", "d0", "third"))))))
        .containsExactly("third other", "");
    assertThat(taints(both.apply(List.of(new TaintRulePut(rule("r", "d0", "first"))))))
        .containsExactly("first other", "");
    assertThat(taints(both.apply(List.of(new TaintRulePut(rule("new", "d1", "new"))))))
        .containsExactly("first other", "second new");
    assertThat(
            taints(
                both.apply(
                    List.of(
                        new TaintRuleRemoved("r"),
                        new TaintRulePut(rule("new", "d1", "new")),
                        new TaintRulePut(rule("r", "d1", "last")),
                        new TaintRulePut(rule("new", "d1", "newer")),
                        new TaintRuleRemoved("other")))))
        .containsExactly("", "newer last");
  }

  @Test
  void manySlicesOfOneNameAreTaintedLikeOthers() {
    ResourceSlice slice = ResourceSlice.onNode("", "gpu", "n", List.of(Device.named("d0").build()));
    DeviceInventory inventory =
        DeviceInventory.of(ClusterSnapshot.of(Collections.nCopies(20_000, slice)))
            .apply(List.of(new TaintRulePut(rule("r", "d0", "bad"))));
    assertThat(taints(inventory)).hasSize(20_000).containsOnly("bad");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without it may do
  void anEventWithoutItsObjectIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> new SlicePut(null)).withMessage("slice");
    assertThatNullPointerException().isThrownBy(() -> new ClaimRemoved(null)).withMessage("claim");
  }
}
