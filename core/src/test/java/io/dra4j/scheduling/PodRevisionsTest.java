package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The labels of missing pods by which their controllers distinguish revisions. */
class PodRevisionsTest {

  private static final String CLUSTER =
      """
      {apiVersion: v1, kind: Node, metadata: {name: n0, labels: {host: n0}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d,
        pool: {name: n0, resourceSliceCount: 1}, nodeName: n0, devices: [{name: d0}, {name: d1}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},
        spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}
      ---
      """;

  private static final String TERM =
      "{topologyKey: host, labelSelector: {matchLabels: {app: a}}, matchLabelKeys: [%s]}";

  private static final String PODS =
      "{metadata: {labels: {app: a%s}}, spec: {affinity: {podAntiAffinity:"
          + " {requiredDuringSchedulingIgnoredDuringExecution: ["
          + TERM
          + "]}}, resourceClaims: [{name: e, resourceClaimTemplateName: t}]}}";

  private static String set(String kind, String name, String metadata, String label, String more) {
    return "{apiVersion: apps/v1, kind: %s, metadata: {name: %s%s}, spec: {template: %s}%s}"
        .formatted(kind, name, metadata, PODS.formatted("", label), more);
  }

  /** A running pod of a set, on the node. */
  private static String pod(String kind, String owner, String labels) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: x, labels: {app: a%s}, ownerReferences: [{
          apiVersion: apps/v1, kind: %s, name: %s, uid: u, controller: true}]}, spec: {nodeName: n0},
          status: {phase: Running}}
        """
        .formatted(labels, kind, owner);
  }

  private static List<Boolean> placed(String... documents) {
    return TestCluster.place(
            ClusterRun.builder(Allocator.builder().selectors(TestCluster.NO_SELECTORS).build())
                .build(),
            TestCluster.objects(CLUSTER + String.join("\n---\n", documents)))
        .pods()
        .stream()
        .map(Placed.class::isInstance)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "Deployment, pod-template-hash",
    "StatefulSet, controller-revision-hash",
    "DaemonSet, controller-revision-hash"
  })
  void eachSetCountsItsOwnPods(String kind, String label) {
    String first = set(kind, "one", "", label, "");
    String second = set(kind, "two", "", label, "");
    assertThat(placed(first, second)).containsExactly(true, true);
    assertThat(placed(first.replace(label, "other"), second.replace(label, "other")))
        .containsExactly(true, false); // a label that no pod has does not count
  }

  @Test
  void aBareReplicaSetAddsNoLabel() {
    String label = "pod-template-hash";
    assertThat(
            placed(
                set("ReplicaSet", "one", "", label, ""), set("ReplicaSet", "two", "", label, "")))
        .containsExactly(true, false);
  }

  /** The pods of the older revision do not count, those of the newest one do. */
  @ParameterizedTest
  @CsvSource({"new, false", "old, true"})
  void aStatefulSetNamesItsNewestRevision(String revision, boolean isPlaced) {
    String label = "controller-revision-hash";
    String set = set("StatefulSet", "s", "", label, ", status: {updateRevision: new}");
    assertThat(placed(set, pod("StatefulSet", "s", ", " + label + ": " + revision)))
        .containsExactly(isPlaced);
  }

  /** Without a status, the existing pods are of the newest revision. */
  @Test
  void existingPodsOfOneRevisionCount() {
    String label = "controller-revision-hash";
    String existing = pod("StatefulSet", "s", ", " + label + ": x");
    assertThat(placed(set("StatefulSet", "s", "", label, ""), existing)).containsExactly(false);
    String older = existing.replace("name: x,", "name: z,").replace("hash: x", "hash: z");
    assertThat(placed(set("StatefulSet", "s", "", label, ""), existing, older))
        .containsExactly(true);
    String replica = pod("ReplicaSet", "d-x", ", pod-template-hash: x");
    String deployment = set("Deployment", "d", "", "pod-template-hash", "");
    assertThat(placed(deployment.replace("spec: {t", "spec: {replicas: 2, t"), replica))
        .containsExactly(false);
  }

  /** The ReplicaSet with the template of the Deployment is the newest one. */
  @ParameterizedTest
  @CsvSource({"'', false", "', track: b', true"})
  void aDeploymentHasTheHashOfItsNewestReplicaSet(String labels, boolean isPlaced) {
    String owner =
        ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: d, uid: u,"
            + " controller: true}]";
    String set =
        set("ReplicaSet", "d-x", owner, "pod-template-hash", "")
            .replace("spec: {t", "spec: {replicas: 1, t")
            .replace("app: a}}, spec", "app: a, pod-template-hash: x%s}}, spec".formatted(labels));
    String deployment =
        set("Deployment", "d", "", "pod-template-hash", "")
            .replace("spec: {t", "spec: {replicas: 2, t");
    String existing = pod("ReplicaSet", "d-x", ", pod-template-hash: x");
    assertThat(placed(deployment, set, existing)).containsExactly(isPlaced);
  }
}
