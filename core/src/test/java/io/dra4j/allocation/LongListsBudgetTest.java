package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.AttributeValueIds.Interner;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.CapacityRule;
import io.dra4j.allocation.internal.rule.CompatibilityGroupRule;
import io.dra4j.allocation.internal.rule.CounterRule;
import io.dra4j.allocation.internal.search.CandidateSets;
import io.dra4j.allocation.internal.search.CommonValueBound;
import io.dra4j.allocation.internal.search.ForwardChecking;
import io.dra4j.allocation.internal.search.InterchangeableDevices;
import io.dra4j.allocation.internal.search.InterchangeableRequests;
import io.dra4j.allocation.internal.search.NogoodStore;
import io.dra4j.allocation.internal.search.PlanOutline;
import io.dra4j.allocation.internal.search.RequestGroups;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.internal.search.Shares;
import io.dra4j.common.Budget;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Lists within one device, claim or constraint are looked at in short rounds, of which several make
 * a unit of the budget: counted in looks, of which there is one for 128 units.
 */
class LongListsBudgetTest {

  private static final int UNITS_PER_LOOK = 128;
  private static final int MANY = 64 * UNITS_PER_LOOK;
  private static final Quantity ONE = Quantity.of(1);
  private static final CounterSet ONE_COUNTER = new CounterSet("set", Map.of("x", Quantity.of(99)));

