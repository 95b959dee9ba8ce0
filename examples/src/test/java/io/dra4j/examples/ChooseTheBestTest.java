package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ChooseTheBestTest {

  private static final Path CLUSTER = Path.of("gke-a4-aligned.yaml");

  @Test
  void fourPairsAreOnOneRootEach() throws ManifestException {
    assertThat(ChooseTheBest.score(CLUSTER, "a4-0", 4))
        .startsWith("4 pairs each on one PCIe root: ");
  }

  @Test
  void nineOfEachDoNotFit() throws ManifestException {
    assertThat(ChooseTheBest.score(CLUSTER, "a4-0", 9)).startsWith("does not fit: ");
  }
}
