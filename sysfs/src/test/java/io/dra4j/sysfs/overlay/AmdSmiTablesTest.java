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

  private static final String PAIRS =
      """
      "(Topology) Weight between DRM devices 0 and 1": "15",
      "(Topology) Weight between DRM devices 0 and 2": "72",
      "(Topology) Weight between DRM devices 1 and 2": "40",
      "(Topology) Hops between DRM devices 0 and 1": "1",
      "(Topology) Hops between DRM devices 0 and 2": "3",
      "(Topology) Hops between DRM devices 1 and 2": "2",
      "(Topology) Link type between DRM devices 0 and 1": "XGMI",
      "(Topology) Link type between DRM devices 0 and 2": "PCIE",
      "(Topology) Link type between DRM devices 1 and 2": "PCIE"
      """;

  private static final String JSON =
      "{\"card0\": {\"(Topology) Numa Node\": \"1\", \"(Topology) Numa Affinity\": \"1\"},\n"
          + " \"card1\": {\"(Topology) Numa Affinity\": \"0\"},\n"
          + " \"card2\": {\"(Topology) Numa Node\": \"0\"},\n \"system\": {"
          + PAIRS
          + "}}\n";

  @Test
  void jsonOfRocmSmiIsTheSame() throws Exception {
    List<MatrixOverlay.Row> rows = read(ROCM).rows();

    assertThat(read(JSON).rows()).isEqualTo(rows);
    assertThat(read(JSON.replace("\n", " ")).rows()).as("on one line").isEqualTo(rows);
    assertThat(read("WARNING: AMD GPU device(s) is/are in a low-power state\n" + JSON).rows())
        .isEqualTo(rows);
  }

  @Test
  void csvOfRocmSmiIsTheSame() throws Exception {
    String nodes = "device,(Topology) Numa Node,(Topology) Numa Affinity\ncard0,1,1\ncard2,0,0\n";
    String pairs = "name, value\n" + PAIRS.replace(",\n", "\n").replace("\": ", "\", ");
    String titles = PAIRS.replaceAll("\": \"[^\"]*\",?\\n", ",").replace("\"", "");
    String values = PAIRS.replaceAll("\"[^\"]*\": \"([^\"]*)\",?\\n", "$1,");

    assertThat(read(nodes + pairs).rows()).isEqualTo(read(ROCM).rows());
    assertThat(read(nodes + "\nsystem," + titles + "\nsystem," + values + "\n").rows())
        .isEqualTo(read(ROCM).rows());
  }

  private static String gpu(int number, String address, String links) {
    return "{\"gpu\": %d, \"bdf\": \"%s\", \"links\": [%s]}".formatted(number, address, links);
  }

  private static String link(int number, String address, String type, String hops) {
    return "{\"gpu\": %d, \"bdf\": \"%s\", \"weight\": 15, \"link_type\": \"%s\", \"num_hops\": %s}"
        .formatted(number, address, type, hops);
  }

  @Test
  void jsonOfAmdSmiIsTheSame() throws Exception {
    String one =
        gpu(
            0,
            "0000:0C:00.0",
            link(0, "0000:0C:00.0", "SELF", "0") + ",\n" + link(1, "0000:22:00.0", "XGMI", "1"));
    String other =
        gpu(
            1,
            "0000:22:00.0",
            link(0, "0000:0C:00.0", "XGMI", "1") + "," + link(1, "0000:22:00.0", "SELF", "0"));

    assertThat(read("[" + one + ",\n" + other + "]").rows()).isEqualTo(read(AMD).rows());
    assertThat(read("{\"topology\": [" + one + ", " + other + "]}").rows())
        .isEqualTo(read(AMD).rows());
    assertThat(read("a warning\n[\n" + one + ",\n" + other + "\n]\n").rows())
        .isEqualTo(read(AMD).rows());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"gpu\": 0, \"links\": [}]",
        "[{\"gpu\": 0, \"links\": []",
        "[{\"gpu\": \"a\", \"links\": [{\"gpu\": 1, \"link_type\": \"XGMI\"}]}]",
        "[{\"gpu\": 0, \"links\": 5}]",
        "[{\"gpu\": 0, \"links\": [{\"gpu\": 1, \"weight\": 15}]}]",
        "{\"system\": {\"(Topology) Weight between DRM devices 0 and 1\": \"15\"}}",
        "{\"card0\": {\"Temperature\": \"40\"}}",
        "gpu,bdf,links_0_weight\n0,0000:0c:00.0,15\n"
      })
  void recordsWithoutLinksAreRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("(?s)topo[.]txt(:\\d+)?: .*expected .*");
  }

  @Test
  void csvOfAmdSmiIsCalledByItsName() {
    assertThatThrownBy(() -> read("gpu,bdf,links_0_weight\n0,0000:0c:00.0,15\n"))
        .hasMessageContaining("CSV of amd-smi topology")
        .hasMessageContaining("amd-smi topology --json");
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
