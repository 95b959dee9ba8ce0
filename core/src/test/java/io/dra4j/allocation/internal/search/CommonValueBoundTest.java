package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationObserver;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.RandomCluster;
import io.dra4j.allocation.SearchStatistics;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code -Dcommon.clusters=N} sets on how many random clusters the bound is held to the search. */
class CommonValueBoundTest {

  private static final int CLUSTERS = Integer.getInteger("common.clusters", 4_000);
  private static final int MAX_STEPS = 20_000;
  private static final int DEVICES = 2_000;

  private static final DeviceConstraint SAME_SERIAL = DeviceConstraint.matchAttribute("gpu/serial");

  /** Each with a serial number that no other has, but for the last so many. */
  private static Cluster withSerials(int alike) {
    return Cluster.withDevices(
        IntStream.range(0, DEVICES)
            .mapToObj(
                i ->
                    Device.named("d" + i)
                        .attribute("gpu/serial", Math.min(i, DEVICES - alike))
                        .build())
            .toArray(Device[]::new));
  }

  private static SearchStatistics searched(Cluster cluster, ResourceClaim claim) {
    List<SearchStatistics> searched = new ArrayList<>();
    cluster.allocate(
        Allocator.builder()
            .observer(
                new AllocationObserver() {
                  @Override
                  public void searched(SearchStatistics statistics) {
                    searched.add(statistics);
                  }
                }),
        claim);
    return searched.get(0);
  }

  @Test
  void devicesOfWhichNoTwoAreAlikeAreNotTriedPairByPair() {
    ResourceClaim two =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("gpu").count(2))
            .constraint(SAME_SERIAL)
            .build();
    ResourceClaim pair =
        ResourceClaim.named("c")
            .request("a", r -> r.deviceClass("gpu"))
            .request("b", r -> r.deviceClass("gpu"))
            .constraint(SAME_SERIAL)
            .build();
    for (ResourceClaim claim : List.of(two, pair)) {
      SearchStatistics nowhere = searched(withSerials(1), claim);
      assertThat(nowhere.fits()).isFalse();
      assertThat(nowhere.steps()).isLessThan(10L * DEVICES);
      assertThat(searched(withSerials(2), claim).fits()).isTrue();
    }
  }

  @Test
  void whereTheBoundLeavesNoRoomTheSearchFindsNothing() throws Exception {
    int without = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      if (!allows(RandomCluster.ofAllKinds(seed))) {
        without++;
        assertThat(finds(RandomCluster.ofAllKinds(seed))).as("seed %d", seed).isFalse();
      }
    }
    assertThat(without).isGreaterThan(CLUSTERS / 100);
  }

  private static SearchPlan plan(RandomCluster random) throws Exception {
    SearchContext context =
        random.cluster.context(
            random.cluster.inventory(), random.features, random.compatibility, List.of());
    return new SearchPlan(context, random.claims, new SearchPosition("in a test"));
  }

  private static boolean allows(RandomCluster random) throws Exception {
    try {
      SearchPlan plan = plan(random);
      if (Pruning.of(plan, Long.MAX_VALUE / 2) == null) {
        return true; // nothing is passed over
      }
      CandidateSets sets = CandidateSets.of(plan, Long.MAX_VALUE / 2, Long.MAX_VALUE);
      return sets == null
          || new CommonValueBound(plan.context, new PlanOutline(plan), sets).allowsAll();
    } catch (RejectedException e) {
      return true;
    }
  }

  /** Whether a search that tries everything finds anything; not if it takes too long. */
  private static boolean finds(RandomCluster random) throws Exception {
    try {
      return new Search(plan(random), new SearchPosition("in a test"), Long.MAX_VALUE)
          .atMost(MAX_STEPS)
          .run();
    } catch (BudgetExceededException e) {
      return false;
    }
  }
}
