package io.dra4j.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.kubernetes.ClusterCapture.Gaps;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.Node;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceStatus;
import io.dra4j.model.PodResourceStatus.ContainerResources;
import io.dra4j.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A capture has what answers depend on, and no secrets; a half of one cannot be read. */
class CapturedSecretsTest {

  private static final String ANNOTATED =
      ",\"metadata\":{\"name\":\"%s\",\"namespace\":\"ns\",\"annotations\":{"
          + "\"resource.kubernetes.io/x\":\"kept\",\"example.com/x\":\"hidden\"}}";

  private FakeApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = new FakeApiServer();
    client = server.client();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static List<Manifest> read(ByteArrayOutputStream file) throws ManifestException {
    return ManifestReader.builder()
        .build()
        .read("file", new ByteArrayInputStream(file.toByteArray()));
  }

  @Test
  void secretsAreLeftOut() throws Exception {
    String state =
        "[{\"name\":\"c\",\"state\":{\"terminated\":{\"message\":\"hidden\"}},"
            + "\"lastState\":{\"terminated\":{\"message\":\"hidden\"}}}]";
    server.put(
        "pods",
        "p",
        ANNOTATED.formatted("p")
            + """
            ,"spec":{"containers":[{"name":"c","env":[{"name":"E","value":"hidden"}],
            "command":["hidden"]}]},"status":{"phase":"Pending","message":"hidden",
            "conditions":[{"type":"Ready","message":"hidden"}],"containerStatuses":%1$s,
            "initContainerStatuses":%1$s,"ephemeralContainerStatuses":%1$s}"""
                .formatted(state));
    for (String plural : List.of("resourceslices", "resourceclaims", "deviceclasses", "nodes")) {
      server.put(plural, "a", ANNOTATED.formatted("a"));
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    Gaps gaps = ClusterCapture.of(client).write(file);
    assertThat(gaps.leftOut()).isEmpty();
    assertThat(gaps.notServed()).contains(ClusterResource.DEVICE_TAINT_RULES);
    assertThat(file.toString(UTF_8)).doesNotContain("hidden").contains("Pending");
    assertThat(file.toString(UTF_8).split("kept", -1)).hasSize(6);
    assertThat(read(file)).hasSize(5);
  }

  @Test
  void resourcesThatAPodHasOfItsNodeAreKept() throws Exception {
    server.put(
        "pods",
        "p",
        """
        ,"spec":{"nodeName":"n","containers":[{"name":"c"}],"initContainers":[{"name":"i"}]},
        "status":{"allocatedResources":{"cpu":"3"},"resources":{"requests":{"cpu":"4"}},
        "conditions":[{"type":"PodResizePending","status":"True","reason":"Infeasible",
        "message":"hidden"}],"containerStatuses":[{"name":"c","allocatedResources":{"cpu":"1"},
        "lastState":{"terminated":{"message":"hidden"}}}],"initContainerStatuses":[{"name":"i",
        "resources":{"requests":{"cpu":"2"}},"image":"hidden"}],
        "nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"r","containers":["c"],
        "mapping":[{"name":"cpu","quantity":"5"}]}]}""");
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ClusterCapture.of(client).write(file);
    assertThat(file.toString(UTF_8)).doesNotContain("hidden");
    Map<String, Quantity> none = Map.of();
    assertThat(read(file))
        .extracting(Manifest::object)
        .singleElement()
        .isInstanceOfSatisfying(
            Pod.class,
            pod -> {
              assertThat(pod.resources())
                  .isEqualTo(
                      new PodResourceStatus(
                          Map.of(
                              "c", new ContainerResources(Map.of("cpu", Quantity.of(1)), none),
                              "i", new ContainerResources(none, Map.of("cpu", Quantity.of(2)))),
                          Map.of("cpu", Quantity.of(3)),
                          Map.of("cpu", Quantity.of(4)),
                          true));
              assertThat(pod.nodeAllocatableClaims())
                  .containsExactly(
                      new NodeAllocatableClaimStatus(
                          "r", List.of("c"), Map.of("cpu", Quantity.of(5)), Map.of()));
            });
  }

  @Test
  void featuresThatANodeDeclaresAreKept() throws Exception {
    server.put("nodes", "n", ",\"status\":{\"declaredFeatures\":[\"F\"],\"images\":[]}");
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ClusterCapture.of(client).write(file);
    assertThat(file.toString(UTF_8)).doesNotContain("images");
    assertThat(read(file))
        .extracting(Manifest::object)
        .singleElement()
        .isInstanceOfSatisfying(
            Node.class, node -> assertThat(node.declaredFeatures()).containsExactly("F"));
  }

  @Test
  void objectThatIsNestedTooDeepIsNamedAndLeftOut() throws Exception {
    for (int depth : new int[] {96, 97, 2_000}) {
      String name = "a" + depth;
      server.put(
          "resourceclaims",
          name,
          ",\"x\":" + "[".repeat(depth) + "]".repeat(depth) + ",\"spec\":{}");
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    assertThat(ClusterCapture.of(client).write(file).leftOut())
        .singleElement()
        .asString()
        .startsWith("ResourceClaim a2000: ");
    assertThat(read(file)).hasSize(2);
  }

  @Test
  void captureThatFailsIsNotReadAsAWholeOne() throws Exception {
    server.put("pods", "p", "");
    server.fail("nodes", 500);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    assertThatThrownBy(() -> ClusterCapture.of(client).write(file))
        .isInstanceOf(ClusterException.class);
    assertThat(file.toString(UTF_8)).contains("\"p\"");
    assertThatThrownBy(() -> read(file)).isInstanceOf(ManifestException.class);
  }
}
