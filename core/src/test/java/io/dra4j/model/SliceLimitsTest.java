package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SliceLimitsTest {

  @Test
  void whatIsAtTheLimitsIsTaken() {
    Device.Builder device = Device.named("d".repeat(63)).attribute("t", "x".repeat(64));
    for (int i = 1; i < 32; i++) {
      device.attribute("d".repeat(63) + "/" + "a".repeat(30) + (i + 10), i);
    }
    List<DeviceTaint> taints = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      taints.add(DeviceTaint.of("t" + i, "", TaintEffect.NO_SCHEDULE));
    }

    assertThat(SliceLimits.problems(device.taints(taints).build())).isEmpty();
  }

  @Test
  void eachLimitThatIsExceededIsSaid() {
    DeviceCounterConsumption nothing = new DeviceCounterConsumption("s", Map.of(), List.of());
    Device device =
        Device.named("d".repeat(64))
            .attributes(
                Map.of(
                    "n".repeat(33),
                    DeviceAttribute.of(1),
                    "list",
                    new DeviceAttribute.IntValues(java.util.Collections.nCopies(48, 1L))))
            .capacity("no/way/", DeviceCapacity.of(Quantity.of(1)))
            .bindingConditions(List.of("a", "b", "c", "d", "e"), List.of())
            .consumesCounters(List.of(nothing, nothing, nothing))
            .build();

    assertThat(SliceLimits.problems(device))
        .hasSize(12)
        .contains(
            "has a name that is not a DNS label of at most 63 bytes",
            "has 49 values in attributes, at most 48 are allowed",
            "has 5 binding conditions, at most 4 are allowed",
            "has binding conditions or binding failure conditions without the other",
            "has 3 counter sets it draws on, at most 2 are allowed",
            "draws on counter set s twice",
            "has no counters of counter set s");
  }

  @Test
  void aSliceHasLessRoomForDevicesWithTaintsCountersOrLists() {
    Device plain = Device.named("d").attribute("a", "b").build();

    assertThat(SliceLimits.isAdvanced(plain)).isFalse();
    assertThat(
            SliceLimits.isAdvanced(
                plain.toBuilder()
                    .taints(List.of(DeviceTaint.of("t", "", TaintEffect.NO_EXECUTE)))
                    .build()))
        .isTrue();
    assertThat(
            SliceLimits.isAdvanced(
                plain.toBuilder()
                    .attributes(Map.of("l", new DeviceAttribute.BoolValues(List.of(true))))
                    .build()))
        .isTrue();
  }

  @Test
  void aPoolIsNamedByDnsSubdomainsWithSlashesBetween() {
    assertThat(List.of("node-1", "a.b/c", "x".repeat(253))).allMatch(SliceLimits::isPoolName);
    assertThat(List.of("", "/a", "a/", "a//b", "A", "a b", "-a", "x".repeat(254)))
        .noneMatch(SliceLimits::isPoolName);
  }
}
