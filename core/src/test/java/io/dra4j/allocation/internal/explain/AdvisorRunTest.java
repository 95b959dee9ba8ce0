package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What advisors get to know, and which claims are taken apart. */
class AdvisorRunTest {

  private static ResourceClaim claim(String name, long count) {
    return ResourceClaim.named(name)
        .request("r", request -> request.deviceClass("any").count(count))
        .build();
  }

  private static AdvisorRun problem(Cluster cluster, Budget budget, ResourceClaim... claims) {
    return new AdvisorRun(
        Cluster.sourceOf(Allocator.builder().selectors(cluster.words).build()),
        cluster.inventory(),
        "n",
        List.of(claims),
        List.of(),
        budget);
  }

  @Test
  void isWhatItWasMadeOf() {
    Cluster cluster = Cluster.withDevices(2);
    DeviceInventory inventory = cluster.inventory();
    Budget budget = Budget.of(Duration.ofMinutes(1));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    List<ResourceClaim> claims = List.of(claim("a", 1), claim("b", 9));
    List<Reason> refusals = List.of(new Reason.ByPolicy("no"));
    AdvisorRun problem =
        new AdvisorRun(Cluster.sourceOf(allocator), inventory, "n", claims, refusals, budget);
    assertThat(problem.inventory()).isSameAs(inventory);
    assertThat(problem.node()).isEqualTo("n");
    assertThat(problem.claims()).isEqualTo(claims);
    assertThat(problem.reasons()).isEqualTo(refusals);
    assertThat(problem.budget()).isSameAs(budget);
    assertThat(problem.devices()).hasSize(2);
    assertThat(problem.hasSuggestion()).isFalse();
    problem.recordSuccess();
    assertThat(problem.hasSuggestion()).isTrue();
  }

  @Test
  void isOverWhenTheTimeIsAndSaysSo() {
    AdvisorRun late = problem(Cluster.withDevices(1), Budget.of(Duration.ZERO), claim("a", 2));
    assertThat(late.isOver()).isTrue();
    assertThat(late.resultOf(List.of()))
        .isEqualTo(PartialResult.some(List.of(), "no answer within 0 ms"));
    AdvisorRun early = problem(Cluster.withDevices(1), Budget.unlimited(), claim("a", 2));
    assertThat(early.isOver()).isFalse();
    assertThat(early.resultOf(List.of())).isEqualTo(PartialResult.all(List.of()));
  }

  @Test
  void claimsThatFitAreInNoConflict() {
    AdvisorRun fits = problem(Cluster.withDevices(2), Budget.unlimited(), claim("a", 2));
    assertThat(fits.conflict()).isEqualTo(PartialResult.all(List.of()));
  }

  @Test
  void whereThereIsNoTimeTheConflictIsOpen() {
    AdvisorRun late = problem(Cluster.withDevices(1), Budget.of(Duration.ZERO), claim("a", 2));
    assertThat(late.conflict().complete()).isFalse();
    assertThat(late.conflict().found()).isEmpty();
  }

  /** A claim with 10 parts: itself, two constraints, requests, selectors and alternatives. */
  private static ResourceClaim tenParts(String name) {
    return ResourceClaim.named(name)
        .constraint(DeviceConstraint.matchAttribute("gpu/a"))
        .constraint(DeviceConstraint.matchAttribute("gpu/b"))
        .request("r", request -> request.deviceClass("any").selector("x").selector("y"))
        .request(
            DeviceRequest.firstAvailable(
                "s",
                List.of(
                    new DeviceSubRequest("1", ExactDeviceRequest.ofClass("any").build()),
                    new DeviceSubRequest("2", ExactDeviceRequest.ofClass("any").build()),
                    new DeviceSubRequest("3", ExactDeviceRequest.ofClass("any").build()))))
        .build();
  }

  @Test
  void aClaimOfAsManyPartsAsAreLookedIntoIsTakenApartAndOneOfMoreIsNot() {
    List<ResourceClaim> claims = new ArrayList<>();
    for (int i = 0; i < AdvisorRun.MAX_PARTS / 10; i++) {
      claims.add(tenParts("c" + i));
    }
    for (int i = 0; i < AdvisorRun.MAX_PARTS % 10; i++) {
      claims.add(ResourceClaim.named("empty" + i).build());
    }
    assertThat(AdvisorRun.hasTooManyParts(claims)).isFalse();
    claims.add(ResourceClaim.named("one-more").build());
    assertThat(AdvisorRun.hasTooManyParts(claims)).isTrue();
  }

  /** Cancelled at each look in turn, a conflict is the whole one or open. */
  @Test
  void aConflictThatThereIsNoTimeForIsOpen() {
    Cluster cluster = Cluster.withDevices(1);
    ResourceClaim[] claims = {claim("a", 1), claim("b", 2), claim("c", 3)};
    AtomicInteger looks = new AtomicInteger();
    PartialResult<Requirement> whole =
        problem(cluster, Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0), claims)
            .conflict();
    assertThat(whole.found()).hasSize(1);
    assertThat(whole.complete()).isTrue();
    int last = looks.get();
    for (int allowed = 0; allowed <= last; allowed++) {
      int limit = allowed;
      AtomicInteger now = new AtomicInteger();
      Budget some = Budget.unlimited().orUntil(() -> now.incrementAndGet() > limit);
      PartialResult<Requirement> found = problem(cluster, some, claims).conflict();
      if (allowed == last) {
        assertThat(found).isEqualTo(whole);
      } else {
        assertThat(found.complete()).as("after %d of %d looks", allowed, last).isFalse();
        assertThat(found.found()).isEmpty();
      }
    }
  }

  private static DeviceRequest either(String name) {
    DeviceSubRequest one = new DeviceSubRequest("1", ExactDeviceRequest.ofClass("any").build());
    DeviceSubRequest two = new DeviceSubRequest("2", ExactDeviceRequest.ofClass("any").build());
    return DeviceRequest.firstAvailable(name, List.of(one, two));
  }

  @Test
  void aConflictIsOpenWhereAPolicyCannotTellWhetherLessFits() {
    Cluster cluster = Cluster.withDevices(2);
    ResourceClaim choosing =
        ResourceClaim.named("a").request(either("r")).request(either("s")).build();
    AllocationPolicy unsure =
        new AllocationPolicy() {
          @Override
          public Choice choose(PolicyContext question) {
            boolean alone =
                question.requests().stream()
                    .allMatch(wanted -> wanted.claim().displayName().equals("default/a"));
            return alone ? new Choice.Refused("not alone") : new Choice.AsFound();
          }

          @Override
          public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices) {
            return Optional.empty();
          }
        };
    AdvisorRun problem =
        new AdvisorRun(
            Cluster.sourceOf(Allocator.builder().selectors(cluster.words).policy(unsure).build()),
            cluster.inventory(),
            "n",
            List.of(choosing, claim("b", 1)),
            List.of(),
            Budget.unlimited());
    assertThat(problem.conflict())
        .isEqualTo(
            PartialResult.some(
                List.of(), "not alone; other alternatives than the first that fit were not tried"));
  }
}
