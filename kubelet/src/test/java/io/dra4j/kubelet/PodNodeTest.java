package io.dra4j.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.kubelet.cdi.CdiDirectory;
import io.dra4j.kubelet.cdi.CdiEdits;
import io.dra4j.kubelet.cdi.CdiSpec;
import io.dra4j.kubernetes.SlicePublisher;
import io.dra4j.model.Device;
import io.dra4j.spi.publish.DevicePool;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real kubelet starts pods with devices of a plugin. */
class PodNodeTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String DRIVER = "node.example.com";
  private static final String NAMESPACE = "default";

  private static final String CLASS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: node.example.com}
      spec: {selectors: [{cel: {expression: 'device.driver == "node.example.com"'}}]}
      """;

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: %s, namespace: default}
      spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: node.example.com}}]}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: default}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 1
        resourceClaims: [{name: devices, resourceClaimName: %1$s}]
        containers:
        - name: main
          image: %2$s
          imagePullPolicy: Never
          command: [sh, -c, "echo device=$DRA4J_DEVICE; exec sleep 600"]
          resources: {claims: [{name: devices}]}
      """;

  /** Prepares a claim by a CDI file that says in the environment which devices there are. */
  private final class EnvironmentHandler implements DraHandler {

    @Override
    public List<DraDevice> prepare(DraClaim claim) throws IOException {
      prepared.add(claim);
      Map<String, CdiEdits> edits = new LinkedHashMap<>();
      for (String device : allocated(claim)) {
        edits.put(device, CdiEdits.environment(Map.of("DRA4J_DEVICE", device)));
      }
      CdiSpec spec = new CdiSpec(DRIVER, "claim-" + claim.uid(), edits);
      directory.write(claim.uid(), spec);
      List<DraDevice> devices = new ArrayList<>();
      edits
          .keySet()
          .forEach(
              device ->
                  devices.add(
                      DraDevice.of(List.of("gpu"), node, device, List.of(spec.id(device)))));
      return devices;
    }

    @Override
    public void unprepare(DraClaim claim) throws IOException {
      directory.remove(claim.uid());
    }
  }

  private final List<DraClaim> prepared = new CopyOnWriteArrayList<>();
  private final String node = System.getenv().getOrDefault("NODE_NAME", "");
  private volatile DeviceHealth.Status status = DeviceHealth.Status.HEALTHY;
  private KubernetesClient client;
  private CdiDirectory directory;
  private KubeletPlugin plugin;
  private SlicePublisher publisher;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_NODE")),
        "no node for tests: DRA4J_TEST_NODE is not true (e2e/kube/node)");
    client = new KubernetesClientBuilder().build();
    client.resource(CLASS).serverSideApply();
    directory = CdiDirectory.open(Path.of(System.getenv("CDI_DIR")), DRIVER);
    plugin = startPlugin();
    assertThat(plugin.awaitRegistration(LIMIT)).isEqualTo(RegistrationState.REGISTERED);
    publisher = SlicePublisher.builder(client, DRIVER, node).start();
    publisher.publish(
        Map.of(
            node,
            DevicePool.of(
                List.of(Device.named("gpu-0").build(), Device.named("gpu-1").build()), List.of())));
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
  }

  private KubeletPlugin startPlugin() throws IOException {
    return KubeletPlugin.builder(DRIVER, new EnvironmentHandler())
        .paths(KubeletPaths.below(Path.of(System.getenv("KUBELET_ROOT")), DRIVER))
        .health(
            () ->
                List.of(
                    DeviceHealth.of(node, "gpu-0", status, "test"),
                    DeviceHealth.of(node, "gpu-1", status, "test")))
        .start();
  }

  @AfterEach
  void stop() {
    if (plugin != null) {
      plugin.close();
    }
    if (publisher != null) {
      publisher.close();
    }
    if (client != null) {
      client.close();
    }
  }

  private List<String> allocated(DraClaim claim) {
    GenericKubernetesResource object =
        client
            .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
            .inNamespace(claim.namespace())
            .withName(claim.name())
            .get();
    assertThat(object.getMetadata().getUid()).isEqualTo(claim.uid());
    List<Map<String, Object>> results = object.get("status", "allocation", "devices", "results");
    return results.stream().map(result -> String.valueOf(result.get("device"))).toList();
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(50);
    }
  }

  private Pod pod(String name) {
    return client.pods().inNamespace(NAMESPACE).withName(name).get();
  }

  private void run(String name) throws Exception {
    client.resource(CLAIM.formatted(name)).create();
    client.resource(POD.formatted(name, System.getenv("TEST_IMAGE"))).create();
    await(name + " runs", () -> "Running".equals(pod(name).getStatus().getPhase()));
  }

  private void delete(String name) throws Exception {
    client.pods().inNamespace(NAMESPACE).withName(name).delete();
    await(name + " is gone", () -> pod(name) == null);
    client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace(NAMESPACE)
        .withName(name)
        .delete();
  }

  private String health(String name) {
    return pod(name).getStatus().getContainerStatuses().stream()
        .map(one -> String.valueOf(one.getAllocatedResourcesStatus()))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("");
  }

  @Test
  void podRunsWithTheVariableOfItsCdiFile() throws Exception {
    run("variable");
    await(
        "the variable is in the log",
        () ->
            client
                .pods()
                .inNamespace(NAMESPACE)
                .withName("variable")
                .getLog()
                .contains("device=gpu-"));
    assertThat(prepared).extracting(DraClaim::name).contains("variable");
    assertThat(directory.ids()).containsExactly(prepared.get(0).uid());
    delete("variable");
    await("the CDI file is gone", () -> directory.ids().isEmpty());
  }

  @Test
  void healthOfADeviceIsInTheStatusOfItsPod() throws Exception {
    run("health");
    await("the device is healthy", () -> health("health").contains("Healthy"));
    status = DeviceHealth.Status.UNHEALTHY;
    plugin.healthChanged();
    await("the device is unhealthy", () -> health("health").contains("Unhealthy"));
    delete("health");
  }

  @Test
  void claimIsUnpreparedByTheNextProcess() throws Exception {
    run("restart");
    plugin.close();
    plugin = startPlugin();
    assertThat(plugin.awaitRegistration(LIMIT)).isEqualTo(RegistrationState.REGISTERED);
    delete("restart");
    await("the CDI file is gone", () -> directory.ids().isEmpty());
    run("again");
    delete("again");
    await("the CDI file is gone again", () -> directory.ids().isEmpty());
  }
}
