package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.Host;
import io.dra4j.spi.PciFunction;
import io.dra4j.sysfs.SysfsReader;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.SyntheticHosts;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Topologies of real servers with the readings of others, which lie beside the project. */
class PublishedTopologiesTest {

  private static final Path DATA =
      Path.of(Objects.requireNonNullElse(System.getenv("DRA4J_SHARED"), "../../shared"))
          .resolve("data/topology");

  private static List<Path> files(String directory, String ending) throws IOException {
    Path path = DATA.resolve(directory);
    assumeTrue(Files.isDirectory(path), () -> "no topologies in " + path.toAbsolutePath());
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static Path beside(Path file, String ending, String other) {
    return Path.of(file.toString().replace(".format3", "").replace(ending, other));
  }

  /** The rows of a table with commas by the names of its columns. */
  private static List<Map<String, String>> table(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String[] header = lines.get(0).split(",", -1);
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < header.length; i++) {
        row.put(header[i], cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }

  private static String get(Map<String, String> row, String column) {
    return Objects.requireNonNull(row.get(column), column);
  }

  private static List<String> words(String cell, String separator) {
    return cell.isEmpty() ? List.of() : List.of(cell.split(separator, -1));
  }

  private static List<String> texts(List<PciAddress> addresses) {
    return addresses.stream().map(PciAddress::toString).toList();
  }

  private static void assertPaths(HostTopology host, Path pairs, String column) throws IOException {
    List<Map<String, String>> rows = table(pairs);
    Set<Set<String>> expected = new HashSet<>();
    for (Map<String, String> row : rows) {
      String a = get(row, "a");
      String b = get(row, "b");
      expected.add(Set.of(a, b));
      assertThat(host.path(a, b)).as("%s: %s %s", pairs, a, b).hasToString(get(row, column));
    }
    Set<Set<String>> ours = new HashSet<>();
    // The files have the paths of display functions, too, as dra4j topology -o json does.
    List<TopologyDevice> endpoints =
        host.devices().stream()
            .filter(device -> device.kind().isEndpoint() || device.kind() == DeviceKind.DISPLAY)
            .toList();
    for (int i = 0; i < endpoints.size(); i++) {
      for (int j = i + 1; j < endpoints.size(); j++) {
        ours.add(Set.of(endpoints.get(i).id(), endpoints.get(j).id()));
      }
    }
    assertThat(ours).as(pairs.toString()).isEqualTo(expected);
  }

  @Test
  void capturedHostsAreReadAsTheirExpectedFilesSay() throws Exception {
    for (Path archive : files("sysfs", ".tar.gz")) {
      HostTopology host;
      Map<String, PciFunction> functions = new LinkedHashMap<>();
      try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
        Path root = memory.getPath("/host");
        CapturedHost.readTarGz(archive).expandTo(root);
        var inventory = SysfsReader.read(Host.captured(root));
        inventory.pciFunctions().forEach(f -> functions.put(f.address().toString(), f));
        host = inventory.topology().build();
      }
      List<Map<String, String>> rows = table(beside(archive, ".tar.gz", ".devices.csv"));
      assertThat(functions).as(archive.toString()).hasSameSizeAs(rows);
      for (Map<String, String> row : rows) {
        PciFunction function = Objects.requireNonNull(functions.get(get(row, "bdf")));
        assertThat(function.identity()).isNotNull();
        assertThat(
                List.of(
                    "0x%06x".formatted(function.identity().classCode()),
                    "0x%04x".formatted(function.identity().vendor()),
                    "0x%04x".formatted(function.identity().device())))
            .isEqualTo(List.of(get(row, "class"), get(row, "vendor"), get(row, "device")));
        String numaNode = get(row, "numa_node_file");
        assertThat(function.location().numaNode().orElse(-1))
            .isEqualTo(numaNode.isEmpty() ? -1 : Integer.parseInt(numaNode));
        assertThat(function.pcieRoot()).isEqualTo(get(row, "pci_root"));
        assertThat(texts(function.location().bridges()))
            .isEqualTo(words(get(row, "chain_sysfs"), ">"));
        assertThat(function.names()).isEqualTo(words(get(row, "names"), ";"));
      }
      assertPaths(host, beside(archive, ".tar.gz", ".pairs.csv"), "class");
      assertUltrametric(host);
    }
  }

  @Test
  void ncclFilesGiveThePathsOfTheirExpectedFiles() throws Exception {
    for (Path file : files("nccl-xml", ".xml")) {
      TreeOverlay overlay = readQuietly(file);
      HostTopology flattened = HostTopology.builder().overlay(overlay).build();
      HostTopology counted =
          HostTopology.builder().overlay(overlay).flattenBroadcomSwitches(false).build();
      Path pairs = beside(file, ".xml", ".pairs.csv");
      assertPaths(flattened, pairs, "class_bcm_flattened");
      assertPaths(counted, pairs, "class");
      for (Map<String, String> row : table(pairs)) {
        String link =
            flattened
                .directLink(flattened.indexOf(get(row, "a")), flattened.indexOf(get(row, "b")))
                .map(found -> found.type().label() + ":" + found.count())
                .orElse("");
        assertThat(link).isEqualTo(get(row, "gpu_link"));
      }
      assertUltrametric(flattened);
      RoundTrip.assertKeeps(flattened);
    }
  }

  private static TreeOverlay readQuietly(Path file) throws Exception {
    List<String> warnings = new ArrayList<>();
    TreeOverlay overlay = NcclXml.read(file, warnings::add);
    assertThat(warnings).isEmpty();
    return overlay;
  }

  @Test
  void hwlocExportsGiveTheDevicesAndPathsOfTheirExpectedFiles() throws Exception {
    for (Path file : files("hwloc-xml", ".xml")) {
      HostTopology host =
          HostTopology.builder()
              .overlay(HwlocXml.read(file, warning -> assertThat(warning).isEmpty()))
              .build();
      List<Map<String, String>> rows = table(beside(file, ".xml", ".devices.csv"));
      assertThat(host.devices()).as(file.toString()).hasSameSizeAs(rows);
      for (Map<String, String> row : rows) {
        TopologyDevice device = host.device(get(row, "bdf")).orElseThrow();
        assertThat(device.identity()).isNotNull();
        assertThat("%04x".formatted(device.identity().classCode() >>> 8))
            .isEqualTo(get(row, "class"));
        assertThat(texts(device.location().bridges()))
            .isEqualTo(words(get(row, "bridge_chain"), ">"));
        assertThat(device.names()).isEqualTo(words(get(row, "os_devices"), ";"));
        assertThat(device.location().numaNode().orElse(-1)).hasToString(get(row, "numa_nodes"));
      }
      assertPaths(host, beside(file, ".xml", ".pairs.csv"), "class");
      assertUltrametric(host);
    }
  }

  /** Of the paths that are known. */
  private static void assertUltrametric(HostTopology host) {
    List<TopologyDevice> endpoints = host.endpoints();
    int size = endpoints.size();
    PathType[][] paths = new PathType[size][size];
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        paths[a][b] = host.path(endpoints.get(a).id(), endpoints.get(b).id());
        assertThat(paths[a][b]).isEqualTo(host.path(endpoints.get(b).id(), endpoints.get(a).id()));
      }
    }
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        for (int c = 0; c < size; c++) {
          PathType longer = paths[a][b].isWithin(paths[b][c]) ? paths[b][c] : paths[a][b];
          if (longer != PathType.UNKNOWN) {
            assertThat(paths[a][c].isWithin(longer)).isTrue();
          }
        }
      }
    }
  }

  @Test
  void ndH100v5HasEightPairsByItsOverlay() throws Exception {
    HostTopology host =
        HostTopology.builder()
            .overlay(readQuietly(files("nccl-xml", "azure-ndv5-h100.xml").get(0)))
            .build();

    assertThat(host.groups(PathType.SWITCH))
        .hasSize(8)
        .allSatisfy(pair -> assertThat(pair).hasSize(2));
  }

  @Test
  void everyPublishedMatrixIsRead() throws Exception {
    for (Path file : files("nvidia-smi", ".csv")) {
      var matrix = NvidiaSmiMatrix.read(file);

      assertThat(matrix.rows()).hasSizeGreaterThan(7);
      assertThat(matrix.rows().get(0).links()).isNotEmpty();
    }
  }

  /** The pairs for which a published matrix says something else than the tree of such a machine. */
  private static Map<String, Integer> differences(CapturedHost machine, String matrix)
      throws Exception {
    HostTopology tree = SysfsReader.read(Host.captured(expanded(machine))).topology().build();
    HostTopology measured =
        SysfsReader.read(Host.captured(expanded(machine)))
            .topology()
            .overlay(NvidiaSmiMatrix.read(matrix(matrix)))
            .build();
    Map<String, Integer> differences = new TreeMap<>();
    int compared = 0;
    for (TopologyDevice a : measured.endpoints()) {
      for (TopologyDevice b : measured.endpoints()) {
        int i = measured.indexOf(a.id());
        int j = measured.indexOf(b.id());
        if (i < j && measured.sourcedPath(i, j).source() == TopologySource.NVIDIA_SMI) {
          compared++;
          PathType expected = tree.path(a.id(), b.id());
          if (measured.path(i, j) != expected) {
            differences.merge(expected + " is " + measured.path(i, j), 1, Integer::sum);
          }
        }
      }
    }
    assertThat(compared).isGreaterThanOrEqualTo(16);
    return differences;
  }

  private static Path expanded(CapturedHost machine) throws IOException {
    Path root = Files.createDirectory(Jimfs.newFileSystem(Configuration.unix()).getPath("/host"));
    machine.expandTo(root);
    return root;
  }

  @Test
  void publishedMatricesAgreeWithTheTrees() throws Exception {
    files("nvidia-smi", ".csv");

    assertThat(differences(SyntheticHosts.a4(), "gke-a4-8gpu-8nic")).isEmpty();
    assertThat(differences(SyntheticHosts.gb300(), "azure-gb300")).isEmpty();
  }

  /**
   * A GB200 reaches NICs through C2C and the memory of Grace, which its driver counts as crossing
   * the system even within one NUMA node. The tree does not tell; the overlay does.
   */
  @Test
  void theMatrixOfGb200IsFartherThanItsTree() throws Exception {
    files("nvidia-smi", ".csv");

    assertThat(differences(SyntheticHosts.gb200(), "oci-gb200"))
        .isEqualTo(Map.of("NUMA_NODE is SYSTEM", 16));
  }

  // ---- What drivers published for real nodes ----

  private static HostTopologyBuilder published(String... names) throws Exception {
    Path directory = DATA.resolveSibling("resourceslices");
    assumeTrue(Files.isDirectory(directory), () -> "no slices in " + directory.toAbsolutePath());
    List<ResourceSlice> slices = new ArrayList<>();
    for (String name : names) {
      slices.addAll(Manifests.readSnapshot(directory.resolve(name + ".json")).resourceSlices());
    }
    return HostTopology.ofSlices(slices);
  }

  private static Path matrix(String name) {
    return DATA.resolve("nvidia-smi/" + name + ".csv");
  }

  private static List<PathType> gpuToNic(HostTopology host) {
    List<PathType> types = new ArrayList<>();
    for (TopologyDevice gpu : host.endpoints()) {
      for (TopologyDevice nic : host.endpoints()) {
        if (gpu.kind() == DeviceKind.GPU && nic.kind() == DeviceKind.NIC) {
          types.add(host.path(gpu.id(), nic.id()));
        }
      }
    }
    return types;
  }

  @Test
  void p4dHasTwoGpusAndOneEfaOnEachOfFourRoots() throws Exception {
    HostTopology host = published("aws-p4d-gpu", "aws-p4d-dranet").build();

    List<List<TopologyDevice>> groups = host.groups(PathType.HOST_BRIDGE);

    assertThat(groups).hasSize(4);
    for (List<TopologyDevice> group : groups) {
      assertThat(group).filteredOn(device -> device.kind() == DeviceKind.GPU).hasSize(2);
      assertThat(group)
          .filteredOn(device -> device.names().stream().anyMatch(n -> n.startsWith("rdma")))
          .hasSize(1);
    }
  }

  @Test
  void p4dsOverlaySaysThatTheyShareASwitch() throws Exception {
    HostTopology host =
        published("aws-p4d-gpu", "aws-p4d-dranet")
            .overlay(readQuietly(files("nccl-xml", "aws-p4d.xml").get(0)))
            .build();

    assertThat(gpuToNic(host)).filteredOn(type -> type == PathType.SWITCH).hasSize(8);
  }

  @Test
  void gb300PairsByNumaNodeOnceTheMatrixIsKnown() throws Exception {
    assertThat(gpuToNic(published("azure-gb300-gpu", "azure-gb300-dranet").build()))
        .hasSize(16)
        .containsOnly(PathType.UNKNOWN);

    HostTopology host =
        published("azure-gb300-gpu", "azure-gb300-dranet")
            .overlay(NvidiaSmiMatrix.read(matrix("azure-gb300")))
            .build();

    assertThat(host.warnings()).isEmpty();
    assertThat(gpuToNic(host)).filteredOn(type -> type == PathType.NUMA_NODE).hasSize(8);
    assertThat(gpuToNic(host)).filteredOn(type -> type == PathType.SYSTEM).hasSize(8);
  }

  @Test
  void gb300PairsByNumaNodeOnceTheNumaNodesOfItsGpusAreKnown() throws Exception {
    String xml =
        """
        <system version="1">
          <cpu numaid="0"><pci busid="0008:06:00.0"/><pci busid="0009:06:00.0"/></cpu>
          <cpu numaid="1"><pci busid="0018:06:00.0"/><pci busid="0019:06:00.0"/></cpu>
        </system>
        """;
    HostTopology host =
        published("azure-gb300-gpu", "azure-gb300-dranet").overlay(RoundTrip.read(xml)).build();

    assertThat(gpuToNic(host)).filteredOn(type -> type == PathType.NUMA_NODE).hasSize(8);
    assertThat(gpuToNic(host)).filteredOn(type -> type == PathType.SYSTEM).hasSize(8);
  }

  @Test
  void gb200IsUnknownFromSlicesAndCrossesTheSystemByItsMatrix() throws Exception {
    assertThat(gpuToNic(published("oci-gb200-gpu", "oci-gb200-dranet").build()))
        .hasSize(32)
        .containsOnly(PathType.UNKNOWN);

    HostTopology host =
        published("oci-gb200-gpu", "oci-gb200-dranet")
            .overlay(NvidiaSmiMatrix.read(matrix("oci-gb200")))
            .build();

    assertThat(host.warnings()).isEmpty();
    assertThat(gpuToNic(host)).hasSize(32).containsOnly(PathType.SYSTEM);
  }

  @Test
  void directLinksAreSymmetric() throws Exception {
    HostTopology host =
        HostTopology.builder()
            .overlay(readQuietly(files("nccl-xml", "rccl-8p1h_4.xml").get(0)))
            .build();

    for (DirectLink link : host.links()) {
      assertThat(host.directLink(host.indexOf(link.b()), host.indexOf(link.a()))).contains(link);
    }
  }
}
