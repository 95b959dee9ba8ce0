package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadmeTest {

  @ParameterizedTest
  @ValueSource(strings = {"AllocateFromDump", "ReadTopology", "FollowLinks", "BorrowLink"})
  void showsTheCodeThatIsTested(String example) throws IOException {
    String source =
        Files.readString(Path.of("src/main/java/io/dra4j/examples/" + example + ".java"));
    String shown =
        source.substring(
            source.indexOf("// README: begin\n") + "// README: begin\n".length(),
            source.indexOf("    // README: end"));
    assertThat(Files.readString(Path.of("../README.md")))
        .contains(shown.stripTrailing().stripIndent());
  }
}
