package io.dra4j.scheduling.planning;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static io.dra4j.scheduling.TestCluster.objects;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many more of a job fit, after the pods that there are. */
class JobHeadroomTest {

  private static final Allocator ALLOCATOR = Allocator.builder().selectors(NO_SELECTORS).build();
  private static final ClusterRun POD_GROUPS =
      ClusterRun.builder(ALLOCATOR)
          .podGroups(
              GangPlacement.builder(ALLOCATOR).policy(PlacementPolicy.firstFit()).build(),
              Duration.ofMinutes(1))
          .build();

  private static final String BASE =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one},
        spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      """;

  private static String node(String name, int cpus, int devices) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < devices; i++) {
      list.append("{name: d%d}, ".formatted(i));
    }
    return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {rack: %1$s}},
          status: {allocatable: {cpu: '%2$d', pods: '1000'}}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec:
          {driver: d.io, nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1},
          devices: [%3$s]}}
        """
        .formatted(name, cpus, list);
  }

  /** Pod and claim; the latter is a template if its field says so. */
  private static String pod(String name, String cpus, String entry) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {
          resourceClaims: [{name: g, %s}],
          containers: [{name: c, resources: {requests: {cpu: %s}, claims: [{name: g}]}}]}}
        """
        .formatted(name, entry, cpus);
  }

  private static String claim(String name) {
    return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: %s},
          spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}
        """
        .formatted(name);
  }

  /** How many more of the object of that name fit. */
  private static JobHeadroom headroom(String name, int limit, String... documents) {
    List<KubernetesObject> objects = objects(BASE + "---\n" + String.join("---\n", documents));
    PodQueue queue = PodQueue.of(objects);
    assertThat(queue.problems()).isEmpty();
    ClusterSnapshot cluster =
        ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values()));
    DeviceInventory inventory = DeviceInventory.of(cluster);
    ClusterOutcome before = POD_GROUPS.place(queue, inventory);
    List<ResourceClaim> got = new ArrayList<>();
    for (PodOutcome pod : before.pods()) {
      if (pod instanceof PodOutcome.Placed placed) {
        placed.allocations().stream().map(ClaimAllocation::allocatedClaim).forEach(got::add);
      }
    }
    KubernetesObject job =
        objects.stream()
            .filter(one -> JobHeadroom.isJob(one) && one.metadata().name().equals(name))
            .findFirst()
            .orElseThrow();
    return JobHeadroom.of(POD_GROUPS, objects, before, inventory.with(got), job, limit);
  }

  /** A claim is reserved for at most 256, those that have it already among them. */
  @Test
  void aNamedClaimLimitsTheCopies() {
    String p = pod("p", "1m", "resourceClaimName: shared");
    JobHeadroom headroom = headroom("p", 1_000, node("m", 4, 1), claim("shared"), p);
    assertThat(headroom.more()).isEqualTo(255);
    assertThat(headroom.podsByNode()).containsExactly(Map.entry("m", 255));
    assertThat(headroom.limit())
        .hasValueSatisfying(
            pod -> {
              assertThat(pod.pod().name()).isEqualTo("default/p-more-256");
              assertThat(pod.toString())
                  .contains("ResourceClaim default/shared can be reserved for 256 pods");
            });
    assertThat(headroom("p", 255, node("m", 4, 1), claim("shared"), p).limit()).isEmpty();
    String job =
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 3, template:
          {spec: {resourceClaims: [{name: g, resourceClaimName: shared}], containers: [{name: c}]}}}}
        """;
    JobHeadroom jobs = headroom("j", 1_000, node("m", 4, 1), claim("shared"), job, p);
    assertThat(jobs.more()).isEqualTo(84); // 4 + 3 * 84 = 256
    assertThat(jobs.podsOfEach()).isEqualTo(3);
    String full = job.replace("parallelism: 3", "parallelism: 255");
    JobHeadroom none = headroom("p", 1_000, node("m", 4, 1), claim("shared"), full, p);
    assertThat(none.more()).isZero();
    assertThat(none.podsOfEach()).isEqualTo(1);
    assertThat(none.limit()).isPresent();
  }

  private static String group(String more) {
    return """
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: w-t}, spec:
          {schedulingPolicy: {gang: {minCount: 2}}%s}}
        """
        .formatted(more);
  }

  private static String grouped(String kind, String replicas, String entry) {
    return """
        {apiVersion: %s, kind: %s, metadata: {name: job}, spec: {%s: 2, template: {spec: {
          containers: [{name: c}], resourceClaims: [%s], schedulingGroup: {podGroupName: w-t}}}}}
        """
        .formatted(kind.equals("Job") ? "batch/v1" : "apps/v1", kind, replicas, entry);
  }

  private static final String OWN = "{name: g, resourceClaimTemplateName: one}";

  /** Each copy agrees in a rack, and not all copies in one. */
  @ParameterizedTest
  @CsvSource({"StatefulSet, replicas", "Job, parallelism", "ReplicaSet, replicas"})
  void eachCopyHasAPodGroupForItself(String kind, String replicas) {
    String[] documents = new String[8];
    for (int i = 0; i < 6; i++) {
      documents[i] = node("n" + i, 4, 2);
    }
    documents[6] = group(", schedulingConstraints: {topology: [{key: rack}]}");
    documents[7] = grouped(kind, replicas, OWN);
    JobHeadroom headroom = headroom("job", 100, documents);
    assertThat(headroom.more()).isEqualTo(5);
    assertThat(headroom.podsByNode().values()).containsOnly(2).hasSize(5);
  }

  @Test
  void eachCopyHasTheClaimsOfItsPodGroup() {
    JobHeadroom headroom =
        headroom(
            "job",
            100,
            node("a", 4, 2),
            node("b", 4, 2),
            group(", resourceClaims: [" + OWN + "]"),
            grouped("Job", "parallelism", OWN));
    assertThat(headroom.more()).isEqualTo(3);
    assertThat(headroom.podsOfEach()).isEqualTo(2);
  }

  @Test
  void aPodIsOneMoreOfTheGroupThatItHas() {
    String p = pod("p", "1m", "resourceClaimTemplateName: one");
    String ofGroup = p.replace("spec: {", "spec: {schedulingGroup: {podGroupName: w-t},");
    String q = ofGroup.replace("name: p}", "name: q}");
    assertThat(headroom("p", 100, node("a", 4, 5), group(""), ofGroup, q).more()).isEqualTo(3);
  }

  /** The pod takes its CPUs, although it has the name of its claim. */
  @Test
  void aPodWithTheNameOfItsClaimIsOneOfTheCluster() {
    String q = pod("q", "500m", "resourceClaimTemplateName: one");
    String p = pod("p", "3", "resourceClaimName: p");
    assertThat(headroom("q", 100, node("m", 4, 9), claim("p"), p, q).more()).isEqualTo(1);
    String other = pod("p", "3", "resourceClaimName: other");
    assertThat(headroom("q", 100, node("m", 4, 9), claim("other"), other, q).more()).isEqualTo(1);
    assertThat(headroom("q", 100, node("m", 4, 9), claim("p"), q).more()).isEqualTo(7); // no pod p
  }
}
