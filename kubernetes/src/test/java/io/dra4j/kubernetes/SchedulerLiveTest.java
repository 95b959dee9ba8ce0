package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The real scheduler and dra4j are asked the same: whether a pod with a claim fits, on which of its
 * nodes, and with which devices there.
 */
class SchedulerLiveTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final JsonMapper MAPPER = new JsonMapper();

  /** A case: nodes, slices, a class, a claim and a pod that no other case uses. */
  private record Case(String name, List<String> nodes, String cluster, String claim, String pod) {}

  private static Case generate(int number, Random random) {
    String name = "beside-" + number;
    List<String> nodes = new ArrayList<>();
    StringBuilder cluster = new StringBuilder();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String node = name + "-" + (char) ('a' + i);
      nodes.add(node);
      cluster.append(node(node, name)).append(slice(node, name, random));
    }
    cluster.append(
        """
        ---
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: %1$s}
        spec: {selectors: [{cel: {expression: 'device.driver == "%1$s.example.com"'}}]}
        """
            .formatted(name));
    boolean isPinned = random.nextBoolean();
    String selector =
        isPinned ? "node: " + nodes.get(random.nextInt(nodes.size())) : "case: " + name;
    return new Case(name, nodes, cluster.toString(), claim(name, random), pod(name, selector));
  }

  private static String node(String node, String name) {
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: %1$s, labels: {case: %2$s, node: %1$s}}
    status:
      capacity: {cpu: "8", memory: 32Gi, pods: "110"}
      allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
      conditions: [{type: Ready, status: "True", reason: Faked}]
    """
        .formatted(node, name);
  }

  private static String slice(String node, String name, Random random) {
    StringBuilder yaml =
        new StringBuilder(
            """
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: %1$s}
            spec:
              driver: %2$s.example.com
              nodeName: %1$s
              pool: {name: %1$s, generation: 1, resourceSliceCount: %3$d}
              devices:
            """
                .formatted(node, name, random.nextInt(12) == 0 ? 2 : 1));
    int devices = 1 + random.nextInt(6);
    for (int i = 0; i < devices; i++) {
      yaml.append("  - name: d%d\n".formatted(i));
      yaml.append(
          "    attributes: {size: {int: %d}, root: {string: r%d}%s}\n"
              .formatted(
                  random.nextInt(4),
                  random.nextInt(3),
                  random.nextInt(8) == 0 ? "" : ", fast: {bool: " + random.nextBoolean() + "}"));
      yaml.append("    capacity: {memory: {value: %dGi}}\n".formatted(1 + random.nextInt(4)));
      if (random.nextInt(6) == 0) {
        yaml.append("    taints: [{key: example.com/worn, value: \"yes\", effect: NoSchedule}]\n");
      }
    }
    return yaml.toString();
  }

  private static String claim(String name, Random random) {
    StringBuilder yaml =
        new StringBuilder(
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: %s, namespace: default}
            spec:
              devices:
                requests:
            """
                .formatted(name));
    int requests = 1 + random.nextInt(2);
    for (int i = 0; i < requests; i++) {
      if (random.nextInt(4) == 0) {
        yaml.append("    - name: r%d\n      firstAvailable:\n".formatted(i));
        yaml.append("      - {name: big, %s}\n".formatted(request(name, random)));
        yaml.append("      - {name: small, %s}\n".formatted(request(name, random)));
      } else {
        yaml.append("    - {name: r%d, exactly: {%s}}\n".formatted(i, request(name, random)));
      }
    }
    switch (random.nextInt(4)) {
      case 0 ->
          yaml.append("    constraints: [{matchAttribute: %s.example.com/root}]\n".formatted(name));
      case 1 ->
          yaml.append(
              "    constraints: [{distinctAttribute: %s.example.com/root}]\n".formatted(name));
      default -> {}
    }
    return yaml.toString();
  }

  private static String request(String name, Random random) {
    String attributes = "device.attributes[\"" + name + ".example.com\"]";
    String selector =
        switch (random.nextInt(5)) {
          case 0 -> attributes + ".size >= " + random.nextInt(4);
          case 1 -> attributes + ".?fast.orValue(false)";
          case 2 ->
              "device.capacity[\"%s.example.com\"].memory.compareTo(quantity(\"2Gi\")) >= 0"
                  .formatted(name);
          case 3 -> random.nextInt(4) == 0 ? attributes + ".fast" : "true"; // fails where unset
          default -> "true";
        };
    return "deviceClassName: %s, %sselectors: [{cel: {expression: '%s'}}]%s"
        .formatted(
            name,
            random.nextInt(6) == 0
                ? "allocationMode: All, "
                : "count: " + (1 + random.nextInt(3)) + ", ",
            selector,
            random.nextInt(3) == 0
                ? ", tolerations: [{key: example.com/worn, operator: Exists}]"
                : "");
  }

  private static String pod(String name, String selector) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %1$s, namespace: default, labels: {beside: "yes"}}
    spec:
      nodeSelector: {%2$s}
      resourceClaims: [{name: c, resourceClaimName: %1$s}]
      containers: [{name: main, image: example.com/none, resources: {claims: [{name: c}]}}]
    """
        .formatted(name, selector);
  }

  /** Where a pod is, empty for one that fits nowhere, and the devices by request. */
  private record Placement(String node, List<String> devices) {}

  @Test
  void schedulerAndAllocatorAgree() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    int count = Integer.getInteger("live.cases", 200);
    long seed = Long.getLong("live.seed", 1);
    Random random = new Random(seed);
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cases.add(generate(i, random));
    }
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      try {
        cases.forEach(one -> client.resourceList(one.cluster() + "---\n" + one.claim()).create());
        Thread.sleep(500); // the scheduler's informers
        DeviceInventory inventory = new LiveObjects(client, "beside").listed();
        cases.forEach(one -> client.resource(one.pod()).create());
        compare(cases, inventory, placements(client, count), seed);
      } finally {
        cases.forEach(
            one -> {
              client.resource(one.pod()).withGracePeriod(0).delete();
              client.resource(one.claim()).delete();
              client.resourceList(one.cluster()).delete();
            });
        cases.forEach( // the controller takes their finalizers away
            one ->
                client
                    .resource(one.claim())
                    .waitUntilCondition(Objects::isNull, LIMIT.toSeconds(), TimeUnit.SECONDS));
      }
    }
  }

  private static Map<String, Placement> placements(KubernetesClient client, int count)
      throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    List<Pod> pods;
    do {
      assertThat(System.nanoTime()).as("the scheduler has answered").isLessThan(end);
      Thread.sleep(200);
      pods =
          client.pods().inNamespace("default").withLabel("beside", "yes").list().getItems().stream()
              .filter(
                  pod ->
                      pod.getStatus().getConditions().stream()
                          .anyMatch(one -> one.getType().equals("PodScheduled")))
              .toList();
    } while (pods.size() < count);
    Map<String, List<String>> devices = new HashMap<>();
    JsonNode claims =
        MAPPER.readTree(client.raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"));
    for (JsonNode claim : claims.path("items")) {
      List<String> results = new ArrayList<>();
      for (JsonNode one : claim.at("/status/allocation/devices/results")) {
        results.add(one.path("request").asText() + "=" + one.path("device").asText());
      }
      devices.put(claim.at("/metadata/name").asText(), results);
    }
    Map<String, Placement> placements = new HashMap<>();
    for (Pod pod : pods) {
      String node = pod.getSpec().getNodeName() == null ? "" : pod.getSpec().getNodeName();
      String name = pod.getMetadata().getName();
      placements.put(
          name,
          new Placement(node, node.isEmpty() ? List.of() : devices.getOrDefault(name, List.of())));
    }
    return placements;
  }

  private static void compare(
      List<Case> cases, DeviceInventory inventory, Map<String, Placement> placements, long seed)
      throws Exception {
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    int placed = 0;
    int choice = 0; // the scheduler had several nodes
    Map<String, String> differences = new TreeMap<>();
    for (Case one : cases) {
      Map<String, List<String>> feasible = feasible(allocator, inventory, one);
      Placement found = Objects.requireNonNull(placements.get(one.name()), one.name());
      if (!found.node().isEmpty()) {
        placed++;
        choice += feasible.size() > 1 ? 1 : 0;
      }
      boolean isEqual =
          found.node().isEmpty()
              ? feasible.isEmpty()
              : found.devices().equals(feasible.get(found.node()));
      if (!isEqual) {
        differences.put(one.name(), found + ", dra4j: " + feasible + "\n" + one);
      }
    }
    System.out.printf(
        "cluster: %d cases beside the scheduler (seed %d): %d placed (%d with a choice of nodes),"
            + " %d pending, %d differences%n",
        cases.size(), seed, placed, choice, cases.size() - placed, differences.size());
    assertThat(differences).isEmpty();
    assertThat(placed).isBetween(1, cases.size() - 1);
  }

  /** The devices on each node of the pod on which the claim fits. */
  private static Map<String, List<String>> feasible(
      Allocator allocator, DeviceInventory inventory, Case one) throws Exception {
    ResourceClaim claim =
        (ResourceClaim)
            ManifestReader.builder()
                .build()
                .read(
                    "claim", new ByteArrayInputStream(one.claim().getBytes(StandardCharsets.UTF_8)))
                .get(0)
                .object();
    Map<String, List<String>> feasible = new TreeMap<>();
    for (String node : one.nodes()) {
      if (!one.pod().contains("case: ") && !one.pod().contains("node: " + node + "}")) {
        continue;
      }
      AllocationOutcome outcome = allocator.query(inventory, List.of(claim)).on(node);
      if (outcome instanceof AllocationOutcome.Allocated allocated) {
        feasible.put(
            node,
            allocated.allocations().get(0).result().results().stream()
                .map(result -> result.request() + "=" + result.device())
                .toList());
      }
    }
    return feasible;
  }
}
