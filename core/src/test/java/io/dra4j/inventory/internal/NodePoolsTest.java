package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.ON_N;
import static io.dra4j.inventory.internal.World.devices;
import static io.dra4j.inventory.internal.World.inZone;
import static io.dra4j.inventory.internal.World.labels;
import static io.dra4j.inventory.internal.World.poolsOf;
import static io.dra4j.inventory.internal.World.slice;
import static io.dra4j.inventory.internal.World.zone;
import static io.dra4j.model.Features.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.NodePut;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.inventory.InventoryEvent.SliceRemoved;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.model.Device;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which slices are about a node, and in which order it tries their pools. */
class NodePoolsTest {

  private static ResourceSlice pool(String driver, String pool, NodeSelection about) {
    return ResourceSlice.named(driver + "-" + pool, driver)
        .pool(pool, 1, 1)
        .nodeSelection(about)
        .device(Device.named(driver + pool).build())
        .build();
  }

  private static final NodeSelection BROKEN =
      labels(new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of()));

  @Test
  void aSliceIsAboutTheNodesThatItSelects() throws Exception {
    DeviceInventory inventory =
        World.of(
            inZone("n", "a"),
            inZone("m", "b"),
            pool("d", "all", NodeSelection.ALL_NODES),
            pool("d", "m", ON_M),
            pool("d", "n", ON_N),
            pool("d", "zone-a", zone("a")),
            pool("d", "zone-b", zone("b")),
            pool("d", "unknown", NodeSelection.NONE));
    assertThat(poolsOf(inventory)).containsExactly("d/all: dall", "d/n: dn", "d/zone-a: dzone-a");
    assertThat(poolsOf(inventory, "m", Feature.kubernetes()))
        .containsExactly("d/all: dall", "d/m: dm", "d/zone-b: dzone-b");
    assertThat(
            stateOf(inventory)
                .view("gone", Feature.kubernetes(), io.dra4j.common.Budget.unlimited()))
        .isNull();
  }

  @Test
  void devicesMaySayItOneByOne() throws Exception {
    ResourceSlice.Builder some =
        slice("s", 1).nodeSelection(NodeSelection.NONE).perDeviceNodeSelection(true);
    Device here = Device.named("here").nodeSelection(ON_N).build();
    Device there = Device.named("there").nodeSelection(ON_M).build();
    DeviceInventory inventory =
        World.of(Node.named("n"), Node.named("m"), some.device(there).device(here).build());
    NodeView view = World.view(inventory);
    assertThat(poolsOf(inventory)).containsExactly("gpu/p: there here");
    assertThat(view.reaches(World.candidate(view, "here"), io.dra4j.common.Budget.unlimited()))
        .isTrue();
    assertThat(view.reaches(World.candidate(view, "there"), io.dra4j.common.Budget.unlimited()))
        .isFalse();
    assertThat(inventory.devicesOf("n").orElseThrow().list())
        .extracting(device -> device.id().device())
        .containsExactly("here");
    ResourceSlice elsewhere =
        slice("s", 1)
            .nodeSelection(NodeSelection.NONE)
            .perDeviceNodeSelection(true)
            .device(there)
            .build();
    assertThat(poolsOf(World.of(Node.named("n"), elsewhere))).isEmpty();
    ResourceSlice not =
        elsewhere.toBuilder().perDeviceNodeSelection(false).devices(List.of(here)).build();
    assertThat(poolsOf(World.of(Node.named("n"), not))).isEmpty();
  }

  @Test
  void poolsAreTriedByDriverAndNameThoseWithBindingConditionsLast() throws Exception {
    Device binding = Device.named("x").bindingConditions(List.of("ready"), List.of()).build();
    DeviceInventory inventory =
        World.of(
            Node.named("n"),
            pool("b", "q", ON_N),
            pool("b", "p", NodeSelection.ALL_NODES),
            pool("a", "z", ON_N).toBuilder().devices(List.of(binding)).build(),
            pool("a", "y", ON_N).toBuilder().device(binding).build(),
            pool("c", "p", ON_N));
    assertThat(poolsOf(inventory))
        .containsExactly("b/p: bp", "b/q: bq", "c/p: cp", "a/y: ay x", "a/z: x");
  }

  @Test
  void aSelectorThatCannotBeParsedIsAFaultOfTheNodeTheEarlierSliceFirst() throws Exception {
    ResourceSlice first = pool("d", "first", BROKEN);
    ResourceSlice second = pool("a", "second", BROKEN);
    DeviceInventory inventory = World.of(Node.named("n"), pool("d", "good", ON_N), first, second);
    assertThatThrownBy(() -> poolsOf(inventory))
        .isInstanceOf(NodeSelectorException.class)
        .hasMessage(
            "ResourceSlice d-first: failed to parse node selector:"
                + " nodeSelectorTerms[0].matchExpressions[0].values: must not be empty for In");
    assertThatThrownBy(() -> inventory.nodesOf("a-second"))
        .isInstanceOf(NodeSelectorException.class)
        .hasMessageStartingWith("ResourceSlice a-second: ");
    assertThat(inventory.devicesOf("n").orElseThrow().size()).isEqualTo(1);
    DeviceInventory mended =
        inventory.apply(List.of(new SliceRemoved("d-first"), new SliceRemoved("a-second")));
    assertThat(poolsOf(mended)).containsExactly("d/good: dgood");
  }

  @Test
  void devicesThatCannotBeUnderstoodAreNotTheNodes() throws Exception {
    ResourceSlice slice =
        slice("s", 1)
            .nodeSelection(NodeSelection.NONE)
            .perDeviceNodeSelection(true)
            .device(Device.named("here").nodeSelection(ON_N).build())
            .device(Device.named("broken").nodeSelection(BROKEN).build())
            .build();
    DeviceInventory inventory = World.of(Node.named("n"), slice);
    assertThat(inventory.devicesOf("n").orElseThrow().list())
        .extracting(device -> device.id().device())
        .containsExactly("here");
  }

  @Test
  void whatDoesNotChangeForANodeIsKeptAndWhatDoesIsNot() throws Exception {
    DeviceInventory inventory =
        World.of(
            inZone("n", "a"),
            inZone("m", "b"),
            pool("d", "n", ON_N),
            pool("d", "m", ON_M),
            pool("d", "zone", zone("a")));
    NodeView view = World.view(inventory);
    assertThat(World.view(inventory)).isSameAs(view);
    assertThat(World.view(inventory, "n", without(Feature.DEVICE_TAINTS))).isNotSameAs(view);
    view = World.view(inventory);

    DeviceInventory other = inventory.apply(List.of(new SlicePut(pool("d", "new-m", ON_M))));
    assertThat(World.view(other)).isSameAs(view);
    assertThat(poolsOf(other.apply(List.of(new SlicePut(pool("d", "new-n", ON_N))))))
        .containsExactly("d/n: dn", "d/new-n: dnew-n", "d/zone: dzone");
    assertThat(poolsOf(other.apply(List.of(new SlicePut(pool("d", "more", zone("a")))))))
        .containsExactly("d/more: dmore", "d/n: dn", "d/zone: dzone");
    assertThat(poolsOf(other.apply(List.of(new SliceRemoved("d-zone")))))
        .containsExactly("d/n: dn");
    ResourceSlice changed = pool("d", "n", ON_N).toBuilder().devices(devices("other")).build();
    assertThat(poolsOf(other.apply(List.of(new SlicePut(changed)))))
        .containsExactly("d/n: other", "d/zone: dzone");
    assertThat(poolsOf(other.apply(List.of(new NodePut(inZone("n", "b"))))))
        .containsExactly("d/n: dn");
    assertThat(poolsOf(inventory)).containsExactly("d/n: dn", "d/zone: dzone");
  }

  @Test
  void viewsAreForgottenWhereASliceOfNoNodeChangesThemAll() throws Exception {
    DeviceInventory inventory =
        World.of(inZone("n", "a"), inZone("m", "b"), pool("d", "zone", zone("a")));
    poolsOf(inventory);
    poolsOf(inventory, "m", Feature.kubernetes());
    assertThat(stateOf(inventory).caches().views.parts()).isEqualTo(2);
    inventory.apply(List.of(new SlicePut(pool("d", "n", ON_N))));
    assertThat(stateOf(inventory).caches().views.parts()).isEqualTo(2);
    inventory.apply(List.of(new SlicePut(pool("d", "more", zone("b")))));
    assertThat(stateOf(inventory).caches().views.parts()).isZero();
    assertThat(stateOf(inventory).caches().views.bytes()).isZero();
  }

  @Test
  void aSliceOfAPoolForAnotherNodeCanCompleteThePool() throws Exception {
    DeviceInventory half = World.of(Node.named("n"), Node.named("m"), slice("a", 2, "d0"));
    assertThat(poolsOf(half)).containsExactly("gpu/p incomplete");
    ResourceSlice elsewhere = slice("b", 2).nodeSelection(ON_M).devices(devices("d1")).build();
    DeviceInventory whole = half.apply(List.of(new SlicePut(elsewhere)));
    assertThat(poolsOf(whole)).containsExactly("gpu/p: d0");
    assertThat(poolsOf(whole.apply(List.of(new SliceRemoved("b")))))
        .containsExactly("gpu/p incomplete");
  }
}
