package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationObserverTest {

  private static final class Recorder implements AllocationObserver {
    final List<SearchStatistics> searched = new ArrayList<>();
    final List<String> skipped = new ArrayList<>();

    @Override
    public void searched(SearchStatistics statistics) {
      searched.add(statistics);
    }

    @Override
    public void skipped(String node) {
      skipped.add(node);
    }
  }

  @Test
  void eachSearchIsToldWithItsSteps() {
    Recorder recorder = new Recorder();
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").count(2)).build();
    Cluster.withDevices(3).allocate(Allocator.builder().observer(recorder), claim);
    Cluster.withDevices(1).allocate(Allocator.builder().observer(recorder), claim);
    assertThat(recorder.searched)
        .containsExactly(
            new SearchStatistics("n", 3, 5, 0, true), new SearchStatistics("n", 1, 2, 0, false));
  }

  @Test
  void boundsThatCutAreCounted() {
    Recorder recorder = new Recorder();
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 9; i++) {
      gpus.add(Device.named("g" + i).attribute("test/root", i).build());
      nics.add(Device.named("n" + Math.min(i, 8)).attribute("test/root", i % 8).build());
      claim.request("g" + i, r -> r.deviceClass("gpu"));
      claim.request("n" + i, r -> r.deviceClass("nic"));
      claim.constraint(DeviceConstraint.matchAttribute("test/root", "g" + i, "n" + i));
    }
    Cluster.of(
            ResourceSlice.onNode("gpus", "gpu", "n", gpus),
            ResourceSlice.onNode("nics", "nic", "n", nics))
        .allocate(Allocator.builder().observer(recorder), claim.build());
    assertThat(recorder.searched).hasSize(1);
    assertThat(recorder.searched.get(0).fits()).isFalse();
    assertThat(recorder.searched.get(0).cuts()).isPositive();
  }

  @Test
  void nodesThatLookTheSameAreSkipped() {
    Recorder recorder = new Recorder();
    List<KubernetesObject> objects = new ArrayList<>(List.of(DeviceClass.named("any")));
    for (String node : List.of("a", "b", "c")) {
      objects.add(Node.named(node));
      objects.add(
          ResourceSlice.onNode("s-" + node, "gpu", node, List.of(Device.named("d").build())));
    }
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").count(2)).build();
    Allocator allocator =
        Allocator.builder().selectors(new Cluster.Words()).observer(recorder).build();
    assertThat(
            allocator
                .query(DeviceInventory.of(ClusterSnapshot.of(objects)), List.of(claim))
                .first())
        .isEmpty();
    assertThat(recorder.searched).extracting(SearchStatistics::node).containsExactly("a");
    assertThat(recorder.skipped).containsExactly("b", "c");
  }
}
