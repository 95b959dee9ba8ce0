package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which positions of a search come to the same, and which do not. */
class DeadEndsTest {

  private SearchContext context;
  private PlanOutline outline;
  private DeadEnds deadEnds;

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
    context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPlan plan = new SearchPlan(context, List.of(claim), new Position("in a test"));
    outline = new PlanOutline(plan);
    CandidateSets sets =
        Objects.requireNonNull(CandidateSets.of(plan, Long.MAX_VALUE / 2, 1 << 20));
    deadEnds = new DeadEnds(context, outline, sets, new AlikeCandidates(context, sets, List.of()));
  }

  private static Device on(String root, String name) {
    return Device.named(name).attribute("gpu/r", root).build();
  }

  private DeadEnds.Key key(int place, int alternative, long chosen, int start, int... used) {
    BitSet devices = new BitSet();
    for (int ordinal : used) {
      devices.set(ordinal);
    }
    return deadEnds.keyOf(
        place, alternative, chosen, start, devices, new Shares(context.candidates().size()));
  }

  @Test
  void whatIsRememberedIsKnown() {
    DeadEnds.Key key = key(1, -1, 0, 0, 0);
    assertThat(deadEnds.contains(key)).isFalse();
    deadEnds.add(key);
    assertThat(deadEnds.contains(key)).isTrue();
    assertThat(deadEnds.contains(key(1, -1, 0, 0, 0))).isTrue();
    assertThat(deadEnds.contains(key(2, -1, 0, 0, 0))).isFalse();
  }

  @Test
  void positionsDifferByTheirRequestItsAlternativeAndWhatItHas() {
    DeadEnds.Key key = key(1, -1, 1, 1, 0);
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
  void atTheFirstDeviceOfARequestItDoesNotMatterWhichOfAlikeDevicesAreUsed() {
    assertThat(key(1, -1, 0, 3, 0)).isEqualTo(key(1, -1, 0, 1, 0));
    assertThat(key(1, -1, 0, 0, 1)).isEqualTo(key(1, -1, 0, 0, 0));
    assertThat(key(1, -1, 0, 0, 0, 1)).isNotEqualTo(key(1, -1, 0, 0, 0));
    assertThat(key(1, -1, 0, 0)).isNotEqualTo(key(1, -1, 0, 0, 0));
  }

  @Test
  void devicesThatNobodyCanHaveAnyMoreDoNotMatter() {
    assertThat(key(1, -1, 0, 0, 0, 3)).isEqualTo(key(1, -1, 0, 0, 0));
    assertThat(key(0, -1, 0, 0, 0, 3)).isNotEqualTo(key(0, -1, 0, 0, 0));
  }

  @Test
  void whatConstraintsRememberMattersAsLongAsARequestIsAboutThem() throws Exception {
    DeadEnds.Key second = key(1, -1, 0, 0, 0);
    DeadEnds.Key last = key(2, -1, 0, 0, 0);
    Target any = outline.requests.get(0).alternatives().get(0);
    Rule matching = outline.matching.get(0);
    Rule distinct = outline.distinct.get(0);
    assertThat(matching.tryPlace(any, context.candidates().get(0))).isNull();
    DeadEnds.Key sameRoot = key(1, -1, 0, 0, 0);
    assertThat(sameRoot).isNotEqualTo(second);
    assertThat(key(2, -1, 0, 0, 0)).as("no request is about it any more").isEqualTo(last);
    matching.undo(any, context.candidates().get(0));
    assertThat(key(1, -1, 0, 0, 0)).isEqualTo(second);
    assertThat(matching.tryPlace(any, context.candidates().get(2))).isNull();
    assertThat(key(1, -1, 0, 0, 0)).as("another root").isNotEqualTo(sameRoot);
    matching.undo(any, context.candidates().get(2));

    assertThat(distinct.tryPlace(any, context.candidates().get(0))).isNull();
    DeadEnds.Key taken = key(2, -1, 0, 0, 0);
    assertThat(taken).isNotEqualTo(last).isNotEqualTo(sameRoot);
    distinct.undo(any, context.candidates().get(0));
    assertThat(distinct.tryPlace(any, context.candidates().get(2))).isNull();
    assertThat(key(2, -1, 0, 0, 0)).as("another root").isNotEqualTo(taken);
    distinct.undo(any, context.candidates().get(2));
    assertThat(key(2, -1, 0, 0, 0)).isEqualTo(last);
  }

  @Test
  void sharesThatArePlacedMatter() {
    Shares shares = new Shares(context.candidates().size());
    shares.add(outline.requests.get(1).alternatives().get(0), 0);
    DeadEnds.Key shared = deadEnds.keyOf(1, -1, 0, 0, new BitSet(), shares);
    assertThat(shared).isNotEqualTo(key(1, -1, 0, 0));
    Shares ofAnother = new Shares(context.candidates().size());
    ofAnother.add(outline.requests.get(1).alternatives().get(0), 1);
    assertThat(deadEnds.keyOf(1, -1, 0, 0, new BitSet(), ofAnother)).isEqualTo(shared);
    assertThat(deadEnds.keyOf(1, -1, 1, 0, new BitSet(), ofAnother))
        .isNotEqualTo(deadEnds.keyOf(1, -1, 1, 0, new BitSet(), shares));
  }

  @Test
  void aPositionMayBeDescribedInAnyNumberOfWords() {
    for (int i = 0; i < 200; i++) {
      deadEnds.add(i);
    }
    assertThat(key(1, -1, 0, 0, 0)).isEqualTo(key(1, -1, 0, 0, 1));
  }
}
