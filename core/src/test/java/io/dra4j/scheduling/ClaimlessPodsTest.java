package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pods of a PodGroup that use no claims have to fit too, since kube-scheduler counts the pods that
 * it has placed ({@code podGroupSchedulingDefaultAlgorithm}, plugin {@code GangScheduling}).
 */
class ClaimlessPodsTest {

  private static final String CLASS =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
        {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      ---
      """;

  private static String node(String name, String rack, int cpus) {
    return """
    {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {rack: %2$s}},
      status: {allocatable: {cpu: %3$d, pods: 9}}}
    ---
    {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec: {driver: d.io,
      nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}]}}
    ---
    """
        .formatted(name, rack, cpus);
  }

  private static String group(int minCount, String more) {
    return """
    {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec:
      {schedulingPolicy: {gang: {minCount: %d}}%s}}
    ---
    """
        .formatted(minCount, more);
  }

  private static String withDevice(String name) {
    return """
    {apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {schedulingGroup: {podGroupName: g},
      resourceClaims: [{name: g, resourceClaimTemplateName: t}],
      containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
    ---
    """
        .formatted(name);
  }

  private static String claimless(int pods, String group, int cpus) {
    return """
    {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: helper}, spec: {replicas: %d, template:
      {metadata: {labels: {app: h}}, spec: {schedulingGroup: {podGroupName: %s},
      containers: [{name: c, resources: {requests: {cpu: %d}}}]}}}}
    ---
    """
        .formatted(pods, group, cpus);
  }

  private static List<String> lines(String text) {
    Allocator allocator = Allocator.builder().selectors(NO_SELECTORS).build();
    ClusterRun run =
        ClusterRun.builder(allocator)
            .podGroups(
                GangPlacement.builder(allocator).policy(PlacementPolicy.firstFit()).build(),
                Duration.ofMinutes(1))
            .build();
    return TestCluster.place(run, TestCluster.objects(CLASS + text)).pods().stream()
        .map(ClaimlessPodsTest::line)
        .toList();
  }

  private static String line(PodOutcome outcome) {
    return outcome instanceof Placed placed
        ? placed.node()
        : outcome instanceof GangUnplaceable gang ? gang.reason() : outcome.toString();
  }

  private static final String NODES = node("n0", "r", 4) + node("n1", "r", 4);
  private static final String TWO = withDevice("a") + withDevice("b");

  @Test
  void aPodWithoutClaimsThatDoesNotFitKeepsItsGangAway() {
    assertThat(lines(NODES + group(3, "") + TWO + claimless(1, "g", 1000)))
        .containsOnly(
            "it needs 3 pods together: 2 with claims fit, and 0 of 1 without claims; ReplicaSet"
                + " default/helper: 2 nodes have too little cpu left for the pod"
                + " (NodeResourcesFit): n0 and n1");
    assertThat(lines(NODES + group(3, "") + TWO + claimless(1, "g", 3)))
        .containsExactly("n0", "n1");
    assertThat(lines(NODES + group(2, "") + TWO + claimless(1, "g", 1000)))
        .containsExactly("n0", "n1");
  }

  @Test
  void podsWithoutClaimsNeedRoomBesideEachOtherAndBesideTheOthers() {
    assertThat(lines(NODES + group(4, "") + TWO + claimless(3, "g", 3)))
        .containsExactly("n0", "n1");
    assertThat(lines(NODES + group(5, "") + TWO + claimless(3, "g", 3)).get(0))
        .contains("2 with claims fit, and 2 of 3 without claims");
  }

  @Test
  void podsWithoutClaimsTakeNothingFromLaterPods() {
    String later =
        withDevice("later").replace("cpu: 1", "cpu: 3").replace("schedulingGroup", "none");
    String nodes = node("n0", "r", 4) + node("n1", "r", 4) + node("n2", "r", 4);
    assertThat(lines(nodes + group(3, "") + TWO + claimless(1, "g", 2) + later))
        .containsExactly("n0", "n1", "n2");
  }

  @Test
  void anotherDomainIsTakenIfItHasRoomForAll() {
    String racks =
        node("a0", "a", 2) + node("a1", "a", 2) + node("b0", "b", 2) + node("b1", "b", 8);
    String topology = ", schedulingConstraints: {topology: [{key: rack}]}";
    assertThat(lines(racks + group(3, topology) + TWO + claimless(1, "g", 5)))
        .containsExactly("b0", "b1");
    assertThat(lines(racks + group(3, topology) + TWO + claimless(1, "g", 8)).get(0))
        .contains("0 of 1 without claims");
  }

  @Test
  void groupsBelowAnotherGroupNeedTheirPodsWithoutClaims() {
    String parent =
        """
        {apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: all}, spec:
          {schedulingPolicy: {gang: {minGroupCount: 1}}}}
        ---
        """;
    String child = ", parentCompositePodGroupName: all";
    assertThat(lines(parent + NODES + group(3, child) + TWO + claimless(1, "g", 3)))
        .containsExactly("n0", "n1");
    assertThat(lines(parent + NODES + group(3, child) + TWO + claimless(1, "g", 1000)).get(0))
        .contains("0 of 1 without claims");
  }

  @Test
  void aGroupWithoutClaimsBesideGroupsWithClaimsIsNoted() {
    String groups =
        """
        {apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: all}, spec:
          {schedulingPolicy: {gang: {minGroupCount: 2}}}}
        ---
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: h}, spec:
          {parentCompositePodGroupName: all, schedulingPolicy: {gang: {minCount: 1}}}}
        ---
        """;
    String text = CLASS + NODES + groups + group(2, ", parentCompositePodGroupName: all") + TWO;
    assertThat(PodQueue.of(TestCluster.objects(text + claimless(1, "h", 1))).notes())
        .containsExactly(
            "PodGroup default/h: its pods use no claims: they count for CompositePodGroup"
                + " default/all, and no check was made whether they fit");
    assertThat(PodQueue.of(TestCluster.objects(text)).notes()).isEmpty();
  }
}
