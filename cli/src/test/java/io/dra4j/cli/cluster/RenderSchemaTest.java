package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The output of {@code dra4j place --render} has only fields of the schemas of the kinds, from the
 * Go modules that define them (Apache-2.0).
 */
class RenderSchemaTest {

  private static final String JOB_SETS =
      "sigs.k8s.io/jobset@v0.12.0/config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml";

  private static final String LEADER_WORKER_SETS =
      "sigs.k8s.io/lws@v0.9.0/config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml";

  private static final String LEADER_WORKER_SET_EXAMPLES = "sigs.k8s.io/lws@v0.9.0/docs/examples";
  private static final String JOB_SET_EXAMPLES = "sigs.k8s.io/jobset@v0.12.0/config/samples";

  private static final String JOB_SET =
      """
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata: {name: training}
      spec:
        replicatedJobs:
        - name: driver
          template:
            spec:
              template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}
        - name: workers
          template:
            spec:
              parallelism: 2
              completions: 2
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: c, image: x, resources: {claims: [{name: pairs}]}}]
                  resourceClaims: [{name: pairs, resourceClaimTemplateName: 2-gpu-nic-aligned}]
      """;

  private static final String LEADER_WORKER_SET =
      """
      apiVersion: leaderworkerset.x-k8s.io/v1
      kind: LeaderWorkerSet
      metadata: {name: serving}
      spec:
        replicas: 1
        leaderWorkerTemplate:
          size: 2
          leaderTemplate:
            spec:
              containers: [{name: c, image: x, resources: {claims: [{name: pairs}]}}]
              resourceClaims: [{name: pairs, resourceClaimTemplateName: 2-gpu-nic-aligned}]
          workerTemplate:
            spec:
              containers: [{name: c, image: x, resources: {claims: [{name: pairs}]}}]
              resourceClaims: [{name: pairs, resourceClaimTemplateName: 2-gpu-nic-aligned}]
      """;

  @TempDir private Path directory;

  private static Path module(String name) {
    Path cache =
        Path.of(
            Objects.requireNonNullElse(
                System.getenv("GOMODCACHE"), System.getProperty("user.home") + "/go/pkg/mod"));
    Path file = cache.resolve(name);
    assumeTrue(Files.isReadable(file), "no " + file + " (go mod download of the module)");
    return file;
  }

  private static JsonNode yaml(String text) {
    return new ObjectMapper()
        .valueToTree(new KubernetesSerialization().unmarshal(text, Object.class));
  }

