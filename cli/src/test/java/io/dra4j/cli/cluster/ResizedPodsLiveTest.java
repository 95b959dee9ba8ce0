package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What a pod on a node takes of it while its resize is not finished, beside the real scheduler: a
 * pod that asks for what is left to the thousandth of a CPU is placed by both, and one that asks
 * for a thousandth more is refused by both.
 *
 * <p>{@code -Dresizes=N} for more than 30 nodes, {@code -Dresizes.seed=S} for others.
 */
class ResizedPodsLiveTest {

  private static final int NODES = Integer.getInteger("resizes", 30);
  private static final long SEED = Long.getLong("resizes.seed", 1);
  private static final int ALLOCATABLE = 16_000;

  private static final String RUN =
      Long.toString(System.currentTimeMillis() / 1000 % 1_000_000, 36);

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: %1$s}
      status:
        capacity: {cpu: 16000m, pods: 110}
        allocatable: {cpu: 16000m, pods: 110}
        conditions: [{type: Ready, status: "True", reason: Faked}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: %1$s}
      spec: {selectors: [{cel: {expression: 'device.driver == "%1$s.example.com"'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: %1$s}
      spec:
        driver: %1$s.example.com
        nodeName: %1$s
        pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
        devices: [{name: d0}]
      """;

  private static final String PENDING =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: %2$s, namespace: %1$s}
      spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %1$s}}]}}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: %2$s, namespace: %1$s}
      spec:
        resourceClaims: [{name: g, resourceClaimTemplateName: %2$s}]
        containers: [{name: c, image: x, resources: {requests: {cpu: %3$dm}}}]
      """;

  private final Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();

  private static String cpus(SplittableRandom random) {
    return "{cpu: " + random.nextInt(1, 2000) + "m}";
  }

  private static String running(String name, SplittableRandom random) {
    boolean isOfPod = random.nextInt(3) == 0;
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: running, namespace: %1$s}
    spec:
      nodeName: %1$s
      %2$sinitContainers:
      - {name: i, image: x, resources: {requests: %3$s}}
      - {name: s, image: x, restartPolicy: Always, resources: {requests: %4$s}}
      containers:
      - {name: a, image: x, resources: {requests: %5$s}}
      - {name: b, image: x%6$s}
    """
        .formatted(
            name,
            isOfPod
                ? "resources: {requests: {cpu: %dm}}\n  ".formatted(random.nextInt(6000, 9000))
                : "",
            cpus(random),
            cpus(random),
            cpus(random),
            random.nextBoolean() ? ", resources: {requests: " + cpus(random) + "}" : "");
  }

  /** What a kubelet could report. */
  private static String status(SplittableRandom random) {
    List<String> fields = new ArrayList<>(List.of("phase: Running"));
    if (random.nextInt(3) > 0) {
      String reason = List.of("Infeasible", "Deferred").get(random.nextInt(2));
      fields.add("conditions: [{type: PodResizePending, status: 'True', reason: " + reason + "}]");
    }
    addResources(fields, random);
    fields.add(
        "containerStatuses: [" + container("a", random) + ", " + container("b", random) + "]");
    fields.add(
        "initContainerStatuses: [" + container("i", random) + ", " + container("s", random) + "]");
    return "status: {" + String.join(", ", fields) + "}";
  }

  private static void addResources(List<String> fields, SplittableRandom random) {
    if (random.nextBoolean()) {
      fields.add("allocatedResources: " + cpus(random));
    }
    if (random.nextBoolean()) {
      fields.add("resources: {requests: " + cpus(random) + "}");
    }
  }

  private static String container(String name, SplittableRandom random) {
    List<String> fields =
        new ArrayList<>(
            List.of("name: " + name, "image: x", "imageID: x", "ready: true", "restartCount: 0"));
    addResources(fields, random);
    return "{" + String.join(", ", fields) + "}";
  }

  private boolean fits(String cluster, String name, int cpus) throws Exception {
    List<PodOutcome> pods =
        LiveScheduler.place(allocator, cluster + PENDING.formatted(name, "p", cpus));
    return pods.get(pods.size() - 1) instanceof Placed;
  }

  /** How many thousandths of CPUs dra4j says are left. */
  private int left(String cluster, String name) throws Exception {
    int fitting = 0;
    int tooMany = ALLOCATABLE + 1;
    while (tooMany - fitting > 1) {
      int middle = (fitting + tooMany) / 2;
      if (fits(cluster, name, middle)) {
        fitting = middle;
      } else {
        tooMany = middle;
      }
    }
    return fitting;
  }

  private static String answer(KubernetesClient client, String name, String pod)
      throws InterruptedException {
    return LiveScheduler.answer(
        client, name, pod, message -> message.contains("Insufficient cpu") ? "cpu" : "");
  }

  @Test
  void resourcesOfResizedPodsAreThoseOfTheScheduler() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    List<String> differences = new ArrayList<>();
    TreeSet<Integer> amounts = new TreeSet<>();
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      for (long seed = SEED; seed < SEED + NODES; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        String name = "resize" + seed + "-" + RUN;
        List<HasMetadata> made = LiveScheduler.makeNamespace(client, name);
        String node = NODE.formatted(name);
        made.addAll(LiveScheduler.make(client, node));
        made.addAll(LiveScheduler.make(client, running(name, random)));
        client
            .genericKubernetesResources("v1", "Pod")
            .inNamespace(name)
            .withName("running")
            .subresource("status")
            .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), status(random));
        GenericKubernetesResource running =
            client
                .genericKubernetesResources("v1", "Pod")
                .inNamespace(name)
                .withName("running")
                .get();
        int left = left(node + "---\n" + Serialization.asJson(running) + "\n---\n", name);
        amounts.add(left);
        Thread.sleep(200); // the scheduler's informers
        made.addAll(LiveScheduler.make(client, PENDING.formatted(name, "more", left + 1)));
        String more = answer(client, name, "more");
        made.addAll(LiveScheduler.make(client, PENDING.formatted(name, "all", left)));
        String all = answer(client, name, "all");
        if (!more.equals("cpu") || !all.equals(name)) {
          differences.add(
              "seed %d: dra4j has %dm left; the scheduler about 1m more: %s, about all: %s%n%s"
                  .formatted(seed, left, more, all, Serialization.asYaml(running)));
        }
        made.forEach(object -> client.resource(object).withGracePeriod(0).delete());
      }
    }
    System.out.printf(
        "cluster: resizes of pods on %d nodes (seed %d), %d amounts, %d differences%n",
        NODES, SEED, amounts.size(), differences.size());
    assertThat(differences).isEmpty();
    assertThat(amounts).hasSizeGreaterThan(NODES / 2);
  }
}
