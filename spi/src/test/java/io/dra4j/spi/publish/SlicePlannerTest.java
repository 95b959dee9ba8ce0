package io.dra4j.spi.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicePlannerTest {

  private final SlicePlanner planner = SlicePlanner.forNode("gpu.example.com", "node-1");

  @Test
  void noDevicesAreOneEmptySlice() {
    assertThat(planner.plan(List.of()))
        .singleElement()
        .satisfies(
            slice -> {
              assertThat(slice.devices()).isEmpty();
              assertThat(slice.pool()).isEqualTo(new ResourcePool("node-1", 1, 1));
              assertThat(slice.nodeSelection().nodeName()).isEqualTo("node-1");
            });
  }

  @Test
  void aSliceHas128Devices() {
    List<ResourceSlice> slices = planner.plan(devices(0, 129));

    assertThat(slices).extracting(slice -> slice.devices().size()).containsExactly(128, 1);
    assertThat(slices)
        .extracting(slice -> slice.metadata().name())
        .containsExactly("node-1-gpu.example.com", "node-1-gpu.example.com-1");
    assertThat(slices).allMatch(slice -> slice.pool().resourceSliceCount() == 2);
  }

  @Test
  void aSliceWithATaintHas64Devices() {
    List<Device> devices = new ArrayList<>(devices(0, 65));
    devices.set(3, tainted(devices.get(3)));

    assertThat(planner.plan(devices))
        .extracting(slice -> slice.devices().size())
        .containsExactly(64, 1);
  }

  @Test
  void countersHaveSlicesOfTheirOwn() {
    List<CounterSet> counters =
        IntStream.range(0, 9).mapToObj(i -> new CounterSet("c" + i, Map.of())).toList();

    List<ResourceSlice> slices = planner.plan(devices(0, 1), counters, List.of());

    assertThat(slices)
        .extracting(slice -> slice.sharedCounters().size() + ":" + slice.devices().size())
        .containsExactly("8:0", "1:0", "0:1");
  }

  @Test
  void unchangedDevicesKeepTheSameSlices() {
    List<ResourceSlice> before = planner.plan(devices(0, 200));

    List<ResourceSlice> after = planner.plan(devices(0, 200), List.of(), before);

    assertThat(after).hasSize(2);
    assertThat(after.get(0)).isSameAs(before.get(0));
    assertThat(after.get(1)).isSameAs(before.get(1));
  }

  @Test
  void theOrderInWhichDevicesAreFoundIsKeptWhereTheyComeBack() {
    List<ResourceSlice> before = planner.plan(devices(1, 3));

    List<ResourceSlice> after = planner.plan(devices(0, 3), List.of(), before);

    assertThat(after.get(0).devices()).extracting(Device::name).containsExactly("d0", "d1", "d2");
  }

  @Test
  void oneWriteLeavesTheGeneration() {
    List<ResourceSlice> before = planner.plan(devices(0, 200));
    List<Device> changed = new ArrayList<>(devices(0, 200));
    changed.set(150, changed.get(150).toBuilder().attribute("new", true).build());

    List<ResourceSlice> after = planner.plan(changed, List.of(), before);

    assertThat(after.get(0)).isSameAs(before.get(0));
    assertThat(after.get(1).pool().generation()).isEqualTo(1);
    assertThat(after.get(1).devices().get(22).attributes()).containsKey("new");
  }

  @Test
  void twoWritesRaiseTheGenerationOfAllSlices() {
    List<ResourceSlice> before = planner.plan(devices(0, 300));
    List<Device> changed = new ArrayList<>(devices(0, 300));
    changed.set(0, tainted(changed.get(0)).withTaints(List.of()).toBuilder().bindsToNode().build());
    changed.set(200, changed.get(200).toBuilder().bindsToNode().build());

    assertThat(planner.plan(changed, List.of(), before))
        .hasSize(3)
        .allMatch(slice -> slice.pool().generation() == 2);
  }

  @Test
  void aNewSliceRaisesTheGeneration() {
    List<ResourceSlice> before = planner.plan(devices(0, 128));

    List<ResourceSlice> after = planner.plan(devices(0, 129), List.of(), before);

    assertThat(after)
        .extracting(ResourceSlice::pool)
        .containsOnly(new ResourcePool("node-1", 2, 2));
  }

  @Test
  void aDeviceThatGoesLeavesTheOthersWhereTheyAre() {
    List<ResourceSlice> before = planner.plan(devices(0, 256));

    List<ResourceSlice> after = planner.plan(devices(1, 256), List.of(), before);

    assertThat(after.get(0).devices()).hasSize(127);
    assertThat(after.get(1)).isSameAs(before.get(1));
  }

  @Test
  void slicesOfOlderGenerationsRaiseTheGenerationWhenTheyMustGo() {
    List<ResourceSlice> old = planner.plan(devices(0, 1));
    ResourceSlice current = old.get(0).toBuilder().pool("node-1", 7, 1).build();
    ResourceSlice left =
        ResourceSlice.named("left", "gpu.example.com").pool("node-1", 6, 2).build();

    assertThat(planner.plan(devices(0, 1), List.of(), List.of(left, current)))
        .singleElement()
        .satisfies(slice -> assertThat(slice.pool().generation()).isEqualTo(8));
  }

  @Test
  void twoDevicesOfOneNameAreRefused() {
    assertThatThrownBy(() -> planner.plan(List.of(device(1), device(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'d1'");
  }

  private static Device tainted(Device device) {
    return device.withTaints(List.of(DeviceTaint.of("broken", "", TaintEffect.NO_SCHEDULE)));
  }

  private static List<Device> devices(int from, int to) {
    return IntStream.range(from, to).mapToObj(SlicePlannerTest::device).toList();
  }

  private static Device device(int number) {
    return Device.named("d" + number).build();
  }
}
