package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadmeTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AllocateFromDump",
        "ChooseTheBest",
        "PlaceAGang",
        "ReadTopology",
        "FollowLinks",
        "BorrowLink",
        "LendRdma",
        "WatchRdma",
        "RunGpuDriver"
      })
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

  @ParameterizedTest
  @CsvSource({
    "src/main/java/io/dra4j/examples/GpuDriver.java, import ",
    "src/test/java/io/dra4j/examples/GpuDriverKitTest.java, import "
  })
  void showsTheWholeDriver(String file, String begin) throws IOException {
    String source = Files.readString(Path.of(file));

    assertThat(Files.readString(Path.of("../README.md")))
        .contains(source.substring(source.indexOf(begin)).stripTrailing());
  }
}
