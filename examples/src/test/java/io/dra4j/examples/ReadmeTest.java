package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
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

  @Test
  void showsWhatTheCodePrints() throws Exception {
    Path cluster = Path.of("gke-a4-aligned.yaml");

    assertThat(Files.readString(Path.of("../README.md")))
        .contains(
            AllocateFromDump.pairs(cluster, "a4-0", 2),
            AllocateFromDump.pairs(cluster, "a4-0", 9),
            ChooseTheBest.score(cluster, "a4-0", 2),
            PlaceAGang.plan(cluster, 2),
            PlaceAGang.plan(cluster, 20));
  }

  /** The text says which these are: a name of an artifact that is not published helps nobody. */
  @Test
  void theTableOfArtifactsIsTheBom() throws IOException {
    Set<String> told = artifacts(Path.of("../README.md"), "(?m)^\\| `(dra4j-[a-z]+)` \\|");
    Set<String> published =
        artifacts(Path.of("../bom/pom.xml"), "<artifactId>(dra4j-[a-z]+)</artifactId>");
    published.removeAll(Set.of("dra4j-parent", "dra4j-bom"));

    assertThat(told).isEqualTo(published);
  }

  private static Set<String> artifacts(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
