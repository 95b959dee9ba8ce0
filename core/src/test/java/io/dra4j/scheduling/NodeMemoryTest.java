package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Container;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LabelSelector;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceRequirements;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods get the same nodes and devices whether answers of nodes are remembered or not. */
class NodeMemoryTest {

  private static final LabelSelector APART = LabelSelector.of(Map.of("app", "a0"));

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
      objects.add(
          Node.named(node).toBuilder()
              .label("host", node)
              .label("zone", "z" + i % 3)
              .allocatable(
                  random.nextInt(3) == 0
                      ? Map.of()
                      : Map.of(
                          "cpu",
                          Quantity.parse("4"),
                          "pods",
                          Quantity.parse("" + random.nextInt(4))))
              .build());
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
    objects.add(
        new ResourceClaimTemplate(
            ObjectMeta.named("default", "t3"),
            Map.of(),
            Map.of(),
            ResourceClaim.named("x")
                .request(
                    DeviceRequest.firstAvailable(
                        "gpu",
                        List.of(
                            new DeviceSubRequest(
                                "four", ExactDeviceRequest.ofClass("gpu").count(4).build()),
                            new DeviceSubRequest(
                                "one", ExactDeviceRequest.ofClass("gpu").build()))))
                .build()
                .spec()));
    for (int i = 0; i < 25; i++) {
      PodSpec.Builder spec = PodSpec.builder();
      if (random.nextBoolean()) {
        spec.containers(
            List.of(
                Container.of(
                    "c", new ResourceRequirements(Map.of("cpu", Quantity.parse("2")), Map.of()))));
      }
      String key = random.nextBoolean() ? "host" : "zone";
      if (random.nextInt(4) == 0) {
        spec.requiredPodAntiAffinity(List.of(PodAffinityTerm.of(APART, key)));
      }
      Pod pod =
          Pod.named("default", "p" + i)
              .spec(spec.resourceClaimTemplate("d", "t" + (1 + random.nextInt(3))).build())
              .build();
      objects.add(
          pod.toBuilder()
              .metadata(pod.metadata().toBuilder().label("app", "a" + random.nextInt(2)).build())
              .build());
    }
    return objects;
  }

  /** With a rule of its own, an allocator does not know which nodes are equal. */
  private static List<String> placed(
      List<KubernetesObject> objects, AllocationPolicy policy, boolean comparesNodes) {
    PodQueue queue = PodQueue.of(objects);
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values())));
    Allocator.Builder builder = Allocator.builder().selectors(NONE).policy(policy);
    if (!comparesNodes) {
      builder.addRule(ClaimRule.of("none", (given, next) -> Optional.empty()));
    }
    Allocator allocator = builder.build();
    List<String> outcomes = new ArrayList<>();
    ClusterRun.builder(allocator)
        .build()
        .place(queue, inventory)
        .pods()
        .forEach(pod -> outcomes.add(String.valueOf(pod)));
    return outcomes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubernetes", "first-fit", "best", "pack", "spread"})
  void answersAreTheSame(String name) {
    AllocationPolicy policy =
        name.equals("kubernetes") ? AllocationPolicy.firstFit() : PlacementPolicy.of(name);
    int placed = 0;
    for (long seed = 0; seed < 20; seed++) {
      List<String> remembered = placed(cluster(seed, true), policy, true);

      assertThat(remembered)
          .as("seed %d", seed)
          .isEqualTo(placed(cluster(seed, false), policy, false))
          .hasSize(25);
      placed += (int) remembered.stream().filter(pod -> !pod.contains(" on no node")).count();
    }
    assertThat(placed).isBetween(100, 450);
  }
}
