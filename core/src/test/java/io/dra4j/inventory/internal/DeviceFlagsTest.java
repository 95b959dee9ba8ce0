package io.dra4j.inventory.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is peculiar about devices, each by itself, however many are in the slice. */
class DeviceFlagsTest {

  private static final DeviceCapacity POLICY =
      new DeviceCapacity(
          Quantity.of(1), new CapacityRequestPolicy(Quantity.of(1), List.of(), null));

  private static Device.Builder device() {
    return Device.named("d");
  }

  /** What is asked of each device. */
  private interface Question {
    boolean holds(DeviceFlags peculiarities, int position) throws Exception;
  }

  private static List<Integer> found(List<Device> devices, Question question) throws Exception {
    DeviceFlags peculiarities = new DeviceFlags(devices);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      if (question.holds(peculiarities, i)) {
        found.add(i);
      }
    }
    return found;
  }

  private static List<Integer> demanding(List<Device> devices) throws Exception {
    return found(devices, (slice, i) -> slice.hasDemandingCapacities(i, Budget.unlimited()));
  }

  private static List<Integer> broken(List<Device> devices) throws Exception {
    return found(devices, (slice, i) -> slice.isBroken(i, Budget.unlimited()));
  }

  @Test
  void aPolicyOrACapacityBelowZeroCanRefuseADeviceAsAWhole() throws Exception {
    assertThat(
            demanding(
                List.of(
                    device().build(),
                    device().capacity("a", "1").build(),
                    device().capacity("a", "0").build(),
                    device().capacity("a", "1").capacity("b", "-1").build(),
                    device().capacity("a", "1").build(),
                    device().capacity("a", POLICY).build())))
        .containsExactly(3, 5);
  }

  @Test
  void noValueAndVersionsThatAreNoneBreakADevice() throws Exception {
    DeviceAttribute good = DeviceAttribute.version("1.0.0");
    DeviceAttribute none = DeviceAttribute.version("none");
    assertThat(
            broken(
                List.of(
                    device().build(),
                    device().attribute("v", good).build(),
                    device().attribute("v", good).attribute("w", none).build(),
                    device().attribute("v", "none").build(),
                    device().attribute("v", none).build(),
                    device().attribute("v", good).build(),
                    device().attribute("v", new DeviceAttribute.NoValue()).build(),
                    device()
                        .attribute(
                            "v", new DeviceAttribute.VersionValues(List.of("1.0.0", "2.0.0")))
                        .build(),
                    device()
                        .attribute("v", new DeviceAttribute.VersionValues(List.of("1.0.0", "none")))
                        .build())))
        .containsExactly(2, 4, 6, 8);
  }

  @Test
  void devicesAreToldApartInSlicesOfAnyLength() throws Exception {
    for (int devices : new int[] {0, 1, 127, 128, 129, 256, 1_000}) {
      Device[] all = new Device[devices];
      Arrays.fill(all, device().capacity("a", "1").attribute("v", "1").build());
      List<Integer> negative =
          IntStream.range(0, devices).filter(i -> i % 127 == 3).boxed().toList();
      List<Integer> noVersion =
          IntStream.range(0, devices).filter(i -> i % 128 > 126).boxed().toList();
      negative.forEach(i -> all[i] = device().capacity("a", "-1").build());
      noVersion.forEach(
          i -> all[i] = all[i].toBuilder().attribute("w", DeviceAttribute.version("x")).build());
      assertThat(demanding(List.of(all))).isEqualTo(negative);
      assertThat(broken(List.of(all))).isEqualTo(noVersion);
    }
  }

  @Test
  void aFewDevicesOfAVeryLongSliceAreLookedAtAndManyValuesWithinTheBudget() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    int perLook = 128 * 32; // units, and values for each

    Device[] all = new Device[10 * perLook];
    Arrays.fill(all, device().attribute("v", "1").build());
    new DeviceFlags(List.of(all)).isBroken(5, budget);
    assertThat(looks.get()).isZero();

    Device.Builder attributes = device();
    Device.Builder capacities = device();
    for (int i = 0; i < 3 * perLook; i++) {
      attributes.attribute("a" + i, "1");
      capacities.capacity("a" + i, "1");
    }
    String[] versions = new String[3 * perLook];
    Arrays.fill(versions, "1.0.0");
    Device list =
        device().attribute("v", new DeviceAttribute.VersionValues(List.of(versions))).build();
    for (Device device : List.of(attributes.build(), capacities.build(), list)) {
      looks.set(0);
      new DeviceFlags(List.of(device)).isBroken(0, budget);
      assertThat(looks.get()).isEqualTo(3);
    }

    DeviceFlags interrupted = new DeviceFlags(List.of(list, device().capacity("a", "-1").build()));
    Budget over = Budget.unlimited().orUntil(() -> true);
    assertThatThrownBy(() -> interrupted.hasDemandingCapacities(1, over))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(interrupted.hasDemandingCapacities(1, Budget.unlimited())).isTrue();
  }
}
