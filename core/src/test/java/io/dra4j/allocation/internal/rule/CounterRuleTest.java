package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Feature;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CounterRuleTest {

  private static final String USED_UP = "needs shared counters that are used up";

  private static final ResourceClaim FIRST = claim("first");
  private static final ResourceClaim SECOND = claim("second");

  private static ResourceClaim claim(String name) {
    return ResourceClaim.named(name)
        .request("r", request -> request.deviceClass("any"))
        .request("admin", request -> request.deviceClass("any").adminAccess())
        .build();
  }

  private static CounterSet set(String name, String counter, long value) {
    return new CounterSet(name, Map.of(counter, Quantity.of(value)));
  }

  private static Device.Builder drawing(String name, String set, String counter, long value) {
    return Device.named(name).consumesCounters(draw(set, counter, value));
  }

  private static DeviceCounterConsumption draw(String set, String counter, long value) {
    return new DeviceCounterConsumption(set, Map.of(counter, Quantity.of(value)), List.of());
  }

  private static Bench bench(Cluster cluster, Compatibility compatibility) throws Exception {
    return Bench.of(cluster, Feature.kubernetes(), compatibility, FIRST, SECOND)
        .withPlaced(CounterRule::new);
  }

  private static Bench bench(Cluster cluster) throws Exception {
    return bench(cluster, Compatibility.REFERENCE);
  }

  @Test
  void devicesDrawUntilNothingIsLeftAndGiveBackWhatTheyDrew() throws Exception {
    Bench bench =
        bench(
            Cluster.partitioned(
                Cluster.counters(set("gpu", "gi", 3)),
                drawing("two", "gpu", "gi", 2).build(),
                drawing("also-two", "gpu", "gi", 2).build(),
                drawing("one", "gpu", "gi", 1).build(),
                Device.named("plain").build()));
    assertThat(bench.place("r", "two")).isEqualTo("placed");
    assertThat(bench.place("r", "also-two")).isEqualTo(USED_UP);
    assertThat(bench.place("r", "one")).isEqualTo("placed");
    assertThat(bench.place("r", "plain")).isEqualTo("placed");
    bench.undo("r", "plain");
    bench.undo("r", "one");
    assertThat(bench.place("r", "also-two")).isEqualTo(USED_UP);
    bench.undo("r", "two");
    assertThat(bench.place("r", "also-two")).isEqualTo("placed");
  }

  @Test
  void everyCounterOfEverySetIsCounted() throws Exception {
    Bench bench =
        bench(
            Cluster.partitioned(
                Cluster.counters(
                    new CounterSet("a", Map.of("x", Quantity.of(2), "y", Quantity.of(1))),
                    set("b", "x", 1)),
                Device.named("both")
                    .consumesCounters(
                        new DeviceCounterConsumption(
                            "a", Map.of("x", Quantity.of(1), "y", Quantity.of(1)), List.of()))
                    .consumesCounters(draw("b", "x", 1))
                    .build(),
                drawing("ax", "a", "x", 1).build(),
                drawing("ay", "a", "y", 1).build(),
                drawing("bx", "b", "x", 1).build()));
    assertThat(bench.place("r", "both")).isEqualTo("placed");
    assertThat(bench.place("r", "ay")).isEqualTo(USED_UP);
    assertThat(bench.place("r", "bx")).isEqualTo(USED_UP);
    assertThat(bench.place("r", "ax")).isEqualTo("placed");
  }

  @Test
  void allocatedDevicesHaveDrawn() throws Exception {
    Cluster cluster =
        Cluster.partitioned(
            Cluster.counters(set("gpu", "gi", 3)),
            drawing("two", "gpu", "gi", 2).build(),
            drawing("also-two", "gpu", "gi", 2).build(),
            drawing("one", "gpu", "gi", 1).build());
    Bench bench = bench(cluster.add(Cluster.holding("a", "two", "gone")));
    assertThat(bench.place("r", "also-two")).isEqualTo(USED_UP);
    assertThat(bench.place("r", "one")).isEqualTo("placed");
  }

  @Test
  void devicesForOtherNodesDrawFromTheSameCounters() throws Exception {
    ResourceSlice counters =
        Cluster.counters(set("gpu", "gi", 3)).toBuilder().pool("n", 1, 3).build();
    ResourceSlice elsewhere =
        ResourceSlice.named("elsewhere", "gpu")
            .pool("n", 1, 3)
            .nodeSelection(NodeSelection.ofNode("m"))
            .device(drawing("far", "gpu", "gi", 2).build())
            .build();
    ResourceSlice here =
        ResourceSlice.named("here", "gpu")
            .pool("n", 1, 3)
            .nodeSelection(NodeSelection.ofNode("n"))
            .device(drawing("two", "gpu", "gi", 2).build())
            .device(drawing("one", "gpu", "gi", 1).build())
            .build();
    Cluster cluster = Cluster.of(counters, elsewhere, here).add(Cluster.holding("a", "far"));
    assertThat(bench(cluster).place("r", "two")).isEqualTo(USED_UP);
    assertThat(bench(cluster).place("r", "one")).isEqualTo("placed");
  }

  @Test
  void poolsHaveCountersOfTheirOwn() throws Exception {
    ResourceSlice otherCounters =
        Cluster.counters(set("gpu", "gi", 1)).toBuilder().driver("nic").build();
    ResourceSlice otherDevices =
        ResourceSlice.named("slice", "nic")
            .pool("n", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .device(drawing("nic", "gpu", "gi", 1).build())
            .build();
    Bench bench =
        bench(
            Cluster.partitioned(
                    Cluster.counters(set("gpu", "gi", 1)), drawing("gpu", "gpu", "gi", 1).build())
                .add(otherCounters, otherDevices));
    assertThat(bench.place("r", "gpu")).isEqualTo("placed");
    assertThat(bench.place("r", "nic")).isEqualTo("placed");
  }

  @Test
  void furtherSharesOfADeviceDrawNothing() throws Exception {
    Cluster cluster =
        Cluster.partitioned(
            Cluster.counters(set("gpu", "gi", 1)),
            drawing("s", "gpu", "gi", 1).allowMultipleAllocations().build());
    Bench bench = bench(cluster);
    assertThat(bench.place("r", "s")).isEqualTo("placed");
    assertThat(bench.place("r", "s")).isEqualTo("placed");
    bench.undo("r", "s");
    assertThat(bench.place("r", "s")).isEqualTo("placed");
    bench.undo("r", "s");
    bench.undo("r", "s");
    assertThat(bench.place("r", "s")).isEqualTo("placed");

    Bench later = bench(cluster.add(Cluster.sharing("a", "s", Map.of())));
    assertThat(later.place("r", "s")).isEqualTo("placed");
  }

  @Test
  void aCounterThatIsOverdrawnBlocksThePoolUnlessStrict() throws Exception {
    Cluster cluster =
        Cluster.partitioned(
                Cluster.counters(set("a", "x", 1), set("b", "x", 1)),
                drawing("much", "a", "x", 2).build(),
                drawing("more", "a", "x", 1).build(),
                drawing("other", "b", "x", 1).build(),
                drawing("another", "b", "x", 1).build())
            .add(Cluster.holding("h", "much"));
    assertThat(bench(cluster).place("r", "other")).isEqualTo(USED_UP);
    Bench strict = bench(cluster, Compatibility.STRICT);
    assertThat(strict.place("r", "more")).isEqualTo(USED_UP);
    assertThat(strict.place("r", "other")).isEqualTo("placed");
    assertThat(strict.place("r", "another")).isEqualTo(USED_UP);
  }

  @Test
  void whatSomebodyHasIsPaidForOnceWhereStrict() throws Exception {
    Cluster cluster =
        Cluster.partitioned(
            Cluster.counters(set("gpu", "gi", 2)),
            drawing("two", "gpu", "gi", 2).build(),
            drawing("shared", "gpu", "gi", 2).allowMultipleAllocations().build());
    Cluster held =
        Cluster.partitioned(
                Cluster.counters(set("gpu", "gi", 2)), drawing("two", "gpu", "gi", 2).build())
            .add(Cluster.holding("h", "two"));
    assertThat(bench(held).place("admin", "two")).isEqualTo(USED_UP);
    assertThat(bench(held, Compatibility.STRICT).place("admin", "two")).isEqualTo("placed");

    assertThat(bench(cluster).place(0, "r", "two")).isEqualTo("placed");
    Bench strict = bench(cluster, Compatibility.STRICT);
    assertThat(strict.place(0, "r", "two")).isEqualTo("placed");
    assertThat(strict.place(1, "admin", "two")).isEqualTo("placed");
    strict.undo(1, "admin", "two");
    assertThat(strict.place(1, "r", "shared")).isEqualTo(USED_UP);
    strict.undo(0, "r", "two");
    assertThat(strict.place(1, "r", "shared")).isEqualTo("placed");
  }
}
