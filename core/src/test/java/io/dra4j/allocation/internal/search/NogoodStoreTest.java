package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.Rule;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which positions of a search come to the same, and which do not. */
class NogoodStoreTest {

  private SearchContext context;
  private PlanOutline outline;
  private NogoodStore deadEnds;

  /** Two GPUs that are alike (0, 1), one on another root (2), and a NIC (3). */
  @BeforeEach
  void plan() throws Exception {
    Cluster cluster =
        Cluster.withDevices(on("x", "a"), on("x", "b"), on("y", "c"))
            .add(
                ResourceSlice.onNode(
                    "nics",
                    "nic",
                    "n",
                    List.of(Device.named("p").attribute("gpu/r", "x").build())));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("any", request -> request.deviceClass("any"))
            .request("gpu", request -> request.deviceClass("gpu").count(2))
            .request("last", request -> request.deviceClass("gpu"))
            .constraint(DeviceConstraint.matchAttribute("gpu/r", "any", "gpu"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/r", "any", "last"))
            .build();
    plan(cluster, claim);
  }

  private void plan(Cluster cluster, ResourceClaim claim) throws Exception {
    context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPlan plan = new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
    outline = new PlanOutline(plan);
    CandidateSets sets =
        Objects.requireNonNull(CandidateSets.of(plan, Long.MAX_VALUE / 2, 1 << 20));
    deadEnds =
        new NogoodStore(
            context, outline, sets, new InterchangeableDevices(context, sets, List.of()));
  }

  private static Device on(String root, String name) {
    return Device.named(name).attribute("gpu/r", root).build();
  }

  private NogoodStore.Key key(int place, int alternative, long chosen, int start, int... used)
      throws Exception {
    BitSet devices = new BitSet();
    for (int ordinal : used) {
      devices.set(ordinal);
    }
    return deadEnds.keyOf(
        place, alternative, chosen, start, devices, new Shares(context.candidates().size()));
  }

  @Test
  void whatIsRememberedIsKnown() throws Exception {
    NogoodStore.Key key = key(1, -1, 0, 0, 0);
    assertThat(deadEnds.contains(key)).isFalse();
    deadEnds.add(key);
    assertThat(deadEnds.contains(key)).isTrue();
    assertThat(deadEnds.contains(key(1, -1, 0, 0, 0))).isTrue();
    assertThat(deadEnds.contains(key(2, -1, 0, 0, 0))).isFalse();
  }

  @Test
  void positionsDifferByTheirRequestItsAlternativeAndWhatItHas() throws Exception {
    NogoodStore.Key key = key(1, -1, 1, 1, 0);
    assertThat(key(1, -1, 1, 1, 0)).isEqualTo(key).hasSameHashCodeAs(key);
    assertThat(key(0, -1, 1, 1, 0)).isNotEqualTo(key);
    assertThat(key(1, 0, 1, 1, 0)).isNotEqualTo(key);
    assertThat(key(1, -1, 2, 1, 0)).isNotEqualTo(key);
    assertThat(key(1, -1, 1, 2, 0)).isNotEqualTo(key);
    assertThat(key(1, -1, 1, 1, 1)).isNotEqualTo(key);
    assertThat(key(1, -1, 1, 1)).isNotEqualTo(key);
    assertThat(key.equals(new Object())).isFalse();
  }

  @Test
  void atTheFirstDeviceOfARequestItDoesNotMatterWhichOfAlikeDevicesAreUsed() throws Exception {
    assertThat(key(1, -1, 0, 3, 0)).isEqualTo(key(1, -1, 0, 1, 0));
    assertThat(key(1, -1, 0, 0, 1)).isEqualTo(key(1, -1, 0, 0, 0));
    assertThat(key(1, -1, 0, 0, 0, 1)).isNotEqualTo(key(1, -1, 0, 0, 0));
    assertThat(key(1, -1, 0, 0)).isNotEqualTo(key(1, -1, 0, 0, 0));
  }

  @Test
  void devicesThatNobodyCanHaveAnyMoreDoNotMatter() throws Exception {
    assertThat(key(1, -1, 0, 0, 0, 3)).isEqualTo(key(1, -1, 0, 0, 0));
    assertThat(key(0, -1, 0, 0, 0, 3)).isNotEqualTo(key(0, -1, 0, 0, 0));
  }

  @Test
  void whatConstraintsRememberMattersAsLongAsARequestIsAboutThem() throws Exception {
    NogoodStore.Key second = key(1, -1, 0, 0, 0);
    NogoodStore.Key last = key(2, -1, 0, 0, 0);
    PlannedRequest any = outline.requests.get(0).alternatives().get(0);
    Rule matching = outline.constraints.get(0);
    Rule distinct = outline.constraints.get(1);
    assertThat(matching.tryPlace(any, context.candidates().get(0))).isNull();
    NogoodStore.Key sameRoot = key(1, -1, 0, 0, 0);
    assertThat(sameRoot).isNotEqualTo(second);
    assertThat(key(2, -1, 0, 0, 0)).as("no request is about it any more").isEqualTo(last);
    matching.undo(any, context.candidates().get(0));
    assertThat(key(1, -1, 0, 0, 0)).isEqualTo(second);
    assertThat(matching.tryPlace(any, context.candidates().get(2))).isNull();
    assertThat(key(1, -1, 0, 0, 0)).as("another root").isNotEqualTo(sameRoot);
    matching.undo(any, context.candidates().get(2));

    assertThat(distinct.tryPlace(any, context.candidates().get(0))).isNull();
    NogoodStore.Key taken = key(2, -1, 0, 0, 0);
    assertThat(taken).isNotEqualTo(last).isNotEqualTo(sameRoot);
    distinct.undo(any, context.candidates().get(0));
    assertThat(distinct.tryPlace(any, context.candidates().get(2))).isNull();
    assertThat(key(2, -1, 0, 0, 0)).as("another root").isNotEqualTo(taken);
    distinct.undo(any, context.candidates().get(2));
    assertThat(key(2, -1, 0, 0, 0)).isEqualTo(last);
  }

  /** Two GPUs that are alike (0, 2) beside another one (1), and four constraints. */
  private void planFourConstraints() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/r", "x").attribute("gpu/s", "x").build(),
            Device.named("b").attribute("gpu/r", "y").attribute("gpu/s", "y").build(),
            Device.named("c").attribute("gpu/r", "x").attribute("gpu/s", "x").build());
    plan(
        cluster,
        ResourceClaim.named("c")
            .request("any", request -> request.deviceClass("any"))
            .request("gpu", request -> request.deviceClass("gpu").count(2))
            .request("last", request -> request.deviceClass("gpu"))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .constraint(DeviceConstraint.matchAttribute("gpu/s"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/r"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/s"))
            .build());
  }

