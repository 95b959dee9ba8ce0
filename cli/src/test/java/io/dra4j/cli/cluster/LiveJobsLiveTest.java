package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workloads and PodGroups of a live cluster: the commands see those that the API server has, and
 * answer as the real controllers and the real scheduler do.
 */
class LiveJobsLiveTest {

  /** A namespace that is being deleted may stay a while: each test has its own. */
  private final String namespace = "live-jobs-" + System.nanoTime();

  private static final String CLASS_AND_TEMPLATE =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: %1$s}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: live-jobs}
      spec: {selectors: [{cel: {expression: 'device.driver == "jobs.example.com"'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: one, namespace: %1$s}
      spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: live-jobs}}]}}}
      """;

  private KubernetesClient client;
  private final List<HasMetadata> made = new ArrayList<>();
  @TempDir private Path directory;

  @BeforeEach
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    make(CLASS_AND_TEMPLATE.formatted(namespace));
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      for (int i = made.size() - 1; i >= 0; i--) {
        client.resource(made.get(i)).withGracePeriod(0).delete();
      }
      await(
          () -> {
            client.pods().inNamespace(namespace).withGracePeriod(0).delete(); // there is no kubelet
            return pods("").isEmpty();
          });
      client.close();
    }
  }

  private interface Condition {
    boolean isFulfilled();
  }

  private static void await(Condition condition) {
    for (int i = 0; i < 300 && !condition.isFulfilled(); i++) {
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    assertThat(condition.isFulfilled()).isTrue();
  }

  private void make(String yaml) {
    for (HasMetadata object :
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items()) {
      made.add(client.resource(object).create());
    }
  }

  /** A node with as many devices, which pods select by its name. */
  private void makeNode(String name, int devices) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < devices; i++) {
      list.append(i == 0 ? "" : ", ").append("{name: d").append(i).append('}');
    }
    make(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}
        status:
          capacity: {cpu: "8", memory: 32Gi, pods: "110"}
          allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
          conditions: [{type: Ready, status: "True", reason: Faked}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: %1$s-jobs}
        spec:
          driver: jobs.example.com
          nodeName: %1$s
          pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
          devices: [%2$s]
        """
            .formatted(name, list));
  }

  private static String podSpec(String node, String more) {
    return """
    {%snodeSelector: {kubernetes.io/hostname: %s}, resourceClaims: [{name: g,
      resourceClaimTemplateName: one}], containers: [{name: c, image: example.com/none,
      env: [{name: PASSWORD, value: hunter2}], resources: {claims: [{name: g}]}}]}"""
        .formatted(more, node);
  }

  private String workload(String apiVersion, String kind, String name, String spec) {
    return "apiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec: %s\n"
        .formatted(apiVersion, kind, name, namespace, spec);
  }

  private static String replicas(String name, int replicas, String node, String more) {
    return "{replicas: %d, selector: {matchLabels: {app: %s}}, %stemplate: {metadata: {labels: {app: %s}}, spec: %s}}"
        .formatted(replicas, name, more, name, podSpec(node, ""));
  }

  private List<Pod> pods(String begin) {
    return client.pods().inNamespace(namespace).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(begin))
        .toList();
  }

  private static boolean isTried(Pod pod) {
    return pod.getSpec().getNodeName() != null
        || pod.getStatus().getConditions().stream()
            .anyMatch(
                one ->
                    one.getType().equals("PodScheduled")
                        && String.valueOf(one.getMessage()).contains("nodes are available"));
  }

  /** Waits until there are so many pods of a workload, and the scheduler has tried each. */
  private void awaitTried(String begin, int count) {
    awaitPods(
        begin, pods -> pods.size() == count && pods.stream().allMatch(LiveJobsLiveTest::isTried));
  }

  private void awaitPods(String begin, Predicate<List<Pod>> condition) {
    await(() -> condition.test(pods(begin)));
  }

  /** Where the scheduler has the pods of a workload; a pod without a node is on "". */
  private Map<String, String> scheduled(String begin) {
    Map<String, String> nodes = new TreeMap<>();
    pods(begin)
        .forEach(
            pod ->
                nodes.put(
                    pod.getMetadata().getName(),
                    Objects.requireNonNullElse(pod.getSpec().getNodeName(), "")));
    return nodes;
  }

  /** Where dra4j has them. */
  private Map<String, String> placed(String begin, Cli cli) throws Exception {
    assertThat(cli.code()).as(cli.err()).isIn(0, 1);
    Map<String, String> nodes = new TreeMap<>();
    for (JsonNode job : new ObjectMapper().readTree(cli.out()).path("jobs")) {
      for (JsonNode pod : job.path("placements")) {
        if (pod.path("pod").asText().startsWith(namespace + "/" + begin)) {
          nodes.put(
              pod.path("pod").asText().substring(namespace.length() + 1),
              pod.path("node").asText());
        }
      }
    }
    return nodes;
  }

  /** Other tests may leave objects in other namespaces for a while. */
  private Cli place(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("place", "--from-cluster", "-n", namespace, "-o", "json"));
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray(String[]::new));
  }

  /** Pods that there are stay what they are; a file of the cluster has the same answers. */
  @Test
  void podsOfWorkloadsAreWhereTheSchedulerHasThem() throws Exception {
    makeNode("jobs-0", 2);
    makeNode("jobs-1", 2);
    make(workload("apps/v1", "Deployment", "web", replicas("web", 2, "jobs-0", "")));
    make(
        workload(
            "batch/v1",
            "Job",
            "work",
            "{parallelism: 3, completions: 3, template: {spec: %s}}"
                .formatted(podSpec("jobs-1", "restartPolicy: Never, "))));
    awaitTried("web-", 2);
    awaitTried("work-", 3);
    Cli cli = place();
    assertThat(placed("web-", cli)).isEqualTo(scheduled("web-")).hasSize(2).doesNotContainValue("");
    assertThat(placed("work-", cli)).isEqualTo(scheduled("work-")).hasSize(3);
    Path file = directory.resolve("cluster.json");
    assertThat(Cli.run("snapshot", "-o", file.toString()).code()).isZero();
    assertThat(Files.readString(file))
        .contains("\"Deployment\"", "\"Job\"")
        .doesNotContain("hunter2");
    assertThat(Cli.run("place", file.toString(), "-n", namespace, "-o", "json").out())
        .isEqualTo(cli.out());
    Cli audit = Cli.run("audit", "--from-cluster", "-n", namespace);
    assertThat(audit.out()).startsWith("no problems: 4 allocated claims with 4 devices");
    String pending =
        scheduled("work-").entrySet().stream()
            .filter(pod -> pod.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    assertThat(Cli.run("explain", "pod/" + pending, "-n", namespace).out())
        .startsWith(namespace + "/" + pending)
        .contains("jobs-1");
    assertThat(Cli.run("validate", "--from-cluster").code()).isZero();
    System.out.println("cluster: place, a Deployment and a Job: " + placed("w", cli));
  }

  /** The pods that a set has not made yet are made as its controller makes them later. */
  @Test
  void podsThatASetHasNotMadeYetArePlacedWhereTheyCome() throws Exception {
    makeNode("jobs-0", 2);
    make(
        workload(
            "apps/v1", "StatefulSet", "set", replicas("set", 3, "jobs-0", "serviceName: x, ")));
    awaitTried("set-", 1);
    Cli cli = place();
    assertThat(placed("set-", cli))
        .containsExactlyEntriesOf(
            new TreeMap<>(Map.of("set-0", "jobs-0", "set-1", "jobs-0", "set-2", "")));
    Cli headroom = Cli.run("headroom", "statefulset/set", "-n", namespace);
    assertThat(headroom.out()).startsWith("0 more of statefulset " + namespace + "/set fit");
    Cli rendered = place("--render", directory.resolve("rendered").toString());
    assertThat(rendered.err()).contains("set: not rendered");
    for (int i = 0; i < 2; i++) {
      setReady("set-" + i);
      awaitTried("set-", i + 2);
    }
    assertThat(placed("set-", cli)).isEqualTo(scheduled("set-"));
    System.out.println("cluster: place, a StatefulSet with one pod so far: " + placed("set-", cli));
  }

  private void setReady(String pod) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .editStatus(
            one -> {
              one.getStatus().setPhase("Running");
              one.getStatus()
                  .getConditions()
                  .add(new PodConditionBuilder().withType("Ready").withStatus("True").build());
              return one;
            });
  }

  /** As many more as dra4j counts, the scheduler places. */
  @Test
  void headroomOfADeploymentIsWhatTheSchedulerPlaces() throws Exception {
    makeNode("jobs-0", 4);
    make(workload("apps/v1", "Deployment", "web", replicas("web", 1, "jobs-0", "")));
    awaitTried("web-", 1);
    Cli headroom = Cli.run("headroom", "deployment/web", "-n", namespace);
    assertThat(headroom.out()).startsWith("3 more of deployment " + namespace + "/web fit");
    client.apps().deployments().inNamespace(namespace).withName("web").scale(6);
    awaitTried("web-", 6);
    assertThat(scheduled("web-").values().stream().filter("jobs-0"::equals)).hasSize(4);
    System.out.println("cluster: headroom of a Deployment, and it was scaled: " + headroom.out());
  }

  private String group(String name, int minCount) {
    return workload(
        "scheduling.k8s.io/v1beta1",
        "PodGroup",
        name,
        "{schedulingPolicy: {gang: {minCount: %d}}}".formatted(minCount));
  }

  private String member(String group, int number, String node) {
    return workload(
        "v1",
        "Pod",
        group + "-" + number,
        podSpec(node, "schedulingGroup: {podGroupName: " + group + "}, "));
  }

  /** Two of three devices are no gang of three; a gang of two fits. */
  @Test
  void gangsAreScheduledWholeOrNotAtAll() throws Exception {
    makeNode("jobs-0", 2);
    makeNode("jobs-1", 2);
    make(group("large", 3) + "---\n" + group("small", 2));
    for (int i = 0; i < 3; i++) {
      make(member("large", i, "jobs-0"));
    }
    for (int i = 0; i < 2; i++) {
      make(member("small", i, "jobs-1"));
    }
    awaitPods("small-", pods -> pods.stream().allMatch(pod -> pod.getSpec().getNodeName() != null));
    awaitPods(
        "large-",
        pods ->
            pods.stream()
                .allMatch(
                    pod ->
                        pod.getStatus().getConditions().stream()
                            .anyMatch(one -> one.getType().equals("PodScheduled"))));
    Cli cli = place();
    assertThat(placed("small-", cli)).isEqualTo(scheduled("small-")).doesNotContainValue("");
    assertThat(placed("large-", cli))
        .isEqualTo(scheduled("large-"))
        .hasSize(3)
        .allSatisfy((pod, node) -> assertThat(node).isEmpty());
    assertThat(placed("", place("--gang"))).isEqualTo(placed("", cli));
    Cli pending = Cli.run("explain", "pod/large-0", "-n", namespace).unwrapped();
    assertThat(pending.code()).isEqualTo(1);
    assertThat(pending.out())
        .startsWith(namespace + "/large-0: PodGroup " + namespace + "/large does not fit: 3 pods")
        .doesNotContain("small");
    System.out.println("cluster: place and explain, gangs: " + placed("", cli) + pending.out());
  }

  /** Without its controller the server has a JobSet, and no pods of it. */
  @Test
  void jobSetsAreReadWhereTheyAreServed() throws Exception {
    Path crd =
        Path.of(
                Objects.requireNonNullElse(
                    System.getenv("GOMODCACHE"), System.getProperty("user.home") + "/go/pkg/mod"))
            .resolve(
                "sigs.k8s.io/jobset@v0.12.0/config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml");
    assumeTrue(Files.isReadable(crd), "no " + crd + " (go mod download of jobset)");
    make(Files.readString(crd));
    CustomResources.awaitServed(client, "jobsets.jobset.x-k8s.io");
    makeNode("jobs-0", 2);
    make(
        workload(
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            "train",
            "{replicatedJobs: [{name: w, replicas: 2, template: {spec: {parallelism: 1, completions: 1,"
                + " template: {spec: %s}}}}]}"
                    .formatted(podSpec("jobs-0", "restartPolicy: Never, "))));
    Cli cli = place();
    assertThat(placed("train-", cli)).hasSize(2).doesNotContainValue("");
    System.out.println("cluster: place, a JobSet: " + placed("train-", cli));
  }
}
