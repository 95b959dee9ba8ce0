package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceId;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real API server has what a driver says of the devices of a claim, beside what others say. */
class ClaimStatusWriterLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String DRIVER = "status.example.com";

  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: status-1}
      status:
        capacity: {cpu: "8", memory: 32Gi, pods: "110"}
        allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
        conditions: [{type: Ready, status: "True", reason: Faked}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: status}
      spec: {selectors: [{cel: {expression: 'device.driver == "status.example.com"'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: status}
      spec:
        driver: status.example.com
        nodeName: status-1
        pool: {name: status-1, generation: 1, resourceSliceCount: 1}
        devices: [{name: d}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: status, namespace: default}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: status}}]}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: status, namespace: default}
      spec:
        resourceClaims: [{name: c, resourceClaimName: status}]
        containers: [{name: main, image: example.com/none, resources: {claims: [{name: c}]}}]
      """;

  private KubernetesClient client;
  private ClaimStatusWriter writer;

  @BeforeEach
  void connect() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    client.resourceList(OBJECTS).create();
    writer = ClaimStatusWriter.start(client, DRIVER);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (claim().path("status").path("allocation").isMissingNode()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(20);
    }
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      writer.close();
      client.resourceList(OBJECTS).withGracePeriod(0).delete();
      client.close();
    }
  }

  private JsonNode claim() throws Exception {
    return new JsonMapper()
        .readTree(client.raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/status"));
  }

  private static AllocatedDeviceStatus device(String message) {
    return AllocatedDeviceStatus.of(new DeviceId(DRIVER, "status-1", "d"))
        .conditions(
            List.of(
                Condition.of("Ready", message.isEmpty() ? "True" : "False")
                    .reason("Test")
                    .message(message)
                    .build()))
        .data("{\"a\":1}")
        .build();
  }

  @Test
  void statusIsWrittenChangedAndTakenBack() throws Exception {
    JsonNode before = claim();
    ClaimReference reference =
        new ClaimReference("default", "status", before.path("metadata").path("uid").asText());
    writer.write(reference, List.of(device("link is down")));
    assertThat(writer.awaitWritten(LIMIT)).isTrue();
    JsonNode first = claim().path("status");
    assertThat(first.path("devices").get(0).path("conditions").get(0).path("message").asText())
        .isEqualTo("link is down");
    assertThat(first.path("allocation")).isEqualTo(before.path("status").path("allocation"));
    for (int i = 0; i < 50; i++) {
      writer.write(reference, List.of(device(i == 49 ? "" : "attempt " + i)));
    }
    assertThat(writer.awaitWritten(LIMIT)).isTrue();
    JsonNode condition = claim().path("status").path("devices").get(0).path("conditions").get(0);
    assertThat(condition.path("status").asText()).isEqualTo("True");
    assertThat(claim().path("status").path("devices")).hasSize(1);
    writer.write(reference, List.of());
    assertThat(writer.awaitWritten(LIMIT)).isTrue();
    assertThat(claim().path("status").path("devices")).isEmpty();
    assertThat(claim().path("status").path("reservedFor"))
        .isEqualTo(before.path("status").path("reservedFor"));
  }

  @Test
  void claimThatIsGoneOrAnotherOneIsNothingToDo() throws Exception {
    JsonNode before = claim();
    writer.write(new ClaimReference("default", "status", "another-uid"), List.of(device("")));
    writer.write(new ClaimReference("default", "none", "none"), List.of(device("")));
    writer.write(
        new ClaimReference("default", "status", before.path("metadata").path("uid").asText()),
        List.of(device("").toBuilder().data("{no JSON").build()));
    assertThat(writer.awaitWritten(LIMIT)).isTrue();
    assertThat(claim().path("status").path("devices"))
        .isEqualTo(before.path("status").path("devices"));
  }
}