  @Test
  void whichConstraintRemembersAValueMatters() throws Exception {
    planFourConstraints();
    PlannedRequest any = outline.requests.get(0).alternatives().get(0);
    List<Rule> rules = new ArrayList<>(outline.constraints);
    assertThat(rules).hasSize(4);
    Set<NogoodStore.Key> keys = new HashSet<>(Set.of(key(1, -1, 0, 0)));
    for (Rule rule : rules) {
      for (int device : new int[] {0, 1}) {
        assertThat(rule.tryPlace(any, context.candidates().get(device))).isNull();
        assertThat(keys.add(key(1, -1, 0, 0))).as("%s at device %d", rule, device).isTrue();
        rule.undo(any, context.candidates().get(device));
      }
    }
  }

  @Test
  void inWhichOrderDevicesWerePlacedDoesNotMatter() throws Exception {
    planFourConstraints();
    assertThat(key(1, -1, 0, 0, 0, 1)).isEqualTo(key(1, -1, 0, 0, 1, 2));
    PlannedRequest any = outline.requests.get(0).alternatives().get(0);
    PlannedRequest last = outline.requests.get(2).alternatives().get(0);
    Rule rule = outline.constraints.get(2);
    List<NogoodStore.Key> keys = new ArrayList<>();
    for (int first : new int[] {0, 1}) {
      assertThat(rule.tryPlace(any, context.candidates().get(first))).isNull();
      for (int used = 0; used < 3; used++) {
        keys.add(key(1, -1, 0, 0, used));
      }
      assertThat(rule.tryPlace(last, context.candidates().get(1 - first))).isNull();
      keys.add(key(1, -1, 0, 0));
      rule.undo(last, context.candidates().get(1 - first));
      rule.undo(any, context.candidates().get(first));
    }
    assertThat(keys.get(3)).isEqualTo(keys.get(7));
    assertThat(keys.subList(0, 3))
        .doesNotContain(keys.get(3))
        .doesNotContainAnyElementsOf(keys.subList(4, 7));
    assertThat(keys.subList(4, 7)).doesNotContain(keys.get(3));
  }

  @Test
  void sharesThatArePlacedMatter() throws Exception {
    Shares shares = new Shares(context.candidates().size());
    shares.add(outline.requests.get(1).alternatives().get(0), 0);
    NogoodStore.Key shared = deadEnds.keyOf(1, -1, 0, 0, new BitSet(), shares);
    assertThat(shared).isNotEqualTo(key(1, -1, 0, 0));
    Shares ofAnother = new Shares(context.candidates().size());
    ofAnother.add(outline.requests.get(1).alternatives().get(0), 1);
    assertThat(deadEnds.keyOf(1, -1, 0, 0, new BitSet(), ofAnother)).isEqualTo(shared);
    assertThat(deadEnds.keyOf(1, -1, 1, 0, new BitSet(), ofAnother))
        .isNotEqualTo(deadEnds.keyOf(1, -1, 1, 0, new BitSet(), shares));
  }

  @Test
  void aPositionMayBeDescribedInAnyNumberOfWords() throws Exception {
    for (int i = 0; i < 200; i++) {
      deadEnds.add(i);
    }
    assertThat(key(1, -1, 0, 0, 0)).isEqualTo(key(1, -1, 0, 0, 1));
  }
}
