package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.search.ClaimPlan;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is placed and refused in between: undoing restores exactly what was before. */
class PlacerTest {

  private record Step(PlannedRequest target, NodeDevice candidate) {}

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void undoRestoresEveryAnswer(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Cluster cluster = randomCluster(random);
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("a", request -> request.deviceClass("any").capacity("bw", "2"))
            .request("b", request -> request.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("gpu/m"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/d", "b"))
            .build();
    DeviceInventory inventory = cluster.inventory();
    SearchContext context = cluster.context(inventory, Compatibility.REFERENCE);
    SearchPlan plan = new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
    Placer placer = plan.claims.get(0).placer();
    List<Step> placed = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    answers.add(answers(plan));
    for (int i = 0; i < 40; i++) {
      if (!placed.isEmpty() && random.nextInt(3) == 0) {
        Step last = placed.remove(placed.size() - 1);
        answers.remove(answers.size() - 1);
        placer.undo(last.target(), last.candidate());
        assertThat(answers(plan)).isEqualTo(answers.get(answers.size() - 1));
        continue;
      }
      PlannedRequest target =
          plan.claims.get(0).requests().get(random.nextInt(2)).alternatives().get(0);
      NodeDevice candidate = context.candidates().get(random.nextInt(context.candidates().size()));
      if (placer.tryPlace(target, candidate) == null) {
        placed.add(new Step(target, candidate));
        answers.add(answers(plan));
      } else {
        assertThat(answers(plan)).isEqualTo(answers.get(answers.size() - 1));
      }
    }
  }

  /** What every rule would say now of every device for every request. */
  private static String answers(SearchPlan plan) throws RejectedException, BudgetExceededException {
    StringBuilder answers = new StringBuilder();
    Placer placer = plan.claims.get(0).placer();
    for (ClaimPlan.RequestPlan request : plan.claims.get(0).requests()) {
      PlannedRequest target = request.alternatives().get(0);
      for (int i = 0; i < plan.context.candidates().size(); i++) {
        NodeDevice candidate = plan.context.candidates().get(i);
        Violation refusal = placer.tryPlace(target, candidate);
        answers.append(refusal == null ? "yes" : refusal.reason()).append('\n');
        if (refusal == null) {
          placer.undo(target, candidate);
        }
      }
    }
    return answers.toString();
  }

  private static Cluster randomCluster(SplittableRandom random) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Device.Builder device =
          Device.named("d" + i)
              .attribute("m", random.nextBoolean() ? list(random) : scalar(random))
              .attribute("d", scalar(random))
              .capacity("bw", "5");
      if (random.nextBoolean()) {
        device.allowMultipleAllocations();
      }
      if (random.nextBoolean()) {
        device.consumesCounters(
            new DeviceCounterConsumption(
                "set",
                Map.of("x", Quantity.of(1 + random.nextInt(3))),
                random.nextBoolean() ? List.of("g" + random.nextInt(2)) : List.of()));
      }
      devices.add(device.build());
    }
    ResourceSlice counters =
        ResourceSlice.named("counters", "gpu")
            .pool("p", 1, 2)
            .nodeSelection(NodeSelection.ALL_NODES)
            .counterSet(new CounterSet("set", Map.of("x", Quantity.of(4))))
            .build();
    ResourceSlice slice =
        ResourceSlice.named("devices", "gpu")
            .pool("p", 1, 2)
            .nodeSelection(NodeSelection.ALL_NODES)
            .devices(devices)
            .build();
    return Cluster.of(counters, slice);
  }

  private static DeviceAttribute scalar(SplittableRandom random) {
    return DeviceAttribute.of(random.nextInt(3));
  }

  private static DeviceAttribute list(SplittableRandom random) {
    return DeviceAttribute.ints((long) random.nextInt(3), (long) random.nextInt(3));
  }
}