  private final AtomicInteger looks = new AtomicInteger();
  private final Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }

  private static Map<String, Quantity> counters(int count, long each) {
    Map<String, Quantity> counters = new LinkedHashMap<>();
    names(count).forEach(name -> counters.put(name, Quantity.of(each)));
    return counters;
  }

  private static ResourceClaim claim(int count) {
    return ResourceClaim.named("c").request("r", r -> r.deviceClass("any").count(count)).build();
  }

  private SearchContext context(Cluster cluster) throws Exception {
    return cluster.context(budget);
  }

  private SearchPlan plan(Cluster cluster, ResourceClaim claim) throws Exception {
    return new SearchPlan(context(cluster), List.of(claim), new SearchPosition("in a test"));
  }

  private static CandidateSets sets(SearchPlan plan) throws Exception {
    return Objects.requireNonNull(
        CandidateSets.of(plan, Long.MAX_VALUE / 4, Long.MAX_VALUE), "few enough");
  }

  /** How many looks there were since this was asked before. */
  private int looks() {
    return looks.getAndSet(0);
  }

  // ---- Compatibility groups

  private static Device grouped(String name, List<String> groups) {
    return Device.named(name)
        .consumesCounters(new DeviceCounterConsumption("set", Map.of("x", ONE), groups))
        .build();
  }

  @Test
  void compatibilityGroupsOfDevicesThatAreHeldAndOfThoseThatArePlaced() throws Exception {
    int devices = 4;
    Device[] all = new Device[2 * devices];
    Arrays.setAll(all, i -> grouped("d" + i, names(MANY)));
    String[] held = IntStream.range(0, devices).mapToObj(i -> "d" + i).toArray(String[]::new);
    SearchContext context =
        context(
            Cluster.partitioned(Cluster.counters(ONE_COUNTER), all)
                .add(Cluster.holding("h", held)));
    PlannedRequest target =
        new SearchPlan(context, List.of(claim(1)), new SearchPosition("in a test")).targets.get(0);
    CompatibilityGroupRule rule =
        new CompatibilityGroupRule(context, new PlacedDevices(context, 1));
    looks();
    assertThat(rule.tryPlace(target, context.candidates().get(devices))).isNull();
    assertThat(looks()).isGreaterThanOrEqualTo(devices + 1);
    assertThat(rule.tryPlace(target, context.candidates().get(devices + 1))).isNull();
    assertThat(looks()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void compatibilityGroupsThatNobodyElseHas() throws Exception {
    SearchContext context =
        context(
            Cluster.partitioned(
                Cluster.counters(ONE_COUNTER),
                grouped("one", List.of("another")),
                grouped("other", names(MANY))));
    PlannedRequest target =
        new SearchPlan(context, List.of(claim(1)), new SearchPosition("in a test")).targets.get(0);
    CompatibilityGroupRule rule =
        new CompatibilityGroupRule(context, new PlacedDevices(context, 1));
    assertThat(rule.tryPlace(target, context.candidates().get(0))).isNull();
    looks();
    assertThat(rule.tryPlace(target, context.candidates().get(1))).isNotNull();
    assertThat(looks()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void countersSetsThatADeviceDrawsFrom() throws Exception {
    int many = 16 * UNITS_PER_LOOK;
    Device.Builder device = Device.named("d");
    List<CounterSet> sets = new ArrayList<>();
    for (String set : names(many)) {
      sets.add(new CounterSet(set, Map.of("x", ONE)));
      device.consumesCounters(new DeviceCounterConsumption(set, Map.of("x", ONE), List.of()));
    }
    SearchContext context =
        context(
            Cluster.partitioned(Cluster.counters(sets.toArray(new CounterSet[0])), device.build()));
    PlannedRequest target =
        new SearchPlan(context, List.of(claim(1)), new SearchPosition("in a test")).targets.get(0);
    looks();
    CompatibilityGroupRule rule =
        new CompatibilityGroupRule(context, new PlacedDevices(context, 1));
    assertThat(rule.tryPlace(target, context.candidates().get(0))).isNull();
    assertThat(looks()).isGreaterThanOrEqualTo(2);
  }

  // ---- Constraints

  private static ResourceClaim constrained(int requests, int constraints, DeviceConstraint each) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < requests; i++) {
      claim.request("r" + i, request -> request.deviceClass("any"));
    }
    for (int i = 0; i < constraints; i++) {
      claim.constraint(each);
    }
    return claim.build();
  }

  private static Cluster rooted(int devices) {
    Device[] rooted = new Device[devices];
    Arrays.setAll(rooted, i -> Device.named("d" + i).attribute("r", i).build());
    return Cluster.withDevices(rooted);
  }

  @Test
  void constraintsOfEachRequestWhereBoundsAreMade() throws Exception {
    int requests = 10;
    int cells = requests * MANY;
    DeviceConstraint match = DeviceConstraint.matchAttribute("gpu/r");
    SearchPlan plan = plan(rooted(2), constrained(requests, MANY, match));
    looks();
    PlanOutline outline = new PlanOutline(plan);
    assertThat(looks()).isGreaterThanOrEqualTo(cells / 128 / UNITS_PER_LOOK);
    CandidateSets sets = sets(plan);
    looks();
    RequestGroups groups = new RequestGroups(outline, budget);
    assertThat(looks()).isGreaterThanOrEqualTo(cells / 128 / UNITS_PER_LOOK);
    ForwardChecking outlook =
        new ForwardChecking(
            plan.context, plan.memory, outline, sets, groups, new BitSet(), new BitSet());
    assertThat(looks()).isGreaterThanOrEqualTo(2 * cells / 128 / UNITS_PER_LOOK);
    assertThat(outlook.mayFit(0, null, 0, 0)).isFalse();
    assertThat(looks()).isGreaterThanOrEqualTo(cells / 16 / UNITS_PER_LOOK);
    new InterchangeableRequests(outline, sets, groups, budget);
    assertThat(looks()).isGreaterThanOrEqualTo(cells / 64 / UNITS_PER_LOOK);
    NogoodStore deadEnds =
        new NogoodStore(
            plan.context, outline, sets, new InterchangeableDevices(plan.context, sets, List.of()));
    assertThat(looks()).isGreaterThanOrEqualTo(cells / 64 / UNITS_PER_LOOK);
    deadEnds.keyOf(0, -1, 0, 0, new BitSet(), new Shares(2));
    assertThat(looks()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void constraintsThatWantDifferentValues() throws Exception {
    DeviceConstraint distinct = DeviceConstraint.distinctAttribute("gpu/r");
    SearchPlan plan = plan(rooted(2), constrained(2, MANY, distinct));
    PlanOutline outline = new PlanOutline(plan);
    CandidateSets sets = sets(plan);
    RequestGroups groups = new RequestGroups(outline, budget);
    looks();
    ForwardChecking outlook =
        new ForwardChecking(
            plan.context, plan.memory, outline, sets, groups, new BitSet(), new BitSet());
    assertThat(looks()).isGreaterThanOrEqualTo(2 * 2 * MANY / 128 / UNITS_PER_LOOK);
    assertThat(outlook.mayFit(0, null, 0, 0)).isTrue();
    assertThat(looks()).isGreaterThanOrEqualTo(MANY / 4 / UNITS_PER_LOOK);
  }

  @Test
  void namesOfRequestsInAConstraint() throws Exception {
    int constraints = 5;
    List<String> names = new ArrayList<>(names(MANY));
    names.add("r0");
    DeviceConstraint each = DeviceConstraint.matchAttribute("gpu/r", names.toArray(new String[0]));
    ResourceClaim claim = constrained(1, constraints, each);
    looks();
    SearchPlan plan = plan(rooted(1), claim);
    assertThat(looks()).isGreaterThanOrEqualTo(constraints);
    assertThat(new PlanOutline(plan).constraintsOf(plan.targets.get(0))).hasSize(constraints);
  }

  // ---- Capacities, counters and values of one device

  @Test
  void capacitiesOfADeviceThatIsShared() throws Exception {
    Map<String, DeviceCapacity> capacities = new LinkedHashMap<>();
    CapacityRequestPolicy one = new CapacityRequestPolicy(ONE, List.of(), null);
    names(MANY).forEach(name -> capacities.put(name, new DeviceCapacity(Quantity.of(2), one)));
    Device[] devices = new Device[3];
    Arrays.setAll(
        devices,
        i -> Device.named("d" + i).capacity(capacities).allowMultipleAllocations().build());
    SearchPlan plan = plan(Cluster.withDevices(devices), claim(1));
    PlannedRequest target = plan.targets.get(0);
    NodeDevice device = plan.context.candidates().get(0);
    target.consumptionOf(device); // is worked out once
    CapacityRule rule = new CapacityRule(plan.context);
    looks();
    assertThat(rule.tryPlace(target, device)).isNull();
    assertThat(looks()).isGreaterThanOrEqualTo(MANY / 8 / UNITS_PER_LOOK);
    assertThat(rule.check(target, device)).isNull();
    assertThat(looks()).isGreaterThanOrEqualTo(MANY / 16 / UNITS_PER_LOOK);
    CandidateSets sets = sets(plan);
    looks();
    new InterchangeableDevices(plan.context, sets, List.of());
    assertThat(looks()).isGreaterThanOrEqualTo(devices.length);
  }

  @Test
  void drawsThatAreTooMuch() throws Exception {
    Map<String, Quantity> less = counters(MANY, 0);
    Device device =
        Device.named("d")
            .consumesCounters(new DeviceCounterConsumption("set", counters(MANY, 1), List.of()))
            .build();
    SearchPlan plan =
        plan(Cluster.partitioned(Cluster.counters(new CounterSet("set", less)), device), claim(1));
    PlannedRequest target = plan.targets.get(0);
    NodeDevice candidate = plan.context.candidates().get(0);
    CounterRule rule = new CounterRule(plan.context, new PlacedDevices(plan.context, 1));
    assertThat(rule.tryPlace(target, candidate)).isNotNull();
    looks();
    assertThat(rule.tryPlace(target, candidate)).isNotNull();
    assertThat(looks()).isGreaterThanOrEqualTo(MANY / 16 / UNITS_PER_LOOK);
  }

  private static DeviceAttribute ints(int from, int count) {
    return DeviceAttribute.ints(LongStream.range(from, from + count).boxed().toArray(Long[]::new));
  }

  @Test
  void valuesOfAnAttribute() throws Exception {
    Interner interner = new Interner(true);
    AttributeValueIds some = interner.valuesOf(ints(0, 2 * MANY), budget);
    assertThat(looks()).isEqualTo(2 * MANY / 16 / UNITS_PER_LOOK);
    AttributeValueIds others = interner.valuesOf(ints(2 * MANY - 1, 100 * MANY), budget);
    looks();
    assertThat(some.intersect(others, budget)).isNotNull();
    assertThat(looks()).isEqualTo(1);
    assertThat(some.intersects(others, budget)).isTrue();
    assertThat(looks()).isEqualTo(1);
  }

  @Test
  void valuesThatAreComparedForABound() throws Exception {
    int devices = 4;
    Device[] listed = new Device[devices];
    Arrays.setAll(listed, i -> Device.named("d" + i).attribute("r", ints(i * MANY, MANY)).build());
    ResourceClaim claim =
        claim(2).toBuilder().constraint(DeviceConstraint.matchAttribute("gpu/r")).build();
    SearchPlan plan = plan(Cluster.withDevices(listed), claim);
    PlanOutline outline = new PlanOutline(plan);
    CandidateSets sets = sets(plan);
    looks();
    assertThat(new CommonValueBound(plan.context, outline, sets).allowsAll()).isFalse();
    assertThat(looks()).isGreaterThanOrEqualTo(devices);
  }

  // ---- Plans

  @Test
  void amountsThatARequestAsksFor() throws Exception {
    SearchContext context = context(Cluster.withDevices(1));
    ResourceClaim none = claim(1);
    ResourceClaim many =
        ResourceClaim.named("c")
            .request(
                "r",
                request -> {
                  request.deviceClass("any");
                  names(MANY).forEach(name -> request.capacity(name, "1"));
                })
            .build();
    new SearchPlan(context, List.of(none), new SearchPosition("in a test"));
    int before = looks();
    new SearchPlan(context, List.of(many), new SearchPosition("in a test"));
    assertThat(looks()).isGreaterThanOrEqualTo(before + MANY / 64 / UNITS_PER_LOOK);
  }

  @Test
  void namesThatAConstraintIsAbout() throws Exception {
    SearchContext context = context(Cluster.withDevices(1));
    List<String> names = new ArrayList<>(names(MANY));
    names.add("r");
    ResourceClaim claim =
        claim(1).toBuilder()
            .constraint(
                new DeviceConstraint(names, Map.of(DeviceConstraint.Kind.MATCH_ATTRIBUTE, "gpu/x")))
            .build();
    new SearchPlan(context, List.of(claim(1)), new SearchPosition("in a test"));
    int before = looks();
    new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
    // Whether each is a request of the claim, and the set of them.
    assertThat(looks()).isGreaterThanOrEqualTo(before + 2 * MANY / 64 / UNITS_PER_LOOK);
  }

  @Test
  void capacitiesOfAShareThatIsGivenBackAndOneThatIsTheResult() {
    Device.Builder device = Device.named("d").allowMultipleAllocations();
    names(MANY).forEach(name -> device.capacity(name, "1"));
    Cluster cluster = Cluster.withDevices(device.build());
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    AllocationOutcome outcome =
        allocator.allocate(cluster.inventory(), "n", List.of(claim(1)), budget);
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    int forOne = looks();
    assertThat(forOne).isGreaterThanOrEqualTo(MANY / UNITS_PER_LOOK); // names, sums, result
    ResourceClaim two = claim(1).toBuilder().request("s", s -> s.deviceClass("any")).build();
    for (int most = 0; most < 3 * forOne; most++) { // wherever the time ends
      int last = most;
      AtomicInteger asked = new AtomicInteger();
      Budget some = Budget.unlimited().orUntil(() -> asked.incrementAndGet() > last);
      assertThat(allocator.engine.search(cluster.inventory(), "n", List.of(two), some))
          .isInstanceOf(
              asked.get() > last
                  ? AllocationOutcome.Undecided.class
                  : AllocationOutcome.Unallocatable.class);
    }
  }
}
