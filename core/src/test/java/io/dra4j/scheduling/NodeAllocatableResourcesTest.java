package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static io.dra4j.scheduling.TestCluster.objects;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Features;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.NodeAllocatableResource.Overhead;
import io.dra4j.model.Quantity;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Rejected;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import io.dra4j.scheduling.planning.JobHeadroom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What devices cost of their nodes. Each rule is one of {@code nodeallocatabledynamicresources.go}
 * of Kubernetes 1.37.2.
 */
class NodeAllocatableResourcesTest {

  private static final String TWO_CPUS = "cpu: {mapping: {deviceMultiplier: '2'}}";

  private static final String BASE =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t1},
        spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t2}, spec:
        {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu, count: 2}}]}}}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t5Gi}, spec:
        {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu,
        capacity: {requests: {memory: 5Gi}}}}]}}}}
      ---
      """;

  /** A node of 8 CPUs and four equal devices. */
  private static String node(String name, String costs) {
    return node(name, "cpu: '8', memory: 32Gi, hugepages-2Mi: 64Mi, pods: '110'", "", costs);
  }

  private static String node(String name, String allocatable, String ofDevice, String costs) {
    String device = "%s, nodeAllocatableResources: {%s}%s".formatted("{name: d%d", costs, ofDevice);
    StringBuilder devices = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      devices.append(i == 0 ? "" : ", ").append(device.formatted(i)).append('}');
    }
    return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s}, status: {allocatable: {%2$s}}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec:
          {driver: d.io, nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1},
          devices: [%3$s]}}
        ---
        """
        .formatted(name, allocatable, devices);
  }

  private static String pod(String name, String template, String spec) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {
          resourceClaims: [{name: g, resourceClaimTemplateName: %s}], %s}}
        ---
        """
        .formatted(name, template, spec);
  }

  /** A container that refers to the claim {@code g}. */
  private static String container(String name, String requests) {
    return "{name: %s, resources: {requests: {%s}, claims: [{name: g}]}}".formatted(name, requests);
  }

  private static String cpus(String amount) {
    return "containers: [" + container("c", "cpu: " + amount) + "]";
  }

  private static List<PodOutcome> run(Set<Feature> features, boolean gangs, String... documents) {
    List<KubernetesObject> objects = objects(BASE + String.join("", documents));
    PodQueue queue = PodQueue.of(objects);
    assertThat(queue.problems()).isEmpty();
    ClusterSnapshot cluster =
        ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values()));
    Allocator allocator = Allocator.builder().selectors(NO_SELECTORS).features(features).build();
    ClusterRun.Builder run = ClusterRun.builder(allocator);
    if (gangs) {
      run.gangs(GangPlacement.builder(allocator).build(), Duration.ofSeconds(20));
    }
    return run.build().place(queue, DeviceInventory.of(cluster)).pods();
  }

  private static List<PodOutcome> run(String... documents) {
    return run(Feature.kubernetes(), false, documents);
  }

  /** The nodes of the pods, and why those without one have none. */
  private static List<String> answers(List<PodOutcome> pods) {
    return pods.stream().map(NodeAllocatableResourcesTest::answer).toList();
  }

  private static String answer(PodOutcome outcome) {
    return outcome instanceof Placed placed
        ? placed.node()
        : outcome instanceof Unplaceable refused
            ? refused.refusals().toString()
            : outcome instanceof Rejected rejected
                ? rejected.fault().toString()
                : outcome.getClass().getSimpleName();
  }

  private static String tooLittle(String resources) {
    return "node a has too little %s left for the pod and its devices (nodeAllocatableResources)"
        .formatted(resources);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // by device: 2 of 8 CPUs for each
        "t1 | cpu: {mapping: {deviceMultiplier: '2'}} | cpu: '6'    | a",
        "t1 | cpu: {mapping: {deviceMultiplier: '2'}} | cpu: 6001m  | cpu",
        "t2 | cpu: {mapping: {deviceMultiplier: '2'}} | cpu: '4'    | a",
        "t2 | cpu: {mapping: {deviceMultiplier: '2'}} | cpu: 4001m  | cpu",
        // thousandths are rounded up
        "t1 | cpu: {mapping: {deviceMultiplier: 1900u}} | cpu: 7998m | a",
        "t1 | cpu: {mapping: {deviceMultiplier: 2100u}} | cpu: 7998m | cpu",
        // once for the pod, and for each of two containers and the one that starts first
        "t1 | cpu: {overhead: {perPod: 500m}}                    | cpu: 7500m | a",
        "t1 | cpu: {overhead: {perPod: 501m}}                    | cpu: 7500m | cpu",
        "t2 | cpu: {overhead: {perPod: 500m}}                    | cpu: '7'   | a",
        "t2 | cpu: {overhead: {perPod: 501m}}                    | cpu: '7'   | cpu",
        "t1 | cpu: {overhead: {perContainer: 500m}}              | cpu: 6500m | a",
        "t1 | cpu: {overhead: {perContainer: 501m}}              | cpu: 6500m | cpu",
        "t1 | 'cpu: {overhead: {perPod: 250m, perContainer: 250m}}' | cpu: '7' | a",
        "t1 | 'cpu: {overhead: {perPod: 251m, perContainer: 250m}}' | cpu: '7' | cpu",
        // other resources
        "t2 | memory: {mapping: {deviceMultiplier: 16Gi}}        | cpu: '8' | a",
        "t2 | memory: {mapping: {deviceMultiplier: 16Gi}}        | memory: '1' | memory",
        "t2 | 'hugepages-2Mi: {mapping: {deviceMultiplier: 32Mi}}' | cpu: '8' | a",
        "t2 | 'hugepages-2Mi: {mapping: {deviceMultiplier: 34Mi}}' | cpu: '8' | hugepages-2Mi",
        "t2 | 'cpu: {mapping: {deviceMultiplier: 5}}, memory: {overhead: {perPod: 17Gi}}'"
            + " | cpu: '1' | cpu and memory",
      })
  void aPodNeedsWhatItRequestsAndWhatItsDevicesCost(
      String template, String costs, String requests, String answer) {
    String spec =
        "initContainers: [%s], containers: [%s, %s]"
            .formatted(container("i", ""), container("c", requests), container("d", ""));
    assertThat(answers(run(node("a", costs), pod("p", template, spec))))
        .containsExactly(answer.equals("a") ? "a" : tooLittle(answer));
  }

  @ParameterizedTest
  @CsvSource({"26306674688, true", "26306674689, false"}) // 32 - 1.5 · 5 Gi
  void aCostIsAMultipleOfWhatAShareConsumes(String memory, boolean fits) {
    String shares = ", allowMultipleAllocations: true, capacity: {memory: {value: 8Gi}}";
    String costs = "memory: {mapping: {capacityKey: memory, capacityMultiplier: '1.5'}}";
    String spec = "containers: [" + container("c", "memory: " + memory) + "]";
    String nodes = node("a", "memory: 32Gi, pods: '9'", shares, costs);
    assertThat(answers(run(nodes, pod("p", "t5Gi", spec))))
        .containsExactly(fits ? "a" : tooLittle("memory"));
  }

  @Test
  void theCostsOfAnotherCapacityAreNone() {
    String shares = ", allowMultipleAllocations: true, capacity: {slots: {value: '4'}}";
    String costs = "cpu: {mapping: {capacityKey: %s, capacityMultiplier: '1'}}";
    String allocatable = "cpu: '8', pods: '9'";
    String ofSlots = node("a", allocatable, shares, costs.formatted("slots"));
    String ofOther = node("a", allocatable, shares, costs.formatted("other"));
    assertThat(answers(run(ofSlots, pod("p", "t1", cpus("4"))))).containsExactly("a");
    assertThat(answers(run(ofSlots, pod("p", "t1", cpus("4001m")))))
        .containsExactly(tooLittle("cpu"));
    assertThat(answers(run(ofOther, pod("p", "t1", cpus("8"))))).containsExactly("a");
  }

  @Test
  void aDeviceThatConsumesNothingHasNoMultipleOfIt() {
    String costs = "cpu: {mapping: {capacityKey: memory, capacityMultiplier: '1'}}";
    String nodes =
        node("a", "cpu: '8', pods: '9'", ", capacity: {memory: {value: 8Gi}}", costs)
            + node("b", "");
    assertThat(answers(run(nodes, pod("p", "t1", cpus("1")))))
        .containsExactly(
            "rejected (CAPACITY): ResourceClaim default/p-g: device d.io/a/d0 consumes no capacity,"
                + " but its demand for cpu is a multiple of its capacity memory"
                + " (nodeAllocatableResources): set allowMultipleAllocations, or deviceMultiplier"
                + " instead of capacityKey");
  }

  @Test
  void podsThatWerePlacedBeforeCount() {
    String two = pod("p", "t1", cpus("1")) + pod("q", "t1", cpus("1"));
    assertThat(answers(run(node("a", TWO_CPUS), two, pod("r", "t1", cpus("1m")))))
        .containsExactly("a", "a", tooLittle("cpu"));
    assertThat(answers(run(node("a", TWO_CPUS), two, pod("r", "t1", cpus("0")))))
        .containsExactly("a", "a", "a");
  }

  @ParameterizedTest
  @CsvSource({"'2', a", "2001m, ''"})
  void aPodOnANodeCountsByItsStatus(String cpu, String node) {
    String bound =
        """
        {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {nodeName: a, containers: [{name: c}]},
          status: {nodeAllocatableResourceClaimStatuses: [{resourceClaimName: x, containers: [c, i],
          mapping: [{name: cpu, quantity: '1'}],
          overhead: [{name: cpu, perPod: '1', perContainer: 500m}]}]}}
        ---
        """;
    assertThat(
            answers(
                run(node("a", "cpu: {overhead: {perPod: '3'}}"), bound, pod("p", "t1", cpus(cpu)))))
        .containsExactly(node.isEmpty() ? tooLittle("cpu") : node);
  }

  @Test
  void aPodOnANodeWithoutStatusCountsByItsRequestsAlone() {
    String bound =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: held}, spec: {devices:
          {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}, status: {allocation: {devices:
          {results: [{request: g, driver: d.io, pool: a, device: d3}]}}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {nodeName: a,
          resourceClaims: [{name: g, resourceClaimName: held}], containers: [{name: c}]}}
        ---
        """;
    assertThat(answers(run(node("a", TWO_CPUS), bound, pod("p", "t1", cpus("6")))))
        .containsExactly("a", "a");
  }

  @Test
  void aClaimThatHasItsDevicesCosts() {
    String held =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: held}, spec: {devices:
          {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}, status: {allocation: {devices:
          {results: [{request: g, driver: d.io, pool: a, device: d3%s}]}}%s}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: p, uid: up}, spec: {%s,
          resourceClaims: [{name: g, resourceClaimName: held}]}}
        ---
        """;
    String reserved = ", reservedFor: [{resource: pods, name: %1$s, uid: u%1$s}]";
    String other =
        "{apiVersion: v1, kind: Pod, metadata: {name: q, uid: uq}, spec: {nodeName: a}}\n---\n";
    String nodes = node("a", TWO_CPUS) + other;
    assertThat(answers(run(nodes, held.formatted("", "", cpus("6"))))).containsExactly("a");
    assertThat(answers(run(nodes, held.formatted("", "", cpus("7")))))
        .containsExactly(tooLittle("cpu"));
    assertThat(answers(run(nodes, held.formatted("", reserved.formatted("p"), cpus("6")))))
        .containsExactly("a");
    assertThat(answers(run(nodes, held.formatted("", reserved.formatted("q"), cpus("6")))))
        .containsExactly(
            "node a cannot share claim default/held among pods: its devices provide resources of"
                + " the node (mapping of nodeAllocatableResources), and another pod uses it");
    assertThat(answers(run(nodes, held.formatted(", adminAccess: true", "", cpus("7")))))
        .as("admin access costs the same")
        .containsExactly(tooLittle("cpu"));
  }

  @Test
  void aClaimWithAMappingIsOfOnePodAndOneWithOverheadOfMany() {
    String claim =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: shared}, spec:
          {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}
        ---
        """;
    StringBuilder pods = new StringBuilder(claim);
    for (String name : List.of("p", "q", "r")) {
      pods.append(
          pod(name, "-", cpus("2"))
              .replace("resourceClaimTemplateName: -", "resourceClaimName: shared"));
    }
    List<PodOutcome> mapped = run(node("a", TWO_CPUS), pods.toString());
    assertThat(answers(mapped).get(0)).isEqualTo("a");
    assertThat(((Unplaceable) mapped.get(1)).refusals().counts())
        .isEqualTo(Map.of(Cause.ALLOCATED_CLAIMS, 1));
    assertThat(answers(run(node("a", "cpu: {overhead: {perPod: '1'}}"), pods.toString())))
        .as("each pod pays the overhead")
        .containsExactly("a", "a", tooLittle("cpu"));
  }

  @Test
  void noOtherDevicesAreLookedForWhereTheFirstOnesCostTooMuch() {
    String devices =
        """
        {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: '8', pods: 9}}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec:
          {driver: d.io, nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1},
          devices: [{name: d0, nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 5}}}},
          {name: d1}]}}
        ---
        """;
    List<PodOutcome> pods = run(devices, node("b", ""), pod("p", "t1", cpus("4")));
    assertThat(answers(pods)).containsExactly("b");
    assertThat(answers(run(devices, pod("p", "t1", cpus("4"))))).containsExactly(tooLittle("cpu"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "requests: {cpu: 4} | requests: {cpu: 2}     | a",
        "requests: {cpu: 4} | requests: {cpu: 2001m} | requests",
        // as the API server completes them
        "limits: {cpu: 4}                    | limits: {cpu: 2}                    | requests",
        "limits: {cpu: 4}, requests: {cpu: 4} | limits: {cpu: 2}                   | a",
        "requests: {memory: 1Gi}             | requests: {memory: 1Gi}             | a",
        "requests: {memory: 1Gi}             | 'requests: {memory: 1Gi, cpu: 1m}'  | requests",
        "requests: {cpu: 4}                  | limits: {cpu: 2001m}                | requests",
        "requests: {cpu: 6}, limits: {cpu: 6} | requests: {cpu: 1}, limits: {cpu: 4}     | a",
        "requests: {cpu: 6}, limits: {cpu: 6} | requests: {cpu: 1}, limits: {cpu: 4001m} | limits",
      })
  void whatAPodAsksForAsAWholeCoversItsDevices(String ofPod, String ofContainer, String answer) {
    String spec =
        "resources: {%s}, containers: [{name: c, resources: {%s, claims: [{name: g}]}}]"
            .formatted(ofPod, ofContainer);
    assertThat(answers(run(node("a", TWO_CPUS), pod("p", "t1", spec))))
        .containsExactly(
            answer.equals("a")
                ? "a"
                : ("node a would need more cpu for the pod's containers and devices"
                        + " than its spec.resources.%s allow (nodeAllocatableResources)")
                    .formatted(answer));
  }

  @Test
  void ofANodeWithoutAllocatableNothingIsKnown() {
    String nodes = node("a", TWO_CPUS).replaceFirst("allocatable: \\{[^}]*}", "");
    assertThat(answers(run(nodes, pod("p", "t1", cpus("100"))))).containsExactly("a");
  }

  @Test
  void withoutTheFeatureDevicesCostNothing() {
    Set<Feature> features = Features.without(Feature.NODE_ALLOCATABLE_RESOURCES);
    String bound =
        """
        {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {nodeName: a, containers: [{name: c}]},
          status: {nodeAllocatableResourceClaimStatuses: [{resourceClaimName: x,
          mapping: [{name: cpu, quantity: '8'}]}]}}
        ---
        """;
    assertThat(answers(run(features, false, node("a", TWO_CPUS), bound, pod("p", "t1", cpus("8")))))
        .containsExactly("a");
    assertThat(answers(run(node("a", TWO_CPUS), bound, pod("p", "t1", cpus("8")))))
        .containsExactly("node a has too little cpu left for the pod (NodeResourcesFit)");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobIsSpreadOverTheNodesThatCanPay(boolean gangs) {
    String job =
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {parallelism: %d, template:
          {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: t1}], %s}}}}
        ---
        """;
    String nodes = node("a", TWO_CPUS) + node("b", TWO_CPUS);
    assertThat(answers(run(Feature.kubernetes(), gangs, nodes, job.formatted(4, cpus("2")))))
        .containsExactly("a", "a", "b", "b");
    List<PodOutcome> more = run(Feature.kubernetes(), gangs, nodes, job.formatted(5, cpus("2")));
    if (gangs) {
      assertThat(more).allMatch(pod -> pod instanceof GangUnplaceable);
    } else {
      assertThat(((Unplaceable) more.get(4)).refusals().counts())
          .isEqualTo(Map.of(Cause.NODE_RESOURCES, 2));
    }
  }

  @ParameterizedTest
  @CsvSource({"cpu: {mapping: {deviceMultiplier: '2'}}, 4", "cpu: {overhead: {perPod: 100m}}, 8"})
  void copiesOfAJobPayForTheirDevices(String costs, int copies) {
    String job =
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {parallelism: 1, template:
          {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: t1}], %s}}}}
        """
            .formatted(cpus("1"));
    List<KubernetesObject> cluster = objects(BASE + node("a", costs) + node("b", costs));
    PodQueue queue = PodQueue.of(cluster);
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(cluster));
    ClusterRun run =
        ClusterRun.builder(Allocator.builder().selectors(NO_SELECTORS).build()).build();
    JobHeadroom headroom =
        JobHeadroom.of(
            run, cluster, run.place(queue, inventory), inventory, objects(job).get(0), 100);
    assertThat(headroom.more()).isEqualTo(copies);
  }

  @Test
  void theOutcomeSaysWhatTheSchedulerWrites() {
    String costs =
        "cpu: {mapping: {deviceMultiplier: '2'}, overhead: {perPod: 1, perContainer: 1m}}";
    Placed placed = (Placed) run(node("a", costs), pod("p", "t2", cpus("1"))).get(0);
    assertThat(placed.nodeAllocatableClaims())
        .containsExactly(
            new NodeAllocatableClaimStatus(
                "p-g",
                List.of("c"),
                Map.of("cpu", Quantity.of(4)),
                Map.of("cpu", new Overhead(Quantity.of(2), Quantity.parse("2m")))));
  }

  @Test
  void amountsThatAreFarApartEndInAnAnswer() {
    String devices = "cpu: {mapping: {capacityKey: %s, capacityMultiplier: '%s'}}";
    String shares = ", allowMultipleAllocations: true, capacity: {c: {value: '%s'}}";
    String spec =
        "containers: [%s, %s]"
            .formatted(container("c", "cpu: '1e3000'"), container("d", "cpu: 1m"));
    assertThat(answers(run(node("a", "cpu: {overhead: {perPod: 1m}}"), pod("p", "t1", spec))))
        .containsExactly("a");
    String bound =
        """
        {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {nodeName: a, containers: [{name: c,
          resources: {requests: {cpu: 1m}}}]}, status: {nodeAllocatableResourceClaimStatuses: [
          {resourceClaimName: x, mapping: [{name: cpu, quantity: '1e3000'}]}]}}
        ---
        """;
    assertThat(answers(run(node("a", TWO_CPUS), bound, pod("p", "t1", cpus("1")))))
        .containsExactly("a");
    String high =
        node(
            "a",
            "cpu: '8', pods: '9'",
            shares.formatted("1e2147483647"),
            devices.formatted("c", "1e2147483647"));
    assertThat(answers(run(high, pod("p", "t1", cpus("1")))))
        .containsExactly(
            "rejected (CAPACITY): pod default/p: its devices consume more of the node than can be"
                + " represented: expected a capacityMultiplier of nodeAllocatableResources with"
                + " which a node can pay");
  }

  @Test
  void aRefusalIsOfTheNodeAndNotOfItsDevices() {
    String bare = "{apiVersion: v1, kind: Node, metadata: {name: c}}\n---\n";
    List<PodOutcome> pods = run(node("a", TWO_CPUS), bare, pod("p", "t1", cpus("7")));
    NodeRefusals refusals = ((Unplaceable) pods.get(0)).refusals();
    assertThat(refusals.counts()).isEqualTo(Map.of(Cause.NODE_RESOURCES, 1, Cause.DEVICES, 1));
    assertThat(refusals.first(9)).extracting(NodeRefusal::node).containsExactly("c");
    assertThat(refusals.on("a"))
        .isEqualTo(new NodeRefusal("a", Cause.NODE_RESOURCES, List.of(tooLittle("cpu"))));
    assertThat(refusals.reasons())
        .containsExactly(new NodeReason(Cause.NODE_RESOURCES, List.of("a"), tooLittle("cpu")));
    assertThat(refusals.sentences())
        .isEqualTo(Map.of(Cause.NODE_RESOURCES, List.of(tooLittle("cpu"))));
    assertThat(refusals.explain(Budget.unlimited()).groups()).hasSize(1);
  }
}
