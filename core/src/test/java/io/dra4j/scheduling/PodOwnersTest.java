package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.NodeSelector;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods that Deployments, ReplicaSets and DaemonSets lack. */
class PodOwnersTest {

  private static final String TEMPLATE =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},
       spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}
      """;

  private static PodQueue queue(String... documents) {
    return PodQueue.of(TestCluster.objects(TEMPLATE + "---\n" + String.join("---\n", documents)));
  }

  private static List<String> names(PodQueue queue) {
    return queue.pods().stream().map(PendingPod::name).toList();
  }

  private static String owner(String kind, String name, String fields) {
    return owner(kind, name, "", fields, "");
  }

  private static String owner(
      String kind, String name, String metadata, String fields, String pods) {
    return """
        {apiVersion: apps/v1, kind: %s, metadata: {name: %s%s}, spec: {%s
          template: {spec: {%s resourceClaims: [{name: e, resourceClaimTemplateName: t}]}}}}
        """
        .formatted(kind, name, metadata, fields, pods);
  }

  private static String pod(String name, String kind, String owner, String more) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s, labels: {pod-template-hash: abc},
          ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: u, controller: true}]},
          spec: {resourceClaims: [{name: e, resourceClaimTemplateName: t}]%s
        """
        .formatted(name, kind, owner, more + "}\n");
  }

  private static String node(String name, String spec) {
    return "{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {name: %s}}, spec: {%s}}\n"
        .formatted(name, name, spec);
  }

  @ParameterizedTest
  @CsvSource({"Deployment", "ReplicaSet"})
  void replicasArePlacedOneByOneAndAreNoGang(String kind) {
    PodQueue queue = queue(owner(kind, "web", "replicas: 3,"));
    assertThat(names(queue)).containsExactly("default/web-0", "default/web-1", "default/web-2");
    assertThat(queue.gangs()).isEmpty();
    assertThat(names(queue(owner(kind, "web", "")))).containsExactly("default/web-0");
    assertThat(names(queue(owner(kind, "web", "replicas: 0,")))).isEmpty();
  }

  @Test
  void aReplicaSetMakesThePodsThatItLacks() {
    PodQueue queue =
        queue(
            owner("ReplicaSet", "web-abc", "replicas: 4,"),
            pod("web-abc-x", "ReplicaSet", "web-abc", "}"),
            pod("web-abc-0", "ReplicaSet", "web-abc", "}"),
            pod("done", "ReplicaSet", "web-abc", "}, status: {phase: Failed}"));
    assertThat(names(queue))
        .containsExactly(
            "default/web-abc-1", "default/web-abc-2", "default/web-abc-x", "default/web-abc-0");
  }

  @Test
  void aDeploymentLeavesThePodsToItsReplicaSets() {
    String ofWeb =
        ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u,"
            + " controller: true}]";
    String deployment = owner("Deployment", "web", "replicas: 2,");
    String set = owner("ReplicaSet", "web-abc", ofWeb, "replicas: 2,", "");
    assertThat(names(queue(deployment, set)))
        .containsExactly("default/web-abc-0", "default/web-abc-1");
    assertThat(names(queue(deployment, set, pod("web-abc-x", "ReplicaSet", "web-abc", "}"))))
        .containsExactly("default/web-abc-0", "default/web-abc-x");
  }

  @Test
  void podsOfAReplicaSetThatIsNotGivenAreTheDeploymentsByTheirHash() {
    String deployment = owner("Deployment", "web", "replicas: 2,");
    assertThat(names(queue(deployment, pod("web-abc-x", "ReplicaSet", "web-abc", "}"))))
        .containsExactly("default/web-0", "default/web-abc-x");
    assertThat(names(queue(deployment, pod("x", "ReplicaSet", "web-x-abc", "}")))).hasSize(3);
  }

  @Test
  void aPausedDeploymentMakesNoPods() {
    assertThat(names(queue(owner("Deployment", "web", "paused: true,")))).isEmpty();
  }

  @Test
  void aDaemonSetHasAPodOnEachNodeThatItsTemplateAllows() {
    String taint = "taints: [{key: %s, effect: NoSchedule}]";
    String[] nodes = {
      node("a", ""),
      node("b", "unschedulable: true"),
      node("c", taint.formatted("mine")),
      node("d", taint.formatted("node.kubernetes.io/disk-pressure"))
    };
    String all = String.join("---\n", nodes);
    PodQueue queue = queue(all, owner("DaemonSet", "nic", ""));
    assertThat(names(queue)).containsExactly("default/nic-a", "default/nic-b", "default/nic-d");
    assertThat(queue.pods().get(1).spec().requiredNodeAffinity())
        .hasToString(NodeSelector.ofNode("b").toString());
    assertThat(names(queue(all, owner("DaemonSet", "nic", "", "", "nodeSelector: {name: d},"))))
        .containsExactly("default/nic-d");
    assertThat(queue.gangs()).isEmpty();
  }

  @Test
  void aDaemonSetMakesNoPodWhereItHasOne() {
    PodQueue queue =
        queue(
            node("a", ""),
            node("b", ""),
            owner("DaemonSet", "nic", ""),
            pod("nic-x", "DaemonSet", "nic", ", nodeName: a}"));
    assertThat(names(queue)).containsExactly("default/nic-b", "default/nic-x");
  }

  @Test
  void anOwnerThatIsBeingDeletedMakesNoPods() {
    String going = ", deletionTimestamp: '2026-01-01T00:00:00Z'";
    for (String kind : List.of("Deployment", "ReplicaSet", "DaemonSet")) {
      assertThat(names(queue(node("a", ""), owner(kind, "x", going, "", "")))).isEmpty();
    }
  }

  @Test
  void replicasBeyondTheLimitAreAProblem() {
    PodQueue queue = queue(owner("Deployment", "web", "replicas: 200000,"));
    assertThat(names(queue)).isEmpty();
    assertThat(queue.problems())
        .containsExactly(
            "Deployment default/web: spec.replicas: 200000 pods use 200000 claims; at most 100000"
                + " of all sets together are placed here; use a smaller number, or fewer objects"
                + " at a time");
  }
}
