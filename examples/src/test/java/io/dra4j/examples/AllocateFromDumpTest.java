package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AllocateFromDumpTest {

  private static final Path CLUSTER = Path.of("gke-a4-aligned.yaml");

  @Test
  void eightPairsFillAServer() throws ManifestException {
    assertThat(AllocateFromDump.pairs(CLUSTER, "a4-0", 8))
        .contains("device=gpu-0", "device=gpu7rdma0");
  }

  @Test
  void ninePairsDoNotFit() throws ManifestException {
    assertThat(AllocateFromDump.pairs(CLUSTER, "a4-0", 9)).startsWith("does not fit: ");
  }

  @Test
  void theReadmeShowsThisCode() throws IOException {
    String source =
        Files.readString(Path.of("src/main/java/io/dra4j/examples/AllocateFromDump.java"));
    String shown =
        source.substring(
            source.indexOf("// README: begin\n") + "// README: begin\n".length(),
            source.indexOf("    // README: end"));
    assertThat(Files.readString(Path.of("../README.md")))
        .contains(shown.stripTrailing().stripIndent());
  }
}
