package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AllocateFromDumpTest {

  private static final Path CLUSTER = Path.of("gke-a4-aligned.yaml");

  @Test
  void eightPairsFillAServer() throws ManifestException {
    assertThat(AllocateFromDump.pairs(CLUSTER, "a4-0", 8))
        .startsWith("default/training: gpu-0: gpu.nvidia.com/a4-0/gpu-0, ")
        .contains("dra.net/a4-0/gpu7rdma0");
  }

  @Test
  void ninePairsDoNotFit() throws ManifestException {
    assertThat(AllocateFromDump.pairs(CLUSTER, "a4-0", 9)).startsWith("does not fit: ");
  }
}
