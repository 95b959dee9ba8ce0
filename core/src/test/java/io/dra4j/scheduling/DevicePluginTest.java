package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Extended resources of device classes, where device plugins of some nodes have the resources too:
 * {@code filterExtendedResources} and {@code shouldDelegateResourceToDRA} of kube-scheduler 1.37.2.
 */
class DevicePluginTest {

  private static final String CLASSES =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu},
        spec: {extendedResourceName: example.com/gpu}}
      ---
      """;

  private static final Allocator ALLOCATOR = Allocator.builder().selectors(NO_SELECTORS).build();

  /** A node with devices, which has this of extended resources. */
  private static String node(String name, int devices, String plugin) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      all.add("{name: d" + i + "}");
    }
    return """
    {apiVersion: v1, kind: Node, metadata: {name: %1$s}, status: {allocatable: {cpu: 64, pods: 9%3$s}}}
    ---
    {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec: {driver: d.io,
      nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, devices: [%2$s]}}
    ---
    """
        .formatted(name, String.join(", ", all), plugin.isEmpty() ? "" : ", " + plugin);
  }

  private static String pods(int replicas, String requests) {
    return """
    {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: p}, spec: {replicas: %d, template:
      {spec: {containers: [{name: c, resources: {requests: {%s}}}]}}}}
    ---
    """
        .formatted(replicas, requests);
  }

  private static ClusterOutcome outcome(String text) {
    return TestCluster.place(
        ClusterRun.builder(ALLOCATOR).build(), TestCluster.objects(CLASSES + text));
  }

  private static List<String> lines(ClusterOutcome outcome) {
    List<String> lines = new ArrayList<>();
    for (PodOutcome pod : outcome.pods()) {
      if (pod instanceof Placed placed) {
        long devices =
            placed.allocations().stream()
                .mapToLong(
                    one ->
                        Objects.requireNonNull(one.allocatedClaim().allocation()).results().size())
                .sum();
        lines.add(placed.node() + " " + devices);
      } else if (pod instanceof Unplaceable refused) {
        lines.add(refused.refusals().counts().toString());
      } else {
        lines.add(pod.getClass().getSimpleName());
      }
    }
    return lines;
  }

  private static List<String> lines(String text) {
    return lines(outcome(text));
  }

  @Test
  void aNodeWithADevicePluginNeedsNoDevicesOfClaims() {
    ClusterOutcome outcome =
        outcome(
            node("n0", 4, "")
                + node("n1", 0, "example.com/gpu: 2")
                + pods(4, "example.com/gpu: 2"));
    assertThat(lines(outcome))
        .containsExactly("n0 2", "n0 2", "n1 0", "{NODE_RESOURCES=1, DEVICES=1}");
    assertThat(outcome.claims().values())
        .extracting(ResourceClaim::displayName)
        .containsExactly(
            "default/p-0-extended-resources",
            "default/p-1-extended-resources",
            "default/p-3-extended-resources");
  }

  @Test
  void devicesOfANodeWithADevicePluginStayFree() {
    assertThat(lines(node("n0", 4, "example.com/gpu: 1") + pods(2, "example.com/gpu: 1")))
        .containsExactly("n0 0", "{NODE_RESOURCES=1}");
    assertThat(lines(node("n0", 4, "example.com/gpu: 0") + pods(2, "example.com/gpu: 1")))
        .containsExactly("n0 1", "n0 1");
  }

  @Test
  void equalDevicesDoNotMakeNodesEqual() {
    String nodes = node("n0", 1, "") + node("n1", 1, "example.com/gpu: 1") + node("n2", 1, "");
    assertThat(lines(nodes + pods(4, "example.com/gpu: 1")))
        .containsExactly("n0 1", "n1 0", "n2 1", "{NODE_RESOURCES=1, DEVICES=2}");
  }

  @Test
  void aPluginDoesNotProvideTheResourceOfTheClassItself() {
    String implicit = "deviceclass.resource.kubernetes.io/gpu: 1";
    assertThat(lines(node("n0", 1, "example.com/gpu: 1") + pods(2, implicit)))
        .containsExactly("n0 1", "{DEVICES=1}");
  }

  @Test
  void aClaimIsForTheResourcesWithoutAPlugin() {
    String nic =
        """
        {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic},
          spec: {extendedResourceName: example.com/nic}}
        ---
        """;
    String both = pods(3, "example.com/gpu: 1, example.com/nic: 1");
    ClusterOutcome outcome =
        outcome(nic + node("n0", 2, "example.com/nic: 5") + node("n1", 2, "") + both);
    assertThat(lines(outcome)).containsExactly("n0 1", "n0 1", "n1 2");
    assertThat(outcome.claims().values())
        .extracting(claim -> String.join(" ", claim.spec().deviceClassNames()))
        .containsExactly("gpu", "gpu", "gpu nic");
    PodOutcome refused =
        outcome(nic + node("n0", 0, "example.com/nic: 5") + node("n1", 1, "") + both).pods().get(0);
    assertThat(lines(nic + node("n0", 0, "example.com/nic: 5") + node("n1", 1, "") + both))
        .containsOnly("{DEVICES=2}");
    assertThat(((Unplaceable) refused).refusals().on("n0").toString()).doesNotContain("nic");
    assertThat(((Unplaceable) refused).refusals().explain(Budget.unlimited()).groups()).hasSize(2);
  }

  @Test
  void aGangUsesBothKindsOfNodes() {
    String group =
        """
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec:
          {schedulingPolicy: {gang: {minCount: %d}}}}
        ---
        """;
    String pod =
        """
        {apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {schedulingGroup: {podGroupName: g},
          containers: [{name: c, resources: {requests: {example.com/gpu: 1}}}]}}
        ---
        """;
    String nodes = node("n0", 2, "") + node("n1", 3, "example.com/gpu: 1");
    ClusterRun run =
        ClusterRun.builder(ALLOCATOR)
            .podGroups(
                GangPlacement.builder(ALLOCATOR).policy(PlacementPolicy.firstFit()).build(),
                Duration.ofMinutes(1))
            .build();
    String pods = pod.formatted(0) + pod.formatted(1) + pod.formatted(2);
    assertThat(lines(place(run, nodes + group.formatted(3) + pods)))
        .containsExactly("n0 1", "n0 1", "n1 0");
    assertThat(lines(place(run, nodes + group.formatted(4) + pods + pod.formatted(3))))
        .containsOnly("GangUnplaceable");
  }

  private static ClusterOutcome place(ClusterRun run, String text) {
    return TestCluster.place(run, TestCluster.objects(CLASSES + text));
  }

  @Test
  void aQuotaOfClaimsDoesNotConcernANodeWithADevicePlugin() {
    String quota =
        """
        {apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard:
          {count/resourceclaims.resource.k8s.io: 0}}}
        ---
        """;
    String nodes = node("n0", 1, "") + node("n1", 0, "example.com/gpu: 1");
    assertThat(lines(quota + nodes + pods(2, "example.com/gpu: 1")))
        .containsExactly("n1 0", "{NODE_RESOURCES=1, CLAIM_QUOTA=1}");
  }

  @Test
  void aPodWithClaimsThatKubeSchedulerCannotBindIsNoted() {
    String template =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
          {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: both}, spec: {
          resourceClaims: [{name: g, resourceClaimTemplateName: t}],
          containers: [{name: c, resources: {requests: {example.com/gpu: 1}}}]}}
        ---
        """;
    String plugin = node("n1", 1, "example.com/gpu: 1");
    assertThat(notes(node("n0", 1, "") + plugin + template))
        .containsExactly(
            "pod default/both: spec.resourceClaims: kube-scheduler 1.37 cannot bind a pod with"
                + " claims to a node whose device plugins provide all of its extended resources,"
                + " such as node n1");
    assertThat(notes(node("n0", 1, "") + template)).isEmpty();
    assertThat(notes(plugin + pods(1, "example.com/gpu: 1"))).isEmpty();
  }

  private static List<String> notes(String text) {
    return PodQueue.of(TestCluster.objects(CLASSES + text)).notes();
  }

  @Test
  void theNewestClassProvidesAResource() {
    String classes =
        deviceClass("a", "creationTimestamp: 2026-01-01T09:00:00Z")
            + deviceClass("b", "creationTimestamp: 2026-01-01T10:00:00+00:30")
            + deviceClass("c", "creationTimestamp: 2026-01-01T09:30:00Z")
            + deviceClass("d", "");
    assertThat(classOf(classes)).isEqualTo("b");
    assertThat(classOf(deviceClass("d", "") + deviceClass("c", ""))).isEqualTo("c");
  }

  private static String deviceClass(String name, String time) {
    return """
    {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: %s%s},
      spec: {extendedResourceName: example.com/x}}
    ---
    """
        .formatted(name, time.isEmpty() ? "" : ", " + time);
  }

  private static String classOf(String classes) {
    ClusterOutcome outcome = outcome(classes + node("n0", 1, "") + pods(1, "example.com/x: 1"));
    return outcome.claims().values().iterator().next().spec().deviceClassNames().iterator().next();
  }
}
