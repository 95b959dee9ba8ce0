package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.internal.explain.Diagnosis;
import io.dra4j.allocation.internal.explain.NodeExplanation;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.search.AllocationResultBuilder;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.CachedSelector;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceClassConfiguration;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.TolerationOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Every loop whose length comes from outside looks at the budget: counted in looks, of which there
 * is one for 128 rounds at least.
 */
class BudgetReachTest {

  private static final int MANY = 5_100;
  private static final int LOOKS = MANY / 128;

  /** As a manifest may say it; builders refuse less than 1. */
  private static final ExactDeviceRequest NO_DEVICE =
      new ExactDeviceRequest(
          "any", List.of(), AllocationMode.EXACT_COUNT, 0, null, List.of(), null, List.of());

  private static ResourceClaim claim(long count) {
    return ResourceClaim.named("c")
        .request("r", request -> request.deviceClass("any").count(count))
        .build();
  }

  private static int looks(Cluster cluster, ResourceClaim... claims) {
    return looks(Compatibility.REFERENCE, cluster, claims);
  }

  private static int looks(Compatibility compatibility, Cluster cluster, ResourceClaim... claims) {
    AtomicInteger looks = new AtomicInteger();
    Budget counted = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    AllocationOutcome outcome =
        Allocator.builder()
            .selectors(cluster.words)
            .compatibility(compatibility)
            .timeout(Duration.ofMinutes(5)) // looks are counted, not seconds
            .build()
            .allocate(cluster.inventory(), "n", List.of(claims), counted);
    assertThat(outcome).isNotInstanceOf(Undecided.class);
    return looks.get();
  }

  private static ResourceSlice slice(
      String name, NodeSelection selection, List<Device> devices, List<CounterSet> counters) {
    return new ResourceSlice(
        ObjectMeta.named(name),
        "gpu",
        new ResourcePool("p", 1, counters.isEmpty() ? 1 : 2),
        selection,
        null,
        devices,
        counters,
        null,
        List.of());
  }

  @Test
  void slicesAndTheirDevices() {
    KubernetesObject[] slices =
        IntStream.range(0, MANY)
            .mapToObj(i -> ResourceSlice.onNode("s" + i, "driver" + i, "n", List.of()))
            .toArray(KubernetesObject[]::new);
    assertThat(looks(Cluster.of(slices))).isGreaterThan(LOOKS);
    assertThat(looks(Cluster.withDevices(MANY))).isGreaterThan(2 * LOOKS);
  }

  @Test
  void nodeSelectors() {
    List<String> values = IntStream.range(0, MANY).mapToObj(i -> "v" + i).toList();
    NodeSelector selector =
        new NodeSelector(
            List.of(
                new NodeSelectorTerm(
                    List.of(
                        new NodeSelectorRequirement("label", NodeSelectorOperator.NOT_IN, values)),
                    List.of())));
    Cluster cluster =
        Cluster.of(
            slice("s", NodeSelection.of(selector), List.of(Device.named("d").build()), List.of()));
    assertThat(looks(cluster)).isGreaterThan(LOOKS);
  }

  @Test
  void claimsRequestsAndAlternatives() {
    Cluster cluster = Cluster.withDevices(0);
    ResourceClaim[] claims =
        IntStream.range(0, MANY)
            .mapToObj(i -> ResourceClaim.named("c" + i).build())
            .toArray(ResourceClaim[]::new);
    // One unit where it is checked, one where it is planned, and a step.
    assertThat(looks(cluster, claims)).isGreaterThanOrEqualTo(10 * LOOKS);
    ResourceClaim.Builder requests = ResourceClaim.named("c");
    for (int i = 0; i < MANY; i++) {
      requests.request(DeviceRequest.exactly("r" + i, NO_DEVICE));
    }
    // One unit where it is planned, a step, and one where results are put together.
    assertThat(looks(cluster, requests.build())).isGreaterThanOrEqualTo(10 * LOOKS);
    // Two units where it is planned, and one where its devices are counted: there are none.
    assertThat(looks(cluster, alternatives(ExactDeviceRequest.ofClass("any"))))
        .isGreaterThanOrEqualTo(3 * LOOKS);
  }

