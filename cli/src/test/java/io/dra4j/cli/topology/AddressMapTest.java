package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressMapTest {

  /** The switch has the address that the GPU has in the virtual machine. */
  private static final String METAL =
      "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\">"
          + "<pci busid=\"0000:8f:00.0\" class=\"0x030200\"/>"
          + "<pci busid=\"0000:90:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\"/></nic></pci>"
          + "</pci><pci busid=\"0000:a0:00.0\" class=\"0x030200\"/></cpu></system>";

  private static Cli run(Path directory, String map, String output) throws IOException {
    Path metal = Files.writeString(directory.resolve("bm.xml"), METAL);
    Path file = Files.writeString(directory.resolve("map.txt"), map);
    return Cli.run(
        "topology",
        "--no-host",
        "--nccl-xml",
        metal.toString(),
        "--address-map",
        file.toString(),
        "-o",
        output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000:8f:00.0 0000:01:00.0\n0000:90:00.0 0000:02:00.0\n",
        "# host  guest\n0000:8F:00.0\t0000:01:00.0 # GPU\n\n0000:90:00.0\t0000:02:00.0",
        "0000:8f:00.0,0000:01:00.0\r\n0000:90:00.0,0000:02:00.0\r\n",
        "\uFEFF0000:8f:00.0 0000:01:00.0\n0000:90:00.0 0000:02:00.0\n",
        "0000:90:00.0=0000:02:00.0\n0000:8f:00.0 = 0000:01:00.0\n"
      })
  void aFileOfBareMetalIsWrittenForTheVirtualMachine(String map, @TempDir Path directory)
      throws IOException {
    Cli written = run(directory, map, "nccl-xml");
    Path file = Files.writeString(directory.resolve("vm.xml"), written.out());
    Cli read = Cli.run("topology", "--no-host", "--nccl-xml", file.toString());

    assertThat(written.code()).as(written.err()).isZero();
    assertThat(written.err()).contains("without an address in the virtual machine: 1; left out");
    assertThat(written.out()).doesNotContain("0000:8f", "0000:90", "0000:a0");
    assertThat(read.out()).containsPattern("GPU0 +X +PIX").contains("0000:01:00.0", "mlx5_0");
  }

  /** Two sockets; each has a GPU and a NIC below one switch. */
  private static final String TWO_NODES =
      "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:10:00.0\">"
          + "<pci busid=\"0000:11:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\"/>"
          + "<pci busid=\"0000:12:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\"/></nic></pci>"
          + "</pci></cpu><cpu numaid=\"1\"><pci busid=\"0000:90:00.0\">"
          + "<pci busid=\"0000:91:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\"/>"
          + "<pci busid=\"0000:92:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_1\"/></nic></pci>"
          + "</pci></cpu></system>";

  /** The GPUs are the other way round in the machine, and the NICs come first. */
  private static final String TURNED =
      """
      0000:91:00.0 0000:05:00.0%s
      0000:11:00.0 0000:06:00.0%s
      0000:92:00.0 0000:01:00.0
      0000:12:00.0 0000:02:00.0
      """;

  private static final String MATRIX =
      """
      \tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity
      GPU0\t X \tNV12\tPIX\tSYS\t0-31\t0
      GPU1\tNV12\t X \tSYS\tPXB\t32-63\t1
      NIC0\tPIX\tSYS\t X \tSYS
      NIC1\tSYS\tPXB\tSYS\t X

      NIC Legend:
        NIC0: mlx5_0
        NIC1: mlx5_1
      """;

  private static Cli moved(Path directory, String map, String... more) throws IOException {
    Path metal = Files.writeString(directory.resolve("bm.xml"), TWO_NODES);
    Path matrix = Files.writeString(directory.resolve("matrix.txt"), MATRIX);
    Path file = Files.writeString(directory.resolve("map.txt"), map);
    List<String> line = new ArrayList<>(List.of("topology", "--address-map", file.toString()));
    for (String word : more) {
      line.add(
          word.equals("bm.xml")
              ? metal.toString()
              : word.equals("matrix.txt") ? matrix.toString() : word);
    }
    return Cli.run(line.toArray(String[]::new));
  }

  private static JsonNode device(Cli cli, String address) throws IOException {
    for (JsonNode device : new ObjectMapper().readTree(cli.out()).get("devices")) {
      if (device.get("bdf").asText().equals(address)) {
        return device;
      }
    }
    throw new AssertionError("no " + address + " in " + cli.out());
  }

  private static String path(Cli cli, String a, String b) throws IOException {
    for (JsonNode pair : new ObjectMapper().readTree(cli.out()).get("pairs")) {
      if (pair.get("a").asText().equals(a) && pair.get("b").asText().equals(b)) {
        return pair.get("type").asText() + pair.path("link").asText("");
      }
    }
    throw new AssertionError("no " + a + ", " + b + " in " + cli.out());
  }

  @Test
  void numaNodesOfTheHostAreNotThoseOfTheMachine(@TempDir Path directory) throws IOException {
    String map = TURNED.formatted("", "");
    Cli cli = moved(directory, map, "--no-host", "--nccl-xml", "bm.xml", "-o", "json");

    assertThat(cli.code()).as(cli.err()).isZero();
    for (String address : List.of("0000:01:00.0", "0000:02:00.0", "0000:05:00.0", "0000:06:00.0")) {
      assertThat(device(cli, address).get("numaNode").isNull()).as(address).isTrue();
    }
    assertThat(path(cli, "0000:05:00.0", "0000:06:00.0")).isEqualTo("SYSTEM");
    assertThat(path(cli, "0000:01:00.0", "0000:05:00.0")).isEqualTo("SWITCH");
    assertThat(cli.err()).contains("unknown NUMA node in the virtual machine: 4; add the number");
  }

  @Test
  void oneNumberForEachNodeOfTheHostIsEnough(@TempDir Path directory) throws IOException {
    String map = TURNED.formatted(" 0", " numa=1");
    Cli cli = moved(directory, map, "--no-host", "--nccl-xml", "bm.xml", "-o", "json");

    assertThat(cli.err()).doesNotContain("NUMA node");
    assertThat(device(cli, "0000:05:00.0").get("numaNode").asInt(-1)).isZero();
    assertThat(device(cli, "0000:01:00.0").get("numaNode").asInt(-1)).isZero();
    assertThat(device(cli, "0000:06:00.0").get("numaNode").asInt(-1)).isEqualTo(1);
    assertThat(device(cli, "0000:02:00.0").get("numaNode").asInt(-1)).isEqualTo(1);
  }

  @Test
  void twoNumbersForOneNodeOfTheHostAreWarnedOf(@TempDir Path directory) throws IOException {
    String map = TURNED.formatted(" 0", " 1").replace("0000:01:00.0", "0000:01:00.0 3");
    Cli cli = moved(directory, map, "--no-host", "--nccl-xml", "bm.xml", "-o", "json");

    assertThat(cli.code()).isZero();
    assertThat(cli.err())
        .contains(
            "devices of NUMA node 1 of the host have nodes [0, 3] here; expected one node: their"
                + " paths stay as recorded");
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "' 0', ' 1'", "'', ' 0'", "' 7', ''"})
  void aFileKeepsNodesApart(String first, String second, @TempDir Path directory)
      throws IOException {
    Cli written =
        moved(
            directory,
            TURNED.formatted(first, second),
            "--no-host",
            "--nccl-xml",
            "bm.xml",
            "-o",
            "nccl-xml");
    Path file = Files.writeString(directory.resolve("vm.xml"), written.out());
    Cli read = Cli.run("topology", "--no-host", "--nccl-xml", file.toString(), "-o", "json");

    assertThat(written.code()).as(written.err()).isZero();
    assertThat(path(read, "0000:05:00.0", "0000:06:00.0")).isEqualTo("SYSTEM");
    assertThat(path(read, "0000:01:00.0", "0000:05:00.0")).isEqualTo("SWITCH");
  }

  /** The matrix counts the GPUs of the host, which have another order in the machine. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMatrixMovesWithTheTree(boolean matrixFirst, @TempDir Path directory) throws IOException {
    String map = TURNED.formatted(" 0", " 1");
    String[] tree = {"--nccl-xml", "bm.xml"};
    String[] matrix = {"--nvidia-smi", "matrix.txt"};
    SyntheticHost host = new SyntheticHost("vm");
    for (int nic = 1; nic <= 2; nic++) {
      host.root("pci0000:0" + nic, 0)
          .function("0000:0" + nic + ":00.0", 0x020700, 0x15b3, 0x1021)
          .rdma("mlx5_" + (10 - nic), "InfiniBand", "400 Gb/sec (4X NDR)");
    }
    host.root("pci0000:05", 0).function("0000:05:00.0", 0x030200, 0x10de, 0x2330);
    host.root("pci0000:06", 0).function("0000:06:00.0", 0x030200, 0x10de, 0x2330);
    Path root = directory.resolve("host");
    host.build().expandTo(root);
    Cli cli =
        moved(
            directory,
            map,
            "--root",
            root.toString(),
            (matrixFirst ? matrix : tree)[0],
            (matrixFirst ? matrix : tree)[1],
            (matrixFirst ? tree : matrix)[0],
            (matrixFirst ? tree : matrix)[1],
            "-o",
            "json");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(path(cli, "0000:05:00.0", "0000:06:00.0")).endsWith("nvlink:12");
    assertThat(path(cli, "0000:02:00.0", "0000:06:00.0")).isEqualTo("SWITCH");
    assertThat(path(cli, "0000:01:00.0", "0000:05:00.0"))
        .isEqualTo(matrixFirst ? "SWITCH" : "MULTI_SWITCH");
    assertThat(path(cli, "0000:01:00.0", "0000:06:00.0")).isEqualTo("SYSTEM");
    assertThat(device(cli, "0000:05:00.0").get("numaNode").asInt(-1)).isZero();
  }

  @Test
  void rowsOfDevicesThatTheMachineLacksAreLeftOut(@TempDir Path directory) throws IOException {
    Cli cli =
        moved(
            directory,
            "0000:91:00.0 0000:05:00.0 0\n0000:92:00.0 0000:01:00.0\n",
            "--no-host",
            "--nccl-xml",
            "bm.xml",
            "--nvidia-smi",
            "matrix.txt");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.err()).contains("matrix.txt without an address in the virtual machine: 2");
    assertThat(cli.out()).containsPattern("GPU0 +X +PXB +0").doesNotContain("GPU1");
  }

  @Test
  void aTableWithAddressesMovesByItself(@TempDir Path directory) throws IOException {
    String table =
        """
        LINK TYPE TABLE:
                     0000:11:00.0 0000:91:00.0
        0000:11:00.0 SELF         XGMI
        0000:91:00.0 XGMI         SELF
        """;
    Path file = Files.writeString(directory.resolve("amd.txt"), table);
    Cli cli =
        moved(
            directory,
            TURNED.formatted(" 0", " 0"),
            "--no-host",
            "--nvidia-smi",
            file.toString(),
            "-o",
            "json");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).doesNotContain("0000:11:00.0", "0000:91:00.0");
    assertThat(path(cli, "0000:05:00.0", "0000:06:00.0")).endsWith("xgmi:1");
    assertThat(device(cli, "0000:06:00.0").get("numaNode").asInt(-1)).isZero();
  }

  @Test
  void aMatrixWithoutAddressesNeedsATree(@TempDir Path directory) throws IOException {
    Cli cli = moved(directory, TURNED.formatted("", ""), "--no-host", "--nvidia-smi", "matrix.txt");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("--address-map requires a file with addresses");
  }

  @Test
  void addressesThatTheFileLacksAreWarnedOf(@TempDir Path directory) throws IOException {
    Cli cli = run(directory, "0000:8f:00.0 0000:01:00.0\n0000:77:00.0 0000:02:00.0\n", "text");

    assertThat(cli.err()).contains("map.txt: not in ", "bm.xml: 0000:77:00.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing",
        "0000:8f:00.0",
        "0000:8f:00.0 0000:01:00.0 0000:02:00.0",
        "gpu0 0000:01:00.0",
        "0000:8f:00.0 0000:01:00.0 -1",
        "0000:8f:00.0 0000:01:00.0 1024",
        "0000:8f:00.0 0000:01:00.0 99999999999",
        "0000:8f:00.0 0000:01:00.0 node=0",
        "0000:8f:00.0 0000:01:00.0 0 0",
        "0000:8f:00.0 0000:01:00.0 numa=",
        "0000:8f:00.0 0000:01:00.0\n0000:8f:00.0 0000:02:00.0",
        "0000:8f:00.0 0000:01:00.0\n0000:90:00.0 0000:01:00.0"
      })
  void whatIsNoMapIsRefused(String text) {
    assertThatThrownBy(() -> AddressMap.parse(text, "map.txt"))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("map[.]txt(:\\d+)?: .*");
  }

  @Test
  void aMapNeedsAFileWithAddresses(@TempDir Path directory) throws IOException {
    Path map = Files.writeString(directory.resolve("map.txt"), "0000:8f:00.0 0000:01:00.0\n");

    Cli cli = Cli.run("topology", "--address-map", map.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("--address-map requires a file with addresses");
  }
}
