package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmdSmiTablesTest {

  private static final String ROCM =
      """
      ======================= ROCm System Management Interface =======================
      ============================ Weight between two GPUs ===========================
             GPU0         GPU1         GPU2
      GPU0   0            15           72
      GPU1   15           0            40
      GPU2   72           40           0

      ============================= Hops between two GPUs ============================
             GPU0         GPU1         GPU2
      GPU0   0            1            3
      GPU1   1            0            2
      GPU2   3            2            0

      ========================== Link Type between two GPUs ==========================
             GPU0         GPU1         GPU2
      GPU0   0            XGMI         PCIE
      GPU1   XGMI         0            PCIE
      GPU2   PCIE         PCIE         0

      ================================== Numa Nodes ==================================
      GPU[0]          : (Topology) Numa Node: 1
      GPU[0]          : (Topology) Numa Affinity: 1
      GPU[2]          : (Topology) Numa Node: 0
      ============================= End of ROCm SMI Log ==============================
      """;

  private static final String AMD =
      """
      ACCESS TABLE:
                   0000:0C:00.0 0000:22:00.0
      0000:0C:00.0 ENABLED      ENABLED
      0000:22:00.0 ENABLED      ENABLED

      HOPS TABLE:
                   0000:0C:00.0 0000:22:00.0
      0000:0C:00.0 0            1
      0000:22:00.0 1            0

      LINK TYPE TABLE:
                   0000:0C:00.0 0000:22:00.0
      0000:0C:00.0 SELF         XGMI
      0000:22:00.0 XGMI         SELF
      """;

  private static MatrixOverlay read(String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return NvidiaSmiMatrix.read(new ByteArrayInputStream(bytes), "topo.txt");
  }

  @Test
  void linksNumaNodesAndWaysBetweenThemAreRead() throws Exception {
    MatrixOverlay matrix = read(ROCM);

    assertThat(matrix.source()).isEqualTo(TopologySource.AMD_SMI);
    assertThat(matrix.rows())
        .extracting(MatrixOverlay.Row::label)
        .containsExactly("GPU0", "GPU1", "GPU2");
    assertThat(matrix.rows().get(0).links()).containsOnlyKeys("GPU1");
    assertThat(matrix.rows().get(0).paths()).containsExactly(Map.entry("GPU2", PathType.SYSTEM));
    assertThat(matrix.rows().get(0).numaNode()).hasValue(1);
    assertThat(matrix.rows().get(1).numaNode()).isEmpty();
    assertThat(matrix.rows().get(1).paths()).as("two hops leave switches open").isEmpty();
  }

  @Test
  void weightsStandForHopsThatAreMissing() throws Exception {
    String text =
        ROCM.substring(0, ROCM.indexOf("====== Hops")) + ROCM.substring(ROCM.indexOf("=== Link"));

    assertThat(read(text).rows()).isEqualTo(read(ROCM).rows());
  }

  @Test
  void quotedTablesAreTheSame() throws Exception {
    assertThat(read(ROCM.replaceAll("(?m)^", "> ")).rows()).isEqualTo(read(ROCM).rows());
  }

  @Test
  void xgmiOfSeveralHopsIsNoLink() throws Exception {
    String text =
        ROCM.replace("GPU0   0            1            3", "GPU0   0            2            3");

    assertThat(read(text).rows().get(0).links()).isEmpty();
  }

  @Test
  void amdSmiNamesGpusByTheirAddresses() throws Exception {
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    gpu("0000:0c:00.0", "pci0000:00"),
                    gpu("0000:22:00.0", "pci0000:20"),
                    gpu("0000:38:00.0", "pci0000:30")))
            .overlay(read(AMD))
            .build();

    assertThat(host.links())
        .containsExactly(new DirectLink("0000:0c:00.0", "0000:22:00.0", DirectLink.Type.XGMI, 1));
  }

  private static TopologyDevice gpu(String address, String root) {
    return TopologyDevice.of(
        PciAddress.parse(address),
        DeviceKind.GPU,
        new Location(root, List.of(), OptionalInt.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Weight between two GPUs\n GPU0 GPU1\nGPU0 0 15\nGPU1 15 0\n",
        "Link Type between two GPUs\n GPU0 GPU1\nGPU0 0 XGMI\n",
        "Link Type between two GPUs\n GPU0 GPU0\nGPU0 0 XGMI\nGPU0 XGMI 0\n",
        "Link Type between two GPUs\n",
        "LINK TYPE TABLE:\n GPU0 GPU1\nGPU0 0 XGMI\nGPU1 XGMI\n",
        "Hops between two GPUs\n GPU0\nGPU0 0\nLink Type between two GPUs\n GPU1\nGPU1 0\n"
      })
  void halfTablesAreRefusedByLine(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("topo[.]txt:\\d+: expected .*");
  }
}
