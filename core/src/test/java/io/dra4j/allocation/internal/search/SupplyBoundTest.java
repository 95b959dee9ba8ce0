package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.model.ResourceClaim;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether there are enough devices for what requests still need, each kind taken together. */
class SupplyBoundTest {

  private static final int DEVICES = 8;
  private static final int TARGETS = 8;

  private PlanOutline outline;
  private final BitSet shareable = new BitSet();
  private final SupplyBound bound = new SupplyBound(shareable, TARGETS, DEVICES);
  private final RemainingDemand outstanding = new RemainingDemand(TARGETS);

  /** The last request has admin access. */
  @BeforeEach
  void plan() throws Exception {
    Cluster cluster = Cluster.withDevices(DEVICES);
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < TARGETS - 1; i++) {
      claim.request("r" + i, request -> request.deviceClass("any"));
    }
    claim.request("admin", request -> request.deviceClass("any").adminAccess());
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    outline =
        new PlanOutline(
            new SearchPlan(context, List.of(claim.build()), new SearchPosition("in a test")));
  }

  private void need(int place, int devices, int... among) {
    BitSet set = outstanding.add(outline.requests.get(place).alternatives().get(0), devices);
    set.clear();
    for (int device : among) {
      set.set(device);
    }
  }

  private boolean isAllowed() {
    boolean allowed = bound.allows(outstanding);
    outstanding.clear();
    return allowed;
  }

  @Test
  void aRequestNeedsAsManyDevices() {
    assertThat(isAllowed()).isTrue();
    need(0, 2, 0, 1);
    assertThat(isAllowed()).isTrue();
    need(0, 3, 0, 1);
    assertThat(isAllowed()).isFalse();
  }

  @Test
  void requestsOfTheSameDevicesAreCountedTogether() {
    need(0, 1, 0, 1);
    need(1, 1, 0, 1);
    assertThat(isAllowed()).isTrue();
    need(0, 1, 0, 1);
    need(1, 2, 0, 1);
    assertThat(isAllowed()).isFalse();
  }

  @Test
  void kindsOfDevicesAreCountedTogetherWhereTheyOverlap() {
    need(0, 1, 0, 1);
    need(1, 2, 1, 2);
    need(2, 1, 7);
    assertThat(isAllowed()).isTrue();
    need(0, 2, 0, 1);
    need(1, 2, 1, 2);
    need(2, 1, 3, 4, 5);
    assertThat(isAllowed()).isFalse();
  }

  @Test
  void veryManyKindsAreCountedAloneAndAllTogether() {
    for (int more = 0; more < 2; more++) {
      for (int i = 0; i < 6; i++) {
        need(i, i < more ? 2 : 1, i, (i + 1) % 6);
      }
      assertThat(isAllowed()).isEqualTo(more == 0);
    }
    for (int i = 0; i < 6; i++) {
      need(i, i == 5 ? 2 : 1, i);
    }
    need(6, 1, 6, 7);
    assertThat(isAllowed()).as("two of one device").isFalse();
    for (int i = 0; i < 6; i++) {
      need(i, 1, i);
    }
    need(6, 1, 6, 7);
    assertThat(isAllowed()).isTrue();
  }

  @Test
  void whatOthersMayHaveToIsNotCounted() {
    shareable.set(1);
    need(0, 3, 0, 1);
    need(7, 3, 0);
    assertThat(isAllowed()).isTrue();
    need(0, 3, 0, 2);
    assertThat(isAllowed()).isFalse();
  }
}
