package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether groups of requests find values with room for them: as many as there are, and no more. */
class GroupBoundTest {

  private static final int DEVICES = 12; // four of each root
  private static final int GROUPS = 4;
  private static final int THIRD = 2 * GROUPS + 1; // the place of that request

  private SearchContext context;
  private SearchPlan plan;
  private PlanOutline outline;
  private @Nullable ValueIndex[][] indexes;
  private final BitSet shareable = new BitSet();
  private final RemainingDemand outstanding = new RemainingDemand(2 * GROUPS + 2);
  private GroupBound bound;

  /**
   * Four pairs of requests that want one root each, the first with a third one; one of the last has
   * admin access.
   */
  @BeforeEach
  void plan() throws Exception {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < DEVICES; i++) {
      devices.add(Device.named("d" + i).attribute("gpu/root", "r" + i / 4).build());
    }
    Cluster cluster = Cluster.withDevices(devices.toArray(new Device[0]));
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < GROUPS; i++) {
      boolean admin = i == GROUPS - 1;
      claim.request("g" + i, request -> request.deviceClass("any"));
      claim.request(
          "n" + i, request -> (admin ? request.adminAccess() : request).deviceClass("any"));
      claim.constraint(
          i == 0
              ? DeviceConstraint.matchAttribute("gpu/root", "g0", "n0", "third")
              : DeviceConstraint.matchAttribute("gpu/root", "g" + i, "n" + i));
    }
    claim.request("alone", request -> request.deviceClass("any"));
    claim.request("third", request -> request.deviceClass("any"));
    context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    plan = new SearchPlan(context, List.of(claim.build()), new SearchPosition("in a test"));
    outline = new PlanOutline(plan);
    BitSet all = new BitSet();
    all.set(0, DEVICES);
    ValueIndex index =
        ValueIndex.of(context, outline.constraints.get(0).constraint(), target(0), all);
    indexes = new ValueIndex[GROUPS][outline.targets.size()];
    for (int group = 0; group < GROUPS; group++) {
      indexes[group][target(2 * group).number] = index;
      indexes[group][target(2 * group + 1).number] = index;
    }
    indexes[0][target(THIRD).number] = index;
    bound =
        new GroupBound(
            outline,
            new RequestGroups(outline, Budget.unlimited()),
            indexes,
            shareable,
            DEVICES,
            Budget.unlimited());
  }

  private PlannedRequest target(int place) {
    return outline.requests.get(place).alternatives().get(0);
  }

  private static int[] of(int... devices) {
    return devices;
  }

  private void need(int place, int devices, int[] among) {
    BitSet set = outstanding.add(target(place), devices);
    set.clear();
    for (int device : among) {
      set.set(device);
    }
  }

  private void pair(int group, int[] first, int[] second) {
    need(2 * group, 1, first);
    need(2 * group + 1, 1, second);
  }

  private boolean isAllowed() throws Exception {
    boolean allowed = bound.allows(outstanding);
    outstanding.clear();
    return allowed;
  }

  /** Places a device for a request, so that its group has begun. */
  private void begin(int place, int device) throws Exception {
    ConstraintRule rule = outline.constraints.get(place / 2);
    assertThat(rule.tryPlace(target(place), context.candidates().get(device))).isNull();
  }

  @Test
  void nothingIsAlwaysAllowed() throws Exception {
    assertThat(isAllowed()).isTrue();
    need(2 * GROUPS, 1, of());
    assertThat(isAllowed()).as("what is in no group").isTrue();
  }

  @Test
  void asManyGroupsAreAllowedAsValuesHaveRoomFor() throws Exception {
    pair(0, of(0, 4), of(1, 5, 9));
    pair(1, of(0, 4), of(1, 5, 9));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0, 4), of(1, 5, 9));
    pair(1, of(0, 4), of(1, 5, 9));
    pair(2, of(0, 4), of(1, 5, 9));
    assertThat(isAllowed()).isFalse();
    pair(0, of(0, 4), of(9));
    assertThat(isAllowed()).as("no value in common").isFalse();
  }

  @Test
  void aValueHasRoomForSeveralGroups() throws Exception {
    pair(0, of(0, 1), of(2, 3));
    pair(1, of(0, 1), of(2, 3));
    assertThat(isAllowed()).isTrue();
    need(0, 2, of(0, 1, 2));
    need(1, 1, of(3));
    assertThat(isAllowed()).isTrue();
    need(0, 2, of(0, 4));
    need(1, 1, of(3, 7));
    assertThat(isAllowed()).as("two of one root").isFalse();
  }

  @Test
  void requestsOfAGroupThatWantTheSameDevicesAreCountedTogether() throws Exception {
    pair(0, of(0, 1), of(0, 1));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0), of(0));
    assertThat(isAllowed()).isFalse();
    pair(0, of(0, 1, 2, 3), of(0, 1, 2, 3));
    pair(1, of(0, 1, 2, 3), of(0, 1, 2, 3));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0, 1, 2), of(0, 1, 2));
    pair(1, of(0, 1, 2), of(0, 1, 2));
    assertThat(isAllowed()).isFalse();
  }

  @Test
  void twoOfThreeThatWantTheSameDevicesAreCountedTogether() throws Exception {
    pair(0, of(0), of(0));
    need(THIRD, 1, of(1, 2, 3));
    assertThat(isAllowed()).isFalse();
    pair(0, of(0, 1), of(0, 1));
    need(THIRD, 1, of(2));
    assertThat(isAllowed()).isTrue();
  }

  @Test
  void devicesThatOverlapAreCountedOnce() throws Exception {
    pair(0, of(0, 1), of(1, 2));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0, 1), of(1, 2));
    pair(1, of(0, 1), of(1, 2));
    assertThat(isAllowed()).as("four of three").isFalse();
    pair(0, of(0, 1), of(1, 2, 3));
    pair(1, of(0, 1), of(1, 2, 3));
    assertThat(isAllowed()).isTrue();
    for (int group = 0; group < 3; group++) {
      pair(group, of(0, 1, 4, 5), of(1, 2, 5, 6));
    }
    assertThat(isAllowed()).as("one of each root, and a third").isFalse();
  }

  @Test
  void groupsOfDifferentKindsShareTheDevicesOfAValue() throws Exception {
    pair(0, of(0, 4), of(1, 5));
    pair(1, of(0, 4), of(2, 6));
    assertThat(isAllowed()).as("each on a root of its own").isTrue();
    pair(0, of(0), of(1));
    pair(1, of(0), of(2));
    assertThat(isAllowed()).as("four of three").isFalse();
    pair(0, of(0), of(1));
    pair(1, of(2), of(3));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0, 4), of(1, 5));
    pair(1, of(0, 4), of(1, 5));
    pair(2, of(0, 4), of(2, 6));
    assertThat(isAllowed()).as("three on two").isFalse();
    pair(0, of(0, 4), of(1, 5));
    pair(1, of(8), of(9));
    pair(2, of(0, 4), of(1, 5));
    assertThat(isAllowed()).as("two on two and one on the third").isTrue();
  }

  @Test
  void whatNeedsMoreOfEachValueIsOfAnotherKind() throws Exception {
    pair(0, of(0, 1, 2), of(3));
    need(2, 2, of(0, 1, 2));
    need(3, 1, of(3));
    assertThat(isAllowed()).as("five of four").isTrue(); // counted roughly: 4 / 2
    need(0, 2, of(0, 1, 2));
    need(1, 1, of(3));
    need(2, 2, of(0, 1, 2));
    need(3, 1, of(3, 4));
    assertThat(isAllowed()).as("six of four").isFalse();
  }

  @Test
  void whatOthersMayHaveTooIsNotCounted() throws Exception {
    shareable.set(1);
    pair(0, of(0, 2), of(1));
    pair(1, of(0, 2), of(1));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0), of(1));
    pair(1, of(0), of(1));
    assertThat(isAllowed()).isFalse();
    pair(0, of(1), of(1));
    pair(1, of(1), of(1));
    pair(2, of(1), of(1));
    assertThat(isAllowed()).isTrue();
    pair(0, of(1), of(1));
    need(2, 2, of(1));
    need(3, 1, of(1));
    assertThat(isAllowed()).as("two of one").isFalse();
  }

  @Test
  void adminAccessTakesNothing() throws Exception {
    pair(3, of(0), of(0));
    assertThat(isAllowed()).isTrue();
    pair(0, of(1), of(2));
    pair(3, of(0), of(1));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0), of(1));
    pair(3, of(0), of(1));
    assertThat(isAllowed()).as("two of one").isTrue(); // counted roughly: 2 devices for one each
    pair(0, of(0, 1), of(2));
    pair(3, of(0, 1), of(2));
    assertThat(isAllowed()).as("the same device, once with admin access").isTrue();
    pair(3, of(0), of(5));
    assertThat(isAllowed()).as("no value in common").isFalse();
  }

  @Test
  void whatAGroupThatHasBegunMustTakeIsGone() throws Exception {
    begin(0, 0);
    need(1, 1, of(1));
    pair(1, of(2), of(1));
    assertThat(isAllowed()).isFalse();
    need(1, 1, of(1));
    pair(1, of(2, 6), of(1, 5));
    assertThat(isAllowed()).as("on another root").isTrue();
    need(1, 1, of(1, 2));
    pair(1, of(3), of(1, 2));
    assertThat(isAllowed()).as("one is left").isTrue();
    need(1, 1, of(1, 5));
    pair(1, of(2), of(1));
    assertThat(isAllowed()).as("may take another one").isTrue();
    need(1, 1, of());
    pair(1, of(2), of(3));
    assertThat(isAllowed()).as("finds nothing").isFalse();
    need(1, 2, of(1));
    assertThat(isAllowed()).as("finds too little").isFalse();
    need(1, 1, of(1));
    assertThat(isAllowed()).as("alone").isTrue();
    need(1, 2, of(1, 2, 5));
    pair(1, of(5), of(6));
    assertThat(isAllowed()).as("has its root in any case").isTrue();
  }

  @Test
  void groupsThatHaveBegunTakeWhatTheyNeedTogether() throws Exception {
    begin(0, 0);
    begin(2, 3);
    need(1, 1, of(1, 2));
    need(3, 1, of(1, 2));
    pair(2, of(1, 2), of(3));
    assertThat(isAllowed()).isFalse();
    need(1, 1, of(1, 2));
    need(3, 1, of(1, 2));
    pair(2, of(1, 2, 5), of(3, 6));
    assertThat(isAllowed()).isTrue();
  }

  @Test
  void whatHasTooManyValuesIsNotCounted() throws Exception {
    indexes[0][target(1).number] = null;
    pair(0, of(0), of(0));
    assertThat(isAllowed()).isTrue();
    pair(0, of(0), of(0));
    pair(1, of(0), of(0));
    assertThat(isAllowed()).isFalse();
  }
}
