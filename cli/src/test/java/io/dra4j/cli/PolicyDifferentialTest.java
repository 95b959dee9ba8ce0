package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a policy chooses is valid in the eyes of the released Go allocator: if only the chosen
 * devices were published, it would allocate, too. Fresh random clusters of GPUs and NICs; {@code
 * -Dpolicies=N} sets how many, {@code -Ddifferential.seed=S} which.
 */
class PolicyDifferentialTest {

  private static final int CLUSTERS = Integer.getInteger("policies", 12);
  private static final long SEED =
      Long.getLong("differential.seed", System.currentTimeMillis() / 1000 % 100_000_000);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;
  private static Optional<GoReference> reference = Optional.empty();

  @BeforeAll
  static void buildTheReference() throws IOException, InterruptedException {
    reference = GoReference.build(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"best", "pack", "spread"})
  void theReferenceAcceptsWhatAPolicyChooses(String policy)
      throws IOException, InterruptedException, ManifestException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    GoReference go = reference.get();
    int checked = 0;
    for (Path file :
        go.generate("gpu-nic", SEED, CLUSTERS, directory.resolve("gpu-nic-" + policy))) {
      JsonNode chosen =
          JSON.readTree(
              Cli.run("allocate", "--all-nodes", "-o", "json", "--policy", policy, file.toString())
                  .out());
      JsonNode nodes = chosen.path("nodes");
      for (Map.Entry<String, JsonNode> node : nodes.properties()) {
        if (node.getValue().has("allocations")) {
          Path only = directory.resolve("only.json");
          Files.writeString(only, only(file, devices(node.getValue())));
          JsonNode answer = go.allocate(List.of(only), "all").get(0);
          assertThat(answer.path("nodes").path(node.getKey()).path("allocations"))
              .as("%s of seed %d on node %s: %s", file.getFileName(), SEED, node.getKey(), answer)
              .isNotEmpty();
          checked++;
        }
      }
    }
    System.out.printf("policy %s, seed %d: %d allocations accepted%n", policy, SEED, checked);
  }

  /** {@code driver/pool/device} of everything that was allocated. */
  private static Set<String> devices(JsonNode node) {
    Set<String> devices = new HashSet<>();
    for (JsonNode claim : node.path("allocations")) {
      for (JsonNode result : claim.path("allocation").path("devices").path("results")) {
        devices.add(
            result.path("driver").asText()
                + "/"
                + result.path("pool").asText()
                + "/"
                + result.path("device").asText());
      }
    }
    return devices;
  }

  /** The snapshot without all other devices. Slices stay, so that pools are complete. */
  private static String only(Path file, Set<String> devices) throws IOException, ManifestException {
    StringBuilder text = new StringBuilder();
    for (Manifest manifest : ManifestReader.create().read(file)) {
      ObjectNode document = ((ObjectNode) Objects.requireNonNull(manifest.source())).deepCopy();
      if (document.path("kind").asText().equals("ResourceSlice")
          && document.path("spec").path("devices") instanceof ArrayNode published) {
        String prefix =
            document.path("spec").path("driver").asText()
                + "/"
                + document.path("spec").path("pool").path("name").asText()
                + "/";
        for (int i = published.size() - 1; i >= 0; i--) {
          if (!devices.contains(prefix + published.get(i).path("name").asText())) {
            published.remove(i);
          }
        }
      }
      text.append(JSON.writeValueAsString(document)).append('\n');
    }
    return text.toString();
  }
}
