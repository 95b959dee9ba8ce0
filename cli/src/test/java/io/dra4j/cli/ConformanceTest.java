package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The golden cases: {@code allocate --all-nodes} answers like the released Go allocator, device for
 * device. Only the messages of errors differ.
 */
public class ConformanceTest {

  private static final Path CASES = Path.of("../core/src/test/resources/conformance");
  private static final ObjectMapper JSON = new ObjectMapper();

  public static List<Path> cases() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @Test
  void thereAreSixtyCases() throws IOException {
    assertThat(cases()).hasSize(60);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theAnswerIsThatOfTheReference(Path file) throws IOException {
    JsonNode actual =
        JSON.readTree(Cli.run("allocate", "--all-nodes", "-o", "json", file.toString()).out());
    JsonNode expected =
        JSON.readTree(
            Files.readString(Path.of(file.toString().replace(".yaml", ".expected.json"))));
    assertThat(Answers.comparable(actual)).isEqualTo(Answers.comparable(expected));
  }
}
