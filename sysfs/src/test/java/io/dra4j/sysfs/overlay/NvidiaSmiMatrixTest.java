package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.PathType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvidiaSmiMatrixTest {

  private static MatrixOverlay read(String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return NvidiaSmiMatrix.read(new ByteArrayInputStream(bytes), "topo.txt");
  }

  @Test
  void theOutputOfTheCommandIsRead() throws Exception {
    MatrixOverlay matrix;
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("nvidia-smi-topo.txt"))) {
      matrix = NvidiaSmiMatrix.read(in, "topo.txt");
    }

    assertThat(matrix.rows())
        .extracting(MatrixOverlay.Row::name)
        .containsExactly("GPU0", "GPU1", "mlx5_0", "mlx5_1");
    assertThat(matrix.rows().get(0).nvLinks()).containsEntry("GPU1", 18);
    assertThat(matrix.rows().get(0).paths())
        .containsEntry("NIC0", PathType.SWITCH)
        .containsEntry("NIC1", PathType.NUMA_NODE);
    assertThat(matrix.rows().get(1).numaNode()).hasValue(1);
    assertThat(matrix.rows().get(2).numaNode()).isEmpty();
    assertThat(matrix.rows().get(2).paths()).containsEntry("NIC1", PathType.MULTI_SWITCH);
  }

  @Test
  void soIsATableWithCommas() throws Exception {
    MatrixOverlay matrix = read("device,GPU0,NIC0\nGPU0,X,SYS\nNIC0,SYS,X\n");

    assertThat(matrix.rows()).hasSize(2);
    assertThat(matrix.rows().get(0).paths()).containsEntry("NIC0", PathType.SYSTEM);
  }

  @Test
  void olderVersionsNameNicsInTheTable() throws Exception {
    MatrixOverlay matrix =
        read("\tGPU0\tmlx5_0\tCPU Affinity\nGPU0\t X \tPHB\t0-7\nmlx5_0\tPHB\t X \t\n");

    assertThat(matrix.rows().get(1).name()).isEqualTo("mlx5_0");
    assertThat(matrix.rows().get(0).paths()).containsEntry("mlx5_0", PathType.HOST_BRIDGE);
  }

  @Test
  void oneGpuAloneIsAMatrix() throws Exception {
    assertThat(read("\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \t0-15\t0\n").rows())
        .singleElement()
        .satisfies(row -> assertThat(row.numaNode()).hasValue(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "No devices were found",
        "\tGPU0\tGPU1\nGPU0\t X \tNV18\n",
        "\tGPU0\tGPU1\nGPU0\t X \tFAR\nGPU1\tFAR\t X \n",
        "\tGPU0\tGPU1\nGPU1\tSYS\t X \nGPU0\t X \tSYS\n",
        "\tGPU0\tGPU1\nGPU0\t X \nGPU1\n",
        "\tGPU0\tGPU0\nGPU0\t X \tSYS\nGPU0\tSYS\t X \n",
        "\tGPU0\tGPU1\nGPU0\t X \tX\nGPU1\tSYS\t X \n",
        "\tGPU0\tGPU1\nGPU0\t X \tNV99999\nGPU1\tSYS\t X \n"
      })
  void whatIsNoMatrixIsRefusedByName(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("topo[.]txt(:\\d+){0,2}: .*");
  }
}
