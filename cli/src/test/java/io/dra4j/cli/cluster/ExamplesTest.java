package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example gives the devices that are expected of it, and is listed with its machine. */
public class ExamplesTest {

  private static final Path DIRECTORY = Path.of("../examples");

  /**
   * The devices of pods: {@code pod node devices...}, with the devices in the order of the answer.
   */
  private static final Map<String, List<String>> EXPECTED =
      Map.of(
          "one-pair-of-eight.yaml",
          List.of("inference hgx-0 gpu-0 nic-0"),
          "gke-a4-aligned.yaml",
          List.of(
              "nccl-test-0 a4-0 gpu-0 gpu-1 gpu0rdma0 gpu1rdma0",
              "nccl-test-1 a4-1 gpu-0 gpu-1 gpu0rdma0 gpu1rdma0"),
          "eight-roots-pairwise.yaml",
          List.of("training hgx-0 gpu-0 nic-0 gpu-1 nic-1 gpu-2 nic-2 gpu-3 nic-3"),
          "nd-h100-v5-numa.yaml",
          List.of(
              "aligned nd-h100-v5-0 gpu-0 gpu-1 gpu-2 gpu-3"
                  + " pci-0101-00-00-0 pci-0102-00-00-0 pci-0103-00-00-0 pci-0104-00-00-0",
              "unaligned nd-h100-v5-1 gpu-0 gpu-1 gpu-2 gpu-3"
                  + " pci-0105-00-00-0 pci-0106-00-00-0 pci-0107-00-00-0 pci-0108-00-00-0"),
          "two-nodes-scale-out.yaml",
          List.of(
              "first-0 server-0 gpu-0 gpu-1 gpu-2 gpu-3 gpu-4 gpu-5"
                  + " nic-0 nic-1 nic-2 nic-3 nic-4 nic-5",
              "second-0 server-1 gpu-0 gpu-1 gpu-2 gpu-3 gpu-4 gpu-5"
                  + " nic-0 nic-1 nic-2 nic-3 nic-4 nic-5",
              "third-0 server-0 gpu-6 gpu-7 nic-6 nic-7",
              "third-1 server-1 gpu-6 gpu-7 nic-6 nic-7"),
          "gpus-without-nics.yaml",
          List.of(
              "training-0 server-0 gpu-0 gpu-1 gpu-2 gpu-3 gpu-4 gpu-5 gpu-6 gpu-7",
              "training-1 server-1 gpu-0 gpu-1 gpu-2 gpu-3 gpu-4 gpu-5 gpu-6 gpu-7"),
          "aws-p4d-efa.yaml",
          List.of(
              "training-0 p4d-0 gpu-0 gpu-1 pci-0000-10-1b-0",
              "training-1 p4d-0 gpu-2 gpu-3 pci-0000-20-1b-0",
              "training-2 p4d-0 gpu-4 gpu-5 pci-0000-90-1b-0",
              "training-3 p4d-0 gpu-6 gpu-7 pci-0000-a0-1b-0"),
          "azure-mi300x-nics.yaml",
          List.of(
              "rank-0 mi300x-0"
                  + " pci-0101-00-00-0 pci-0102-00-00-0 pci-0103-00-00-0 pci-0104-00-00-0",
              "rank-1 mi300x-0"
                  + " pci-0105-00-00-0 pci-0106-00-00-0 pci-0107-00-00-0 pci-0108-00-00-0"),
          "oci-gb200-numa.yaml",
          List.of(
              "rank-0 gb200-0 gpu-0 gpu-1"
                  + " pci-0000-03-00-0 pci-0000-03-00-1 pci-0002-03-00-0 pci-0002-03-00-1",
              "rank-1 gb200-0 gpu-2 gpu-3"
                  + " pci-0010-03-00-0 pci-0010-03-00-1 pci-0012-03-00-0 pci-0012-03-00-1"),
          "azure-gb300-numa.yaml",
          List.of(
              "rank-0 gb300-0 gpu-0 gpu-1 pci-0101-00-00-0 pci-0102-00-00-0",
              "rank-1 gb300-0 gpu-2 gpu-3 pci-0103-00-00-0 pci-0104-00-00-0"));

  private static final String NO_PATH =
      "dra4j: warning: the 2 pods of default/training request GPUs (class gpu.nvidia.com) but"
          + " no NIC, although the cluster has NICs to allocate: they can communicate only over the"
          + " pod network";

  /** Returns the expected devices of the pods of an example. */
  public static List<String> expected(String example) {
    return Objects.requireNonNull(EXPECTED.get(example), example);
  }

  /** Returns the devices of pods in the printed table, in the same notation. */
  public static List<String> answers(Cli cli) {
    assertThat(cli.code()).as(cli.err()).isZero();
    Map<String, StringBuilder> pods = new LinkedHashMap<>();
    cli.out()
        .lines()
        .dropWhile(line -> !line.startsWith("POD "))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .map(line -> line.split(" +"))
        .forEach(
            cells ->
                pods.computeIfAbsent(
                        cells[0].replace("default/", "") + " " + cells[1],
                        pod -> new StringBuilder(pod))
                    .append(' ')
                    .append(cells[4].replaceFirst("^.*/", "")));
    return pods.values().stream().map(StringBuilder::toString).toList();
  }

