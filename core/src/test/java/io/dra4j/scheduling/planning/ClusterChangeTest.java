package io.dra4j.scheduling.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterChangeTest {

  private static final Node NODE =
      Node.named("a").toBuilder()
          .label("kubernetes.io/hostname", "a")
          .label("rack", "r1")
          .taint(taint("gpu"))
          .taint(taint("node.kubernetes.io/not-ready"))
          .unschedulable(true)
          .build();

  private static final ResourceSlice SLICE =
      ResourceSlice.onNode("s", "d", "a", List.of(Device.named("gpu-0").build()));

  private static Taint taint(String key) {
    return Taint.of(key, "", TaintEffect.NO_SCHEDULE);
  }

  private static ResourceClaim held(String name, String pool) {
    return ResourceClaim.named("ns", name)
        .allocation(
            AllocationResult.builder()
                .result(
                    DeviceRequestAllocationResult.of("r", new DeviceId("d", pool, "gpu-0")).build())
                .build())
        .build();
  }

  private static Pod on(String name, String node) {
    Pod pod = Pod.named("ns", name).build();
    return pod.toBuilder().spec(pod.spec().toBuilder().nodeName(node).build()).build();
  }

  private static Pod owned(Pod pod, String set) {
    return pod.toBuilder()
        .metadata(
            pod.metadata().toBuilder()
                .ownerReferences(List.of(OwnerReference.controller("apps/v1", "StatefulSet", set)))
                .build())
        .build();
  }

  @Test
  void aNodeThatGoesTakesItsDevicesAndLeavesItsPodsWaiting() {
    Pod alone = on("alone", "a");
    Pod elsewhere = on("elsewhere", "b");
    ResourceClaim ofNode = held("of-node", "a");
    ResourceClaim ofOther = held("of-other", "b");

    List<KubernetesObject> after =
        ClusterChange.withoutNode(
            List.of(NODE, Node.named("b"), SLICE, alone, elsewhere, ofNode, ofOther), "a");

    assertThat(after)
        .containsExactly(
            Node.named("b"),
            on("alone", ""),
            elsewhere,
            ResourceClaim.named("ns", "of-node").build(),
            ofOther);
    assertThat(after.get(2)).isSameAs(elsewhere);
  }

  @Test
  void aPodWithItsControllerIsMadeAgainByIt() {
    StatefulSet set = StatefulSet.named("ns", "set").build();
    ResourceClaim made = held("made", "a");
    made =
        made.toBuilder()
            .metadata(
                made.metadata().toBuilder()
                    .ownerReferences(List.of(OwnerReference.controller("v1", "Pod", "set-0")))
                    .build())
            .build();

    List<KubernetesObject> after =
        ClusterChange.withoutNode(
            List.of(NODE, set, owned(on("set-0", "a"), "set"), owned(on("x", "a"), "no"), made),
            "a");

    assertThat(after).containsExactly(set, owned(on("x", ""), "no"));
  }

  @Test
  void newNodesAreLikeTheirTemplate() {
    List<KubernetesObject> after =
        ClusterChange.withNodes(
            List.of(NODE, SLICE, Node.named("a-added-1")), NODE, List.of(SLICE), 2);

    assertThat(after).hasSize(7);
    Node first = (Node) after.get(3);
    ResourceSlice slice = (ResourceSlice) after.get(4);
    assertThat(first.name()).isEqualTo("a-added-2");
    assertThat(first.metadata().labels())
        .containsEntry("kubernetes.io/hostname", "a-added-2")
        .containsEntry("rack", "r1");
    assertThat(first.taints()).containsExactly(taint("gpu"));
    assertThat(first.unschedulable()).isFalse();
    assertThat(slice.nodeSelection().nodeName()).isEqualTo("a-added-2");
    assertThat(slice.pool().name()).isEqualTo("a-added-2");
    assertThat(slice.devices()).isEqualTo(SLICE.devices());
    assertThat(((Node) after.get(5)).name()).isEqualTo("a-added-3");
    List<String> names = new ArrayList<>();
    after.forEach(object -> names.add(object.metadata().name()));
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void whatIsNotThereIsRefused() {
    assertThatThrownBy(() -> ClusterChange.withoutNode(List.of(NODE), "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no node \"b\"");
    assertThatThrownBy(() -> ClusterChange.withNodes(List.of(), NODE, List.of(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("count");
  }
}
