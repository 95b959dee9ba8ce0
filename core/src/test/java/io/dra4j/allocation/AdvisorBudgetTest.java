package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.model.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.TaintEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Advice ends with the time of who waits, and what explanations say has a bound. */
class AdvisorBudgetTest {

  private static final int UNITS_PER_LOOK = 128;
  private static final DeviceTaint TAINT = DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE);

  private static Explanation explanationOf(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation();
  }

  private static Problem problem(Cluster cluster, Budget budget, ResourceClaim... claims) {
    Allocator allocator = Allocator.builder().selectors(new Cluster.Words()).build();
    return new Problem(
        allocator,
        cluster.inventory(),
        "n",
        List.of(claims),
        explanationOf(cluster, claims).refusals(),
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
        new TolerationAdvice().propose(problem(cluster, budget, tolerating(tolerations)));

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
    List<Refusal> refusals = new ArrayList<>(explanationOf(cluster, many).refusals());
    Cluster apart = Cluster.withDevices(devices[2], devices[3]);
    ResourceClaim two =
        ResourceClaim.named("c")
            .request("q", r -> r.deviceClass("any"))
            .request("r", r -> r.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("gpu/root"))
            .build();
    refusals.addAll(explanationOf(apart, two).refusals());

    int proposing = 0;
    for (Advisor advisor : allocator.advisors()) {
      Problem open = problemOf(allocator, cluster, refusals, Budget.unlimited(), many, one);
      proposing += advisor.propose(open).isEmpty() ? 0 : 1;
      Problem over = problemOf(allocator, cluster, refusals, Budget.of(Duration.ZERO), many, one);
      assertThat(advisor.propose(over)).as(advisor.getClass().getSimpleName()).isEmpty();
      assertThat(over.findings(List.of()).gap()).contains("no answer within 0 ms");
    }
    assertThat(proposing).isGreaterThanOrEqualTo(5);
  }

  private static Problem problemOf(
      Allocator allocator,
      Cluster cluster,
      List<Refusal> refusals,
      Budget budget,
      ResourceClaim... claims) {
    return new Problem(allocator, cluster.inventory(), "n", List.of(claims), refusals, budget);
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

    assertThat(explanation.refusals().get(0).text())
        .contains("none of its 1000 alternatives can be had")
        .contains("request r/a7:")
        .doesNotContain("request r/a8:")
        .endsWith("; and 992 more");
    ResourceClaim eight =
        ResourceClaim.named("c")
            .request(DeviceRequest.firstAvailable("r", alternatives.subList(0, 8)))
            .build();
    assertThat(explanationOf(Cluster.withDevices(), eight).refusals().get(0).text())
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
}
