package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.ManifestException;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Rejected;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Devices that cost CPUs, memory and huge pages of their node, beside the real scheduler with the
 * gate {@code DRANodeAllocatableResources}: pods come one after the other, and each is placed or
 * refused by both, for the same resources. What earlier pods cost is read from their status.
 *
 * <p>{@code -Dcosts=N} for more than 24 nodes, {@code -Dcosts.seed=S} for others.
 */
class NodeAllocatableLiveTest {

  private static final int NODES = Integer.getInteger("costs", 24);
  private static final long SEED = Long.getLong("costs.seed", 1);

  /** The namespaces of an earlier run may still be there. */
  private static final String RUN =
      Long.toString(System.currentTimeMillis() / 1000 % 1_000_000, 36);

  /** Of the answers of the scheduler: words, and how this test calls the answer. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "cannot be shared across pods", "shared",
          "pod level request for", "pod requests",
          "pod level limit for", "pod limits",
          "cannot allocate all claims", "devices",
          "ConsumedCapacity is nil", "fault");

  /** The same of dra4j. */
  private static final Map<String, String> OWN_ANSWERS =
      Map.of(
          "cannot share claim", "shared",
          "spec.resources.requests allow", "pod requests",
          "spec.resources.limits allow", "pod limits",
          "rejected (CAPACITY)", "fault");

  private static final Pattern INSUFFICIENT = Pattern.compile("Insufficient ([\\w.-]*\\w)");
  private static final Pattern TOO_LITTLE = Pattern.compile("too little (.+?) left");

  private final Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();

  /** A node with devices, the claims that pods share or have made for them, and the pods. */
  private record Generated(String name, String node, String claims, List<String> pods) {}

