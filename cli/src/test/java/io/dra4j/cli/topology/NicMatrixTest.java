package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import io.dra4j.testkit.SyntheticFunction;
import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Maps NICs of a pasted matrix to NICs of a host by RDMA name, never only by position. */
class NicMatrixTest {

  /** NIC0 is next to GPU0, NIC1 next to GPU1. */
  private static final String MATRIX =
      """
      \tGPU0\tGPU1\tNIC0\tNIC1
      GPU0\t X \tNV4\tPIX\tSYS
      GPU1\tNV4\t X \tSYS\tPIX
      NIC0\tPIX\tSYS\t X \tSYS
      NIC1\tSYS\tPIX\tSYS\t X
      """;

  private static final String OWN = "GPU0  X     NV4   NODE  SYS   0";
  private static final String READ = "GPU0  X     NV4   PIX   SYS   0";
  private static final String SWAPPED = "GPU0  X     NV4   SYS   PIX   0";

  @TempDir Path directory;

  private Path host(List<String> rdmaNames) throws IOException {
    SyntheticHost host =
        new SyntheticHost("nics").numaNode(0, "0-3", 10, 20).numaNode(1, "4-7", 20, 10);
    host.root("pci0000:10", 0).function("0000:10:00.0", 0x030200, 0x10de, 0x2330);
    host.root("pci0000:20", 1).function("0000:20:00.0", 0x030200, 0x10de, 0x2330);
    for (int i = 0; i < 2; i++) {
      SyntheticFunction nic =
          host.root("pci0000:%d1".formatted(i + 1), i)
              .function("0000:%d1:00.0".formatted(i + 1), 0x020000, 0x15b3, 0x1021)
              .ethernet("eth" + i, 100_000);
      if (!rdmaNames.isEmpty()) {
        nic.rdma(rdmaNames.get(i), "Ethernet", "100 Gb/sec (4X EDR)");
      }
    }
    Path root = directory.resolve("host");
    host.build().expandTo(root);
    return root;
  }

  private Cli run(Path root, String matrix, @Nullable String legend) throws IOException {
    StringBuilder text = new StringBuilder(matrix);
    if (legend != null) {
      text.append("\nNIC Legend:\n\n");
      for (String line : legend.split(" ", -1)) {
        text.append("  ").append(line.replace("=", ": ")).append('\n');
      }
    }
    Path file = Files.writeString(directory.resolve("topo.txt"), text);
    return Cli.run("topology", "--root", root.toString(), "--nvidia-smi", file.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "NIC0=mlx5_0 NIC1=mlx5_1, " + READ + ", ''",
    "NIC0=mlx5_1 NIC1=mlx5_0, " + SWAPPED + ", ''",
    "NIC1=mlx5_0 NIC0=mlx5_1, " + SWAPPED + ", ''",
    "NIC0=mlx5_0 NIC1=mlx5_9, " + READ + ", NICs of the matrix that are not here: mlx5_9; left out",
    "NIC0=mlx5_bond_0 NIC1=mlx5_1, " + OWN + ", not here: mlx5_bond_0; left out"
  })
  void aLegendNamesTheNics(String legend, String row, String warning) throws IOException {
    Cli cli = run(host(List.of("mlx5_0", "mlx5_1")), MATRIX, legend);

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out().lines()).contains(row);
    assertThat(cli.err()).contains(warning.strip());
    assertThat(cli.err().isEmpty()).isEqualTo(warning.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "NIC0=rdmap79s0 NIC1=rdmap80s0, 'rdmap79s0, rdmap80s0'",
    "NIC0=mlx5_8 NIC1=mlx5_9, 'mlx5_8, mlx5_9'",
    "NIC0=irdma0 NIC1=irdma1, 'irdma0, irdma1'"
  })
  void namesThatThisHostDoesNotHaveAreAnotherMachine(String legend, String names)
      throws IOException {
    Cli cli = run(host(List.of("mlx5_0", "mlx5_1")), MATRIX, legend);

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err())
        .contains(
            "topo.txt: it is about another machine: its NICs are "
                + names
                + ", the NICs here are mlx5_0, mlx5_1; use --no-host to show only the file");
  }

  /** A capture without RDMA devices, or a host whose drivers are not loaded. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "none, '2 NICs without a NIC legend, whose order is not known; left out'",
        "NIC0=mlx5_0 NIC1=mlx5_1, 'NICs of the matrix that are not here: mlx5_0, mlx5_1; left out'",
        "NIC0=rdmap79s0, 'NICs of the matrix that are not here: rdmap79s0; left out'"
      })
  void nicsOfAHostWithoutRdmaNamesAreNeverMatchedByPosition(String legend, String warning)
      throws IOException {
    Cli cli = run(host(List.of()), MATRIX, legend);

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out().lines()).contains(OWN);
    assertThat(cli.err()).contains("warning: ", warning);
  }

  @ParameterizedTest
  @CsvSource({
    "mlx5_0, mlx5_1, " + READ,
    "mlx5_1, mlx5_0, " + SWAPPED,
    "rocep0, rocep1, " + OWN // of which the matrix names none
  })
  void rowsThatAreNamesNeedNoLegend(String first, String second, String row) throws IOException {
    boolean known = !first.startsWith("rocep");
    String matrix = MATRIX.replace("NIC0", first).replace("NIC1", second);

    Cli cli = run(host(List.of("mlx5_0", "mlx5_1")), matrix, null);

    if (known) {
      assertThat(cli.code()).as(cli.err()).isZero();
      assertThat(cli.out().lines()).contains(row);
    } else {
      assertThat(cli.code()).isEqualTo(2);
      assertThat(cli.err()).contains("it is about another machine: its NICs are rocep0, rocep1");
    }
  }

  /** Each host of a file of several has the numbers of its NUMA nodes and addresses for itself. */
  @ParameterizedTest
  @CsvSource({"0xaa, 0xbb, 2", "0xAA, 0xbb, 2", "0xaa, 0x1, 2", "0xaa, 0xaa, 0", "'', '', 0"})
  void ofTwoHostsInOneNcclFileOneIsRead(String first, String second, int hosts) throws IOException {
    String cpu =
        """
          <cpu %s numaid="%d"><pci busid="%s" class="0x030200"><gpu>
            <nvlink target="fffffff:ff:ff.0" count="18" tclass="0x068000"/>
          </gpu></pci></cpu>
        """;
    StringBuilder text = new StringBuilder("<system version=\"1\">\n");
    int node = 0;
    for (String host : List.of(first, second)) {
      for (int i = 0; i < 2; i++) {
        String address =
            hosts == 0 ? "0000:0%d:00.0".formatted(++node) : "0000:0%d:00.0".formatted(i + 1);
        int numaNode = hosts == 0 ? node - 1 : i;
        text.append(
            cpu.formatted(host.isEmpty() ? "" : "host_hash=\"" + host + "\"", numaNode, address));
      }
    }
    Path file = Files.writeString(directory.resolve("two.xml"), text.append("</system>\n"));

    Cli cli = Cli.run("topology", "--no-host", "--nccl-xml", file.toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("NV18").doesNotContain("NV36");
    assertThat(cli.out().lines().filter(line -> line.matches("GPU\\d+ .*")))
        .hasSize(hosts == 0 ? 4 : 2);
    if (hosts == 2) {
      assertThat(cli.err())
          .contains("two.xml: has 2 hosts; only the first one is read, with host_hash '0xaa'");
    } else {
      assertThat(cli.err()).isEmpty();
    }
  }
}
