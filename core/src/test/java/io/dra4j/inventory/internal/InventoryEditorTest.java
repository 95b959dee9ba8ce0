package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.devices;
import static io.dra4j.inventory.internal.World.inZone;
import static io.dra4j.inventory.internal.World.poolsOf;
import static io.dra4j.inventory.internal.World.slice;
import static io.dra4j.inventory.internal.World.zone;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClassPut;
import io.dra4j.inventory.InventoryEvent.ClassRemoved;
import io.dra4j.inventory.InventoryEvent.NodePut;
import io.dra4j.inventory.InventoryEvent.NodeRemoved;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.InventoryEvent.SliceRemoved;
import io.dra4j.inventory.InventoryEvent.TaintRulePut;
import io.dra4j.inventory.InventoryEvent.TaintRuleRemoved;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What each event changes, and what it leaves as it is. */
class InventoryEditorTest {

  private static DeviceInventory with(InventoryEvent... events) {
    return DeviceInventory.empty().apply(List.of(events));
  }

  // ---- Nodes

  @Test
  void nodesStayInTheOrderInWhichTheyCame() {
    Node a = Node.named("a");
    Node b = Node.named("b");
    Node c = Node.named("c");
    DeviceInventory inventory = with(new NodePut(c), new NodePut(a), new NodePut(b));
    assertThat(inventory.nodes()).containsExactly(c, a, b);
    Node changed = inZone("a", "z");
    assertThat(inventory.apply(List.of(new NodePut(changed))).nodes())
        .containsExactly(c, changed, b);
    DeviceInventory again = inventory.apply(List.of(new NodeRemoved("c"), new NodePut(c)));
    assertThat(again.nodes()).containsExactly(a, b, c);
    assertThat(inventory.apply(List.of(new NodeRemoved("gone"))).nodes()).containsExactly(c, a, b);
    assertThat(inventory.node("a")).contains(a);
    assertThat(inventory.node("gone")).isEmpty();
    assertThat(inventory.apply(List.of(new NodeRemoved("a"))).node("a")).isEmpty();
  }

  @Test
  void aNodeThatIsPutAsItIsChangesNothing() {
    DeviceInventory inventory = with(new NodePut(Node.named("a")));
    DeviceInventory same = inventory.apply(List.of(new NodePut(Node.named("a"))));
    assertThat(stateOf(same).nodes()).isSameAs(stateOf(inventory).nodes());
    assertThat(stateOf(same).order()).isSameAs(stateOf(inventory).order());
  }

  @Test
  void slicesWaitForTheirNode() throws Exception {
    DeviceInventory inventory = with(new SlicePut(slice("s", 1, "d0")));
    assertThat(inventory.nodes()).isEmpty();
    assertThat(inventory.node("n")).isEmpty();
    assertThat(inventory.devicesOf("n")).isEmpty();
    assertThat(inventory.nodesOf("s").orElseThrow()).isEmpty();
    inventory = inventory.apply(List.of(new NodePut(Node.named("n"))));
    assertThat(poolsOf(inventory)).containsExactly("gpu/p: d0");
    inventory = inventory.apply(List.of(new NodeRemoved("n")));
    assertThat(inventory.devicesOf("n")).isEmpty();
    inventory = inventory.apply(List.of(new NodePut(Node.named("n"))));
    assertThat(poolsOf(inventory)).containsExactly("gpu/p: d0");
    inventory = inventory.apply(List.of(new NodeRemoved("n"), new SliceRemoved("s")));
    assertThat(stateOf(inventory).nodes().size()).isZero();
  }

  // ---- Classes

  @Test
  void classesArePutReplacedAndRemoved() {
    DeviceClass gpu = DeviceClass.named("gpu", "a");
    DeviceClass other = DeviceClass.named("gpu", "b");
    DeviceInventory inventory = with(new ClassPut(gpu));
    assertThat(inventory.deviceClass("gpu")).contains(gpu);
    assertThat(inventory.apply(List.of(new ClassPut(other))).deviceClass("gpu")).contains(other);
    assertThat(
            stateOf(inventory.apply(List.of(new ClassPut(DeviceClass.named("gpu", "a")))))
                .classes())
        .isSameAs(stateOf(inventory).classes());
    assertThat(inventory.apply(List.of(new ClassRemoved("gpu"))).deviceClass("gpu")).isEmpty();
    assertThat(World.of(gpu, other).deviceClass("gpu")).contains(gpu);
  }