  private static Stream<String> files(String... endings) throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> List.of(endings).stream().anyMatch(name::endsWith))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static Stream<String> clusters() throws IOException {
    return files(".yaml");
  }

  private static Cli allocate(String example) {
    return Cli.run("allocate", DIRECTORY.resolve(example).toString());
  }

  @ParameterizedTest
  @MethodSource("clusters")
  void podsGetTheDevicesThatAreExpected(String example) {
    Cli cli = allocate(example);

    assertThat(answers(cli)).isEqualTo(expected(example));
    assertThat(cli.errLines())
        .isEqualTo(example.equals("gpus-without-nics.yaml") ? List.of(NO_PATH) : List.of());
  }

  @ParameterizedTest
  @MethodSource("clusters")
  void theApiServerWouldTakeEach(String example) {
    Cli cli = Cli.run("validate", DIRECTORY.resolve(example).toString());

    assertThat(cli.code()).as(cli.out()).isZero();
  }

  @ParameterizedTest
  @MethodSource("clusters")
  void itBeginsWithTheCommandThatRunsIt(String example) throws IOException {
    assertThat(Files.readAllLines(DIRECTORY.resolve(example)))
        .contains("#   ./dra4j allocate examples/" + example);
  }

  private static String with(String example, String old, String replacement) throws IOException {
    String text = Files.readString(DIRECTORY.resolve(example));
    assertThat(text).contains(old);
    return text.replace(old, replacement);
  }

  @Test
  void aSmallJobLeavesSevenWholePairs() throws IOException {
    String alone = "kind: Pod\nmetadata:\n  name: inference\n";
    String eight = with("one-pair-of-eight.yaml", alone, alone);
    String pod = eight.substring(eight.lastIndexOf("---\n"));
    StringBuilder cluster = new StringBuilder(eight);
    List<String> wanted = new ArrayList<>(List.of("inference hgx-0 gpu-0 nic-0"));
    for (int i = 1; i < 8; i++) {
      cluster.append(pod.replace("name: inference\n", "name: more-" + i + "\n"));
      wanted.add("more-%1$d hgx-0 gpu-%1$d nic-%1$d".formatted(i));
    }

    assertThat(answers(Cli.runWith(cluster.toString(), "allocate", "-"))).isEqualTo(wanted);
  }

  @Test
  void withoutItsConstraintTheSmallJobBreaksTwoPairs() throws IOException {
    String unaligned =
        with(
            "one-pair-of-eight.yaml",
            "      constraints:\n      - matchAttribute: resource.kubernetes.io/pcieRoot\n",
            "");

    assertThat(answers(Cli.runWith(unaligned, "allocate", "-")))
        .containsExactly("inference hgx-0 gpu-0 nic-7");
  }

  @Test
  void twoPairsOnOneRootDoNotFitAServerOfEightRoots() throws IOException {
    String oneRoot =
        with(
            "eight-roots-pairwise.yaml",
            "resourceClaimTemplateName: four-pairs",
            "resourceClaimTemplateName: one-root");

    Cli cli = Cli.runWith(oneRoot, "allocate", "-");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out()).contains("default/training: ").contains("pcieRoot");
  }

  @Test
  void noServerHasRoomForFourMoreGpus() throws IOException {
    String four = with("two-nodes-scale-out.yaml", "          count: 2\n", "          count: 4\n");

    assertThat(Cli.runWith(four, "allocate", "-").code()).isEqualTo(1);
  }

  @Test
  void theTwinOfTheOtherNumaNodeIsSlower() {
    List<String> scores =
        allocate("nd-h100-v5-numa.yaml")
            .out()
            .lines()
            .filter(line -> line.matches("default/(un)?aligned +\\d.*"))
            .map(line -> line.replaceAll(" +", " "))
            .toList();

    assertThat(scores)
        .satisfiesExactly(
            aligned -> assertThat(aligned).startsWith("default/aligned 160 160 4 NUMA_NODE "),
            unaligned -> assertThat(unaligned).startsWith("default/unaligned 22 160 4 SYSTEM "));
  }

  @Test
  void allAreListedWithTheirMachines() throws IOException {
    Cli cli = Cli.run("examples");

    assertThat(cli.code()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines.stream().filter(line -> line.matches("\\S+")))
        .containsExactlyInAnyOrderElementsOf(files(".yaml", ".nccl.xml").toList());
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).matches("\\S+")) {
        assertThat(lines.get(i + 1)).startsWith("  Machine: ");
      }
    }
    assertThat(lines).allMatch(line -> line.startsWith("  $ ") || line.length() <= 100);
  }

  @ParameterizedTest
  @MethodSource("clusters")
  void oneIsPrintedAsItIs(String example) throws IOException {
    String text = Files.readString(DIRECTORY.resolve(example));

    assertThat(Cli.run("examples", example).out()).isEqualTo(text);
    assertThat(Cli.run("examples", example.replace(".yaml", "")).out()).isEqualTo(text);
  }

  @Test
  void aNameThatIsNotThereIsRefusedWithThoseThatAre() {
    Cli near = Cli.run("examples", "gke-a4");
    Cli far = Cli.run("examples", "\u001b[2J");

    assertThat(near.code()).isEqualTo(2);
    assertThat(near.errLines().get(0))
        .isEqualTo("dra4j: no example 'gke-a4'; did you mean gke-a4-aligned.yaml?");
    assertThat(far.code()).isEqualTo(2);
    assertThat(far.err()).contains("examples: one-pair-of-eight.yaml, ").doesNotContain("\u001b");
  }
}
