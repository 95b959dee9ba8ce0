package io.dra4j.scheduling.defragmentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MovablePodTest {

  private final Map<ClaimKey, ResourceClaim> claims = new LinkedHashMap<>();
  private final List<PodOutcome> pods = new ArrayList<>();

  private void allocated(String name) {
    ResourceClaim claim = ResourceClaim.named(name).build();
    claims.put(
        ClaimKey.of(claim),
        claim.withAllocation(new AllocationResult(List.of(), List.of(), null, null)));
  }

  private void running(String name, String... used) {
    List<ClaimKey> keys = Arrays.stream(used).map(claim -> new ClaimKey("default", claim)).toList();
    PendingPod pod = new PendingPod(name, PodSpec.ANYWHERE, keys);
    pods.add(new PodOutcome.Placed(pod, "n", List.of(), Optional.empty()));
  }

  private ClusterOutcome outcome() {
    return new ClusterOutcome(pods, claims, Map.of());
  }

  @Test
  void podsThatShareClaimsDirectlyOrNotAreOne() {
    List.of("a", "b", "c", "d", "free").forEach(this::allocated);
    running("first", "a", "b");
    running("alone", "d");
    running("second", "b", "c");
    running("third", "c");
    List<MovablePod> movable = MovablePod.running(outcome(), name -> 2);
    assertThat(movable)
        .extracting(MovablePod::name)
        .containsExactly("first and second and third", "alone", "default/free");
    assertThat(movable).extracting(MovablePod::cost).containsExactly(6.0, 2.0, 2.0);
    assertThat(movable.get(0).claims())
        .extracting(claim -> claim.metadata().name())
        .containsExactly("a", "b", "c");
  }

  @Test
  void podsWithClaimsThatArePendingStay() {
    allocated("a");
    allocated("b");
    ResourceClaim pending = ResourceClaim.named("pending").build();
    claims.put(ClaimKey.of(pending), pending);
    running("first", "a", "pending");
    running("second", "a", "b");
    assertThat(MovablePod.running(outcome(), name -> 1)).isEmpty();
  }

  @Test
  @Timeout(20)
  void aPodMayHaveManyClaims() {
    String[] names = IntStream.range(0, 5_000).mapToObj(i -> "c" + i).toArray(String[]::new);
    Arrays.stream(names).forEach(this::allocated);
    running("large", names);
    running("as-large", names);
    assertThat(MovablePod.running(outcome(), name -> 1))
        .singleElement()
        .satisfies(one -> assertThat(one.claims()).hasSize(5_000));
    assertThatThrownBy(() -> MovablePod.running(outcome(), name -> 1, Budget.of(Duration.ZERO)))
        .isInstanceOf(BudgetExceededException.class);
  }

  @Test
  void aPodMovesOnlyToNodesThatItTolerates() {
    allocated("a");
    PodSpec bound = PodSpec.builder().nodeName("n").nodeSelector("zone", "z").build();
    PendingPod pod = new PendingPod("default/p", bound, List.of(new ClaimKey("default", "a")));
    pods.add(new PodOutcome.Placed(pod, "n", List.of(), Optional.empty()));
    MovablePod movable = MovablePod.running(outcome(), name -> 1).get(0);
    Node other = Node.named("other").toBuilder().label("zone", "z").build();
    Taint taint = Taint.of("k", "", TaintEffect.NO_SCHEDULE);
    assertThat(movable.nodes().test(other)).isTrue();
    assertThat(movable.nodes().test(other.toBuilder().taint(taint).build())).isFalse();
    assertThat(movable.nodes().test(other.toBuilder().unschedulable(true).build())).isFalse();
    assertThat(movable.nodes().test(other.toBuilder().label("zone", "y").build())).isFalse();
  }
}
