package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import io.dra4j.scheduling.PodQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Workloads in generated clusters: the real controllers make their pods, and the real scheduler
 * places them. Where it has placed a pod, the pod may run by the rules here; where it has not, no
 * node takes the pod here, for reasons of the same kinds. As many pods of the workload are placed.
 *
 * <p>{@code -Dworkloads=N} for more than 60 clusters, {@code -Dworkloads.seed=S} for others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkloadLiveTest {

  private static final int CLUSTERS = Integer.getInteger("workloads", 60);
  private static final long SEED = Long.getLong("workloads.seed", 1);

  /** So often in a row nothing has to change until a cluster is at rest. */
  private static final int QUIET = 5;

  private static final int MILLIS = 300;

  /** The namespaces of an earlier run may still be there. */
  private static final String RUN =
      Long.toString(System.currentTimeMillis() / 1000 % 1_000_000, 36);

  private static final String CLASS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: workload}
      spec:
        extendedResourceName: example.com/workload
        selectors: [{cel: {expression: 'device.driver == "workload.example.com"'}}]
      """;

  /** Of the reasons of the scheduler: words, and the kind here. */
  private static final Map<String, Cause> REASONS =
      Map.of(
          "[NodeAffinity]", Cause.NODE_SELECTOR, // of the pods of DaemonSets
          "didn't match Pod's node affinity/selector", Cause.NODE_SELECTOR,
          "free ports", Cause.NODE_PORTS,
          "Insufficient", Cause.NODE_RESOURCES,
          "Too many pods", Cause.NODE_RESOURCES,
          "topology spread constraints", Cause.TOPOLOGY_SPREAD,
          "pod affinity rules", Cause.POD_AFFINITY,
          "anti-affinity rules", Cause.POD_AFFINITY,
          "cannot allocate all claims", Cause.DEVICES);

  private final Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
  private KubernetesClient client;

  @BeforeAll
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    make(CLASS);
  }

  @AfterAll
  void disconnect() {
    if (client != null) {
      client.resource(CLASS).delete();
      client.close();
    }
  }

  private List<HasMetadata> make(String yaml) {
    return LiveScheduler.make(client, yaml);
  }

  /** A generated cluster: its nodes and devices, pods that are on nodes, and one workload. */
  private record Generated(String namespace, String nodes, String bound, String workload) {}

  private static Generated generate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String name = "w" + seed + "-" + RUN;
    StringBuilder nodes = new StringBuilder();
    StringBuilder bound = new StringBuilder();
    int count = 2 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String node = name + "-n" + i;
      nodes.append(node(name, node, i, random));
      if (random.nextInt(4) == 0) {
        bound.append(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: b%d, namespace: %s, labels: {app: bound, tier: t%d}}
            spec: {nodeName: %s, containers: [{name: c, image: x%s}]%s}
            ---
            """
                .formatted(
                    i,
                    name,
                    random.nextInt(2),
                    node,
                    random.nextInt(2) == 0 ? ", ports: [{containerPort: 80, hostPort: 8080}]" : "",
                    random.nextInt(3) == 0 ? anti("kubernetes.io/hostname") : ""));
      }
    }
    return new Generated(name, nodes.toString(), bound.toString(), workload(name, random));
  }

  private static String node(String cluster, String node, int number, SplittableRandom random) {
    StringBuilder devices = new StringBuilder();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      devices.append(
          "%s{name: d%d, attributes: {size: {string: %s}}}"
              .formatted(i == 0 ? "" : ", ", i, random.nextBoolean() ? "big" : "small"));
    }
    return """
    apiVersion: v1
    kind: Node
    metadata:
      name: %1$s
      labels: {cluster: %2$s, kubernetes.io/hostname: %1$s, %3$s}
    status:
      capacity: {cpu: "%4$d", memory: 8Gi, pods: "%5$d"%7$s}
      allocatable: {cpu: "%4$d", memory: 8Gi, pods: "%5$d"%7$s}
      conditions: [{type: Ready, status: "True", reason: Faked}]
    ---
    apiVersion: resource.k8s.io/v1
    kind: ResourceSlice
    metadata: {name: %1$s, labels: {cluster: %2$s}}
    spec:
      driver: workload.example.com
      nodeName: %1$s
      pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
      devices: [%6$s]
    ---
    """
        .formatted(
            node,
            cluster,
            random.nextInt(6) == 0 ? "noZone: x" : "zone: z" + number % (1 + random.nextInt(3)),
            1 + random.nextInt(4),
            1 + random.nextInt(5),
            devices,
            plugin(random));
  }

  /** On some nodes, a device plugin has the extended resource of the class, or none of it left. */
  private static String plugin(SplittableRandom random) {
    return random.nextInt(3) == 0 ? ", example.com/workload: \"" + random.nextInt(3) + "\"" : "";
  }

  private static String anti(String key) {
    return affinity("podAntiAffinity", term(key, "app: work"));
  }

  private static String affinity(String kind, String... terms) {
    return ", affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}"
        .formatted(kind, String.join(", ", terms));
  }

  /** A term about pods of these labels; further fields of the term may follow the labels. */
  private static String term(String key, String labels, String... more) {
    return "{topologyKey: %s, labelSelector: {matchLabels: {%s}}%s}"
        .formatted(key, labels, String.join("", more));
  }

  /** Required affinity: to pods of the workload, to others, to both, in some namespaces or all. */
  private static String podAffinity(SplittableRandom random) {
    String own = term("zone", "app: work");
    return switch (random.nextInt(7)) {
      case 0, 1 -> affinity("podAffinity", own);
      case 2 -> affinity("podAffinity", term("zone", "app: bound"));
      case 3 -> affinity("podAffinity", own, term("kubernetes.io/hostname", "app: work"));
      case 4 -> affinity("podAffinity", term("zone", "tier: t0", ", namespaceSelector: {}"));
      case 5 -> affinity("podAffinity", term("zone", "app: work", ", namespaces: [default]"));
      default -> affinity("podAffinity", term("zone", "app: work", ", matchLabelKeys: [version]"));
    };
  }

  private static String workload(String cluster, SplittableRandom random) {
    String spec =
        switch (random.nextInt(7)) {
          case 0 -> anti("kubernetes.io/hostname");
          case 1 -> anti("zone");
          case 2, 3 -> podAffinity(random);
          case 4 ->
              ", topologySpreadConstraints: [{maxSkew: %d, topologyKey: zone, whenUnsatisfiable:"
                      .formatted(1 + random.nextInt(2))
                  + " DoNotSchedule, labelSelector: {matchLabels: {app: work}}}]";
          default -> "";
        };
    boolean isExtended = random.nextBoolean();
    List<String> amounts = new ArrayList<>();
    if (random.nextBoolean()) {
      amounts.add("cpu: \"" + (1 + random.nextInt(2)) + "\"");
    }
    if (isExtended) {
      amounts.add("example.com/workload: \"1\"");
    }
    String container =
        "{name: c, image: x, resources: {limits: {%s}%s}%s}"
            .formatted(
                String.join(", ", amounts),
                isExtended ? "" : ", claims: [{name: g}]",
                random.nextInt(5) == 0 ? ", ports: [{containerPort: 80, hostPort: 8080}]" : "");
    String claims =
        isExtended ? "" : ", resourceClaims: [{name: g, resourceClaimTemplateName: work}]";
    int pods = 1 + random.nextInt(6);
    String template =
        "template: {metadata: {labels: {app: work, version: v1}}, spec: {nodeSelector: {cluster: %s},"
                .formatted(cluster)
            + " %scontainers: [%s]%s%s}}";
    String selector = "selector: {matchLabels: {app: work}}, ";
    int kind = random.nextInt(5);
    String filled =
        template.formatted(kind == 2 ? "restartPolicy: Never, " : "", container, claims, spec);
    String head = "metadata: {name: work, namespace: %s}\n".formatted(cluster);
    String object =
        switch (kind) {
          case 0 ->
              "apiVersion: apps/v1\nkind: Deployment\n"
                  + head
                  + "spec: {replicas: "
                  + pods
                  + ", "
                  + selector
                  + filled
                  + "}\n";
          case 1 ->
              "apiVersion: apps/v1\nkind: StatefulSet\n"
                  + head
                  + "spec: {podManagementPolicy: Parallel, serviceName: x, replicas: "
                  + pods
                  + ", "
                  + selector
                  + filled
                  + "}\n";
          case 2 ->
              "apiVersion: batch/v1\nkind: Job\n"
                  + head
                  + "spec: {parallelism: "
                  + pods
                  + ", completions: "
                  + pods
                  + ", "
                  + filled
                  + "}\n";
          case 3 ->
              "apiVersion: apps/v1\nkind: ReplicaSet\n"
                  + head
                  + "spec: {replicas: "
                  + pods
                  + ", "
                  + selector
                  + filled
                  + "}\n";
          default ->
              "apiVersion: apps/v1\nkind: DaemonSet\n"
                  + head
                  + "spec: {"
                  + selector
                  + filled
                  + "}\n";
        };
    String request =
        random.nextInt(3) == 0
            ? "{name: r, firstAvailable: [{name: big, deviceClassName: workload, selectors:"
                + " [{cel: {expression: 'device.attributes[\"workload.example.com\"].size =="
                + " \"big\"'}}]}, {name: any, deviceClassName: workload}]}"
            : "{name: r, exactly: {deviceClassName: workload}}";
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaimTemplate
    metadata: {name: work, namespace: %s}
    spec: {spec: {devices: {requests: [%s]}}}
    ---
    """
            .formatted(cluster, request)
        + object;
  }

  private List<io.fabric8.kubernetes.api.model.Pod> pods(String namespace) {
    return client.pods().inNamespace(namespace).list().getItems();
  }

  /** Whether the scheduler has tried a pod on all nodes, or placed it. */
  private static boolean isTried(io.fabric8.kubernetes.api.model.Pod pod) {
    return pod.getSpec().getNodeName() != null || message(pod).contains("nodes are available");
  }

  private static String message(io.fabric8.kubernetes.api.model.Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(one -> one.getType().equals("PodScheduled"))
        .map(PodCondition::getMessage)
        .map(String::valueOf)
        .findFirst()
        .orElse("");
  }

  /** Waits until the pods of a cluster have been tried and nothing changes any more. */
  private List<io.fabric8.kubernetes.api.model.Pod> atRest(String namespace) throws Exception {
    String last = "";
    int quiet = 0;
    List<io.fabric8.kubernetes.api.model.Pod> pods = List.of();
    for (int i = 0; i < 100 && quiet < QUIET; i++) {
      Thread.sleep(MILLIS);
      pods = pods(namespace);
      String now =
          pods.stream()
              .map(one -> one.getMetadata().getName() + one.getSpec().getNodeName() + message(one))
              .sorted()
              .toList()
              .toString();
      boolean isDone =
          pods.stream().anyMatch(one -> !one.getMetadata().getName().startsWith("b"))
              && pods.stream().allMatch(WorkloadLiveTest::isTried);
      quiet = isDone && now.equals(last) ? quiet + 1 : 0;
      last = now;
    }
    assertThat(quiet).as("%s is not at rest: %s", namespace, last).isEqualTo(QUIET);
    return pods;
  }

  private String items(String apiVersion, String kind, String namespace, String label) {
    StringBuilder text = new StringBuilder();
    var all = client.genericKubernetesResources(apiVersion, kind);
    var found =
        namespace.isEmpty()
            ? label.isEmpty() ? all.list() : all.withLabel("cluster", label).list()
            : all.inNamespace(namespace).list();
    found.getItems().forEach(one -> text.append(Serialization.asJson(one)).append("\n---\n"));
    return text.toString();
  }

  private Map<String, PodOutcome> place(List<KubernetesObject> objects, String onlyNode) {
    PodQueue queue = PodQueue.of(objects);
    assertThat(queue.problems()).isEmpty();
    ClusterSnapshot cluster =
        ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values()));
    ClusterRun run = ClusterRun.builder(allocator).build();
    Map<String, PodOutcome> outcomes = new TreeMap<>();
    (onlyNode.isEmpty() ? run : run.toBuilder().node(onlyNode).build())
        .place(queue, DeviceInventory.of(cluster))
        .pods()
        .forEach(one -> outcomes.put(one.pod().name(), one));
    return outcomes;
  }

  /** The cluster before a pod was placed, if the pod had come last of those that are placed. */
  private static List<KubernetesObject> without(List<KubernetesObject> objects, Pod pod) {
    String name = pod.metadata().name();
    List<KubernetesObject> before = new ArrayList<>();
    for (KubernetesObject object : objects) {
      if (object == pod) {
        before.add(pod.toBuilder().spec(pod.spec().toBuilder().nodeName("").build()).build());
      } else if (object instanceof ResourceClaim claim
          && claim.metadata().ownerReferences().stream()
              .anyMatch(owner -> owner.name().equals(name))) {
        before.add(new ResourceClaim(claim.metadata(), claim.spec(), ResourceClaimStatus.EMPTY));
      } else if (!isWaiting(object)) {
        before.add(object);
      }
    }
    return before;
  }

  /** The cluster with one pod that waits, before other pods of the workload were there. */
  private static List<KubernetesObject> alone(List<KubernetesObject> objects, String name) {
    return objects.stream()
        .filter(
            object -> {
              boolean isOfPod =
                  object.metadata().name().equals(name)
                      || object.metadata().ownerReferences().stream()
                          .anyMatch(owner -> owner.name().equals(name));
              boolean isOther = object instanceof Pod || object instanceof ResourceClaim;
              return isOfPod || !isOther || "bound".equals(object.metadata().labels().get("app"));
            })
        .toList();
  }

  /** Whether an object is a pod without a node, or a claim of such a pod. */
  private static boolean isWaiting(KubernetesObject object) {
    return object instanceof Pod pod
        ? pod.spec().nodeName().isEmpty()
        : object instanceof ResourceClaim claim && claim.allocation() == null;
  }

  private static Set<Cause> causes(PodOutcome outcome) {
    Set<Cause> causes = EnumSet.noneOf(Cause.class);
    if (outcome instanceof Unplaceable refused) {
      causes.addAll(refused.refusals().counts().keySet());
    }
    if (causes.remove(Cause.NODE_AFFINITY)) {
      causes.add(Cause.NODE_SELECTOR); // one reason of the scheduler
    }
    return causes;
  }

  private static Set<Cause> causes(String message) {
    Set<Cause> causes = EnumSet.noneOf(Cause.class);
    String reasons = message.replaceAll("preemption:.*", "");
    REASONS.forEach(
        (words, cause) -> {
          if (reasons.contains(words)) {
            causes.add(cause);
          }
        });
    return causes;
  }

  @Test
  void podsArePlacedWhereTheSchedulerPlacesThem() throws Exception {
    List<String> differences = new ArrayList<>();
    int placed = 0;
    int pending = 0;
    int ofPlugins = 0;
    int earlier = 0; // for the reasons of an attempt before the other pods were placed
    for (long seed = SEED; seed < SEED + CLUSTERS; seed++) {
      Generated generated = generate(seed);
      String namespace = generated.namespace();
      List<HasMetadata> made = LiveScheduler.makeNamespace(client, namespace);
      made.addAll(make(generated.nodes()));
      if (!generated.bound().isEmpty()) {
        made.addAll(make(generated.bound()));
      }
      made.addAll(make(generated.workload()));
      List<io.fabric8.kubernetes.api.model.Pod> pods = atRest(namespace);
      String cluster =
          items("resource.k8s.io/v1", "DeviceClass", "", "")
              + items("v1", "Node", "", namespace)
              + items("resource.k8s.io/v1", "ResourceSlice", "", namespace);
      List<KubernetesObject> objects =
          LiveScheduler.objects(
              cluster
                  + items("resource.k8s.io/v1", "ResourceClaimTemplate", namespace, "")
                  + items("resource.k8s.io/v1", "ResourceClaim", namespace, "")
                  + items("v1", "Pod", namespace, ""));
      Map<String, PodOutcome> answers = place(objects, "");
      int scheduled = 0;
      for (var pod : pods) {
        String name = namespace + "/" + pod.getMetadata().getName();
        String node = pod.getSpec().getNodeName();
        if ("bound".equals(pod.getMetadata().getLabels().get("app"))) {
          continue; // it was there before
        }
        if (node == null) {
          pending++;
          PodOutcome answer = answers.get(name);
          Set<Cause> reasons = causes(message(pod));
          boolean isEqual = answer instanceof Unplaceable && causes(answer).equals(reasons);
          if (!isEqual) {
            PodOutcome before = place(alone(objects, pod.getMetadata().getName()), "").get(name);
            boolean wasEqual =
                answer instanceof Unplaceable
                    && before instanceof Unplaceable
                    && causes(before).equals(reasons);
            earlier += wasEqual ? 1 : 0;
            if (!wasEqual) {
              differences.add(name + ": " + answer + ", and the scheduler: " + message(pod));
            }
          }
        } else {
          placed++;
          scheduled++;
          Pod scheduledPod =
              objects.stream()
                  .filter(Pod.class::isInstance)
                  .map(Pod.class::cast)
                  .filter(each -> each.metadata().name().equals(pod.getMetadata().getName()))
                  .findFirst()
                  .orElseThrow();
          PodOutcome again = place(without(objects, scheduledPod), node).get(name);
          if (again instanceof Placed one && one.allocations().isEmpty()) {
            ofPlugins++;
          } else if (!(again instanceof Placed)) {
            differences.add(name + ": the scheduler has it on " + node + ": " + again);
          }
        }
      }
      List<KubernetesObject> manifests =
          LiveScheduler.objects(cluster + generated.bound() + generated.workload());
      String near = nearKey(generated);
      long own = countPlaced(near.isEmpty() ? manifests : nearby(manifests, pods, near));
      if (own != scheduled) {
        differences.add(
            "%s: %d pods placed, and %d by the scheduler of%n%s%n%s"
                .formatted(namespace, own, scheduled, generated, wherePods(pods)));
      }
      remove(made);
    }
    System.out.printf(
        "%d clusters: %d pods placed, %d of them with devices of device plugins, and %d pending in"
            + " both, %d of them for the reasons of an earlier attempt; %d differences%n",
        CLUSTERS, placed, ofPlugins, pending, earlier, differences.size());
    differences.forEach(System.out::println);
    assertThat(differences).isEmpty();
    assertThat(placed + pending).isPositive();
  }

  /** By which label the pods of the workload are near one another; empty where they need not be. */
  private static String nearKey(Generated generated) {
    if (!generated.workload().contains("podAffinity:")) {
      return "";
    }
    String host = "kubernetes.io/hostname";
    return generated.workload().contains(host) ? host : "zone";
  }

  private long countPlaced(List<KubernetesObject> objects) throws ManifestException {
    return place(objects, "").values().stream().filter(Placed.class::isInstance).count();
  }

  private static String wherePods(List<io.fabric8.kubernetes.api.model.Pod> pods) {
    StringBuilder text = new StringBuilder();
    for (var pod : pods) {
      text.append(pod.getMetadata().getName()).append(": ");
      text.append(pod.getSpec().getNodeName()).append(' ').append(message(pod)).append('\n');
    }
    return text.toString();
  }

  /**
   * The cluster without the nodes that are not near the one that the scheduler chose for the first
   * pod: it draws one of the nodes with the best score, and the other pods have to be near it.
   */
  private static List<KubernetesObject> nearby(
      List<KubernetesObject> objects, List<io.fabric8.kubernetes.api.model.Pod> pods, String key) {
    Set<String> chosen = new TreeSet<>();
    for (var pod : pods) {
      if (pod.getSpec().getNodeName() != null
          && !"bound".equals(pod.getMetadata().getLabels().get("app"))) {
        chosen.add(pod.getSpec().getNodeName());
      }
    }
    Set<String> domains = new TreeSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof Node node && chosen.contains(node.name())) {
        domains.add(node.metadata().labels().getOrDefault(key, ""));
      }
    }
    return objects.stream()
        .filter(
            object ->
                chosen.isEmpty()
                    || !(object instanceof Node node)
                    || domains.contains(node.metadata().labels().getOrDefault(key, "")))
        .toList();
  }

  /** Removes a cluster; the pods that are left select no node of another one. */
  private void remove(List<HasMetadata> made) {
    for (HasMetadata object : made) {
      client.resource(object).withGracePeriod(0).delete();
    }
  }
}