  private static ResourceClaim alternatives(ExactDeviceRequest.Builder each) {
    List<DeviceSubRequest> alternatives =
        IntStream.range(0, MANY)
            .mapToObj(i -> new DeviceSubRequest("a" + i, each.build()))
            .toList();
    return ResourceClaim.named("c")
        .request(DeviceRequest.firstAvailable("r", alternatives))
        .build();
  }

  @Test
  void allDevicesAndOneStepOverThem() {
    Cluster cluster = Cluster.withDevices(MANY);
    int alone = looks(cluster);
    ResourceClaim all =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("nic").all()).build();
    ResourceClaim step = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    assertThat(looks(cluster, all) - alone).isGreaterThan(2 * LOOKS);
    assertThat(looks(cluster, step) - alone).isGreaterThan(2 * LOOKS);
  }

  @Test
  void taintsAndTolerations() {
    Device.Builder tainted = Device.named("d");
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 200; i++) {
      tainted.taint(new DeviceTaint("key", "v" + i, TaintEffect.NO_SCHEDULE, null));
    }
    claim.request(
        "r",
        request -> {
          request.deviceClass("any");
          for (int i = 0; i < 200; i++) {
            request.toleration(
                new DeviceToleration(
                    "key", TolerationOperator.EQUAL, "v" + i, TaintEffect.UNSET, null));
          }
        });
    assertThat(looks(Cluster.withDevices(tainted.build()), claim.build()))
        .isGreaterThan(200 * 200 / 2 / 128);
  }

  @Test
  void constraints() {
    ResourceClaim.Builder claim =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("any"));
    for (int i = 0; i < MANY; i++) {
      claim.constraint(DeviceConstraint.matchAttribute("gpu/r"));
    }
    Cluster cluster = Cluster.withDevices(Device.named("d").attribute("gpu/r", "1").build());
    assertThat(looks(cluster, claim.build())).isGreaterThan(2 * LOOKS);
  }

  @Test
  void constraintsOfEachAlternative() {
    int alternatives = 20;
    List<DeviceSubRequest> each =
        IntStream.range(0, alternatives)
            .mapToObj(i -> new DeviceSubRequest("a" + i, ExactDeviceRequest.ofClass("any").build()))
            .toList();
    ResourceClaim.Builder claim =
        ResourceClaim.named("c")
            .request("one", request -> request.deviceClass("any"))
            .request(DeviceRequest.firstAvailable("other", each));
    for (int i = 0; i < MANY; i++) {
      claim.constraint(DeviceConstraint.matchAttribute("gpu/r" + i, "other"));
    }
    Cluster cluster = Cluster.withDevices(Device.named("d").attribute("gpu/r", "1").build());
    // Half of them: bounds get 50 ms, which is not enough on a busy machine.
    assertThat(looks(cluster, claim.build())).isGreaterThan(alternatives / 2 * LOOKS);
  }

  @Test
  void counters() {
    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, MANY).forEach(i -> counters.put("c" + i, Quantity.of(1)));
    Device draws =
        Device.named("d")
            .consumesCounters(new DeviceCounterConsumption("set", counters, List.of()))
            .build();
    Cluster cluster =
        Cluster.of(
            slice(
                "c", NodeSelection.ALL_NODES, List.of(), List.of(new CounterSet("set", counters))),
            new ResourceSlice(
                ObjectMeta.named("d"),
                "gpu",
                new ResourcePool("p", 1, 2),
                NodeSelection.ALL_NODES,
                null,
                List.of(draws),
                List.of(),
                null,
                List.of()));
    int alone = looks(cluster);
    assertThat(alone).isGreaterThan(LOOKS);
    assertThat(looks(cluster, claim(1)) - alone).isGreaterThan(3 * LOOKS);
  }

  @Test
  void capacitiesAndTheirValues() {
    List<Quantity> values = IntStream.range(0, MANY).mapToObj(Quantity::of).toList();
    Device device =
        Device.named("d")
            .capacity(
                "bw",
                new DeviceCapacity(
                    Quantity.of(MANY), new CapacityRequestPolicy(null, values, null)))
            .allowMultipleAllocations()
            .build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").capacity("bw", "" + (MANY - 1)))
            .build();
    assertThat(looks(Cluster.withDevices(device), claim)).isGreaterThan(LOOKS);
  }

  @Test
  void selectorsOfARequest() {
    ExactDeviceRequest.Builder request = ExactDeviceRequest.ofClass("any");
    for (int i = 0; i < MANY; i++) {
      request.selector("any");
    }
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.exactly("r", request.build())).build();
    assertThat(looks(Cluster.withDevices(0), claim)).isGreaterThanOrEqualTo(LOOKS);
    // Each is compiled once, which takes longer than a unit: looks before, behind, and where it is
    // evaluated.
    assertThat(looks(Cluster.withDevices(1), claim)).isGreaterThanOrEqualTo(3 * MANY + 2 * LOOKS);
  }

  @Test
  void allocatedDevicesThatDrawFromTheSameCounters() {
    Map<String, Quantity> one = Map.of("x", Quantity.of(1));
    CounterSet set = new CounterSet("set", Map.of("x", Quantity.of(2 * MANY)));
    String[] names = IntStream.range(0, MANY).mapToObj(i -> "d" + i).toArray(String[]::new);
    List<Device> held = new ArrayList<>();
    for (String name : names) {
      held.add(drawing(name, one));
    }
    int[] looks = new int[2];
    Device[] last = {Device.named("last").build(), drawing("last", one)};
    for (int i = 0; i < 2; i++) {
      List<Device> devices = new ArrayList<>(held);
      devices.add(last[i]);
      Cluster cluster =
          Cluster.partitioned(Cluster.counters(set), devices.toArray(new Device[0]))
              .add(Cluster.holding("h", names));
      looks[i] = looks(cluster, claim(1));
    }
    // Each device and its draw for the counters, and the device for the compatibility groups.
    assertThat(looks[1] - looks[0]).isGreaterThanOrEqualTo(3 * LOOKS);
  }

  private static Device drawing(String name, Map<String, Quantity> counters) {
    return Device.named(name)
        .consumesCounters(new DeviceCounterConsumption("set", counters, List.of()))
        .build();
  }

  @Test
  void countersThatADeviceDrawsFromWhereStrict() {
    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, MANY).forEach(i -> counters.put("c" + i, Quantity.of(1)));
    Cluster cluster =
        Cluster.partitioned(
            Cluster.counters(new CounterSet("set", counters)), drawing("d", counters));
    int alone = looks(Compatibility.STRICT, cluster);
    assertThat(looks(Compatibility.STRICT, cluster, claim(1)) - alone)
        .isGreaterThanOrEqualTo(3 * LOOKS);
  }

  @Test
  void amountsThatARequestNames() {
    Device.Builder device = Device.named("d");
    ExactDeviceRequest.Builder request = ExactDeviceRequest.ofClass("any");
    for (int i = 0; i < MANY; i++) {
      device.capacity("c" + i, "1");
      request.capacity("c" + i, "1");
    }
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.exactly("r", request.build())).build();
    assertThat(looks(Cluster.withDevices(device.build()), claim)).isGreaterThanOrEqualTo(2 * LOOKS);
  }

  @Test
  void configurationsOfClassesAndClaims() {
    OpaqueDeviceConfiguration opaque = new OpaqueDeviceConfiguration("gpu", "{}");
    DeviceClass.Builder many = DeviceClass.named("many").toBuilder();
    ResourceClaim.Builder claim =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("any"));
    for (int i = 0; i < MANY; i++) {
      many.config(new DeviceClassConfiguration(opaque));
      claim.config(new DeviceClaimConfiguration(List.of("r"), opaque));
    }
    Cluster cluster = Cluster.withDevices(1).add(many.build());
    ResourceClaim ofClass =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("many")).build();
    int alone = looks(cluster);
    assertThat(looks(cluster, ofClass) - alone).isGreaterThanOrEqualTo(LOOKS);
    // Each, whether it is about the one request, and whether it is about all.
    assertThat(looks(cluster, claim.build()) - alone).isGreaterThanOrEqualTo(3 * LOOKS);
  }

  @Test
  void conditionsOfTheNodesOnWhichDevicesCanBeUsed() {
    NodeSelectorRequirement[] requirements = new NodeSelectorRequirement[MANY];
    Arrays.setAll(
        requirements,
        i -> new NodeSelectorRequirement("l" + i, NodeSelectorOperator.DOES_NOT_EXIST, List.of()));
    NodeSelector selector =
        new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirements), List.of())));
    Cluster cluster =
        Cluster.of(
            slice("s", NodeSelection.of(selector), List.of(Device.named("d").build()), List.of()));
    int alone = looks(cluster);
    assertThat(looks(cluster, claim(1)) - alone).isGreaterThanOrEqualTo(LOOKS);

    Arrays.setAll(
        requirements,
        i ->
            new NodeSelectorRequirement(
                "l" + i, NodeSelectorOperator.NOT_IN, List.of("a", "b", "c")));
    NodeSelector withValues =
        new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirements), List.of())));
    Cluster other =
        Cluster.of(
            slice(
                "s", NodeSelection.of(withValues), List.of(Device.named("d").build()), List.of()));
    alone = looks(other);
    assertThat(looks(other, claim(1)) - alone).isGreaterThanOrEqualTo(4 * LOOKS); // and 3 values
  }

  @Test
  void explanations() {
    Cluster cluster = Cluster.withDevices(64);
    Allocator hasty =
        Allocator.builder().selectors(cluster.words).timeout(Duration.ofMillis(20)).build();
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      alternatives.add(new DeviceSubRequest("a" + i, ExactDeviceRequest.ofClass("nic").build()));
    }
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.firstAvailable("r", alternatives)).build();
    List<String> lines =
        new NodeExplanation(
                hasty.engine, cluster.inventory(), io.dra4j.model.Node.named("n"), List.of(claim))
            .lines();
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("more reasons could not be found: no answer within 20 ms, stopped while it ")
        .contains("claim default/c, request r/a");
  }

  /** Cancelled at each look in turn, an allocation is undecided; with one look more it goes on. */
  @Test
  void anAllocationCanEndAtEveryLook() {
    Cluster cluster = Cluster.withDevices(300);
    DeviceInventory inventory = cluster.inventory();
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    List<ResourceClaim> claims = List.of(claim(4), ResourceClaim.named("d").build());
    int last = looks(cluster, claims.toArray(new ResourceClaim[0]));
    assertThat(last).isGreaterThan(3);
    for (int allowed = 0; allowed <= last; allowed++) {
      int limit = allowed;
      AtomicInteger looks = new AtomicInteger();
      AllocationOutcome outcome =
          allocator.allocate(
              cluster.inventory(), "n", claims, () -> looks.incrementAndGet() > limit);
      if (allowed < last) {
        assertThat(outcome).isInstanceOf(Undecided.class);
        assertThat(((Undecided) outcome).reason()).startsWith("cancelled, stopped ");
      } else {
        assertThat(outcome).isInstanceOf(Allocated.class);
      }
    }
    // What was interrupted leaves nothing behind in an inventory that goes on being used.
    for (int allowed = 0; allowed <= last; allowed++) {
      int limit = allowed;
      AtomicInteger looks = new AtomicInteger();
      allocator.allocate(inventory, "n", claims, () -> looks.incrementAndGet() > limit);
    }
    assertThat(Cluster.textOf(allocator.allocate(inventory, "n", claims)))
        .isEqualTo("d0 d1 d2 d3 | ");
  }

  @Test
  void aSelectorThatIsInterruptedIsAskedAgain() throws Exception {
    AtomicInteger evaluations = new AtomicInteger();
    io.dra4j.selector.CompiledSelector slow =
        new io.dra4j.selector.CompiledSelector() {
          @Override
          public boolean matches(String driver, Device device) {
            return true;
          }

          @Override
          public boolean matches(String driver, Device device, Budget budget)
              throws io.dra4j.common.BudgetExceededException {
            evaluations.incrementAndGet();
            budget.check();
            return true;
          }
        };
    Cluster cluster = Cluster.withDevices(1);
    DeviceInventory inventory = cluster.inventory();
    SearchContext context = cluster.context(inventory, Compatibility.REFERENCE);
    CachedSelector answers = InventoryAccess.stateOf(inventory).answersOf(slow);
    NodeDevice candidate = context.candidates().get(0);
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> answers.matches(candidate, Budget.unlimited().orUntil(() -> true)))
        .hasMessage("cancelled");
    assertThat(answers.matches(candidate, Budget.unlimited())).isTrue();
    assertThat(answers.matches(candidate, Budget.unlimited().orUntil(() -> true))).isTrue();
    assertThat(evaluations).hasValue(2);
  }

  @Test
  void whatIsRefusedKeepsOnlyWhatOthersShare() {
    Cluster cluster = Cluster.withDevices(1);
    List<ResourceClaim> claims = List.of(claim(2));
    Explanation explanation =
        ((Unallocatable) cluster.allocate(claims.toArray(new ResourceClaim[0]))).explanation();
    assertThat(explanation.getClass().getDeclaredFields())
        .filteredOn(field -> !field.isSynthetic()) // of tools that measure coverage
        .extracting(field -> field.getType().getSimpleName()) // what is known already
        .containsExactlyInAnyOrder(
            "ExplanationSource", "DeviceInventory", "Node", "List", "Reason");
    assertThat(explanation.lines()).isEqualTo(explanation.lines()).hasSize(1);
  }

  @Test
  void valuesOfCapacitiesThatNobodyAsksFor() {
    List<Quantity> values = IntStream.range(0, 128).mapToObj(Quantity::of).toList();
    DeviceCapacity capacity =
        new DeviceCapacity(Quantity.of(1), new CapacityRequestPolicy(null, values, null));
    Map<String, DeviceCapacity> capacities = new TreeMap<>();
    for (int i = 0; i < MANY; i++) {
      capacities.put("c" + i, capacity);
    }
    Device device = Device.named("d").capacity(capacities).allowMultipleAllocations().build();
    assertThat(looks(Cluster.withDevices(device), claim(1))).isGreaterThan(MANY);
  }

  /** Cancelled at each look in turn, an explanation is the whole one or says that it is not. */
  @Test
  void anExplanationThatWasCutShortSaysSo() {
    ResourceSlice half =
        ResourceSlice.named("half", "dra")
            .pool("half", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .devices(IntStream.range(0, 300).mapToObj(i -> Device.named("x" + i).build()).toList())
            .build();
    Cluster shortOfDevices = Cluster.withDevices(1).add(half);
    Cluster apart =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/r", "1").attribute("gpu/s", "1").build(),
            Device.named("b").attribute("gpu/r", "1").attribute("gpu/s", "2").build(),
            Device.named("c").attribute("gpu/r", "2").attribute("gpu/s", "1").build());
    ResourceClaim both =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").count(2))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .constraint(DeviceConstraint.matchAttribute("gpu/s"))
            .build();
    assertThat(reasonsOfBeingCutShort(shortOfDevices, claim(2)))
        .anyMatch(
            reason -> reason.endsWith("stopped while it explained claim default/c, request r"));
    assertThat(reasonsOfBeingCutShort(apart, both)).isNotEmpty();
  }

  private static List<String> reasonsOfBeingCutShort(Cluster cluster, ResourceClaim claim) {
    List<String> reasons = new ArrayList<>();
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    Explanation explanation =
        new NodeExplanation(
            allocator.engine, cluster.inventory(), io.dra4j.model.Node.named("n"), List.of(claim));
    AtomicInteger looks = new AtomicInteger();
    List<Reason> whole =
        explanation.reasons(Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    assertThat(whole).noneMatch(Reason.Undecided.class::isInstance);
    int last = looks.get();
    assertThat(last).isPositive();
    for (int allowed = 0; allowed <= last; allowed++) {
      int limit = allowed;
      AtomicInteger now = new AtomicInteger();
      List<Reason> said =
          explanation.reasons(Budget.unlimited().orUntil(() -> now.incrementAndGet() > limit));
      if (said.get(said.size() - 1) instanceof Reason.Undecided late) {
        assertThat(late.reason()).contains("cancelled");
        reasons.add(late.reason());
      } else {
        assertThat(said).as("after %s of %s looks", allowed, last).isEqualTo(whole);
      }
    }
    return reasons;
  }

  // ---- Explanations, in the same way

  /** How many looks it takes to say why claims do not fit, which this checks of the first. */
  private static int looksOfRefusals(
      Class<? extends Reason> first, Cluster cluster, ResourceClaim... claims) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    SearchContext context =
        cluster.context(Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    assertThat(new Diagnosis(context, List.of(claims)).reasons().get(0)).isInstanceOf(first);
    return looks.get();
  }

  private static String[] names(int devices) {
    return IntStream.range(0, devices).mapToObj(i -> "d" + i).toArray(String[]::new);
  }

  @Test
  void devicesInUse() throws Exception {
    Cluster cluster = Cluster.withDevices(MANY).add(Cluster.holding("h", names(MANY)));
    int alone = looks(cluster);
    assertThat(looks(cluster, claim(1)) - alone).isGreaterThanOrEqualTo(LOOKS);
    assertThat(looksOfRefusals(Reason.TooFewDevices.class, cluster, claim(1)))
        .isGreaterThanOrEqualTo(LOOKS);
  }

  private static ResourceClaim oneNic() {
    return ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
  }

  @Test
  void devicesThatAreNotOfAClass() throws Exception {
    // Each, its selector, and a look at each evaluation.
    assertThat(looksOfRefusals(Reason.TooFewDevices.class, Cluster.withDevices(MANY), oneNic()))
        .isGreaterThanOrEqualTo(MANY + 2 * LOOKS);
  }

  @Test
  void devicesThatMayDrawFromTheSameCounters() throws Exception {
    CounterSet set = new CounterSet("set", Map.of("x", Quantity.of(1)));
    Device[] devices = new Device[MANY];
    Arrays.setAll(devices, i -> Device.named("d" + i).attribute("first", false).build());
    devices[0] =
        drawing("d0", Map.of("x", Quantity.of(2))).toBuilder().attribute("first", true).build();
    ResourceClaim first =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").selector("first")).build();
    // As above, and who holds them.
    assertThat(
            looksOfRefusals(
                Reason.TooFewDevices.class,
                Cluster.partitioned(Cluster.counters(set), devices),
                first))
        .isGreaterThanOrEqualTo(MANY + 3 * LOOKS);
  }

  @Test
  void countersOfAPoolOfWhichOneIsOverdrawn() throws Exception {
    int many = 200;
    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, many).forEach(i -> counters.put("c" + i, Quantity.of(i == 0 ? -1 : 1)));
    Device[] devices = new Device[many];
    Arrays.setAll(devices, i -> drawing("d" + i, Map.of("c1", Quantity.of(1))));
    // For each device more counters than there are units in a look, and twice who holds others.
    assertThat(
            looksOfRefusals(
                Reason.TooFewDevices.class,
                Cluster.partitioned(Cluster.counters(new CounterSet("set", counters)), devices),
                claim(1)))
        .isGreaterThanOrEqualTo(many + 3 * many);
  }

  @Test
  void devicesWithoutAnAttributeAndTheNamesOfThoseThatTheyHave() throws Exception {
    Device[] devices = new Device[MANY];
    Arrays.setAll(
        devices,
        i -> Device.named("d" + i).attribute("a", 1).attribute("b", 1).attribute("c", 1).build());
    ResourceClaim claim =
        claim(1).toBuilder().constraint(DeviceConstraint.matchAttribute("gpu/missing")).build();
    // Each, its values, its rules, and in the end itself and three names.
    assertThat(looksOfRefusals(Reason.MissingAttribute.class, Cluster.withDevices(devices), claim))
        .isGreaterThanOrEqualTo(12 * LOOKS);
  }

  @Test
  void valuesThatDevicesHaveInCommon() throws Exception {
    Device[] devices = new Device[MANY];
    Arrays.setAll(devices, i -> Device.named("d" + i).attribute("a", i).build());
    ResourceClaim claim =
        claim(2).toBuilder().constraint(DeviceConstraint.matchAttribute("gpu/a")).build();
    // Each, its rules, and in the end itself again and a look at its values.
    assertThat(looksOfRefusals(Reason.NoCommonValue.class, Cluster.withDevices(devices), claim))
        .isGreaterThanOrEqualTo(MANY + 9 * LOOKS);
  }

  @Test
  void requestsThatWantPartlyTheSame() throws Exception {
    int many = 1_000;
    Cluster cluster =
        Cluster.withDevices(many)
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(Device.named("p").build())));
    ResourceClaim[] claims = new ResourceClaim[many + 2];
    Arrays.setAll(
        claims,
        i ->
            ResourceClaim.named("c" + i)
                .request("r", r -> r.deviceClass(i < many ? "gpu" : "any"))
                .build());
    // Looks at selectors, and at each request for two places, with a unit for 64 devices: 17 each.
    assertThat(looksOfRefusals(Reason.TooFewForAll.class, cluster, claims))
        .isBetween(many + 450 + 2 * many / 128, many + 450 + 2 * 17 * many / 128);
  }

  @Test
  void devicesForOtherNodesThatMayBeMeant() throws Exception {
    Device elsewhere = Device.named("d").nodeSelection(NodeSelection.ofNode("m")).build();
    ResourceSlice slice =
        ResourceSlice.named("s", "gpu")
            .pool("p", 1, 1)
            .perDeviceNodeSelection(true)
            .devices(IntStream.range(0, MANY).mapToObj(i -> elsewhere).toList())
            .build();
    assertThat(
            looksOfRefusals(
                Reason.TooFewDevices.class, Cluster.withDevices(1).add(slice), oneNic()))
        .isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void devicesOnWhichASelectorMayFail() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    SearchContext context =
        Cluster.withDevices(MANY)
            .context(Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    assertThat(new Diagnosis(context, List.of(claim(1))).hints()).isEmpty();
    assertThat(looks.get()).isGreaterThanOrEqualTo(LOOKS);
  }

  @Test
  void requestsWhoseResultsArePutTogether() throws Exception {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < MANY; i++) {
      claim.request(DeviceRequest.exactly("r" + i, NO_DEVICE));
    }
    assertThat(looksOfResults(claim.build())).isGreaterThanOrEqualTo(LOOKS);
    claim.config(
        new DeviceClaimConfiguration(List.of(), new OpaqueDeviceConfiguration("gpu", "{}")));
    assertThat(looksOfResults(claim.build())).isGreaterThanOrEqualTo(LOOKS);
  }

  private static int looksOfResults(ResourceClaim claim) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Cluster cluster = Cluster.withDevices(0);
    SearchPlan plan =
        new SearchPlan(
            cluster.context(Budget.unlimited()), List.of(claim), new SearchPosition("in a test"));
    SearchContext counted =
        cluster.context(Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    new AllocationResultBuilder(counted, () -> "share")
        .assemble(plan.claims.get(0), plan.targets, List.of());
    return looks.get();
  }
}
