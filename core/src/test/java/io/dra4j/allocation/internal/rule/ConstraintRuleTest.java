package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceConstraint.Demand;
import io.dra4j.model.DeviceConstraint.Kind;
import io.dra4j.model.Features;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the rule of each kind of constraint says of itself, which searches rely on, is so. */
class ConstraintRuleTest {

  private static final int ROUNDS = 200;
  private static final int DEVICES = 8;

  /** Random devices, and the rule of a constraint of a kind about them. */
  private static final class Trial {
    final SearchContext context;
    final ConstraintRule rule;
    final PlannedRequest target;
    final boolean lists;

    Trial(Kind kind, Random random) throws Exception {
      lists = random.nextBoolean();
      Set<Feature> features =
          lists ? Feature.kubernetes() : Features.without(Feature.LIST_TYPE_ATTRIBUTES);
      Cluster cluster = Cluster.withDevices(devices(random));
      ResourceClaim claim =
          ResourceClaim.named("c")
              .request("r", request -> request.deviceClass("any"))
              .constraint(DeviceConstraint.of(kind, "gpu/x"))
              .build();
      context = cluster.context(cluster.inventory(), features, Compatibility.REFERENCE);
      SearchPlan plan = new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
      rule = plan.claims.get(0).constraints().get(0);
      target = plan.targets.get(0);
    }

    private static Device[] devices(Random random) {
      Device[] devices = new Device[DEVICES];
      for (int i = 0; i < DEVICES; i++) {
        Device.Builder device = Device.named("d" + i);
        switch (random.nextInt(6)) {
          case 0 -> {}
          case 1 -> device.attribute("gpu/x", DeviceAttribute.ints(value(random), value(random)));
          default -> device.attribute("gpu/x", DeviceAttribute.of(value(random)));
        }
        devices[i] = device.build();
      }
      return devices;
    }

    private static long value(Random random) {
      return random.nextInt(4);
    }

    NodeDevice device(int ordinal) {
      return context.candidates().get(ordinal);
    }

    @Nullable AttributeValueIds values(int ordinal) throws Exception {
      return rule.constraint().valuesOf(target, device(ordinal));
    }

    boolean isComparable(int ordinal) throws Exception {
      AttributeValueIds values = values(ordinal);
      return values == null || values.scalar || lists;
    }

    boolean place(int ordinal) throws Exception {
      return rule.tryPlace(target, device(ordinal)) == null;
    }

    void undo(int ordinal) throws Exception {
      rule.undo(target, device(ordinal));
    }

    /** Which devices the rule would let be placed now. */
    List<Boolean> answers() throws Exception {
      List<Boolean> answers = new ArrayList<>();
      for (int i = 0; i < DEVICES; i++) {
        answers.add(place(i));
        if (answers.get(i)) {
          undo(i);
        }
      }
      return answers;
    }

    /** Places devices in a random order as long as they pass. */
    List<Integer> placeSome(Random random) throws Exception {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < DEVICES; i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      List<Integer> placed = new ArrayList<>();
      for (int ordinal : order.subList(0, random.nextInt(DEVICES))) {
        if (place(ordinal)) {
          placed.add(ordinal);
        }
      }
      return placed;
    }

    void undo(List<Integer> placed) throws Exception {
      for (int i = placed.size() - 1; i >= 0; i--) {
        undo(placed.get(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void equalStatesGiveEqualAnswers(Kind kind) throws Exception {
    int equal = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      Trial trial = new Trial(kind, random);
      Map<List<Integer>, List<Boolean>> known = new HashMap<>();
      for (int i = 0; i < 20; i++) {
        List<Integer> placed = trial.placeSome(random);
        List<Integer> state = Arrays.stream(trial.rule.state()).boxed().toList();
        assertThat(state).as("%s", placed).allMatch(word -> word >= 0);
        List<Boolean> answers = trial.answers();
        List<Boolean> before = known.putIfAbsent(state, answers);
        equal += before == null ? 0 : 1;
        assertThat(answers)
            .as("round %d, %s placed", round, placed)
            .isEqualTo(before == null ? answers : before);
        trial.undo(placed);
        assertThat(trial.rule.state()).isEmpty();
        assertThat(trial.rule.held()).isEmpty();
      }
    }
    assertThat(equal).isGreaterThan(ROUNDS);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsRefusedIsRefusedBesidesMoreDevices(Kind kind) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      Trial trial = new Trial(kind, random);
      List<Boolean> before = trial.answers();
      for (int ordinal : trial.placeSome(random)) {
        List<Boolean> after = trial.answers();
        for (int i = 0; i < DEVICES; i++) {
          assertThat(before.get(i) || !after.get(i)).as("%d after %d", i, ordinal).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theOrderDoesNotMatterWhereTheRuleIsSymmetric(Kind kind) throws Exception {
    int reversed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      Trial trial = new Trial(kind, random);
      boolean anyIncomparable = false;
      for (int i = 0; i < DEVICES; i++) {
        anyIncomparable |= !trial.isComparable(i);
      }
      List<Integer> placed = trial.placeSome(random);
      List<Boolean> answers = trial.answers();
      trial.undo(placed);
      if (trial.rule.isSymmetric(anyIncomparable)) {
        Collections.reverse(placed);
        for (int ordinal : placed) {
          assertThat(trial.place(ordinal)).as("round %d: %s", round, placed).isTrue();
        }
        assertThat(trial.answers()).as("round %d: %s", round, placed).isEqualTo(answers);
        reversed += placed.size() > 1 ? 1 : 0;
      }
    }
    assertThat(reversed).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void placedDevicesMeetTheDemand(Kind kind) throws Exception {
    int several = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      Trial trial = new Trial(kind, random);
      List<Integer> placed = trial.placeSome(random);
      several += placed.size() > 1 ? 1 : 0;
      for (int one : placed) {
        for (int other : placed) {
          AttributeValueIds values = Objects.requireNonNull(trial.values(one));
          if (one != other && trial.isComparable(one) && trial.isComparable(other)) {
            boolean share =
                values.intersects(Objects.requireNonNull(trial.values(other)), Budget.unlimited());
            if (trial.rule.demands(Demand.COMMON_VALUE)) {
              assertThat(share).isTrue();
            } else if (trial.rule.demands(Demand.DISTINCT_VALUES)) {
              assertThat(share).isFalse();
            }
          }
        }
      }
      for (AttributeValueIds held : trial.rule.held()) {
        for (int one : placed) {
          if (trial.rule.demands(Demand.COMMON_VALUE) && trial.isComparable(one)) {
            assertThat(held.ids().allMatch(Objects.requireNonNull(trial.values(one))::contains))
                .as("round %d: %s have all values that are held", round, placed)
                .isTrue();
          }
        }
      }
      if (trial.rule.demands(Demand.DISTINCT_VALUES)) {
        assertThat(trial.rule.held()).hasSameSizeAs(placed);
      }
    }
    assertThat(several).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatDecidesRefusalsAloneIsTheSameOfAllKindsThatRefuseTheSame(Kind kind) throws Exception {
    for (Kind other : Kind.values()) {
      for (int round = 0; round < ROUNDS; round++) {
        Trial one = new Trial(kind, new Random(round));
        Trial two = new Trial(other, new Random(round));
        if (one.rule.refusesAlone(one.target).equals(two.rule.refusesAlone(two.target))) {
          assertThat(one.answers()).as("round %d", round).isEqualTo(two.answers());
        }
      }
    }
  }
}
