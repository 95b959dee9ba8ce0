package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods get the same nodes and devices whether answers of nodes are remembered or not. */
class NodeMemoryTest {

  private static final SelectorCompiler NONE =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) {
          throw new UnsupportedOperationException(expression);
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) {
          throw new UnsupportedOperationException(expression);
        }
      };

  /** With a device of all nodes, nothing is remembered. */
  private static List<KubernetesObject> cluster(long seed, boolean isRemembered) {
    Random random = new Random(seed);
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(DeviceClass.named("gpu"));
    if (!isRemembered) {
      objects.add(
          ResourceSlice.named("shared", "other")
              .pool("shared", 1, 1)
              .nodeSelection(NodeSelection.ALL_NODES)
              .build());
    }
    for (int i = 0; i < 12; i++) {
      String node = "n" + i;
      objects.add(Node.named(node));
      List<Device> gpus = new ArrayList<>();
      for (int d = 0; d < 1 + random.nextInt(4); d++) {
        gpus.add(
            Device.named("gpu-" + d)
                .attribute("resource.kubernetes.io/numaNode", random.nextInt(2))
                .build());
      }
      objects.add(ResourceSlice.onNode("s-" + node, "gpu.example.com", node, gpus));
    }
    for (int size = 1; size <= 2; size++) {
      int count = size;
      objects.add(
          new ResourceClaimTemplate(
              ObjectMeta.named("default", "t" + size),
              Map.of(),
              Map.of(),
              ResourceClaim.named("x")
                  .request("gpu", gpu -> gpu.deviceClass("gpu").count(count))
                  .build()
                  .spec()));
    }
    for (int i = 0; i < 25; i++) {
      objects.add(
          Pod.named("default", "p" + i)
              .resourceClaimTemplate("d", "t" + (1 + random.nextInt(2)))
              .build());
    }
    return objects;
  }

  private static List<String> placed(List<KubernetesObject> objects, PlacementPolicy policy) {
    PodQueue queue = PodQueue.of(objects);
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values())));
    Allocator allocator = Allocator.builder().selectors(NONE).policy(policy).build();
    List<String> outcomes = new ArrayList<>();
    ClusterRun.with(allocator)
        .place(queue, inventory)
        .pods()
        .forEach(pod -> outcomes.add(String.valueOf(pod)));
    return outcomes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"best", "pack", "spread"})
  void answersAreTheSame(String policy) {
    for (long seed = 0; seed < 20; seed++) {
      List<String> remembered = placed(cluster(seed, true), PlacementPolicy.of(policy));

      assertThat(remembered)
          .as("seed %d", seed)
          .isEqualTo(placed(cluster(seed, false), PlacementPolicy.of(policy)))
          .hasSize(25);
    }
  }
}
