package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a pod whose resize is not finished takes of its node, as kube-scheduler 1.37.2 counts it.
 */
class ResizedPodsTest {

  private static final String CLUSTER =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: d.io,
        nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}]}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: '8', pods: 9}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
        {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: r}, spec: {nodeName: a, %s}, status: {%s}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {
        resourceClaims: [{name: g, resourceClaimTemplateName: t}],
        containers: [{name: c, resources: {requests: {cpu: %s}}}]}}
      """;

  /** A pod with a container that asks for 2 CPUs, and a sidecar that asks for 1. */
  private static final String SPEC =
      "containers: [{name: c, resources: {requests: {cpu: '2'}}}], initContainers: [{name: s,"
          + " restartPolicy: Always, resources: {requests: {cpu: '1'}}}]";

  private static PodOutcome outcome(String spec, String status, String cpus) {
    Allocator allocator = Allocator.builder().selectors(NO_SELECTORS).build();
    List<PodOutcome> pods =
        TestCluster.place(
                ClusterRun.builder(allocator).build(),
                TestCluster.objects(CLUSTER.formatted(spec, status, cpus)))
            .pods();
    assertThat(pods).hasSize(1);
    return pods.get(0);
  }

  private static void assertFree(String spec, String status, int cpus) {
    assertThat(outcome(spec, status, "'" + cpus + "'")).isInstanceOf(Placed.class);
    assertThat(outcome(spec, status, cpus * 1000 + 1 + "m"))
        .isInstanceOfSatisfying(
            Unplaceable.class,
            pod ->
                assertThat(pod.refusals())
                    .hasToString("node a has too little cpu left for the pod (NodeResourcesFit)"));
  }

  private static String container(String name, String allocated, String actuated) {
    return "{name: %s, allocatedResources: {%s}, resources: {requests: {%s}}}"
        .formatted(name, allocated, actuated);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "         |          |          |          |            | 5",
        "cpu: '2' | cpu: '2' | cpu: '1' | cpu: '1' |            | 5", // no resize
        "cpu: '4' | cpu: '2' | cpu: '1' | cpu: '1' |            | 3", // admitted
        "cpu: '1' | cpu: '4' | cpu: '1' | cpu: '1' |            | 3", // in effect
        "cpu: '1' | cpu: '1' | cpu: '1' | cpu: '1' |            | 5", // asked for
        "cpu: '1' | cpu: '1' | cpu: '1' | cpu: '1' | Deferred   | 5",
        "cpu: '1' | cpu: '1' | cpu: '1' | cpu: '1' | Infeasible | 6",
        "cpu: '1' | cpu: '3' | cpu: '1' | cpu: '1' | Infeasible | 4",
        "cpu: '3' |          | cpu: '1' |          |            | 4", // in effect: as admitted
        "         | cpu: '1' |          | cpu: '1' |            | 5",
        "         |          | cpu: '1' | cpu: '1' | Infeasible | 7",
        "cpu: '1' | cpu: '1' | cpu: '2' | cpu: '4' |            | 3" // the sidecar
      })
  void whatTheKubeletReportsOfContainersCounts(
      String allocated, String actuated, String sidecar, String inSidecar, String why, int free) {
    assertFree(
        SPEC,
        "containerStatuses: [%s], initContainerStatuses: [%s], conditions: [%s]"
            .formatted(
                container("c", text(allocated), text(actuated)),
                container("s", text(sidecar), text(inSidecar)),
                why == null
                    ? "{type: Ready, status: 'True', reason: Infeasible}"
                    : "{type: PodResizePending, status: 'True', reason: " + why + "}"),
        free);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu: '4' | cpu: '4' |            | 4",
        "cpu: '6' | cpu: '4' |            | 2",
        "cpu: '4' | cpu: '6' |            | 2",
        "cpu: '1' | cpu: '1' |            | 4",
        "cpu: '1' | cpu: '2' | Infeasible | 6",
        "cpu: '6' |          |            | 4" // looked at once it is in effect
      })
  void whatTheKubeletReportsOfThePodCounts(
      String allocated, String actuated, String why, int free) {
    assertFree(
        "resources: {requests: {cpu: '4'}}, " + SPEC,
        "allocatedResources: {%s}, resources: {requests: {%s}}, conditions: [%s]"
            .formatted(
                text(allocated),
                text(actuated),
                why == null ? "" : "{type: PodResizePending, status: 'True', reason: " + why + "}"),
        free);
  }

  private static String text(String cell) {
    return cell == null ? "" : cell;
  }
}
