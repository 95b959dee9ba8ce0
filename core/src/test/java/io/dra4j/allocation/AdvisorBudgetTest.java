package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.explain.AdvisorRun;
import io.dra4j.allocation.internal.explain.NearNameAdvisor;
import io.dra4j.allocation.internal.explain.TolerationAdvisor;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.CounterLedger;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.Budget;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.TaintEffect;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Advice ends with the time of who waits, and what explanations say has a bound. */
class AdvisorBudgetTest {

  private static final int UNITS_PER_LOOK = 128;
  private static final int MANY = 5_100;
  private static final DeviceTaint TAINT = DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE);

  private static Explanation explanationOf(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation();
  }

  private static AdvisorRun problem(Cluster cluster, Budget budget, ResourceClaim... claims) {
    Allocator allocator = Allocator.builder().selectors(new Cluster.Words()).build();
    return new AdvisorRun(
        allocator.engine,
        cluster.inventory(),
        "n",
        List.of(claims),
        explanationOf(cluster, claims).reasons(),
        budget);
  }

  private static ResourceClaim tolerating(int tolerations) {
    return ResourceClaim.named("c")
        .request(
            "r",
            r -> {
              r.deviceClass("any");
              for (int i = 0; i < tolerations; i++) {
                r.toleration(DeviceToleration.exists("t" + i));
              }
            })
        .build();
  }

  @Test
  void eachTolerationIsLookedAtForEachTaintWithinTheBudget() {
    int taints = 50;
    int tolerations = 5_000;
    Cluster cluster =
        Cluster.withDevices(Device.named("d").taints(Collections.nCopies(taints, TAINT)).build());
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);

    List<Suggestion> suggestions =
        new TolerationAdvisor().propose(problem(cluster, budget, tolerating(tolerations)));

    assertThat(suggestions).hasSize(1);
    assertThat(looks.get()).isGreaterThanOrEqualTo(taints * tolerations / UNITS_PER_LOOK);
  }

  @Test
  void nobodyProposesAnythingOnceTheTimeIsOver() {
    Device[] devices = {
      Device.named("tainted").taint(TAINT).attribute("root", "a").build(),
      Device.named("held").attribute("root", "a").build(),
      Device.named("a").attribute("root", "a").build(),
      Device.named("b").attribute("root", "b").build()
    };
    Cluster cluster = Cluster.withDevices(devices).add(Cluster.holding("other", "held"));
    ResourceClaim many =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").count(4))
            .constraint(DeviceConstraint.matchAttribute("gpu/root"))
            .build();
    ResourceClaim one = ResourceClaim.named("d").request("s", s -> s.deviceClass("gpu1")).build();
    Allocator allocator = Allocator.builder().selectors(new Cluster.Words()).build();
    List<Reason> refusals = new ArrayList<>(explanationOf(cluster, many).reasons());
    Cluster apart = Cluster.withDevices(devices[2], devices[3]);
    ResourceClaim two =
        ResourceClaim.named("c")
            .request("q", r -> r.deviceClass("any"))
            .request("r", r -> r.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("gpu/root"))
            .build();
    refusals.addAll(explanationOf(apart, two).reasons());

    int proposing = 0;
    for (Advisor advisor : allocator.engine.advisors()) {
      AdvisorRun open = problemOf(allocator, cluster, refusals, Budget.unlimited(), many, one);
      proposing += advisor.propose(open).isEmpty() ? 0 : 1;
      AdvisorRun over =
          problemOf(allocator, cluster, refusals, Budget.of(Duration.ZERO), many, one);
      assertThat(advisor.propose(over)).as(advisor.getClass().getSimpleName()).isEmpty();
      assertThat(over.resultOf(List.of()).gap()).contains("no answer within 0 ms");
    }
    assertThat(proposing).isGreaterThanOrEqualTo(5);
  }

  private static AdvisorRun problemOf(
      Allocator allocator,
      Cluster cluster,
      List<Reason> refusals,
      Budget budget,
      ResourceClaim... claims) {
    return new AdvisorRun(
        allocator.engine, cluster.inventory(), "n", List.of(claims), refusals, budget);
  }

  @Test
  void ofManyAlternativesAFewAreNamedAndTheRestIsCounted() {
    List<DeviceSubRequest> alternatives =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new DeviceSubRequest("a" + i, ExactDeviceRequest.ofClass("any").build()))
            .toList();
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.firstAvailable("r", alternatives)).build();

    Explanation explanation = explanationOf(Cluster.withDevices(), claim);

    assertThat(explanation.reasons().get(0).text())
        .contains("none of its 1000 alternatives can be allocated")
        .contains("request r/a7:")
        .doesNotContain("request r/a8:")
        .endsWith("; and 992 more");
    ResourceClaim eight =
        ResourceClaim.named("c")
            .request(DeviceRequest.firstAvailable("r", alternatives.subList(0, 8)))
            .build();
    assertThat(explanationOf(Cluster.withDevices(), eight).reasons().get(0).text())
        .contains("request r/a7:")
        .doesNotContain(" more");
  }

  @Test
  void ofManyReasonsOfNodesAFewAreNamedAndTheRestIsCounted() {
    Explanation example =
        explanationOf(
            Cluster.withDevices(),
            ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build());
    List<ClusterExplanation.Group> groups =
        IntStream.range(0, 40)
            .mapToObj(
                i -> new ClusterExplanation.Group("reason " + i, List.of("a" + i, "b"), example))
            .toList();

    ClusterExplanation all = new ClusterExplanation(groups, List.of());

    assertThat(new ClusterExplanation(groups.subList(0, 16), List.of()).summary())
        .endsWith("; 2 nodes: reason 15");
    assertThat(new ClusterExplanation(List.of(), List.of("n")).toString())
        .isEqualTo(new ClusterExplanation(List.of(), List.of("n")).summary())
        .isNotEmpty();
    assertThat(all.summary())
        .startsWith("2 nodes: reason 0; 2 nodes: reason 1; ")
        .endsWith("; 2 nodes: reason 15; 48 nodes for 24 more reasons");
    assertThat(all.toString().lines())
        .hasSize(17)
        .startsWith("2 nodes: reason 0", "2 nodes: reason 1")
        .endsWith("48 nodes for 24 more reasons");
  }

  // ---- Long inputs of explanations

  private final AtomicInteger looks = new AtomicInteger();
  private final Budget counted = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);

  private static ResourceClaim wanting(int count) {
    return ResourceClaim.named("c").request("r", r -> r.deviceClass("any").count(count)).build();
  }

  @Test
  void alternativesOfWhichNoneFitsAreExplainedWithinTheBudget() {
    List<DeviceSubRequest> alternatives =
        IntStream.range(0, MANY)
            .mapToObj(
                i ->
                    new DeviceSubRequest(
                        "a" + i, ExactDeviceRequest.ofClass("any").count(9).build()))
            .toList();
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.firstAvailable("r", alternatives)).build();
    Explanation explanation = explanationOf(Cluster.withDevices(2), claim);
    List<Reason> refusals = explanation.reasons(counted);
    // Making the plan, then each once.
    assertThat(looks.get()).isGreaterThanOrEqualTo(2 * MANY / UNITS_PER_LOOK);
    assertThat(refusals.get(0).summary())
        .endsWith("node has 2 devices of class any, 9 are requested and more");
  }

  @Test
  void ofTheDevicesThatEveryAlternativeLacksNotAllAreListed() {
    int devices = 300;
    List<DeviceSubRequest> alternatives =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    new DeviceSubRequest(
                        "a" + i, ExactDeviceRequest.ofClass("any").selector("none").build()))
            .toList();
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.firstAvailable("r", alternatives)).build();
    Device[] all = new Device[devices];
    Arrays.setAll(all, i -> Device.named("d" + i).attribute("none", false).build());
    Reason none = explanationOf(Cluster.withDevices(all), claim).reasons().get(0);
    assertThat(none.refused()).hasSize(8 * devices + 100 - 8);
    assertThat(none.text()).contains("of the node's 300 none can be allocated");
  }

  @Test
  void holdersOfADeviceAreToldWithinTheBudget() {
    int shares = 64 * UNITS_PER_LOOK;
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d").allowMultipleAllocations().capacity("m", "" + shares).build());
    for (int i = 0; i < shares; i++) {
      cluster.add(Cluster.sharing("held-" + i, "d", Map.of("m", Quantity.of(1))));
    }
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").capacity("m", "1")).build();
    List<Reason> refusals = explanationOf(cluster, claim).reasons(counted);
    assertThat(looks.get()).isGreaterThanOrEqualTo(shares / 8 / UNITS_PER_LOOK);
    assertThat(refusals.get(0).text()).contains("default/held-0, default/held-1 and 8190 more");
  }

  @Test
  void countersThatAreUsedUpAreNamedWithinTheBudget() {
    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, MANY).forEach(i -> counters.put("c" + i, Quantity.of(1)));
    DeviceCounterConsumption draw = new DeviceCounterConsumption("set", counters, List.of());
    Cluster cluster =
        Cluster.partitioned(
                Cluster.counters(new CounterSet("set", counters)),
                Device.named("a").consumesCounters(draw).build(),
                Device.named("b").consumesCounters(draw).build())
            .add(Cluster.holding("h", "a"));
    Explanation explanation = explanationOf(cluster, wanting(1));
    explanation.reasons(counted);
    int once = MANY / UNITS_PER_LOOK;
    // The balance twice, what a device draws, who draws, and the first that is short.
    assertThat(looks.get()).isGreaterThanOrEqualTo(5 * once);
    assertThat(explanation.summary()).contains("more of the shared counter set.c0 than is left");
  }

  @Test
  void countersThatDevicesOverdrawTogetherAreNamedWithinTheBudget() throws Exception {
    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, MANY).forEach(i -> counters.put("c" + i, Quantity.of(1)));
    DeviceCounterConsumption draw = new DeviceCounterConsumption("set", counters, List.of());
    Device device = Device.named("a").consumesCounters(draw).build();
    SearchContext context =
        Cluster.partitioned(Cluster.counters(new CounterSet("set", counters)), device)
            .context(Budget.unlimited());
    CounterLedger balance =
        new CounterLedger(context.candidates().get(0).pool(), List.of(device), Budget.unlimited());
    int once = MANY / UNITS_PER_LOOK;
    assertThat(balance.shortOf(List.of(device), counted)).hasSize(MANY);
    assertThat(looks.getAndSet(0)).isBetween(3 * once, 4 * once); // made, drawn, compared
    assertThat(balance.shortOf(device, counted)).isEqualTo("set.c0");
    assertThat(balance.overdrawn(counted)).isNull();
    assertThat(looks.getAndSet(0)).isGreaterThanOrEqualTo(once);
  }

  @Test
  void whatADeviceDrewIsGivenBackWithinTheBudget() {
    Map<String, Quantity> counters = new TreeMap<>();
    IntStream.range(0, 3 * 4_096).forEach(i -> counters.put("c" + i, Quantity.of(1)));
    DeviceCounterConsumption draw = new DeviceCounterConsumption("set", counters, List.of());
    Cluster cluster =
        Cluster.partitioned(
            Cluster.counters(new CounterSet("set", counters)),
            Device.named("a").consumesCounters(draw).build(),
            Device.named("b").consumesCounters(draw).build());
    AtomicInteger asked = new AtomicInteger();
    for (int most = 0; most < 2_000; most += 37) { // wherever the time ends
      int last = most;
      asked.set(0);
      AllocationOutcome outcome =
          Allocator.builder()
              .selectors(cluster.words)
              .build()
              .allocate(
                  cluster.inventory(),
                  "n",
                  List.of(wanting(2)),
                  Budget.unlimited().orUntil(() -> asked.incrementAndGet() > last));
      assertThat(outcome)
          .isInstanceOf(
              asked.get() > last ? AllocationOutcome.Undecided.class : Unallocatable.class);
    }
  }

  @Test
  void namesThatAreNearAreLookedForWithinTheBudget() {
    Device.Builder device = Device.named("d");
    IntStream.range(0, 3 * 4_096).forEach(i -> device.attribute("a" + i, "x"));
    AdvisorRun problem = problem(Cluster.withDevices(device.build()), counted, wanting(2));
    looks.set(0);
    new NearNameAdvisor().propose(problem);
    assertThat(looks.get()).isGreaterThanOrEqualTo(5); // device, names three times, request
  }

  @Test
  void hintsAtAFaultAreWorkedOutInTheTimeOfTheCaller() {
    AtomicInteger compiled = new AtomicInteger();
    Cluster cluster = Cluster.withDevices(1);
    SelectorCompiler faulty =
        new SelectorCompiler() {
          @Override
          public CompiledSelector compileSelector(String expression) throws SelectorException {
            compiled.incrementAndGet();
            throw new SelectorException("broken");
          }

          @Override
          public CompiledAttribute compileAttribute(String expression) throws SelectorException {
            throw new SelectorException("none here");
          }
        };
    ClusterQuery fit =
        Allocator.builder()
            .selectors(faulty)
            .build()
            .query(
                cluster.inventory(),
                List.of(
                    ResourceClaim.named("c")
                        .request("r", r -> r.deviceClass("any").selector("x"))
                        .build()));
    ClusterExplanation explanation =
        fit.explain(Budget.unlimited().orUntil(() -> compiled.get() > 1));
    assertThat(explanation.groups()).hasSize(1);
    assertThat(compiled.get()).isEqualTo(2); // to see what the claim looks at, and to search
  }

  @Test
  void ofManyConditionsOfNodesTheFirstAreTold() {
    NodeSelectorRequirement exists =
        new NodeSelectorRequirement("zone", NodeSelectorOperator.EXISTS, List.of());
    NodeSelectorTerm many = new NodeSelectorTerm(Collections.nCopies(10, exists), List.of());
    assertThat(TextFormat.of(new NodeSelector(List.of(many))))
        .startsWith("zone Exists () and zone Exists ()")
        .endsWith(" and 2 more");
    NodeSelectorTerm eight = new NodeSelectorTerm(Collections.nCopies(8, exists), List.of());
    assertThat(TextFormat.of(new NodeSelector(List.of(eight)))).endsWith("() and zone Exists ()");
    NodeSelectorTerm fields =
        new NodeSelectorTerm(Collections.nCopies(8, exists), List.of(exists, exists));
    assertThat(TextFormat.of(new NodeSelector(List.of(fields)))).endsWith("() and 2 more");
    NodeSelectorTerm one = new NodeSelectorTerm(List.of(exists), List.of());
    assertThat(TextFormat.of(new NodeSelector(Collections.nCopies(1_000_000, one))))
        .isEqualTo("zone Exists (), zone Exists () and 999998 more");
    NodeSelectorTerm nothing = new NodeSelectorTerm(List.of(), List.of());
    assertThat(TextFormat.of(new NodeSelector(List.of(nothing, nothing)))).isEmpty();
  }
}
