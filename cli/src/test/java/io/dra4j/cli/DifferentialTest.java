package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.common.Feature;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fresh random clusters, answered by dra4j and by the released Go allocator. {@code
 * -Ddifferential=N} sets how many, {@code -Ddifferential.seed=S} which, {@code
 * -Ddifferential.kubernetes=1.38} of which release. A disagreement is shown as a snapshot that has
 * been made as small as possible.
 */
@Tag("exhaustive")
class DifferentialTest {

  private static final int CLUSTERS = Integer.getInteger("differential", 60);
  private static final long SEED =
      Long.getLong("differential.seed", System.currentTimeMillis() / 1000 % 100_000_000);
  private static final int PROFILES = 4;
  private static final int ODD_OF_A_CLUSTER = 4;
  private static final Duration REFERENCE_PATIENCE = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;
  private static Optional<GoReference> reference = Optional.empty();

  @BeforeAll
  static void buildTheReference() throws IOException, InterruptedException {
    reference = GoReference.build(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"small", "written", "gpu-nic", "hard"})
  void theReferenceAgrees(String profile) throws IOException, InterruptedException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    GoReference go = reference.get();
    int count = Math.max(1, CLUSTERS / PROFILES);
    List<Path> files = go.generate(profile, SEED, count, directory.resolve(profile));
    assertThat(files).hasSize(count);
    SplittableRandom random = new SplittableRandom(SEED);
    compare(go, profile, files.subList(0, count - count / 5), "all");
    // Every fifth cluster with other features, so that each is seen on and off.
    List<Path> others = files.subList(count - count / 5, count);
    for (int from = 0; from < others.size(); from += 20) {
      compare(
          go, profile, others.subList(from, Math.min(others.size(), from + 20)), someOf(random));
    }
  }

  /**
   * Nonsensical objects, one cluster at a time, because the reference crashes on some. If it
   * crashes, cannot read the file or takes too long on a node, there is nothing to compare.
   */
  @ParameterizedTest
  @ValueSource(strings = {"small", "gpu-nic", "hard"})
  void theReferenceAgreesOnOddObjects(String profile) throws IOException, InterruptedException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    GoReference go = reference.get();
    int count = Math.max(1, CLUSTERS / 40);
    int compared = 0;
    Path odd = directory.resolve("odd.json");
    for (Path file : go.generate(profile, SEED, count, directory.resolve("odd-" + profile))) {
      List<JsonNode> objects = documentsOf(file);
      for (int i = 0; i < ODD_OF_A_CLUSTER; i++) {
        List<JsonNode> changed = new ArrayList<>();
        objects.forEach(object -> changed.add(object.deepCopy()));
        new OddObjects(SEED * 31 + file.getFileName().toString().hashCode() + i).change(changed);
        write(changed, odd);
        JsonNode expected;
        try {
          expected = go.allocate(List.of(odd), "all", REFERENCE_PATIENCE).get(0);
        } catch (IOException e) {
          continue;
        }
        JsonNode actual = answer(odd, "all");
        if (!withoutTimeouts(actual, expected).equals(withoutTimeouts(expected, expected))) {
          throw new AssertionError(
              "%s, change %d: the answers differ%n%s%ndra4j: %s%nreference: %s"
                  .formatted(file.getFileName(), i, Files.readString(odd), actual, expected));
        }
        compared++;
      }
    }
    System.out.printf(
        "differential: odd objects of profile %s, seed %d: %d clusters agree%n",
        profile, SEED, compared);
    assertThat(compared).isPositive();
  }

  /** An answer without the nodes for which the reference takes too long. */
  private static JsonNode withoutTimeouts(JsonNode answer, JsonNode expected) {
    JsonNode comparable = Answers.comparable(answer);
    for (Map.Entry<String, JsonNode> node : expected.path("nodes").properties()) {
      if (node.getValue().path("errorScope").asText().equals("timeout")) {
        ((ObjectNode) comparable.path("nodes")).remove(node.getKey());
      }
    }
    return comparable;
  }

  private static void compare(GoReference go, String profile, List<Path> files, String features)
      throws IOException, InterruptedException {
    if (files.isEmpty()) {
      return;
    }
    List<JsonNode> expected = go.allocate(files, features);
    TreeMap<String, Integer> kinds = new TreeMap<>();
    for (int i = 0; i < files.size(); i++) {
      JsonNode actual = answer(files.get(i), features);
      if (!Answers.comparable(actual).equals(Answers.comparable(expected.get(i)))) {
        throw new AssertionError(disagreement(go, files.get(i), features));
      }
      actual.path("nodes").forEach(node -> kinds.merge(Answers.kindOf(node), 1, Integer::sum));
    }
    System.out.printf(
        "differential: profile %s, seed %d, features %s: %d clusters agree, nodes: %s%n",
        profile, SEED, features, files.size(), kinds);
  }

  private static String someOf(SplittableRandom random) {
    String some =
        Feature.kubernetes().stream()
            .filter(feature -> feature != Feature.NODE_ALLOCATABLE_RESOURCES) // none of devices
            .filter(feature -> random.nextInt(3) > 0)
            .map(Feature::optionName)
            .collect(Collectors.joining(","));
    return some.isEmpty() ? "none" : some;
  }

  private static JsonNode answer(Path file, String features) throws IOException {
    Cli cli =
        Cli.run(
            "allocate",
            "--all-nodes",
            "-o",
            "json",
            "--kubernetes",
            GoReference.RELEASE.toString(),
            "--features",
            switches(features),
            file.toString());
    return JSON.readTree(cli.out());
  }

  /** With a release, a list of features changes the defaults of the release. */
  static String switches(String features) {
    if (features.equals("all") || features.equals("none")) {
      return features;
    }
    Set<String> on = Set.of(features.split(","));
    return Feature.kubernetes().stream()
        .map(feature -> feature.optionName() + "=" + on.contains(feature.optionName()))
        .collect(Collectors.joining(","));
  }

  /** The reduced snapshot, and both answers to it. */
  private static String disagreement(GoReference go, Path file, String features)
      throws IOException, InterruptedException {
    Path small = directory.resolve("disagreement.json");
    List<JsonNode> documents =
        new SnapshotShrinker(
                candidate -> {
                  write(candidate, small);
                  JsonNode expected;
                  try {
                    expected = go.allocate(List.of(small), features).get(0);
                  } catch (IOException e) {
                    return false; // too small for the reference to answer at all
                  }
                  return !Answers.comparable(answer(small, features))
                      .equals(Answers.comparable(expected));
                })
            .shrink(documentsOf(file));
    write(documents, small);
    return "%s with features %s: the answers differ%n%s%ndra4j: %s%nreference: %s"
        .formatted(
            file.getFileName(),
            features,
            Files.readString(small),
            answer(small, features),
            go.allocate(List.of(small), features).get(0));
  }

  private static List<JsonNode> documentsOf(Path file) throws IOException {
    try {
      List<JsonNode> documents = new ArrayList<>();
      for (Manifest manifest : ManifestReader.builder().build().read(file)) {
        documents.add(((ObjectNode) Objects.requireNonNull(manifest.source())).deepCopy());
      }
      return documents;
    } catch (ManifestException e) {
      throw new IOException(e);
    }
  }

  private static void write(List<JsonNode> documents, Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (JsonNode document : documents) {
      text.append(JSON.writeValueAsString(document)).append('\n');
    }
    Files.writeString(file, text);
  }
}
