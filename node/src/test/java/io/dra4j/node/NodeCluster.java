package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.runtime.DriverRuntime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** The real node of {@code e2e/kube/node}: an API server, a kubelet and containerd. */
final class NodeCluster implements AutoCloseable {

  static final Duration LIMIT = Duration.ofSeconds(60);
  static final String NOT_NIGHTLY = "takes minutes: DRA4J_TEST_NODE_ALL is not true (.ci/nightly)";
  static final String NAMESPACE = "default";
  static final String NODE = System.getenv().getOrDefault("NODE_NAME", "");
  static final String IMAGE = System.getenv().getOrDefault("TEST_IMAGE", "");

  final KubernetesClient client;

  private NodeCluster(KubernetesClient client) {
    this.client = client;
  }

  /** Connects, or skips the test. */
  static NodeCluster connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_NODE")),
        "no node for tests: DRA4J_TEST_NODE is not true (e2e/kube/node)");
    return new NodeCluster(new KubernetesClientBuilder().build());
  }

  /** Whether tests that take minutes run, too. */
  static boolean isNightly() {
    return "true".equals(System.getenv("DRA4J_TEST_NODE_ALL"));
  }

  /** The network driver with an agent, as one process has them. */
  record Driver(NetworkDriver driver, DriverRuntime runtime, NodeAgent agent)
      implements AutoCloseable {

    @Override
    public void close() {
      agent.close();
      runtime.close();
      driver.close();
    }
  }

  Driver start(Path store) throws Exception {
    NetworkDriver driver = NetworkDriver.builder().build();
    DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(driver)
            .node(NODE)
            .store(store)
            .discovery(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(10))
            .build();
    return new Driver(driver, runtime, start(runtime));
  }

  /** Starts an agent of any drivers, and waits until it is ready. */
  NodeAgent start(DriverRuntime runtime) throws Exception {
    NodeAgent agent =
        NodeAgent.builder(runtime, client)
            .kubeletRoot(Path.of(System.getenv("KUBELET_ROOT")))
            .cdiDirectory(Path.of(System.getenv("CDI_DIR")))
            .nriSocket(Path.of(System.getenv("NRI_SOCKET")))
            .start();
    assertThat(agent.awaitReady(LIMIT)).as("the agent is ready").isTrue();
    await("the probes say so", () -> runtime.health().isReady());
    return agent;
  }

  /** Runs a program; returns what it prints. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isZero();
    return output;
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    await(what, LIMIT, condition);
  }

  static void await(String what, Duration limit, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(20);
    }
  }

  /** Whether the API server answers now. */
  boolean answers() {
    try {
      return !client.nodes().list().getItems().isEmpty();
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  /** Whether the kubelet says that its container runtime has user namespaces. */
  boolean hasUserNamespaces() {
    return client.nodes().withName(NODE).get().getStatus().getRuntimeHandlers().stream()
        .anyMatch(
            one ->
                one.getFeatures() != null
                    && Boolean.TRUE.equals(one.getFeatures().getUserNamespaces()));
  }

  NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      slices() {
    return client.genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice");
  }

  void create(String manifests) {
    client
        .load(new java.io.ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
        .serverSideApply();
  }

  Pod pod(String name) {
    return client.pods().inNamespace(NAMESPACE).withName(name).get();
  }

  String phase(String name) {
    Pod pod = pod(name);
    return pod == null ? "gone" : pod.getStatus().getPhase();
  }

  String log(String name) {
    return client.pods().inNamespace(NAMESPACE).withName(name).getLog();
  }

  String log(String name, String container) {
    return client.pods().inNamespace(NAMESPACE).withName(name).inContainer(container).getLog();
  }

  /** What the containers of a pod have printed, as the files of the node have it. */
  String logFile(String name) throws IOException {
    StringBuilder text = new StringBuilder();
    Path pods = Path.of(System.getenv("KUBESTACK_LOGS"), "pods");
    try (Stream<Path> files = Files.walk(pods)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".log")).toList()) {
        if (pods.relativize(file).toString().startsWith(NAMESPACE + "_" + name + "_")) {
          text.append(Files.readString(file));
        }
      }
    }
    return text.toString();
  }

  /** The reasons of the events of an object. */
  List<String> events(String name) {
    return eventsOf(name).stream().map(Event::getReason).toList();
  }

  /** The messages of the events of an object. */
  List<String> messages(String name) {
    return eventsOf(name).stream().map(Event::getMessage).toList();
  }

  private List<Event> eventsOf(String name) {
    return client
        .v1()
        .events()
        .inNamespace(NAMESPACE)
        .withField("involvedObject.name", name)
        .list()
        .getItems();
  }

  /** The names of all claims. */
  List<String> claims() {
    return client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace(NAMESPACE)
        .list()
        .getItems()
        .stream()
        .map(one -> one.getMetadata().getName())
        .toList();
  }

  /** Deletes all claims that nothing uses. */
  void deleteClaims() throws Exception {
    client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace(NAMESPACE)
        .delete();
    await("all claims are deleted", () -> claims().isEmpty());
  }

  /** Changes the status of a claim, as the scheduler does. */
  void patchStatus(String claim, String patch) {
    client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace(NAMESPACE)
        .withName(claim)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** Changes an annotation of a claim; returns false if the claim is gone. */
  boolean annotate(String claim, String key, String value) {
    try {
      client
          .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
          .inNamespace(NAMESPACE)
          .withName(claim)
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(key, value));
      return true;
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  GenericKubernetesResource claim(String name) {
    return client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace(NAMESPACE)
        .withName(name)
        .get();
  }

  List<Map<String, Object>> statusDevices(String claim) {
    List<Map<String, Object>> devices = claim(claim).get("status", "devices");
    return devices == null ? List.of() : devices;
  }

  void delete(String name) throws Exception {
    client.pods().inNamespace(NAMESPACE).withName(name).delete();
    await(name + " is gone", () -> pod(name) == null);
  }

  @Override
  public void close() {
    client.close();
  }
}