  /** The fields of a value that its schema does not have, those of another type included. */
  private static void compare(JsonNode value, JsonNode schema, String path, List<String> wrong) {
    String type = schema.path("type").asText();
    boolean isOfType =
        switch (type) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isTextual();
          case "boolean" -> value.isBoolean();
          case "integer" -> value.isIntegralNumber();
          default -> true; // of several types, or any
        };
    if (!isOfType) {
      wrong.add(path + ": expected " + type);
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        compare(value.get(i), schema.path("items"), path + "[" + i + "]", wrong);
      }
    } else if (schema.has("properties")) {
      for (Map.Entry<String, JsonNode> field : value.properties()) {
        JsonNode known = schema.path("properties").path(field.getKey());
        String name = path + "." + field.getKey();
        if (known.isMissingNode()) {
          wrong.add(name + ": unknown");
        } else {
          compare(field.getValue(), known, name, wrong);
        }
      }
      schema
          .path("required")
          .forEach(
              name -> {
                if (!value.has(name.asText())) {
                  wrong.add(path + "." + name.asText() + ": missing");
                }
              });
    }
  }

  private static List<String> faults(JsonNode object, String crd) throws IOException {
    String version = object.path("apiVersion").asText().replaceAll(".*/", "");
    List<String> wrong = new ArrayList<>();
    boolean isKnown = false;
    for (JsonNode one : yaml(Files.readString(module(crd))).at("/spec/versions")) {
      if (one.path("name").asText().equals(version)) {
        isKnown = true;
        compare(
            object.path("spec"), one.at("/schema/openAPIV3Schema/properties/spec"), "spec", wrong);
      }
    }
    return isKnown ? wrong : List.of("no version " + version);
  }

  private JsonNode rendered(String workload, String name) throws IOException {
    String cluster =
        Files.readString(Path.of("../examples/gke-a4-aligned.yaml"))
            .replaceAll("(?s)---\napiVersion: apps/v1.*", "");
    Cli cli =
        Cli.runWith(cluster + "---\n" + workload, "place", "-", "--render", directory.toString());
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).startsWith("2 of 2 pods placed\n");
    return yaml(Files.readString(directory.resolve(name))).path("items");
  }

  @Test
  void aJobSetKeepsToItsSchema() throws IOException {
    JsonNode items = rendered(JOB_SET, "default-training.yaml");

    assertThat(items.findValuesAsText("kind")).containsExactly("ResourceClaimTemplate", "JobSet");
    assertThat(items.get(0).at("/metadata/name").asText())
        .isEqualTo("training-workers-pairs-placed");
    assertThat(items.at("/1/spec/replicatedJobs/1").toString())
        .contains("\"training-workers-pairs-placed\"", "\"a4-0\",\"a4-1\"", "NCCL_NET");
    assertThat(items.at("/1/spec/replicatedJobs/0").toString()).doesNotContain("affinity", "NCCL");
    assertThat(faults(items.get(1), JOB_SETS)).isEmpty();
  }

  @Test
  void aLeaderWorkerSetKeepsToItsSchema() throws IOException {
    JsonNode items = rendered(LEADER_WORKER_SET, "default-serving.yaml");

    assertThat(items.findValuesAsText("kind"))
        .containsExactly("ResourceClaimTemplate", "ResourceClaimTemplate", "LeaderWorkerSet");
    JsonNode set = items.at("/2/spec/leaderWorkerTemplate");
    assertThat(set.path("leaderTemplate").toString())
        .contains("\"serving-leader-pairs-placed\"", "[\"a4-0\"]");
    assertThat(set.path("workerTemplate").toString())
        .contains("\"serving-pairs-placed\"", "[\"a4-1\"]");
    assertThat(faults(items.get(2), LEADER_WORKER_SETS)).isEmpty();
  }

  @Test
  void aFieldThatTheSchemaDoesNotHaveIsFound() throws IOException {
    JsonNode wrong =
        yaml(LEADER_WORKER_SET.replace("replicas: 1", "replicas: one").replace("size:", "length:"));

    assertThat(faults(wrong, LEADER_WORKER_SETS))
        .containsExactly(
            "spec.replicas: expected integer", "spec.leaderWorkerTemplate.length: unknown");
  }

  private static List<Path> published(String directory) throws IOException {
    try (Stream<Path> all = Files.walk(module(directory))) {
      return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @Test
  void publishedSetsArePlacedOrWhatIsMissingIsNamed() throws IOException {
    String cluster = Files.readString(Path.of("../examples/gke-a4-aligned.yaml"));
    String extended =
        cluster.replaceFirst(
            "(kind: DeviceClass\nmetadata:\n  name: gpu.nvidia.com\nspec:\n)",
            "$1  extendedResourceName: nvidia.com/gpu\n");
    assertThat(extended).isNotEqualTo(cluster);
    int asking = 0;
    for (String directory : List.of(LEADER_WORKER_SET_EXAMPLES, JOB_SET_EXAMPLES)) {
      for (Path file : published(directory)) {
        String set = Files.readString(file);
        Cli missing = Cli.runWith(cluster + "\n---\n" + set, "place", "-");
        boolean asks = set.contains("nvidia.com/gpu:") && set.contains("kind: LeaderWorkerSet");
        assertThat(missing.err().contains("requests nvidia.com/gpu, which no node has"))
            .as(file + missing.err())
            .isEqualTo(asks);
        if (asks) {
          asking++;
          Cli placed = Cli.runWith(extended + "\n---\n" + set, "place", "-", "-o", "json");
          assertThat(placed.err()).doesNotContain("which no node has");
          assertThat(placed.out()).as(file.toString()).contains("LeaderWorkerSet default/");
        }
      }
    }
    assertThat(asking).isEqualTo(3);
  }
}
