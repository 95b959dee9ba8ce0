package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Feature;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Features;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeSupportRuleTest {

  private static final ResourceClaim CLAIM =
      ResourceClaim.named("c").request("r", request -> request.deviceClass("any")).build();

  /** A device whose slice wants kubelet calls to be skipped. */
  private static Cluster skipping() {
    return Cluster.of(
        ResourceSlice.named("slice", "gpu")
            .pool("n", 1, 1)
            .nodeSelection(NodeSelection.ofNode("n"))
            .device(Device.named("d").build())
            .skipNodeOperations(List.of("NodePrepareResources"))
            .build());
  }

  private static String place(Cluster cluster, Set<Feature> features) throws Exception {
    return Bench.of(cluster, features, Compatibility.REFERENCE, CLAIM)
        .with(NodeSupportRule::new)
        .place("r", "d");
  }

  @Test
  void callsAreSkippedOnlyOnNodesThatDeclareIt() throws Exception {
    Node declaring =
        Node.named("n").toBuilder().declaredFeature("DRAOptionalNodeOperations").build();
    Node other = Node.named("n").toBuilder().declaredFeature("Other").build();
    String refused = "wants kubelet calls to be skipped, which the node does not declare";
    assertThat(place(skipping(), Feature.kubernetes())).isEqualTo(refused);
    assertThat(place(skipping().add(other), Feature.kubernetes())).isEqualTo(refused);
    assertThat(place(skipping().add(declaring), Feature.kubernetes())).isEqualTo("placed");
    assertThat(place(skipping().add(declaring), Features.without(Feature.OPTIONAL_NODE_OPERATIONS)))
        .isEqualTo(refused);
  }

  @Test
  void aSliceThatSkipsNothingNeedsNothing() throws Exception {
    Cluster plain = Cluster.withDevices(Device.named("d").build());
    assertThat(place(plain, Set.of())).isEqualTo("placed");
  }

  @Test
  void aDeviceThatDrawsFromCountersNeedsThemSwitchedOn() throws Exception {
    Device partition =
        Device.named("d")
            .consumesCounters(
                new DeviceCounterConsumption("set", Map.of("x", Quantity.of(1)), List.of()))
            .build();
    Cluster cluster =
        Cluster.partitioned(
            Cluster.counters(new CounterSet("set", Map.of("x", Quantity.of(1)))), partition);
    assertThat(place(cluster, Feature.kubernetes())).isEqualTo("placed");
    // Without the feature slices with counters do not exist, so the pool says that it has one.
    Cluster alone = Cluster.withDevices(partition);
    assertThat(place(alone, Features.without(Feature.PARTITIONABLE_DEVICES)))
        .isEqualTo("draws from shared counters, which are switched off");
  }
}
