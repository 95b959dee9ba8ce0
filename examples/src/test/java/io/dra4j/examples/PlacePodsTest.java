package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacePodsTest {

  private static final Path CLUSTER = Path.of("gke-a4-aligned.yaml");

  @Test
  void eachPodHasItsDevices() throws ManifestException {
    assertThat(PlacePods.devices(CLUSTER))
        .hasSize(8)
        .contains(
            "default/nccl-test-0 on a4-0: gpu: gpu.nvidia.com/a4-0/gpu-0",
            "default/nccl-test-0 on a4-0: nic: dra.net/a4-0/gpu0rdma0");
  }

  @Test
  void aPodWithoutNodeHasAReason(@TempDir Path directory) throws IOException, ManifestException {
    Path withoutNodes = directory.resolve("pods.yaml");
    String all = Files.readString(CLUSTER);
    Files.writeString(withoutNodes, all.replace("count: 2", "count: 9"));

    assertThat(PlacePods.devices(withoutNodes))
        .hasSize(2)
        .allMatch(line -> line.matches("default/nccl-test-[01] on no node: .+"));
  }
}