  private static Generated generate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String name = "costs" + seed + "-" + RUN;
    boolean isShared = random.nextInt(4) == 0;
    StringBuilder devices = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      devices.append(i == 0 ? "" : ", ").append(device(i, isShared, random));
    }
    String node =
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %1$s, labels: {costs: %1$s}}
        status:
          capacity: {cpu: "8", memory: 4Gi, hugepages-2Mi: 64Mi, pods: "110"}
          allocatable: {cpu: "8", memory: 4Gi, hugepages-2Mi: 64Mi, pods: "110"}
          conditions: [{type: Ready, status: "True", reason: Faked}]
          declaredFeatures: [DRANodeAllocatableResources]
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
          devices: [%2$s]
        """
            .formatted(name, devices);
    String capacity = isShared ? ", capacity: {requests: {slots: '%d'}}" : "";
    StringBuilder claims = new StringBuilder();
    for (int count = 1; count <= 2; count++) {
      String devicesOfClaim =
          "{requests: [{name: r, exactly: {deviceClassName: %s, count: %d%s}}]}"
              .formatted(name, count, capacity.formatted(1 + random.nextInt(3)));
      claims.append(
          """
          apiVersion: resource.k8s.io/v1
          kind: ResourceClaimTemplate
          metadata: {name: t%1$d, namespace: %2$s}
          spec: {spec: {devices: %3$s}}
          ---
          apiVersion: resource.k8s.io/v1
          kind: ResourceClaim
          metadata: {name: c%1$d, namespace: %2$s}
          spec: {devices: %3$s}
          ---
          """
              .formatted(count, name, devicesOfClaim));
    }
    List<String> pods = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      pods.add(pod(name, i, random));
    }
    return new Generated(name, node, claims.toString(), pods);
  }

  private static String device(int number, boolean isShared, SplittableRandom random) {
    boolean hasSlots = isShared || random.nextInt(8) == 0; // which others do not consume: a fault
    List<String> costs = new ArrayList<>();
    if (random.nextInt(4) > 0) {
      costs.add("cpu: " + cost(hasSlots, random, random.nextInt(1, 1500) + "m", "700m"));
    }
    if (random.nextBoolean()) {
      costs.add("memory: " + cost(hasSlots, random, random.nextInt(1, 1500) + "Mi", "300Mi"));
    }
    if (random.nextInt(4) == 0) {
      costs.add(
          "hugepages-2Mi: " + cost(hasSlots, random, 2 * random.nextInt(1, 12) + "Mi", "4Mi"));
    }
    return "{name: d%d%s%s%s}"
        .formatted(
            number,
            isShared ? ", allowMultipleAllocations: true" : "",
            hasSlots ? ", capacity: {slots: {value: '4'}}" : "",
            costs.isEmpty()
                ? ""
                : ", nodeAllocatableResources: {" + String.join(", ", costs) + "}");
  }

  private static String cost(
      boolean hasSlots, SplittableRandom random, String amount, String overhead) {
    String mapping =
        hasSlots && random.nextBoolean()
            ? "mapping: {capacityKey: slots, capacityMultiplier: %s}".formatted(amount)
            : "mapping: {deviceMultiplier: %s}".formatted(amount);
    return switch (random.nextInt(5)) {
      case 0, 1 -> "{" + mapping + "}";
      case 2 -> "{overhead: {perPod: %s}}".formatted(amount);
      case 3 -> "{overhead: {perContainer: %s}}".formatted(amount);
      default ->
          "{%s, overhead: {perPod: %s, perContainer: %s}}".formatted(mapping, overhead, overhead);
    };
  }

  private static String pod(String namespace, int number, SplittableRandom random) {
    int cpus = random.nextInt(1, 1800);
    boolean isSidecar = random.nextBoolean();
    boolean hasOwn = random.nextInt(4) == 0;
    String own =
        "resources: {requests: {cpu: %dm}%s}\n  "
            .formatted(
                cpus + 1800 + random.nextInt(1500),
                random.nextBoolean() ? ", limits: {cpu: %dm}".formatted(6000) : "");
    String entry =
        random.nextInt(3) == 0
            ? "resourceClaimName: c" + random.nextInt(1, 3)
            : "resourceClaimTemplateName: t" + random.nextInt(1, 3);
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: p%1$d, namespace: %2$s}
    spec:
      nodeSelector: {costs: %2$s}
      resourceClaims: [{name: g, %3$s}]
      %4$sinitContainers: [{name: i, image: x%5$s, resources: {requests: {cpu: %6$dm}%7$s}}]
      containers:
      - {name: a, image: x, resources: {requests: {cpu: %8$dm, memory: 100Mi}, claims: [{name: g}]}}
      - {name: b, image: x%9$s}
    """
        .formatted(
            number,
            namespace,
            entry,
            hasOwn ? own : "",
            isSidecar ? ", restartPolicy: Always" : "",
            random.nextInt(1, 1800),
            random.nextBoolean() ? ", claims: [{name: g}]" : "",
            cpus,
            random.nextBoolean() ? ", resources: {claims: [{name: g}]}" : "");
  }

  /** The answer of the scheduler: the node, or what it lacks. */
  private static String schedulers(KubernetesClient client, String namespace, String name)
      throws InterruptedException {
    return LiveScheduler.answer(
        client,
        namespace,
        name,
        message -> answer(message.replaceAll("preemption:.*", ""), INSUFFICIENT, ANSWERS));
  }

  private static String answer(String text, Pattern resources, Map<String, String> words) {
    TreeSet<String> found = new TreeSet<>();
    Matcher matcher = resources.matcher(text);
    while (matcher.find()) {
      found.addAll(List.of(matcher.group(1).split(" and ")));
    }
    words.forEach(
        (part, answer) -> {
          if (text.contains(part)) {
            found.add(answer);
          }
        });
    return String.join(" ", found);
  }

  /** The answer of dra4j about a pod that comes into the cluster as it is now. */
  private String own(KubernetesClient client, Generated generated, String pod)
      throws ManifestException {
    StringBuilder text = new StringBuilder();
    Stream.of("Node", "DeviceClass", "ResourceSlice")
        .map(
            kind ->
                client
                    .genericKubernetesResources(
                        kind.equals("Node") ? "v1" : "resource.k8s.io/v1", kind)
                    .withName(generated.name())
                    .get())
        .forEach(one -> text.append(Serialization.asJson(one)).append("\n---\n"));
    Stream.of("ResourceClaimTemplate", "ResourceClaim", "Pod")
        .flatMap(
            kind ->
                client
                    .genericKubernetesResources(
                        kind.equals("Pod") ? "v1" : "resource.k8s.io/v1", kind)
                    .inNamespace(generated.name())
                    .list()
                    .getItems()
                    .stream())
        .forEach(one -> text.append(Serialization.asJson(one)).append("\n---\n"));
    List<PodOutcome> outcomes = LiveScheduler.place(allocator, text + pod);
    PodOutcome last = outcomes.get(outcomes.size() - 1);
    if (last instanceof Placed placed) {
      return placed.node();
    } else if (last instanceof Rejected rejected) {
      return answer(rejected.fault().toString(), TOO_LITTLE, OWN_ANSWERS);
    }
    String why = ((Unplaceable) last).refusals().toString();
    String answer = answer(why, TOO_LITTLE, OWN_ANSWERS);
    return answer.isEmpty() && ((Unplaceable) last).refusals().withoutDevices() == 1
        ? "devices"
        : answer;
  }

  @Test
  void devicesCostTheSameAsWithTheScheduler() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    Map<String, Integer> answers = new TreeMap<>();
    List<String> differences = new ArrayList<>();
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      for (long seed = SEED; seed < SEED + NODES; seed++) {
        Generated generated = generate(seed);
        String name = generated.name();
        List<HasMetadata> made = LiveScheduler.makeNamespace(client, name);
        made.addAll(LiveScheduler.make(client, generated.node()));
        made.addAll(LiveScheduler.make(client, generated.claims()));
        Thread.sleep(200); // the scheduler's informers
        for (int i = 0; i < generated.pods().size(); i++) {
          String pod = generated.pods().get(i);
          String own = own(client, generated, pod);
          made.addAll(LiveScheduler.make(client, pod));
          String schedulers = schedulers(client, name, "p" + i);
          answers.merge(schedulers.equals(name) ? "placed" : schedulers, 1, Integer::sum);
          if (!own.equals(schedulers)) {
            differences.add(
                "%s, pod %d: %s, and the scheduler: %s%n%s"
                    .formatted(name, i, own, schedulers, generated));
          }
        }
        made.forEach(object -> client.resource(object).withGracePeriod(0).delete());
      }
    }
    System.out.printf(
        "cluster: %d nodes whose devices cost resources (seed %d): %s, %d differences%n",
        NODES, SEED, answers, differences.size());
    assertThat(differences).isEmpty();
    assertThat(answers).containsKeys("placed", "cpu", "memory", "shared", "pod requests");
  }
}
