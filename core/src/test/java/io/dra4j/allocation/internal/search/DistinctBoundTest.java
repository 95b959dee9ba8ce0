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
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether there are enough different values for what requests still need. */
class DistinctBoundTest {

  private SearchContext context;
  private PlanOutline outline;
  private @Nullable ValueIndex[][] indexes;
  private DistinctBound bound;

  /** Devices 0 and 1 with the value x, 2 with y, 3 with z, 4 with none. */
  @BeforeEach
  void plan() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            with("x", 0), with("x", 1), with("y", 2), with("z", 3), Device.named("d4").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").count(2))
            .request("s", request -> request.deviceClass("any"))
            .request("free", request -> request.deviceClass("any").count(4))
            .constraint(DeviceConstraint.distinctAttribute("gpu/v", "r", "s"))
            .build();
    context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    outline =
        new PlanOutline(new SearchPlan(context, List.of(claim), new SearchPosition("in a test")));
    BitSet all = new BitSet();
    all.set(0, context.candidates().size());
    ValueIndex index =
        ValueIndex.of(context, outline.constraints.get(0).constraint(), target(0), all);
    indexes = new ValueIndex[][] {{index, index, null}};
    bound = new DistinctBound(outline, indexes, context.candidates().size(), Budget.unlimited());
  }

  private static Device with(String value, int number) {
    return Device.named("d" + number).attribute("gpu/v", value).build();
  }

  private PlannedRequest target(int place) {
    return outline.requests.get(place).alternatives().get(0);
  }

  /** Whether there is room for so many of r among some devices, and so many of s among others. */
  private boolean allows(int ofR, List<Integer> forR, int ofS, List<Integer> forS)
      throws Exception {
    RemainingDemand outstanding = new RemainingDemand(3);
    BitSet r = outstanding.add(target(0), ofR);
    forR.forEach(r::set);
    BitSet s = outstanding.add(target(1), ofS);
    forS.forEach(s::set);
    BitSet free = outstanding.add(target(2), 4);
    free.set(0);
    return bound.allows(outstanding);
  }

  @Test
  void thereMustBeAsManyValuesAsDevicesAreNeeded() throws Exception {
    assertThat(allows(2, List.of(0, 2), 1, List.of(3))).isTrue();
    assertThat(allows(2, List.of(0, 1, 2), 1, List.of(1, 2))).isFalse();
    assertThat(allows(2, List.of(0, 1), 0, List.of())).isFalse();
    assertThat(allows(1, List.of(0, 1), 0, List.of())).isTrue();
    assertThat(allows(1, List.of(4), 0, List.of())).isFalse();
    assertThat(allows(0, List.of(), 0, List.of())).isTrue();
    // Nothing of one question is left in the next.
    assertThat(allows(2, List.of(0, 1), 0, List.of())).isFalse();
  }

  @Test
  void valuesThatAreTakenAreNoneForOthers() throws Exception {
    ConstraintRule rule = outline.constraints.get(0);
    assertThat(rule.tryPlace(target(0), context.candidates().get(0))).isNull();
    assertThat(allows(1, List.of(0, 1), 0, List.of())).isFalse();
    assertThat(allows(1, List.of(1, 2), 0, List.of())).isTrue();
    assertThat(allows(1, List.of(1, 2, 3), 1, List.of(1, 2, 3))).isTrue();
    assertThat(allows(2, List.of(1, 2, 3), 1, List.of(1, 2, 3))).isFalse();
    rule.undo(target(0), context.candidates().get(0));
    assertThat(allows(2, List.of(1, 2, 3), 1, List.of(1, 2, 3))).isTrue();
  }

  @Test
  void whatCannotBeCountedIsAllowed() throws Exception {
    BitSet some = new BitSet();
    some.set(0);
    ValueIndex another =
        Objects.requireNonNull(
            ValueIndex.of(context, outline.constraints.get(0).constraint(), target(1), some));
    indexes[0][1] = null;
    assertThat(allows(2, List.of(0), 1, List.of(0))).isTrue();
    indexes[0][1] = another;
    assertThat(allows(2, List.of(0), 1, List.of(0))).isTrue();
    indexes[0][1] = indexes[0][0];
    assertThat(allows(2, List.of(0), 1, List.of(0))).isFalse();
  }
}
