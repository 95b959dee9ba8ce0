package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.drawing;
import static io.dra4j.inventory.internal.World.holding;
import static io.dra4j.inventory.internal.World.set;
import static io.dra4j.inventory.internal.World.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Every loop of putting a view together looks at the budget: at least once in 128 rounds, however
 * the rounds are shared out.
 */
class ViewBudgetTest {

  private static final int MANY = 5_100;
  private static final int LOOKS = MANY / 128;

  private static int looks(DeviceInventory inventory) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    stateOf(inventory)
        .view(
            "n",
            Feature.kubernetes(),
            Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    return looks.get();
  }

  private static int looks(KubernetesObject... objects) throws Exception {
    return looks(World.of(objects).apply(List.of(new InventoryEvent.NodePut(Node.named("n")))));
  }

  private static List<Device> devices(int count) {
    return IntStream.range(0, count).mapToObj(i -> Device.named("d" + i).build()).toList();
  }

  @Test
  void slicesAndPoolsThatAreSorted() throws Exception {
    List<KubernetesObject> ofOnePool = new ArrayList<>();
    List<KubernetesObject> pools = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      int mixed = i * 2_654_435 % MANY;
      ofOnePool.add(slice("s" + mixed + "-" + i, MANY).build());
      pools.add(slice("s" + i, 1).pool("p" + mixed + "-" + i, 1, 1).build());
    }
    int compared = 5 * LOOKS; // a sort compares each more often
    assertThat(looks(ofOnePool.toArray(new KubernetesObject[0]))).isGreaterThan(compared);
    assertThat(looks(pools.toArray(new KubernetesObject[0]))).isGreaterThan(compared);
  }

  @Test
  void slicesThatAreLookedThroughAndPoolsThatAreCounted() throws Exception {
    KubernetesObject[] elsewhere =
        IntStream.range(0, MANY)
            .mapToObj(
                i ->
                    slice("s" + i, 1).pool("p" + i, 1, 1).nodeSelection(World.zone("none")).build())
            .toArray(KubernetesObject[]::new);
    assertThat(looks(elsewhere)).isGreaterThan(3 * LOOKS); // the slice, its term, its value

    // Counting them is one look, however many there are.
    List<KubernetesObject> ofOtherNodes = new ArrayList<>();
    ofOtherNodes.add(slice("here", MANY + 1L).build());
    for (int i = 0; i < MANY; i++) {
      ofOtherNodes.add(slice("s" + i, MANY + 1L).nodeSelection(ON_M).build());
    }
    assertThat(looks(ofOtherNodes.toArray(new KubernetesObject[0]))).isPositive();
  }

  @Test
  void devicesOfThePool() throws Exception {
    assertThat(looks(slice("s", 1).devices(devices(MANY)).build())).isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void devicesThatSayThemselvesForWhichNodesTheyAre() throws Exception {
    Device elsewhere = Device.named("d").nodeSelection(ON_M).build();
    ResourceSlice slice =
        slice("s", 1)
            .nodeSelection(NodeSelection.NONE)
            .perDeviceNodeSelection(true)
            .devices(IntStream.range(0, MANY).mapToObj(i -> elsewhere).toList())
            .build();
    assertThat(looks(slice)).isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void labelsOfANodeSelectorAndTheirValues() throws Exception {
    NodeSelectorRequirement[] requirements = new NodeSelectorRequirement[MANY];
    Arrays.setAll(
        requirements,
        i -> new NodeSelectorRequirement("l" + i, NodeSelectorOperator.DOES_NOT_EXIST, List.of()));
    assertThat(looks(slice("s", 1).nodeSelection(World.labels(requirements)).build()))
        .isGreaterThanOrEqualTo(2 * LOOKS); // checked and compared
    List<String> values = IntStream.range(0, MANY).mapToObj(i -> "v" + i).toList();
    NodeSelection among =
        World.labels(new NodeSelectorRequirement("l", NodeSelectorOperator.NOT_IN, values));
    assertThat(looks(slice("s", 1).nodeSelection(among).build())).isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void termsOfANodeSelectorAndTheirFields() throws Exception {
    NodeSelectorRequirement absent =
        new NodeSelectorRequirement("l", NodeSelectorOperator.EXISTS, List.of());
    NodeSelectorTerm[] terms = new NodeSelectorTerm[MANY];
    Arrays.fill(terms, new NodeSelectorTerm(List.of(absent), List.of()));
    NodeSelection ofTerms = NodeSelection.of(new NodeSelector(List.of(terms)));
    assertThat(looks(slice("s", 1).nodeSelection(ofTerms).build()))
        .isGreaterThanOrEqualTo(4 * LOOKS); // each term and its label, checked and compared

    NodeSelectorRequirement[] fields = new NodeSelectorRequirement[MANY];
    Arrays.fill(
        fields,
        new NodeSelectorRequirement(
            NodeSelector.NAME_FIELD, NodeSelectorOperator.IN, List.of("n")));
    NodeSelection ofFields =
        NodeSelection.of(
            new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of(fields)))));
    assertThat(looks(slice("s", 1).nodeSelection(ofFields).build())).isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void countersAndTheDevicesThatDrawFromThem() throws Exception {
    CounterSet[] sets = new CounterSet[MANY];
    Arrays.setAll(sets, i -> set("s" + i, "x"));
    ResourceSlice many = slice("c", 2).sharedCounters(List.of(sets)).build();
    assertThat(looks(many, slice("d", 2).build())).isGreaterThanOrEqualTo(LOOKS);

    ResourceSlice one = slice("c", 2).counterSet(set("s", "x")).build();
    List<Device> drawing =
        IntStream.range(0, MANY).mapToObj(i -> drawing("d" + i, "s", "x")).toList();
    // Names, devices, counters.
    assertThat(looks(one, slice("d", 2).devices(drawing).build()))
        .isGreaterThanOrEqualTo(3 * LOOKS);

    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, MANY).forEach(i -> counters.put("c" + i, Quantity.of(1)));
    Device wide =
        Device.named("d")
            .consumesCounters(new DeviceCounterConsumption("s", counters, List.of()))
            .build();
    ResourceSlice wideCounters = slice("c", 2).counterSet(new CounterSet("s", counters)).build();
    assertThat(looks(wideCounters, slice("d", 2).device(wide).build()))
        .isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void whatIsHeld() throws Exception {
    ResourceSlice slice = slice("s", 1).devices(devices(MANY)).build();
    DeviceInventory inventory = World.of(Node.named("n"), slice);
    looks(inventory); // puts the pools together
    DeviceInventory held = inventory.apply(List.of(new ClaimPut(holding("c", "d0"))));
    assertThat(looks(held)).isGreaterThanOrEqualTo(LOOKS);

    // What many shares have consumed is known; each capacity is looked at.
    Device.Builder shared = Device.named("s").allowMultipleAllocations();
    AllocationResult.Builder shares = AllocationResult.builder();
    for (int i = 0; i < MANY; i++) {
      shared.capacity("c" + i, "1");
      shares.result(World.result("s").shareId("" + i).build());
    }
    ResourceClaim claim = ResourceClaim.named("c").allocation(shares.build()).build();
    DeviceInventory one = World.of(Node.named("n"), slice("s", 1).device(shared.build()).build());
    looks(one);
    assertThat(looks(one.apply(List.of(new ClaimPut(claim))))).isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void heldDevicesOfOtherNodesThatDraw() throws Exception {
    ResourceSlice counters = slice("c", 3).counterSet(set("s", "x")).build();
    ResourceSlice here = slice("d", 3).device(drawing("d", "s", "x")).build();
    ResourceSlice there = slice("e", 3).nodeSelection(ON_M).devices(devices(MANY)).build();
    DeviceInventory inventory = World.of(Node.named("n"), counters, here, there);
    looks(inventory);
    assertThat(looks(inventory.apply(List.of(new ClaimPut(holding("c", "d"))))))
        .isGreaterThanOrEqualTo(1);
  }

  @Test
  void aViewThatWasInterruptedIsMadeAgain() throws Exception {
    DeviceInventory inventory =
        World.of(Node.named("n"), slice("s", 1).devices(devices(MANY)).build());
    assertThatThrownBy(
            () ->
                stateOf(inventory)
                    .view("n", Feature.kubernetes(), Budget.unlimited().orUntil(() -> true)))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(World.view(inventory).size()).isEqualTo(MANY);
  }
}
