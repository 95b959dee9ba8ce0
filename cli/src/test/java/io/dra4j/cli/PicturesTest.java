package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.SyntheticHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Draws all captures, including captures outside the project, into {@code target/pictures}, where
 * {@code e2e/pictures/check} checks them in a browser.
 */
@Tag("exhaustive")
class PicturesTest {

  private static final Path DRAWN = Path.of("target/pictures");

  private static final Path DATA =
      Path.of(Objects.requireNonNullElse(System.getenv("DRA4J_SHARED"), "../../shared"))
          .resolve("data");

  /** Laying a host out takes longer than drawing it. */
  private static final Map<String, String> DRAWN_HOSTS = new ConcurrentHashMap<>();

  @TempDir Path directory;

  private final Map<String, String> pictures = new LinkedHashMap<>();

  private String draw(String name, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("topology", "-o", "svg"));
    args.addAll(List.of(options));
    Cli cli = Cli.run(args.toArray(String[]::new));
    assertThat(cli.code()).as(name + ": " + cli.err()).isZero();
    Files.createDirectories(DRAWN);
    Files.writeString(DRAWN.resolve(name + ".svg"), cli.out());
    pictures.put(name, cli.out());
    return cli.out();
  }

  private String draw(CapturedHost host) throws IOException {
    String name = host.name().replaceFirst("^.*/", "").replace(".tar.gz", "");
    String drawn = DRAWN_HOSTS.get(name);
    if (drawn == null) {
      Path root = Files.createDirectory(directory.resolve(name));
      host.expandTo(root);
      drawn = draw(name, "--root", root.toString());
      DRAWN_HOSTS.put(name, drawn);
    }
    pictures.put(name, drawn);
    return drawn;
  }

  private static List<Path> published(String directory, String ending) throws IOException {
    if (!Files.isDirectory(DATA.resolve(directory))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(DATA.resolve(directory))) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  @Test
  void everyCaptureIsDrawn() throws IOException {
    for (CapturedHost host : SyntheticHosts.all()) {
      draw(host);
    }
    for (String name : CapturedHost.names()) {
      draw(CapturedHost.named(name));
    }
    for (Path archive : published("topology/sysfs", ".tar.gz")) {
      draw(CapturedHost.readTarGz(archive));
    }
    for (Path file : published("topology/nccl-xml", ".xml")) {
      draw("nccl-" + file.getFileName(), "--no-host", "--nccl-xml", file.toString());
    }
    for (Path file : published("topology/hwloc-xml", ".xml")) {
      draw("hwloc-" + file.getFileName(), "--no-host", "--hwloc-xml", file.toString());
    }
    for (String machine : List.of("aws-p4d", "azure-gb300", "oci-gb200")) {
      List<String> files = new ArrayList<>();
      for (Path file : published("resourceslices", ".json")) {
        if (file.getFileName().toString().startsWith(machine)) {
          files.addAll(List.of("--slices", file.toString()));
        }
      }
      if (!files.isEmpty()) {
        draw("slices-" + machine, files.toArray(String[]::new));
      }
    }

    assertThat(pictures).hasSizeGreaterThanOrEqualTo(13);
    assertThat(pictures.values()).allSatisfy(svg -> assertThat(SvgTexts.in(svg)).isNotEmpty());
  }

  private Path nccl(String gpus) throws IOException {
    return Files.writeString(
        directory.resolve("links.xml"),
        "<system version=\"1\"><cpu numaid=\"0\">" + gpus + "</cpu></system>");
  }

  private static String gpu(int bus, String links) {
    return "<pci busid=\"0000:%02x:00.0\" class=\"0x030200\"><gpu dev=\"%d\">%s</gpu></pci>"
        .formatted(bus, bus, links);
  }

  private static String link(String kind, int bus, int count) {
    return "<%s target=\"0000:%02x:00.0\" count=\"%d\" tclass=\"0x030200\"/>"
        .formatted(kind, bus, count);
  }

  private static long lines(String svg) {
    return svg.lines().filter(line -> line.contains("class=\"link-line\"")).count();
  }

  @Test
  void whatIsJoinedAlikeHangsOnABar() throws IOException {
    String svg =
        draw(
            "test-bar",
            "--no-host",
            "--nccl-xml",
            nccl(gpu(1, link("nvlink", 2, 4) + link("nvlink", 3, 4))
                    + gpu(2, link("nvlink", 3, 4))
                    + gpu(3, ""))
                .toString());

    assertThat(SvgTexts.in(svg)).contains("NVLink GPU0-2: NV4 between any two");
    assertThat(lines(svg)).as("a bar of one row, its left end, and three taps").isEqualTo(5);
  }

  @Test
  void anUnevenMeshIsACircleWithAThicknessForEachCount() throws IOException {
    String svg =
        draw(
            "test-circle",
            "--no-host",
            "--nccl-xml",
            nccl(gpu(1, link("xgmi", 2, 4) + link("xgmi", 3, 1))
                    + gpu(2, link("xgmi", 4, 1))
                    + gpu(3, link("xgmi", 4, 4))
                    + gpu(4, ""))
                .toString());

    assertThat(SvgTexts.in(svg)).contains("XGMI GPU0-3: 4 of 6 pairs", "XGMI1", "XGMI4");
    assertThat(lines(svg)).as("four pairs, and two lines of the legend").isEqualTo(6);
  }

  @Test
  void pairsOfTheirOwnHavePanelsOfTheirOwn() throws IOException {
    String svg =
        draw(
            "test-pairs",
            "--no-host",
            "--nccl-xml",
            nccl(gpu(1, link("nvlink", 2, 12))
                    + gpu(2, "")
                    + gpu(3, link("nvlink", 4, 12))
                    + gpu(4, ""))
                .toString());

    assertThat(SvgTexts.in(svg))
        .contains("NVLink GPU0-1: NV12 between both", "NVLink GPU2-3: NV12 between both");
  }

  @Test
  void c2cJoinsAGpuAndItsProcessor() throws IOException {
    String svg =
        draw(
            "test-c2c",
            "--no-host",
            "--nccl-xml",
            nccl(gpu(1, "<c2c bw=\"44712\" count=\"10\"/>")).toString());

    assertThat(SvgTexts.in(svg)).contains("NVLink-C2C GPU0: to the processor, C2C10", "NUMA 0");
    assertThat(lines(svg)).isEqualTo(1);
  }

  private static List<String> legend(String svg) {
    return SvgTexts.in(svg).stream()
        .filter(text -> text.matches("(PIX|PXB|PHB|NODE|PHB.NODE): .*"))
        .toList();
  }

  @Test
  void theLegendNamesEachLevelTheNearestFirst() throws IOException {
    String nic = "<pci busid=\"0000:%02x:00.0\" class=\"0x020700\"/>";
    Path file =
        nccl(
            "<pci busid=\"ffff:ff:01.0\" class=\"0x060400\">"
                + "<pci busid=\"ffff:ff:02.0\" class=\"0x060400\">"
                + gpu(9, "")
                + nic.formatted(10)
                + "</pci></pci><pci busid=\"ffff:ff:03.0\" class=\"0x060400\">"
                + "<pci busid=\"ffff:ff:04.0\" class=\"0x060400\">"
                + gpu(11, "")
                + "</pci>"
                + nic.formatted(12)
                + "</pci>"
                + gpu(13, ""));

    String svg = draw("test-levels", "--no-host", "--nccl-xml", file.toString());

    assertThat(legend(svg))
        .containsExactly(
            "PIX: through one PCIe switch, or on one card",
            "PXB: through several PCIe switches, not the host bridge",
            "PHB|NODE: within one NUMA node, through one host bridge or several");
    assertThat(SvgTexts.in(svg)).contains("GPU0 NIC0", "GPU1 NIC1", "GPU2, beside A B");
    assertThat(legend(draw(SyntheticHosts.p4d())))
        .containsExactly("PHB: through one PCIe host bridge");
    assertThat(legend(draw(SyntheticHosts.ndH100v5())))
        .containsExactly("NODE: through several host bridges of one NUMA node");
  }

  @Test
  void bridgesThatAreNotDrawnAreCounted() throws IOException {
    String svg = draw(SyntheticHosts.gb200());

    assertThat(SvgTexts.in(svg))
        .anyMatch(
            text -> text.matches("\\d+ bridges with only one element below them are not drawn; .*"))
        .anyMatch(text -> text.endsWith("+2 bridges") || text.endsWith("+1 bridge"));
    assertThat(SvgTexts.in(draw(SyntheticHosts.ndH100v5())))
        .noneMatch(text -> text.contains("bridge "));
  }

  @Test
  void aFileOfAnotherMachineAloneNeedsNoRoot() {
    String file = "../examples/nd-h100-v5.nccl.xml";

    Cli cli = Cli.run("topology", "--nccl-xml", file, "-o", "svg");

    assertThat(cli.code()).isZero();
    assertThat(cli.err())
        .isEqualTo(
            "dra4j: warning: none of the 16 devices of %s is on this host: showing only the"
                    .formatted(file)
                + " recorded devices\n");
    assertThat(cli.out())
        .isEqualTo(Cli.run("topology", "--no-host", "--nccl-xml", file, "-o", "svg").out());
  }
}