  // ---- Slices

  @Test
  void aSliceMovesFromPoolToPoolAndFromNodeToNode() throws Exception {
    DeviceInventory inventory =
        with(
            new NodePut(inZone("n", "a")),
            new NodePut(inZone("m", "b")),
            new SlicePut(slice("s", 1, "d0")));
    ResourceSlice moved =
        slice("s", 1).pool("q", 1, 1).nodeSelection(ON_M).devices(devices("d0")).build();
    DeviceInventory later = inventory.apply(List.of(new SlicePut(moved)));
    assertThat(poolsOf(later)).isEmpty();
    assertThat(poolsOf(later, "m", io.dra4j.common.Feature.kubernetes()))
        .containsExactly("gpu/q: d0");
    assertThat(later.nodesOf("s").orElseThrow()).containsExactly(inZone("m", "b"));
    assertThat(stateOf(later).slices().pools().size()).isEqualTo(1);
    assertThat(poolsOf(inventory)).containsExactly("gpu/p: d0");

    ResourceSlice everywhere =
        slice("s", 1).nodeSelection(zone("a")).devices(devices("d0")).build();
    DeviceInventory unbound = later.apply(List.of(new SlicePut(everywhere)));
    assertThat(poolsOf(unbound)).containsExactly("gpu/p: d0");
    assertThat(stateOf(unbound).slices().unbound().size()).isEqualTo(1);
    assertThat(unbound.nodesOf("s").orElseThrow()).containsExactly(inZone("n", "a"));
    DeviceInventory bound = unbound.apply(List.of(new SlicePut(slice("s", 1, "d0"))));
    assertThat(stateOf(bound).slices().unbound().size()).isZero();
    assertThat(poolsOf(bound)).containsExactly("gpu/p: d0");
    assertThat(stateOf(bound.apply(List.of(new SliceRemoved("s")))).slices().pools().size())
        .isZero();
  }

  @Test
  void aSliceLeavesWhereItWasWhateverMoves() throws Exception {
    ResourceSlice first = slice("s", 1, "d0");
    DeviceInventory inventory =
        with(new NodePut(Node.named("n")), new NodePut(Node.named("m")), new SlicePut(first));
    DeviceInventory otherPool =
        inventory.apply(List.of(new SlicePut(first.toBuilder().pool("q", 1, 1).build())));
    assertThat(poolsOf(otherPool)).containsExactly("gpu/q: d0");
    DeviceInventory otherDriver =
        inventory.apply(List.of(new SlicePut(first.toBuilder().driver("nic").build())));
    assertThat(poolsOf(otherDriver)).containsExactly("nic/p: d0");
    DeviceInventory otherNode =
        inventory.apply(List.of(new SlicePut(first.toBuilder().nodeSelection(ON_M).build())));
    assertThat(poolsOf(otherNode)).isEmpty();
    assertThat(poolsOf(otherNode, "m", io.dra4j.common.Feature.kubernetes()))
        .containsExactly("gpu/p: d0");
    for (DeviceInventory moved : List.of(otherPool, otherDriver, otherNode)) {
      assertThat(stateOf(moved).slices().pools().size()).isEqualTo(1);
      assertThat(moved.publishedSlices()).hasSize(1);
    }
  }

  @Test
  void aPoolIsOfNoSingleNodeAsLongAsOneOfItsSlicesIs() throws Exception {
    ResourceSlice everywhere =
        slice("t", 2).nodeSelection(zone("a")).devices(devices("d1")).build();
    DeviceInventory bound = with(new NodePut(inZone("n", "a")), new SlicePut(slice("s", 2, "d0")));
    DeviceInventory both = bound.apply(List.of(new SlicePut(everywhere)));
    assertThat(stateOf(both).slices().unbound().size()).isEqualTo(1);
    assertThat(poolsOf(both)).containsExactly("gpu/p: d0 d1");
    DeviceInventory again = both.apply(List.of(new SliceRemoved("t")));
    assertThat(stateOf(again).slices().unbound().size()).isZero();
    assertThat(poolsOf(again)).containsExactly("gpu/p incomplete");
    DeviceInventory only = both.apply(List.of(new SliceRemoved("s")));
    assertThat(stateOf(only).slices().unbound().size()).isEqualTo(1);
  }

