package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small clusters for what Kubernetes 1.38 changed in the allocator, with the answers of its
 * released code ({@code oracle allocate}, v0.38.0-beta.0). Each has the name of a case that came
 * with 1.38 into the tests of that code.
 */
class ReleaseCasesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory;

  static List<JsonNode> cases() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ReleaseCasesTest.class.getResourceAsStream("release-1.38.jsonl"))) {
      List<JsonNode> cases = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        cases.add(JSON.readTree(line));
      }
      return cases;
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theAnswerIsThatOfKubernetes138(JsonNode one) throws IOException {
    assertThat(answer(one, "1.38"))
        .as(one.path("name").asText())
        .isEqualTo(Answers.comparable(one.path("answer")));
  }

  @Test
  void kubernetes137AnswersHalfOfThemOtherwise() throws IOException {
    int others = 0;
    for (JsonNode one : cases()) {
      others += answer(one, "1.37").equals(Answers.comparable(one.path("answer"))) ? 0 : 1;
    }
    assertThat(others).isGreaterThanOrEqualTo(cases().size() / 2);
  }

  private JsonNode answer(JsonNode one, String release) throws IOException {
    StringBuilder objects = new StringBuilder();
    for (JsonNode object : one.path("objects")) {
      objects.append(object).append('\n');
    }
    Path file = Files.writeString(directory.resolve("case.json"), objects);
    Cli cli =
        Cli.run(
            "allocate",
            "--all-nodes",
            "-o",
            "json",
            "--kubernetes",
            release,
            "--features",
            DifferentialTest.switches(one.path("features").asText()),
            file.toString());
    return Answers.comparable(JSON.readTree(cli.out()));
  }
}
