package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each filter is all that keeps a pod away in one case, so that dra4j without it would place the
 * pod: what is between angle quotes is what it looks at, and without that the pod is placed.
 */
class EachFilterTest {

  private static final String CLUSTER =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: d.io,
        nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1},
        devices: [{name: d0}, {name: d1}]}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: b, labels: {zone: z2}}}
      ---
      """;

  private static final String NODE =
      "{apiVersion: v1, kind: Node, metadata: {name: a, labels: {zone: x}}%s}\n---\n";

  private static final String TEMPLATE =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
        {devices: {requests: [{name: g, exactly: {deviceClassName: gpu%s}}]}}}}
      ---
      """;

  private static final String POD =
      """
      {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: p}}, spec: {%s
        resourceClaims: [{name: g, resourceClaimTemplateName: t}]}}
      """;

  private static final String RUNNING =
      """
      {apiVersion: v1, kind: Pod, metadata: {name: r, labels: {app: p}}, spec: {nodeName: a,
        containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}]}}
      ---
      """;

  private static final String HELD =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: held}, spec: {devices:
        {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}, status: {allocation: {devices:
        {results: [{request: g, driver: d.io, pool: a, device: d0}]}«, nodeSelector:
        {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [c]}]}]}»}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {
        resourceClaims: [{name: g, resourceClaimName: held}, {name: h, resourceClaimTemplateName: t}]}}
      """;

  private static final String QUOTA =
      """
      {apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard:
        {gpu.deviceclass.resource.k8s.io/devices: 1}}}
      ---
      """;

  private static String pod(String field) {
    return NODE.formatted("") + TEMPLATE.formatted("") + POD.formatted("«" + field + ",»");
  }

  private static String manifests(Cause cause) {
    return switch (cause) {
      case NODE_NAME -> pod("nodeName: b");
      case UNALLOCATED_CLAIMS -> pod("nodeName: a");
      case TAINT ->
          NODE.formatted("«, spec: {taints: [{key: k, effect: NoSchedule}]}»")
              + TEMPLATE.formatted("")
              + POD.formatted("");
      case NODE_SELECTOR -> pod("nodeSelector: {zone: z}");
      case NODE_AFFINITY ->
          pod(
              "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values:"
                  + " [z]}]}]}}}");
      case NODE_PORTS ->
          RUNNING + pod("containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}]");
      case NODE_RESOURCES ->
          NODE.formatted(", status: {allocatable: {cpu: '1', pods: '9'}}")
              + TEMPLATE.formatted("")
              + POD.formatted("«containers: [{name: c, resources: {requests: {cpu: '2'}}}],»");
      case TOPOLOGY_SPREAD ->
          RUNNING
              + pod(
                  "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                      + " DoNotSchedule, labelSelector: {matchLabels: {app: p}}}]");
      case POD_AFFINITY ->
          pod(
              "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " [{labelSelector: {matchLabels: {app: none}}, topologyKey: zone}]}}");
      case ALLOCATED_CLAIMS -> NODE.formatted("") + TEMPLATE.formatted("") + HELD;
      case DEVICES -> NODE.formatted("") + TEMPLATE.formatted("«, count: 3»") + POD.formatted("");
      case CLAIM_QUOTA ->
          "«"
              + QUOTA
              + "»"
              + NODE.formatted("")
              + TEMPLATE.formatted(", count: 2")
              + POD.formatted("");
      case GANG_TOPOLOGY, CLAIM_CONSUMERS ->
          throw new IllegalArgumentException("of several pods: " + cause);
    };
  }

  private static PodOutcome outcome(String text) throws Exception {
    Allocator allocator = Allocator.builder().selectors(NO_SELECTORS).build();
    List<PodOutcome> pods =
        TestCluster.place(
                ClusterRun.builder(allocator).build(), TestCluster.objects(CLUSTER + text))
            .pods();
    assertThat(pods).hasSize(1);
    return pods.get(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Cause.class,
      names = {"GANG_TOPOLOGY", "CLAIM_CONSUMERS"},
      mode = EnumSource.Mode.EXCLUDE)
  void aFilterAloneDecides(Cause cause) throws Exception {
    String text = manifests(cause);
    PodOutcome refused = outcome(text.replaceAll("[«»]", ""));
    PodOutcome placed = outcome(text.replaceAll("(?s)«.*?»", ""));

    assertThat(refused).isInstanceOf(Unplaceable.class);
    assertThat(((Unplaceable) refused).refusals().counts()).containsKey(cause);
    assertThat(placed).isInstanceOf(Placed.class);
    assertThat(((Placed) placed).node()).isEqualTo("a");
  }

  @Test
  void everyFilterThatLooksAtPodsIsAmongThem() {
    assertThat(PodFilter.class.getPermittedSubclasses())
        .extracting(Class::getSimpleName)
        .containsExactlyInAnyOrder(
            "DynamicResources", // UNALLOCATED_CLAIMS, CLAIM_QUOTA, CLAIM_CONSUMERS
            "InterPodAffinity", // POD_AFFINITY
            "NodePorts", // NODE_PORTS
            "NodeResourcesFit", // NODE_RESOURCES
            "PodTopologySpread"); // TOPOLOGY_SPREAD
  }
}