  @Test
  void slicesOfManyPoolsAreToldInTheOrderInWhichTheyCame() {
    List<SlicePut> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String pool = "p" + (i * 7) % 40;
      events.add(new SlicePut(slice("s" + i, 1).pool(pool, 1, 1).build()));
    }
    assertThat(DeviceInventory.empty().apply(events).publishedSlices())
        .isEqualTo(events.stream().map(SlicePut::slice).toList());
  }

  @Test
  void aSliceThatMovesComesBeforeThoseThatCameLater() throws Exception {
    ResourceSlice first = slice("s", 1).pool("q", 1, 1).devices(devices("d0")).build();
    DeviceInventory inventory =
        with(
            new NodePut(Node.named("n")),
            new SlicePut(first),
            new SlicePut(slice("t", 3, "d1")),
            new SlicePut(slice("u", 3, "d2")));
    DeviceInventory moved = inventory.apply(List.of(new SlicePut(slice("s", 3, "d0"))));
    assertThat(poolsOf(moved)).containsExactly("gpu/p: d0 d1 d2");
    // The first of a pool says how many slices it has.
    DeviceInventory fewer = inventory.apply(List.of(new SlicePut(slice("s", 2, "d0"))));
    assertThat(poolsOf(fewer)).containsExactly("gpu/p incomplete");
    assertThat(moved.publishedSlices())
        .extracting(s -> s.metadata().name())
        .containsExactly("s", "t", "u");
  }

  @Test
  void aSliceThatChangesWhereItIsChangesForAllNodesThatSeeIt() throws Exception {
    DeviceInventory inventory =
        with(
            new NodePut(inZone("n", "a")),
            new NodePut(inZone("m", "b")),
            new SlicePut(slice("s", 1).nodeSelection(zone("a")).devices(devices("d0")).build()));
    assertThat(poolsOf(inventory)).containsExactly("gpu/p: d0");
    DeviceInventory more =
        inventory.apply(
            List.of(
                new SlicePut(
                    slice("s", 1).nodeSelection(zone("b")).devices(devices("d0", "d1")).build())));
    assertThat(poolsOf(more)).isEmpty();
    assertThat(poolsOf(more, "m", io.dra4j.common.Feature.kubernetes()))
        .containsExactly("gpu/p: d0 d1");
    assertThat(stateOf(more).slices().unbound().size()).isEqualTo(1);
  }

  @Test
  void aSliceKeepsItsPlaceWhenItChangesAndComesLastWhenItComesAgain() {
    ResourceSlice a = slice("a", 2, "d0");
    ResourceSlice b = slice("b", 2, "d1");
    ResourceSlice changed = slice("a", 2, "d0", "d2");
    DeviceInventory inventory = with(new SlicePut(a), new SlicePut(b));
    assertThat(inventory.publishedSlices()).containsExactly(a, b);
    assertThat(inventory.apply(List.of(new SlicePut(changed))).publishedSlices())
        .containsExactly(changed, b);
    assertThat(inventory.apply(List.of(new SliceRemoved("a"), new SlicePut(a))).publishedSlices())
        .containsExactly(b, a);
    assertThat(inventory.apply(List.of(new SliceRemoved("gone"))).publishedSlices())
        .containsExactly(a, b);
  }

  @Test
  void theSameSliceAgainChangesNothing() {
    ResourceSlice a = slice("a", 1, "d0");
    DeviceInventory inventory = with(new SlicePut(a));
    assertThat(stateOf(inventory.apply(List.of(new SlicePut(a)))).slices().byName())
        .isSameAs(stateOf(inventory).slices().byName());
  }

  @Test
  void publishedAreTheSlicesOfTheNewestGenerationOfEachPool() {
    ResourceSlice old = slice("a", 1, "d0");
    ResourceSlice newer = slice("b", 1).pool("p", 2, 1).build();
    ResourceSlice other = slice("c", 1).pool("q", 1, 1).build();
    assertThat(with(new SlicePut(newer), new SlicePut(old), new SlicePut(other)).publishedSlices())
        .containsExactly(newer, other);
  }

  @Test
  void slicesOfOneNameInASnapshotAllCountAndAreReplacedTogether() throws Exception {
    ResourceSlice first = slice("same", 2, "d0");
    ResourceSlice second = slice("same", 2, "d1");
    DeviceInventory both = World.of(Node.named("n"), first, second);
    assertThat(both.publishedSlices()).containsExactly(first, second);
    assertThat(poolsOf(both)).containsExactly("gpu/p: d0 d1");
    DeviceInventory one = both.apply(List.of(new SlicePut(slice("same", 1, "d2"))));
    assertThat(poolsOf(one)).containsExactly("gpu/p: d2");
    assertThat(both.apply(List.of(new SlicePut(second))).publishedSlices()).containsExactly(second);
    assertThat(poolsOf(both.apply(List.of(new SliceRemoved("same"))))).isEmpty();
  }

  // ---- Taint rules

  private static DeviceTaintRule rule(
      String name, @Nullable String driver, @Nullable String pool, @Nullable String device) {
    return new DeviceTaintRule(
        ObjectMeta.named(name),
        new DeviceTaintSelector(driver, pool, device),
        DeviceTaint.of(name, "", TaintEffect.NO_SCHEDULE));
  }

  /** Each device with the keys of its taints. */
  private static List<String> taints(DeviceInventory inventory) {
    return inventory.publishedSlices().stream()
        .flatMap(slice -> slice.devices().stream())
        .map(device -> device.name() + device.taints().stream().map(DeviceTaint::key).toList())
        .toList();
  }

  @Test
  void aRuleTaintsTheDevicesThatItsSelectorSelects() {
    DeviceTaint own = DeviceTaint.of("own", "", TaintEffect.NO_EXECUTE);
    DeviceInventory inventory =
        with(
            new SlicePut(
                slice("s", 1)
                    .device(Device.named("d0").taint(own).build())
                    .device(Device.named("d1").build())
                    .build()),
            new SlicePut(
                ResourceSlice.named("t", "nic")
                    .pool("p", 1, 1)
                    .nodeSelection(NodeSelection.ALL_NODES)
                    .devices(devices("d0"))
                    .build()));
    assertThat(taints(inventory.apply(List.of(new TaintRulePut(rule("r", null, null, null))))))
        .containsExactly("d0[own, r]", "d1[r]", "d0[r]");
    assertThat(taints(inventory.apply(List.of(new TaintRulePut(rule("r", "gpu", null, null))))))
        .containsExactly("d0[own, r]", "d1[r]", "d0[]");
    assertThat(taints(inventory.apply(List.of(new TaintRulePut(rule("r", null, "q", null))))))
        .containsExactly("d0[own]", "d1[]", "d0[]");
    DeviceInventory one = inventory.apply(List.of(new TaintRulePut(rule("r", "gpu", "p", "d1"))));
    assertThat(taints(one)).containsExactly("d0[own]", "d1[r]", "d0[]");
    assertThat(taints(one.apply(List.of(new TaintRulePut(rule("r", null, null, "d0"))))))
        .containsExactly("d0[own, r]", "d1[]", "d0[r]");
    assertThat(taints(one.apply(List.of(new TaintRuleRemoved("r")))))
        .containsExactly("d0[own]", "d1[]", "d0[]");
    assertThat(stateOf(one.apply(List.of(new TaintRuleRemoved("gone")))).rules())
        .isSameAs(stateOf(one).rules());
    DeviceTaintRule nobody =
        new DeviceTaintRule(
            ObjectMeta.named("r"), null, DeviceTaint.of("r", "", TaintEffect.NO_SCHEDULE));
    assertThat(taints(one.apply(List.of(new TaintRulePut(nobody)))))
        .containsExactly("d0[own]", "d1[]", "d0[]");
  }

  @Test
  void theTaintsOfSeveralRulesComeInTheOrderOfTheRulesWhateverTheyName() {
    DeviceTaint own = DeviceTaint.of("own", "", TaintEffect.NO_EXECUTE);
    ResourceSlice slice =
        slice("s", 1)
            .device(Device.named("d0").taint(own).build())
            .device(Device.named("d1").build())
            .build();
    List<DeviceTaintRule> rules =
        List.of(
            rule("a", null, null, "d1"),
            rule("b", "gpu", "p", null),
            rule("c", null, null, null),
            rule("d", "gpu", null, "d0"),
            rule("e", null, "p", null),
            rule("f", "gpu", null, null),
            rule("g", null, null, "d1"),
            rule("h", "nic", null, null));
    List<KubernetesObject> objects = new ArrayList<>(rules);
    objects.add(slice);
    List<String> tainted = List.of("d0[own, b, c, d, e, f]", "d1[a, b, c, e, f, g]");
    assertThat(taints(DeviceInventory.of(ClusterSnapshot.of(objects)))).isEqualTo(tainted);
    DeviceInventory inventory = with(new SlicePut(slice));
    for (DeviceTaintRule rule : rules) {
      inventory = inventory.apply(List.of(new TaintRulePut(rule)));
    }
    assertThat(taints(inventory)).isEqualTo(tainted);
  }

  /** Each device with each rule would take minutes. */
  @Test
  void aHundredThousandRulesAreNotAskedAboutEachDevice() {
    int many = 100_000;
    List<KubernetesObject> objects = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      objects.add(rule("r" + i, i % 2 == 0 ? "gpu" : null, null, "x" + i));
      objects.add(rule("p" + i, null, "q" + i, null));
    }
    List<Device> devices =
        IntStream.range(0, many).mapToObj(i -> Device.named("d" + i).build()).toList();
    objects.add(rule("one", "gpu", "p", "d7"));
    objects.add(slice("s", 1).devices(devices).build());
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
    assertThat(taints(inventory)).contains("d6[]", "d7[one]", "d8[]").hasSize(many);
  }

  /** A list of its own for each device would take memory for each device with each rule. */
  @Test
  void devicesShareTheTaintsOfRulesThatNameNone() {
    int many = 5_000;
    List<KubernetesObject> objects = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      objects.add(rule("r" + i, null, null, null));
    }
    List<Device> devices =
        IntStream.range(0, many).mapToObj(i -> Device.named("d" + i).build()).toList();
    objects.add(slice("s", 1).devices(devices).build());
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
    List<Device> tainted = inventory.publishedSlices().get(0).devices();
    assertThat(tainted.get(0).taints()).hasSize(many);
    assertThat(tainted).allMatch(device -> device.taints() == tainted.get(0).taints());
  }

  @Test
  void aRuleTaintsSlicesThatComeLaterAndNodesSeeIt() throws Exception {
    DeviceInventory inventory =
        with(new NodePut(Node.named("n")), new TaintRulePut(rule("r", "gpu", null, null)))
            .apply(List.of(new SlicePut(slice("s", 1, "d0"))));
    assertThat(taints(inventory)).containsExactly("d0[r]");
    assertThat(World.view(inventory).candidate(0).device().taints()).hasSize(1);
    DeviceInventory without = inventory.apply(List.of(new TaintRuleRemoved("r")));
    assertThat(World.view(without).candidate(0).device().taints()).isEmpty();
  }

  @Test
  void aRuleAboutOneOfTwoSlicesOfANameLeavesTheOther() throws Exception {
    DeviceInventory both =
        World.of(Node.named("n"), slice("same", 2, "d0"), slice("same", 2, "d1"));
    for (String device : List.of("d0", "d1")) {
      DeviceInventory tainted =
          both.apply(List.of(new TaintRulePut(rule("r", "gpu", null, device))));
      assertThat(taints(tainted))
          .containsExactly(
              device.equals("d0") ? "d0[r]" : "d0[]", device.equals("d1") ? "d1[r]" : "d1[]");
      DeviceInventory none = tainted.apply(List.of(new SliceRemoved("same")));
      assertThat(none.publishedSlices()).isEmpty();
      assertThat(poolsOf(none)).isEmpty();
    }
  }

  @Test
  void whatARuleDoesNotConcernIsKept() throws Exception {
    DeviceInventory inventory =
        with(new NodePut(Node.named("n")), new SlicePut(slice("s", 1, "d0")));
    NodeView view = World.view(inventory);
    DeviceInventory other =
        inventory.apply(List.of(new TaintRulePut(rule("r", "nic", null, null))));
    assertThat(World.view(other)).isSameAs(view);
    DeviceInventory none =
        inventory.apply(List.of(new TaintRulePut(rule("r", "gpu", null, "gone"))));
    assertThat(World.view(none)).isSameAs(view);
  }

  @Test
  void aRuleThatIsPutBesideOtherThingsIsKept() {
    DeviceInventory inventory = with(new SlicePut(slice("s", 2, "d0")));
    List<InventoryEvent> events =
        List.of(
            new TaintRulePut(rule("a", null, null, null)),
            new SlicePut(slice("t", 2, "d1")),
            new TaintRulePut(rule("b", "gpu", null, "d1")),
            new NodePut(Node.named("n")));
    assertThat(taints(inventory.apply(events))).containsExactly("d0[a]", "d1[a, b]");
    List<InventoryEvent> more = new ArrayList<>(events);
    more.add(new TaintRuleRemoved("a"));
    more.add(new SliceRemoved("s"));
    assertThat(taints(inventory.apply(more))).containsExactly("d1[b]");
  }
}
