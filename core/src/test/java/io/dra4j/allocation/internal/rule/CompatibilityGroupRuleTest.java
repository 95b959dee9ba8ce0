package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompatibilityGroupRuleTest {

  private static final String INCOMPATIBLE =
      "is in no compatibility group of the devices on its counter set";

  private static final ResourceClaim CLAIM =
      ResourceClaim.named("c").request("r", request -> request.deviceClass("any")).build();

  private static final CounterSet ON_A = new CounterSet("a", Map.of("x", Quantity.of(100)));

  private static Device.Builder device(String name, String set, String... groups) {
    return Device.named(name).consumesCounters(on(set, groups));
  }

  private static DeviceCounterConsumption on(String set, String... groups) {
    return new DeviceCounterConsumption(set, Map.of("x", Quantity.of(1)), List.of(groups));
  }

  private static Cluster cluster(Device.Builder... devices) {
    return Cluster.partitioned(
        Cluster.counters(ON_A, new CounterSet("b", Map.of("x", Quantity.of(100)))),
        Arrays.stream(devices).map(Device.Builder::build).toArray(Device[]::new));
  }

  private static Bench bench(Cluster cluster) throws Exception {
    return Bench.of(cluster, CLAIM).withPlaced(CompatibilityGroupRule::new);
  }

  @Test
  void devicesOnACounterSetHaveAGroupInCommon() throws Exception {
    Bench bench =
        bench(
            cluster(
                device("gh", "a", "g", "h"),
                device("hi", "a", "h", "i"),
                device("g", "a", "g"),
                device("h", "a", "h")));
    assertThat(bench.place("r", "gh")).isEqualTo("placed");
    assertThat(bench.place("r", "hi")).isEqualTo("placed");
    assertThat(bench.place("r", "g")).isEqualTo(INCOMPATIBLE); // h is what is left
    assertThat(bench.place("r", "h")).isEqualTo("placed");
    bench.undo("r", "h");
    bench.undo("r", "hi");
    assertThat(bench.place("r", "g")).isEqualTo("placed");
    assertThat(bench.place("r", "hi")).isEqualTo(INCOMPATIBLE);
  }

  @Test
  void devicesWithoutGroupsGoOnlyTogether() throws Exception {
    Cluster cluster = cluster(device("none", "a"), device("also-none", "a"), device("g", "a", "g"));
    Bench bench = bench(cluster);
    assertThat(bench.place("r", "none")).isEqualTo("placed");
    assertThat(bench.place("r", "g")).isEqualTo(INCOMPATIBLE);
    assertThat(bench.place("r", "also-none")).isEqualTo("placed");
    assertThat(bench.place("r", "g")).isEqualTo(INCOMPATIBLE);
    bench.undo("r", "also-none");
    bench.undo("r", "none");
    assertThat(bench.place("r", "g")).isEqualTo("placed");
    assertThat(bench.place("r", "none")).isEqualTo(INCOMPATIBLE);
  }

  @Test
  void counterSetsAndDevicesWithoutCountersDoNotMatterToEachOther() throws Exception {
    Bench bench =
        bench(cluster(device("a-g", "a", "g"), device("b-h", "b", "h"), Device.named("plain")));
    assertThat(bench.place("r", "a-g")).isEqualTo("placed");
    assertThat(bench.place("r", "b-h")).isEqualTo("placed");
    assertThat(bench.place("r", "plain")).isEqualTo("placed");
  }

  @Test
  void aDeviceOnTwoCounterSetsAgreesWithBothOrJoinsNeither() throws Exception {
    Bench bench =
        bench(
            cluster(
                device("a-gi", "a", "g", "i"),
                device("b-h", "b", "h"),
                device("both", "a", "i").consumesCounters(on("b", "i")),
                device("a-g", "a", "g")));
    assertThat(bench.place("r", "a-gi")).isEqualTo("placed");
    assertThat(bench.place("r", "b-h")).isEqualTo("placed");
    assertThat(bench.place("r", "both")).isEqualTo(INCOMPATIBLE);
    assertThat(bench.place("r", "a-g")).isEqualTo("placed"); // g is in common still
  }

  @Test
  void allocatedDevicesCount() throws Exception {
    Cluster cluster =
        cluster(
                device("gh", "a", "g", "h"),
                device("hi", "a", "h", "i"),
                device("none", "b"),
                device("g", "a", "g"),
                device("h", "a", "h"),
                device("b-g", "b", "g"))
            .add(Cluster.holding("x", "gh", "none"), Cluster.holding("y", "hi"));
    Bench bench = bench(cluster);
    assertThat(bench.place("r", "g")).isEqualTo(INCOMPATIBLE);
    assertThat(bench.place("r", "b-g")).isEqualTo(INCOMPATIBLE);
    assertThat(bench.place("r", "h")).isEqualTo("placed");
  }

  @Test
  void allocatedDevicesThatDisagreeAdmitNobodyWithGroups() throws Exception {
    Cluster cluster =
        cluster(
                device("g", "a", "g"),
                device("h", "a", "h"),
                device("none", "a"),
                device("gh", "a", "g", "h"))
            .add(Cluster.holding("x", "g", "h"));
    assertThat(bench(cluster).place("r", "gh")).isEqualTo(INCOMPATIBLE);
    assertThat(bench(cluster).place("r", "none")).isEqualTo(INCOMPATIBLE);
  }

  /** The reference reads the slices by name, so that it is the first of them that counts. */
  @Test
  void whichAllocatedDeviceComesFirstIsNotDecidedByWhichSliceCameFirst() throws Exception {
    ResourceSlice none = slice("z", device("none", "a"));
    ResourceSlice grouped = slice("b", device("h", "a", "h"), device("also-h", "a", "h"));
    for (ResourceSlice[] slices : new ResourceSlice[][] {{none, grouped}, {grouped, none}}) {
      Cluster cluster =
          Cluster.of(slice("c").toBuilder().counterSet(ON_A).build())
              .add(slices)
              .add(Cluster.holding("x", "none", "h"));
      assertThat(bench(cluster).place("r", "also-h")).isEqualTo("placed");
    }
  }

  private static ResourceSlice slice(String name, Device.Builder... devices) {
    ResourceSlice.Builder slice =
        ResourceSlice.named(name, "gpu").pool("n", 1, 3).nodeSelection(NodeSelection.ofNode("n"));
    Arrays.stream(devices).forEach(device -> slice.device(device.build()));
    return slice.build();
  }

  @Test
  void furtherSharesOfADeviceChangeNothing() throws Exception {
    Cluster cluster =
        cluster(device("s", "a", "g").allowMultipleAllocations(), device("h", "a", "h"));
    Bench bench = bench(cluster);
    assertThat(bench.place("r", "s")).isEqualTo("placed");
    assertThat(bench.place("r", "s")).isEqualTo("placed");
    bench.undo("r", "s");
    assertThat(bench.place("r", "h")).isEqualTo(INCOMPATIBLE);
    bench.undo("r", "s");
    assertThat(bench.place("r", "h")).isEqualTo("placed");
  }
}
