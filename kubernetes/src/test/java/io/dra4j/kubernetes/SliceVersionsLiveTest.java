package io.dra4j.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As many devices as a slice may have, with every field of the API, are written in one version to a
 * real API server and followed in another: the inventory has what was written.
 */
class SliceVersionsLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final List<String> VERSIONS = List.of("v1", "v1beta2", "v1beta1");

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: versions-1}
      status: {declaredFeatures: [DRANodeAllocatableResources]}
      """;

  /** The fields of a device that API servers take from 64 devices of a slice at most. */
  private static final String FULL =
      """
      nodeName: versions-1
      allowMultipleAllocations: true
      attributes:
        profile: {string: whole}
        firmware: {version: 1.%1$d.3}
        index: {int: %1$d}
        fast: {bool: true}
        resource.kubernetes.io/numaNode: {ints: [0, %1$d]}
        names: {strings: [a, b%1$d]}
        flags: {bools: [true, false]}
        releases: {versions: [1.0.0, 1.0.%1$d]}
      capacity:
        memory:
          value: 80Gi
          requestPolicy: {default: 10Gi, validRange: {min: 10Gi, max: 80Gi, step: 10Gi}}
        slots:
          value: "8"
          requestPolicy: {default: "1", validValues: ["1", "2", "8"]}
      consumesCounters:
      - {counterSet: set-0, counters: {memory: {value: 1Gi}}, compatibilityGroups: [a]}
      taints:
      - {key: example.com/worn, value: "yes", effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}
      bindsToNode: true
      bindingConditions: [example.com/ready]
      bindingFailureConditions: [example.com/failed]
      nodeAllocatableResources:
        memory: {mapping: {capacityKey: memory, capacityMultiplier: "1"}}
      """;

  /** The fields of a device of which a slice may have 128. */
  private static final String PLAIN =
      """
      nodeSelector:
        nodeSelectorTerms:
        - matchExpressions: [{key: example.com/rack, operator: In, values: [r%1$d]}]
      attributes: {model: {string: m%1$d}, index: {int: %1$d}, firmware: {version: 1.0.%1$d}}
      capacity: {memory: {value: %1$dGi}}
      """;

  private static final String COUNTERS =
      """
      sharedCounters:
      - {name: set-0, counters: {memory: {value: 100Gi}}}
      """;

  private KubernetesClient client;
  private FaultyProxy proxy;
  private KubernetesClient through;

  @BeforeEach
  void connect() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    proxy = new FaultyProxy(client);
    through = proxy.client();
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      through.close();
      proxy.close();
      client.close();
    }
  }

  private static String slice(String version, String name, String content) {
    return """
    apiVersion: resource.k8s.io/%s
    kind: ResourceSlice
    metadata: {name: versions-%s}
    spec:
      driver: versions.example.com
      pool: {name: versions, generation: 1, resourceSliceCount: 3}
      perDeviceNodeSelection: true
      skipNodeOperations: [NodePrepareResources, NodeUnprepareResources]
    %s"""
        .formatted(version, name, content.indent(2));
  }

  /** The fields of a device of v1beta1 are one level deeper. */
  private static String devices(String version, int count, String fields) {
    IntFunction<String> device =
        i -> {
          String own = fields.formatted(i);
          return "- name: d%d%n%s"
              .formatted(
                  i, version.equals("v1beta1") ? "  basic:\n" + own.indent(4) : own.indent(2));
        };
    return "devices:\n" + IntStream.range(0, count).mapToObj(device).collect(Collectors.joining());
  }

  private static List<String> slices(String version) {
    return List.of(
        slice(
            version,
            "full",
            "partitionTypeAttribute: versions.example.com/profile\n" + devices(version, 64, FULL)),
        slice(version, "plain", devices(version, 128, PLAIN)),
        slice(version, "counters", COUNTERS));
  }

  @ParameterizedTest
  @CsvSource({
    "v1, v1",
    "v1, v1beta2",
    "v1, v1beta1",
    "v1beta2, v1",
    "v1beta1, v1",
    "v1beta1, v1beta1"
  })
  void inventoryHasWhatWasWritten(String written, String followed) throws Exception {
    proxy.hide(
        VERSIONS.subList(0, VERSIONS.indexOf(followed)).stream()
            .map(version -> "resource.k8s.io/" + version)
            .toList());
    List<ResourceSlice> found = new ArrayList<>();
    try (ClusterInventory cluster = ClusterInventory.follow(through)) {
      cluster.awaitSynced(LIMIT);
      client.resource(NODE).create(); // which has to be there for devices that name it
      slices(written).forEach(yaml -> client.resource(yaml).create());
      for (String name : List.of("versions-full", "versions-plain", "versions-counters")) {
        found.add(
            cluster
                .await(view -> view.inventory().slice(name).isPresent(), LIMIT)
                .inventory()
                .slice(name)
                .orElseThrow());
      }
      assertThat(cluster.view().problems()).isEmpty();
    } finally {
      slices(written).forEach(yaml -> client.resource(yaml).delete());
      client.resource(NODE).delete();
    }
    for (int i = 0; i < found.size(); i++) {
      ResourceSlice expected = read(slices("v1").get(i));
      assertThat(found.get(i).toBuilder().metadata(expected.metadata()).build())
          .isEqualTo(expected);
    }
    System.out.printf(
        "cluster: slices of 64 and 128 devices with every field, written in %s, followed in %s%n",
        written, followed);
  }

  private static ResourceSlice read(String yaml) throws Exception {
    return (ResourceSlice)
        ManifestReader.builder()
            .build()
            .read("slice", new ByteArrayInputStream(yaml.getBytes(UTF_8)))
            .get(0)
            .object();
  }
}
