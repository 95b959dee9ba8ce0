package io.dra4j.spi.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicePlannerTest {

  private static final String TIME = "2026-01-02T03:04:05Z";

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
        .allMatch(name -> name.matches("000[01]-node-1-gpu\\.example\\.com-[0-9a-f]{12}"));
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
  void slicesOfOlderGenerationsAreDeletedAndNothingIsWritten() {
    ResourceSlice current =
        planner.plan(devices(0, 1)).get(0).toBuilder().pool("node-1", 7, 1).build();
    ResourceSlice left =
        ResourceSlice.named("left", "gpu.example.com").pool("node-1", 6, 2).build();

    SlicePlan plan = planner.plan(pool(devices(0, 1)), List.of(current, left));

    assertThat(plan.slices()).singleElement().isSameAs(current);
    assertThat(plan.creates()).isEmpty();
    assertThat(plan.updates()).isEmpty();
    assertThat(plan.deletes()).containsExactly(left);
  }

  @Test
  void aPoolOfAnotherPublisherIsTakenOverWithANewGeneration() {
    ResourceSlice foreign =
        ResourceSlice.named("made-by-another", "gpu.example.com")
            .pool("node-1", 7, 1)
            .nodeSelection(NodeSelection.ofNode("node-1"))
            .devices(devices(0, 1))
            .build();

    SlicePlan plan = planner.plan(pool(devices(0, 1)), List.of(foreign));

    assertThat(plan.creates())
        .singleElement()
        .satisfies(slice -> assertThat(slice.pool()).isEqualTo(new ResourcePool("node-1", 8, 1)));
    assertThat(plan.deletes()).containsExactly(foreign);
  }

  @Test
  void slicesOfOtherPoolsAndDriversAreNotTouched() {
    ResourceSlice pool = ResourceSlice.named("a", "gpu.example.com").pool("fabric", 9, 1).build();
    ResourceSlice driver = ResourceSlice.named("b", "nic.example.com").pool("node-1", 9, 1).build();

    SlicePlan plan = planner.plan(pool(devices(0, 1)), List.of(pool, driver));

    assertThat(plan.deletes()).isEmpty();
    assertThat(plan.creates()).extracting(one -> one.pool().generation()).containsExactly(1L);
  }

  @Test
  void theTimesThatTheServerGaveToTaintsAreNoChange() {
    Device sound = device(0);
    Device broken = tainted(device(1));
    List<ResourceSlice> published = onServer(planner.plan(List.of(sound, broken)));

    SlicePlan plan = planner.plan(pool(List.of(sound, broken)), published);

    assertThat(plan.isEmpty()).isTrue();
    assertThat(plan.slices()).isEqualTo(published);
  }

  @Test
  void aTimeOfTheDriversOwnIsNoChangeEither() {
    Device broken = tainted(device(1));
    List<ResourceSlice> published = onServer(planner.plan(List.of(broken)));
    DeviceTaint later =
        broken.taints().get(0).toBuilder().timeAdded("2030-01-01T00:00:00Z").build();

    assertThat(planner.plan(pool(List.of(broken.withTaints(List.of(later)))), published).isEmpty())
        .isTrue();
  }

  @Test
  void everyTaintThatStaysKeepsItsTimeBesideOneThatChanges() {
    DeviceTaint link = DeviceTaint.of("link", "", TaintEffect.NO_EXECUTE);
    DeviceTaint heat = DeviceTaint.of("heat", "", TaintEffect.NO_SCHEDULE);
    Device before = device(0).withTaints(List.of(link, heat));
    List<ResourceSlice> published = onServer(planner.plan(List.of(before)));
    DeviceTaint changed = DeviceTaint.of("heat", "high", TaintEffect.NO_SCHEDULE);

    SlicePlan plan =
        planner.plan(pool(List.of(before.withTaints(List.of(changed, link)))), published);

    assertThat(plan.updates()).hasSize(1);
    assertThat(plan.slices().get(0).pool().generation()).isEqualTo(1);
    assertThat(plan.slices().get(0).devices().get(0).taints())
        .extracting(DeviceTaint::timeAdded)
        .containsExactly(null, TIME);
  }

  @Test
  void aTaintKeepsItsTimeWhereItsDeviceMovesToAnotherSlice() {
    List<ResourceSlice> before = onServer(planner.plan(List.of(tainted(device(0)))));
    DevicePool bigger =
        DevicePool.of(
            List.of(tainted(device(0))), List.of(new CounterSet("c", Map.of()))); // in front

    assertThat(planner.plan(bigger, before).slices().get(1).devices().get(0).taints())
        .extracting(DeviceTaint::timeAdded)
        .containsExactly(TIME);
  }

  @Test
  void namesAreInTheOrderOfTheSlicesAlsoBeyondTen() {
    List<String> names =
        planner.plan(devices(0, 128 * 12)).stream().map(one -> one.metadata().name()).toList();

    assertThat(names).hasSize(12).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void publishedSlicesAreReadInTheOrderOfTheirNamesAndNotOfTheList() {
    List<ResourceSlice> published = new ArrayList<>(planner.plan(devices(0, 128 * 12)));
    Collections.reverse(published);

    assertThat(planner.plan(pool(devices(0, 128 * 12)), published).isEmpty()).isTrue();
  }

  @Test
  void namesThatTheServerGeneratedAreKept() {
    ResourceSlice generated =
        planner.plan(devices(0, 1)).get(0).toBuilder()
            .metadata(
                ObjectMeta.named("0000-node-1-gpu.example.com-x7k2p").toBuilder()
                    .uid("uid-1")
                    .build())
            .build();

    assertThat(planner.plan(pool(devices(0, 1)), List.of(generated)).isEmpty()).isTrue();
    assertThat(planner.plan(pool(devices(0, 2)), List.of(generated)).updates())
        .singleElement()
        .satisfies(slice -> assertThat(slice.metadata()).isEqualTo(generated.metadata()));
  }

  @Test
  void namesOfTwoNodesAndDriversDiffer() {
    Set<String> names = new HashSet<>();
    for (SlicePlanner one :
        List.of(
            SlicePlanner.forNode("b.c", "a"),
            SlicePlanner.forNode("c", "a-b"),
            SlicePlanner.forNode("c", "a.b"),
            SlicePlanner.forNode("b-b.c", "a"),
            SlicePlanner.forNode("b.c", "a-b"),
            SlicePlanner.forPool("c", "n1", "a-b"),
            SlicePlanner.forPool("c", "n2", "a-b"),
            SlicePlanner.forPool("c", "n2", "a/b"))) {
      names.add(one.plan(devices(0, 1)).get(0).metadata().name());
    }

    assertThat(names).hasSize(8);
  }

  @Test
  void aNameIsNeverLongerThanTheServerTakes() {
    String node = ("n".repeat(49) + ".").repeat(5) + "end"; // 253 bytes
    String driver = "d".repeat(63);

    assertThat(SlicePlanner.forNode(driver, node).plan(devices(0, 1)).get(0).metadata().name())
        .hasSizeLessThanOrEqualTo(253)
        .matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
  }

  @Test
  void aPoolSaysFromWhereItsDevicesCanBeUsed() {
    SlicePlanner fabric = SlicePlanner.forPool("gpu.example.com", "node-1", "fabric");
    DevicePool everywhere =
        pool(devices(0, 1)).toBuilder().nodeSelection(NodeSelection.ALL_NODES).build();
    SlicePlan plan = fabric.plan(everywhere, List.of());

    assertThat(plan.creates())
        .singleElement()
        .satisfies(
            slice -> {
              assertThat(slice.pool().name()).isEqualTo("fabric");
              assertThat(slice.nodeSelection()).isEqualTo(NodeSelection.ALL_NODES);
            });

    SlicePlan local = fabric.plan(pool(devices(0, 1)), plan.slices()); // no update has a new node

    assertThat(local.updates()).isEmpty();
    assertThat(local.creates()).hasSize(1);
    assertThat(local.deletes()).isEqualTo(plan.slices());
    assertThat(local.slices().get(0).pool().generation()).isEqualTo(2);
  }

  @Test
  void eachDeviceCanSayItselfFromWhereItCanBeUsed() {
    DevicePool each =
        DevicePool.of(devices(0, 1), List.of(new CounterSet("c", Map.of()))).toBuilder()
            .perDeviceNodeSelection(true)
            .build();

    assertThat(planner.plan(each, List.of()).slices())
        .hasSize(2)
        .allSatisfy(
            slice -> {
              assertThat(slice.perDeviceNodeSelection()).isTrue();
              assertThat(slice.nodeSelection().isGiven()).isFalse();
            });
  }

  @Test
  void onlySlicesWithPartsNameTheAttributeThatTellsThemApart() {
    Device part =
        Device.named("part")
            .consumesCounters(
                new DeviceCounterConsumption("c", Map.of("n", Quantity.of(1)), List.of()))
            .build();
    DevicePool parts =
        DevicePool.of(List.of(part), List.of(new CounterSet("c", Map.of("n", Quantity.of(2)))))
            .toBuilder()
            .partitionTypeAttribute("gpu.example.com/profile")
            .skipNodeOperations(List.of("*"))
            .build();

    List<ResourceSlice> slices = planner.plan(parts, List.of()).slices();

    assertThat(slices)
        .extracting(ResourceSlice::partitionTypeAttribute)
        .containsExactly(null, "gpu.example.com/profile");
    assertThat(slices.get(1).skipNodeOperations()).containsExactly("*");
  }

  @Test
  void twoDevicesOfOneNameAreRefused() {
    assertThatThrownBy(() -> planner.plan(List.of(device(1), device(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'d1'");
  }

  private static DevicePool pool(List<Device> devices) {
    return DevicePool.of(devices, List.of());
  }

  /** The slices as the API server has them: each taint has the time at which it came. */
  private static List<ResourceSlice> onServer(List<ResourceSlice> slices) {
    return slices.stream()
        .map(
            slice ->
                slice.toBuilder()
                    .metadata(slice.metadata().toBuilder().uid("uid").build())
                    .devices(
                        slice.devices().stream()
                            .map(
                                device ->
                                    device.withTaints(
                                        device.taints().stream()
                                            .map(one -> one.toBuilder().timeAdded(TIME).build())
                                            .toList()))
                            .toList())
                    .build())
        .toList();
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
