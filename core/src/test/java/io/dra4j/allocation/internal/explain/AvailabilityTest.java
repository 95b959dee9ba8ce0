package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.internal.rule.Violation;
import io.dra4j.allocation.internal.rule.Violation.Verb;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the reasons of many devices are told together. */
class AvailabilityTest {

  private static final Requirement.Request REQUEST =
      new Requirement.Request(new ClaimKey("default", "c"), "r");

  private final Availability supply = new Availability();
  private int devices;

  private void refuse(ExclusionCause rule, String rest, int times, String... holders) {
    for (int i = 0; i < times; i++) {
      DeviceId id = new DeviceId("gpu", "n", "d" + devices++);
      List<ClaimKey> keys = List.of(holders).stream().map(h -> new ClaimKey("default", h)).toList();
      supply.refuse(
          new Violation(rule, Verb.IS, rest),
          new ExcludedDevice(id, REQUEST, rule, "is " + rest, keys));
      supply.ofClass++;
    }
  }

  @Test
  void selectorsComeLastAndHoldersBehindTheirReason() {
    assertThat(supply.isRefusedBy(ExclusionCause.SELECTOR)).isFalse();
    refuse(ExclusionCause.SELECTOR, "of another model", 2);
    refuse(ExclusionCause.USAGE, "in use", 1, "b", "a");
    refuse(ExclusionCause.USAGE, "in use", 1, "c");
    refuse(ExclusionCause.COUNTERS, "short of memory", 1, "a");
    assertThat(supply.reasons())
        .isEqualTo(
            "2 are in use by default/a, default/b and 1 more,"
                + " 1 is short of memory (used by default/a), 2 are of another model");
    assertThat(supply.isRefusedBy(ExclusionCause.SELECTOR)).isTrue();
    assertThat(supply.isRefusedBy(ExclusionCause.TAINTS)).isFalse();
    assertThat(supply.reasons("any"))
        .startsWith("of the node's 5 devices of class any, 2 are in use by");
  }

  @Test
  void ofManyReasonsTheFirstAreToldAndTheRestIsCounted() {
    refuse(ExclusionCause.SELECTOR, "of another model", 9);
    for (int i = 0; i < 6; i++) {
      refuse(ExclusionCause.TAINTS, "tainted k" + i, 1 + i);
    }
    assertThat(supply.reasons())
        .startsWith("1 is tainted k0, 2 are tainted k1, ")
        .endsWith(", 6 are tainted k5 and 9 for 1 more reason");
    refuse(ExclusionCause.TAINTS, "tainted k6", 5);
    assertThat(supply.reasons()).endsWith(", 6 are tainted k5 and 14 for 2 more reasons");
  }

  @Test
  void withoutDevicesOfTheClassAHintIsAll() {
    supply.hint = "did you mean x?";
    assertThat(supply.reasons()).isEqualTo("did you mean x?");
    assertThat(supply.reasons("any")).isEmpty();
  }

  @Test
  void aRequestThatWantsTheSameIsToldOfItself() {
    refuse(ExclusionCause.USAGE, "in use", 1, "a");
    Requirement.Request other = new Requirement.Request(new ClaimKey("default", "d"), "s");
    assertThat(supply.of(other).refused())
        .containsExactly(
            new ExcludedDevice(
                new DeviceId("gpu", "n", "d0"),
                other,
                ExclusionCause.USAGE,
                "is in use",
                List.of(new ClaimKey("default", "a"))));
    assertThat(supply.of(other).reasons()).isEqualTo("1 is in use by default/a");
    assertThat(supply.refused().get(0).request()).isEqualTo(REQUEST);
  }

  @Test
  void whoWantsTheSameIsToldOfTheFirstDevicesOnly() {
    refuse(ExclusionCause.USAGE, "in use", Availability.MAX_LISTED + 1, "a");
    Requirement.Request other = new Requirement.Request(new ClaimKey("default", "d"), "s");
    assertThat(supply.refused()).hasSize(Availability.MAX_LISTED + 1);
    assertThat(supply.of(other).refused()).hasSize(Availability.MAX_LISTED);
    assertThat(supply.refused(1)).hasSize(1);
    assertThat(supply.of(other).refused(1)).hasSize(1);
  }
}
