package io.dra4j.cli.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Some 1,600 expressions where implementations differ most easily: order of equal keys, non-ASCII
 * digits, time zones, addresses, regular expressions, numbers and times in texts, messages,
 * formats, syntax errors, and error messages. The expected answers are from the released Go code
 * ({@code oracle cel}, Kubernetes 1.37): matches, costs, errors.
 */
class CelReferenceAnswersTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void everyAnswerIsThatOfTheReference() throws IOException {
    List<JsonNode> rows = rows();
    assertThat(rows).hasSizeGreaterThan(1_600);
    String questions =
        rows.stream().map(row -> row.path("question") + "\n").collect(Collectors.joining());
    List<String> answers = Cli.runWith(questions, "cel").out().lines().toList();
    assertThat(answers).hasSameSizeAs(rows);
    List<String> different = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      JsonNode answer = JSON.readTree(answers.get(i));
      if (!answer.equals(rows.get(i).path("answer"))) {
        different.add(rows.get(i) + "\n  dra4j: " + answer);
      }
    }
    assertThat(different).isEmpty();
  }

  private static List<JsonNode> rows() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            CelReferenceAnswersTest.class.getResourceAsStream("cel-reference.jsonl"))) {
      List<JsonNode> rows = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        rows.add(JSON.readTree(line));
      }
      return rows;
    }
  }
}
