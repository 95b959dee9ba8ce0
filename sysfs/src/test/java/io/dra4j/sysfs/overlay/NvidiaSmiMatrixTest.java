package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.PathType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
    assertThat(matrix.rows().get(0).links()).containsEntry("GPU1", 18);
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

  private static final String PLAIN =
      """
      \tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID
      GPU0\t X \tNV4\tPIX\tSYS\t0-7,16-23\t0\t\tN/A
      GPU1\tNV4\t X \tSYS\tPXB\t8-15\t1\t\tN/A
      NIC0\tPIX\tSYS\t X \tSYS
      NIC1\tSYS\tPXB\tSYS\t X\s

      Legend:

        X    = Self
        SYS  = Connection traversing PCIe

      NIC Legend:

        NIC0: mlx5_0
        NIC1: mlx5_3
      """;

  /** The same matrix, as it is passed on. */
  static Map<String, String> copies() {
    Map<String, String> copies = new LinkedHashMap<>();
    copies.put("one blank", PLAIN.replaceAll("[\t ]+", " "));
    copies.put("aligned with blanks", PLAIN.replace("\t", "   "));
    copies.put("quoted in a mail", PLAIN.replaceAll("(?m)^", "> "));
    copies.put("quoted twice", PLAIN.replaceAll("(?m)^", "> > "));
    copies.put(
        "a glued header", PLAIN.replace("GPU0\tGPU1\tNIC0\tNIC1\tCPU", "GPU0GPU1\tNIC0NIC1CPU"));
    copies.put("a glued row", PLAIN.replace("NV4\tPIX\tSYS", "NV4PIX\tSYS"));
    copies.put(
        "without tabs in a row", PLAIN.replace("NIC1\tSYS\tPXB\tSYS\t X ", "NIC1SYSPXBSYSX"));
    copies.put("the older word for SYS", PLAIN.replace("\tSYS", "\tSOC"));
    copies.put("Markdown", markdown(false));
    copies.put("Markdown with emphasis", markdown(true));
    copies.put(
        "a wrapped legend", PLAIN.replace("traversing PCIe", "traversing\nPCIe and\nNUMA nodes"));
    copies.put("broken rows", PLAIN.replace("PIX\tSYS\t0", "\nPIX\tSYS\t0"));
    copies.put("a broken header", PLAIN.replace("NIC1\tCPU", "\nNIC1\tCPU"));
    copies.put("the legend in one line", PLAIN.replace("mlx5_0\n  NIC1", "mlx5_0, NIC1"));
    copies.put("a second table", PLAIN + "\n\tGPU0\tGPU1\nGPU0\tX\tNS\nGPU1\tNS\tX\n");
    copies.put("a prompt", "$ nvidia-smi topo -m\n```text\n" + PLAIN + "```\n");
    copies.put("colours", PLAIN.replace("GPU0\tGPU1", "\u001b[4mGPU0\u001b[0m\tGPU1"));
    copies.put(
        "colours of other terminals", PLAIN.replace("GPU0", "\u001b[1;31mGPU0\u001b(B\u001b[m"));
    copies.put("colours whose escape was lost", PLAIN.replace("GPU0\tGPU1", "[4mGPU0[0m\tGPU1"));
    copies.put("colours as two characters", PLAIN.replace("GPU0\tGPU1", "^[[4mGPU0^[[0m\tGPU1"));
    copies.put("characters without width", PLAIN.replace("\t", "\t\u200b"));
    copies.put(
        "another machine behind it",
        PLAIN + "\nserver-2:\n" + PLAIN.replace("mlx5_3", "mlx5_7").replace("PIX", "PHB"));
    copies.put("returns", PLAIN.replace("\n", "\r\n"));
    copies.put("returns alone", PLAIN.replace("\n", "\r"));
    copies.put("small letters", PLAIN.toLowerCase(Locale.ROOT));
    copies.put("a header in small letters", PLAIN.replaceFirst("GPU0\tGPU1", "gpu0\tgpu1"));
    copies.put("a bar before each line", PLAIN.replaceAll("(?m)^", "| "));
    copies.put("quote marks of HTML", PLAIN.replaceAll("(?m)^", "&gt; "));
    copies.put("a log of a pod", PLAIN.replaceAll("(?m)^", "[pod/nccl-0/main] "));
    copies.put("a log with times", PLAIN.replaceAll("(?m)^", "2026-01-31T12:00:00.123456789Z "));
    copies.put("blanks of HTML", PLAIN.replace("\t", "\u00a0\u00a0"));
    copies.put("empty lines between rows", PLAIN.replace("\n", "\n\n"));
    copies.put("blanks at the ends of lines", PLAIN.replace("\n", "   \n"));
    copies.put("a page of HTML", "<pre>\n" + PLAIN + "</pre>\n");
    copies.put("words around it", "We see this on node 7:\n\n" + PLAIN + "\nThanks, Ann\n");
    copies.put("a byte order mark", "\uFEFF" + PLAIN);
    copies.put("bars without rules", barred(PLAIN));
    copies.put("commas", separated(PLAIN, ","));
    copies.put("semicolons", separated(PLAIN, ";"));
    copies.put("without the last column", PLAIN.replaceAll("\t(GPU NUMA ID|\tN/A)", ""));
    return copies;
  }

  /** The table with empty cells where nvidia-smi leaves them. */
  private static String barred(String text) {
    return text.lines()
        .map(line -> line.contains("\t") ? "|" + line.replace('\t', '|') + "|" : line)
        .collect(Collectors.joining("\n"));
  }

  private static String separated(String text, String separator) {
    return text.replace("0-7,16-23", "\"0-7,16-23\"").replace("\t", separator);
  }

  private static String markdown(boolean emphasis) {
    StringBuilder table = new StringBuilder();
    for (String line : PLAIN.lines().limit(5).toList()) {
      String cells = line.replaceAll("\t\t+", "\t").replaceAll(" *\t *", " | ");
      table.append("| ").append(cells).append(" |\n");
      if (line.startsWith("\t")) {
        table.append("|---|:---:|---|---|---|---|---|---|\n");
      }
    }
    String text =
        emphasis
            ? table.toString().replace("PIX", "**PIX**").replace("GPU0", "`GPU0`")
            : table.toString();
    return text + "\n| NIC0 | mlx5_0 |\n| NIC1 | mlx5_3 |\n";
  }

  @ParameterizedTest
  @MethodSource
  void aCopyIsReadAsTheOriginal(String how, String text) throws Exception {
    assertThat(read(text).rows()).as(how + ":\n" + text).isEqualTo(read(PLAIN).rows());
  }

  static Stream<Arguments> aCopyIsReadAsTheOriginal() {
    return copies().entrySet().stream().map(copy -> Arguments.of(copy.getKey(), copy.getValue()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void whatPowerShellWritesIsRead(String charset) throws Exception {
    byte[] bytes = ("\uFEFF" + PLAIN).getBytes(Charset.forName(charset));

    assertThat(NvidiaSmiMatrix.read(new ByteArrayInputStream(bytes), "topo.txt").rows())
        .isEqualTo(read(PLAIN).rows());
  }

  @Test
  void nicsOfTwoDigitsAndSwitchesOfNvLinkAreRows() throws Exception {
    StringBuilder table = new StringBuilder("\tGPU0\tNVSwitch0");
    for (int i = 0; i < 18; i++) {
      table.append("\tNIC").append(i);
    }
    table.append("\tCPU Affinity\nGPU0\t X \tSYS").append("\tNODE".repeat(17)).append("\tPIX");
    table.append("\t0-3\nNVSwitch0\tSYS\t X ").append("\tSYS".repeat(18)).append('\n');

    MatrixOverlay matrix = read(table.toString());

    assertThat(matrix.rows()).hasSize(19); // a switch is no end of a path
    assertThat(matrix.rows().get(0).paths())
        .doesNotContainKey("NVSwitch0")
        .containsEntry("NIC1", PathType.NUMA_NODE)
        .containsEntry("NIC17", PathType.SWITCH);
  }

  @Test
  void theOriginalHasPathsNumaNodesAndNames() throws Exception {
    MatrixOverlay matrix = read(PLAIN);

    assertThat(matrix.rows())
        .extracting(MatrixOverlay.Row::name)
        .containsExactly("GPU0", "GPU1", "mlx5_0", "mlx5_3");
    assertThat(matrix.rows().get(1).numaNode()).hasValue(1);
    assertThat(matrix.rows().get(1).links()).containsOnly(Map.entry("GPU0", 4));
    assertThat(matrix.rows().get(1).paths())
        .containsOnly(Map.entry("NIC0", PathType.SYSTEM), Map.entry("NIC1", PathType.MULTI_SWITCH));
  }

  @Test
  void cellsWithCommasCanBeQuoted() throws Exception {
    MatrixOverlay matrix =
        read(
            """
            ,GPU0,GPU1,CPU Affinity,NUMA Affinity
            GPU0,X,NODE,"0-7,16-23",1
            GPU1,NODE,X,"0-7,16-23",1
            """);

    assertThat(matrix.rows()).allSatisfy(row -> assertThat(row.numaNode()).hasValue(1));
  }

  @Test
  void theLegendOfAnotherMachineNamesNoNic() throws Exception {
    String matrix = "\tGPU0\tNIC0\nGPU0\tX\tPHB\nNIC0\tPHB\tX\n";

    assertThat(read(matrix + "\n" + matrix + "\nNIC Legend:\n\n  NIC0: mlx5_7\n").rows())
        .extracting(MatrixOverlay.Row::name)
        .containsExactly("GPU0", "NIC0");
  }

  @Test
  void switchesOfNvLinksAreNoDevices() throws Exception {
    MatrixOverlay matrix =
        read(
            """
            \tGPU0\tGPU1\tNVSwitch0\tmlx5_0
            GPU0\t X \tNV12\tNV2\tPXB
            GPU1\tNV12\t X \tNV2\tNODE
            NVSwitch0\tNV2\tNV2\t X \tNODE
            mlx5_0\tPXB\tNODE\tNODE\t X\s
            """);

    assertThat(matrix.rows())
        .extracting(MatrixOverlay.Row::label)
        .containsExactly("GPU0", "GPU1", "mlx5_0");
    assertThat(matrix.rows().get(0).links()).containsOnlyKeys("GPU1");
    assertThat(matrix.rows().get(2).paths()).containsOnlyKeys("GPU0", "GPU1");
  }

  @Test
  void rowsOfNicsCanBeMissingBeforeALegend() throws Exception {
    MatrixOverlay matrix = read("\tGPU0\tNIC0\nGPU0\tX\tPHB\n\nLegend:\n  X = Self\n");

    assertThat(matrix.rows()).extracting(MatrixOverlay.Row::label).containsExactly("GPU0", "NIC0");
    assertThat(matrix.rows().get(0).paths()).containsEntry("NIC0", PathType.HOST_BRIDGE);
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

  /** Cells that are more than the header has are a list of CPUs that was broken. */
  @Test
  void aListOfCpusThatIsSeveralCellsMovesNoNumaNode() throws Exception {
    MatrixOverlay matrix =
        read(
            """
            ,GPU0,GPU1,CPU Affinity,NUMA Affinity
            GPU0,X,PIX,0,2,4,1
            GPU1,PIX,X,0-4,1
            """);

    assertThat(matrix.rows().get(0).numaNode()).isEmpty();
    assertThat(matrix.rows().get(1).numaNode()).hasValue(1);
  }

  @Test
  void underscoresThatMarkdownEscapesAreUnderscores() throws Exception {
    MatrixOverlay matrix =
        read(
            """
            | | GPU0 | mlx5\\_0 |
            |---|---|---|
            | GPU0 | X | PIX |
            | mlx5\\_0 | PIX | X |
            """);

    assertThat(matrix.rows()).hasSize(2);
  }

  @Test
  void aHeaderThatNeverEndsIsRefused() {
    String header = "\tGPU0\n" + "GPU1\n".repeat(100_000);

    assertThatThrownBy(() -> read(header)).isInstanceOf(OverlayException.class);
  }
}
