package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.cli.SvgTexts;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.CapturedHostTree;
import io.dra4j.testkit.Reading;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Option;

class TopologyCommandTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode json(Cli cli) throws IOException {
    assertThat(cli.code()).as(cli.err()).isZero();
    return JSON.readTree(cli.out());
  }

  private static JsonNode find(JsonNode list, String key, String value) {
    for (JsonNode node : list) {
      if (node.get(key).asText().equals(value)) {
        return node;
      }
    }
    throw new AssertionError("no " + key + " " + value);
  }

  @Test
  void jsonHasEveryFunctionAndThePathsBetweenEndpoints(@CapturedHostTree("a4-like") Path root)
      throws IOException {
    JsonNode json = json(Cli.run("topology", "--root", root.toString(), "-o", "json"));

    assertThat(json.get("devices")).hasSize(62);
    assertThat(find(json.get("devices"), "bdf", "0000:14:00.0"))
        .hasToString(
            "{\"bdf\":\"0000:14:00.0\",\"class\":\"0x020000\",\"vendor\":\"0x8086\","
                + "\"device\":\"0x10d3\",\"kind\":\"nic\",\"numaNode\":0,"
                + "\"pcieRoot\":\"pci0000:10\","
                + "\"bridges\":[\"0000:10:00.0\",\"0000:11:00.0\",\"0000:12:01.0\"],"
                + "\"names\":[\"gpu0rdma0\",\"mlx5_0\"],\"link\":\"2.5 GT/s x1\"}");
    assertThat(json.get("pairs")).hasSize(16 * 15 / 2);
    assertThat(find(json.get("pairs"), "a", "0000:13:00.0"))
        .hasToString(
            "{\"a\":\"0000:13:00.0\",\"b\":\"0000:14:00.0\",\"type\":\"SWITCH\",\"source\":\"sysfs\"}");
  }

  @Test
  void textHasTheTreeAndTheMatrix(@CapturedHostTree("two-socket") Path root) {
    Cli cli = Cli.run("topology", "--root", root.toString());

    assertThat(cli.code()).isZero();
    assertThat(cli.err()).isEmpty();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines).contains("NUMA node 0  CPUs 0", "  pci0000:10");
    assertThat(lines).anyMatch(line -> line.matches("GPU0 +X .*PIX.*SYS +0"));
    assertThat(lines).anyMatch(line -> line.startsWith("  SYS "));
  }

  /** NCCL's files have no host bridges and do not know the PCI function of a virtio NIC. */
  @Test
  void theHostKeepsItsDevicesBelowItsHostBridgeWhateverNcclSays(
      @CapturedHostTree("h200-vm") Path root, @TempDir Path directory) throws IOException {
    Path nccl = Files.writeString(directory.resolve("nccl.xml"), Reading.NCCL_XML.of("h200-vm"));
    Path matrix =
        Files.writeString(directory.resolve("smi.txt"), Reading.NVIDIA_SMI_TXT.of("h200-vm"));

    Cli cli = Cli.run("topology", "--root", root.toString(), "--nccl-xml", nccl.toString());
    Cli both =
        Cli.run(
            "topology",
            "--root",
            root.toString(),
            "--nccl-xml",
            nccl.toString(),
            "--nvidia-smi",
            matrix.toString());

    assertThat(cli.err()).isEmpty();
    assertThat(cli.out()).isEqualTo(Cli.run("topology", "--root", root.toString()).out());
    assertThat(cli.out().lines())
        .startsWith(
            "NUMA node 0  CPUs 0-15",
            "NUMA node unknown",
            "  pci0000:00",
            "    NIC0  0000:00:03.0  [1af4:1041]  eth0",
            "    GPU0  0000:00:06.0  [10de:2335]  32 GT/s x16")
        .anyMatch(line -> line.matches("GPU0 +X +PHB +-"));
    assertThat(both.err()).isEmpty();
    assertThat(both.out())
        .contains("    GPU0  0000:00:06.0", "  pci0000:00")
        .doesNotContain("NIC1");
  }

  @Test
  void switchesOfNcclsFileAreBelowTheHostBridgesOfTheHost(
      @CapturedHostTree("two-socket") Path root, @TempDir Path directory) throws IOException {
    Path nccl =
        Files.writeString(
            directory.resolve("nccl.xml"),
            Cli.run("topology", "--root", root.toString(), "-o", "nccl-xml").out());

    Cli cli = Cli.run("topology", "--root", root.toString(), "--nccl-xml", nccl.toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines.get(lines.indexOf("  pci0000:10") + 1)).startsWith("    switch 0000:11:00.0");
  }

  @Test
  void aPictureIsXmlThatNamesEveryDevice(@CapturedHostTree("sriov") Path root) throws Exception {
    Cli cli = Cli.run("topology", "--root", root.toString(), "-o", "svg");

    assertThat(cli.code()).isZero();
    List<String> texts = SvgTexts.in(cli.out());
    assertThat(texts).contains("NUMA node 0  ".trim(), "0000:11:00.0", "0000:11:10.6");
  }

  @Test
  void textFromTheHostIsNoMarkup(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("x.xml");
    Files.writeString(
        file,
        "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\" class=\"0x020000\">"
            + "<nic><net name=\"&lt;script&gt;&amp;&#9;\"/></nic></pci></cpu></system>");

    Cli cli = Cli.run("topology", "--no-host", "--nccl-xml", file.toString(), "-o", "svg");

    assertThat(cli.out()).doesNotContain("<script").contains("&lt;script&gt;&amp;\\u0009");
    assertThat(SvgTexts.in(cli.out())).anyMatch(text -> text.contains("<script>"));
  }

  @Test
  void ncclXmlIsReadBackWithTheSamePaths(
      @CapturedHostTree("a4-like") Path root, @TempDir Path directory) throws IOException {
    Cli cli = Cli.run("topology", "--root", root.toString(), "-o", "nccl-xml");
    Path file = Files.writeString(directory.resolve("nccl.xml"), cli.out());

    JsonNode again =
        json(Cli.run("topology", "--no-host", "--nccl-xml", file.toString(), "-o", "json"));

    assertThat(again.get("pairs")).hasSize(16 * 15 / 2);
    assertThat(find(again.get("pairs"), "a", "0000:13:00.0").get("type").asText())
        .isEqualTo("SWITCH");
    assertThat(again.get("pairs"))
        .filteredOn(pair -> pair.get("type").asText().equals("SWITCH"))
        .hasSize(8);
  }

  private static Path copyWithoutSwitch(Path near) throws IOException {
    String flat =
        Files.readString(near)
            .replace("<pci busid=\"ffff:ff:01.0\">", "")
            .replace("</pci></cpu>", "</cpu>");
    return Files.writeString(near.resolveSibling("flat.xml"), flat);
  }

  @Test
  void theLastOverlayWinsWhateverItsKind(@TempDir Path directory) throws IOException {
    Path near =
        Files.writeString(
            directory.resolve("near.xml"),
            "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"ffff:ff:01.0\">"
                + "<pci busid=\"0000:01:00.0\" class=\"0x030200\"/>"
                + "<pci busid=\"0000:02:00.0\" class=\"0x020700\"/></pci></cpu></system>");
    Path far = Files.writeString(directory.resolve("far.csv"), "device,GPU0,NIC0\nGPU0,X,SYS\n");
    Path also = copyWithoutSwitch(near);

    Cli farLast =
        Cli.run(
            "topology",
            "--no-host",
            "--nccl-xml",
            near.toString(),
            "--nvidia-smi",
            far.toString(),
            "-o",
            "json");
    Cli nearLast =
        Cli.run(
            "topology",
            "--no-host",
            "--nccl-xml",
            also.toString(),
            "--nvidia-smi",
            far.toString(),
            "--nccl-xml",
            near.toString(),
            "-o",
            "json");

    assertThat(json(farLast).get("pairs").get(0).get("type").asText()).isEqualTo("SYSTEM");
    assertThat(json(farLast).get("pairs").get(0).get("source").asText()).isEqualTo("nvidia-smi");
    assertThat(json(nearLast).get("pairs").get(0).get("type").asText()).isEqualTo("SWITCH");
    assertThat(farLast.err()).contains("SWITCH apart in ", "near.xml", "far.csv wins");
  }

  private static final String SLICES =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus}
      spec:
        driver: gpu.nvidia.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 1}
        devices:
        - name: gpu-0
          attributes: {resource.kubernetes.io/pcieRoot: {string: "pci0000:8c"}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: nics}
      spec:
        driver: dra.net
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 1}
        devices:
        - name: nic-0
          attributes: {resource.kubernetes.io/pcieRoot: {string: "pci0000:8c"}}
      """;

  private static final String TWO_SERVERS = "../examples/gke-a4-aligned.yaml";

  @Test
  void slicesStandForAHost() throws IOException {
    JsonNode json =
        json(Cli.runWith(SLICES, "topology", "--slices", "-", "--node", "n1", "-o", "json"));

    assertThat(json.get("pairs"))
        .singleElement()
        .hasToString(
            "{\"a\":\"dra.net/n1/nic-0\",\"b\":\"gpu.nvidia.com/n1/gpu-0\","
                + "\"type\":\"HOST_BRIDGE\",\"source\":\"resource-slices\"}");
  }

  /** A host and its own slices have the same topology. */
  @Test
  void slicesThatDiscoverWroteKeepTheKindsOfDevices(@TempDir Path directory) throws IOException {
    for (String name : CapturedHost.names()) {
      Path root = Files.createDirectory(directory.resolve(name));
      CapturedHost.named(name).expandTo(root);
      Map<String, String> onTheHost =
          kinds(Cli.run("topology", "--root", root.toString(), "-o", "json"));

      Cli slices = Cli.run("discover", "--root", root.toString(), "--node", "n", "-o", "yaml");
      Map<String, String> inSlices =
          kinds(Cli.runWith(slices.out(), "topology", "--slices", "-", "-o", "json"));

      assertThat(inSlices).as(name).isNotEmpty().doesNotContainValue("other");
      assertThat(onTheHost).as(name).containsAllEntriesOf(inSlices);
    }
  }

  private static Map<String, String> kinds(Cli cli) throws IOException {
    Map<String, String> kinds = new TreeMap<>();
    for (JsonNode device : json(cli).get("devices")) {
      kinds.put(device.get("bdf").asText(), device.get("kind").asText());
    }
    return kinds;
  }

  @Test
  void slicesOfSeveralNodesAreAHostEach() {
    Cli cli = Cli.run("topology", "--slices", TWO_SERVERS);

    assertThat(cli.code()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines).contains("Node a4-0", "Node a4-1");
    assertThat(lines.stream().filter(line -> line.matches("GPU\\d .*"))).hasSize(16);
    assertThat(lines).noneMatch(line -> line.startsWith("GPU8 "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"svg", "json", "nccl-xml"})
  void onePictureOrObjectOfSeveralNodesHasToBeChosen(String format) throws IOException {
    Cli both = Cli.run("topology", "--slices", TWO_SERVERS, "-o", format);
    Cli one = Cli.run("topology", "--slices", TWO_SERVERS, "--node", "a4-1", "-o", format);

    assertThat(both.code()).isEqualTo(2);
    assertThat(both.out()).isEmpty();
    assertThat(both.errLines().get(0))
        .isEqualTo("dra4j: --slices: 2 nodes; choose one with --node: a4-0, a4-1");
    assertThat(one.code()).as(one.err()).isZero();
  }

  @Test
  void devicesOfOneSliceCanBeOnSeveralNodes() {
    String slices =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: fabric}
        spec:
          driver: gpu.example.com
          perDeviceNodeSelection: true
          pool: {name: fabric, generation: 1, resourceSliceCount: 1}
          devices: [{name: a, nodeName: n1}, {name: b, nodeName: n2}, {name: c, allNodes: true}]
        """;

    Cli cli = Cli.runWith(slices, "topology", "--slices", "-");

    assertThat(cli.out().lines().filter(line -> line.contains("gpu.example.com/")))
        .containsExactly("  GPU0  gpu.example.com/fabric/a", "  GPU0  gpu.example.com/fabric/b");
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: warning: devices without a node name are left out, in ResourceSlices fabric");
  }

  @Test
  void slicesOfANodeThatIsNotThereAreRefusedWithThoseThatAre() {
    Cli cli = Cli.run("topology", "--slices", TWO_SERVERS, "--node", "ghost");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines().get(0))
        .isEqualTo(
            "dra4j: --node: no ResourceSlice of node 'ghost'; nodes with ResourceSlices: a4-0, a4-1");
  }

  @Test
  void inputWithoutSlicesIsRefused() {
    Cli cli = Cli.runWith("", "topology", "--slices", "-");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines().get(1))
        .isEqualTo("dra4j: --slices: no ResourceSlice in the input has a node name");
  }

  @Test
  void optionsThatSayNothingTogetherAreRefused(@TempDir Path directory) throws IOException {
    Files.createDirectory(directory.resolve("sys"));
    String root = directory.toString();

    assertThat(Cli.run("topology", "--node", "x").errLines().get(0))
        .isEqualTo("dra4j: --node requires --slices or --from-cluster: a host has only one node");
    assertThat(Cli.run("topology", "--root", root, "--slices", TWO_SERVERS).errLines().get(0))
        .isEqualTo("dra4j: --slices cannot be used together with --root");
    assertThat(Cli.run("topology", "--no-host", "--root", root).errLines().get(0))
        .isEqualTo("dra4j: --no-host and --root cannot be used together");
    assertThat(Cli.run("topology", "--no-host").errLines().get(0))
        .isEqualTo("dra4j: --no-host requires one of --nccl-xml, --hwloc-xml, --nvidia-smi");
    assertThat(Cli.run("topology", "--node", "x").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"topology", "discover", "rdma"})
  void aRootWithoutSysIsRefused(String command, @TempDir Path directory) {
    Cli cli = Cli.run(command, "--root", directory.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines().get(0))
        .isEqualTo(
            "dra4j: --root: "
                + directory
                + " has no directory sys: expected the root of a captured host");
  }

  @Test
  void aFileOfAnotherMachineIsRefused(
      @CapturedHostTree("a4-like") Path root, @TempDir Path directory) throws IOException {
    Path nccl = Path.of("../examples/nd-h100-v5.nccl.xml");
    Path smi =
        Files.writeString(
            directory.resolve("smi.txt"), "\tGPU0\tGPU1\nGPU0\tX\tSYS\nGPU1\tSYS\tX\n");

    Cli cli = Cli.run("topology", "--root", root.toString(), "--nccl-xml", nccl.toString());
    Cli matrix = Cli.run("topology", "--root", root.toString(), "--nvidia-smi", smi.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: "
                + nccl
                + ": none of its 16 devices is here: the file is from another machine;"
                + " use --no-host to show only the file");
    assertThat(matrix.code()).isEqualTo(2);
    assertThat(matrix.err()).contains("smi.txt: 2 GPUs in the matrix, 8 here (0000:");
  }

  private static Path host(Path root, String... devices) throws IOException {
    Path bus = Files.createDirectories(root.resolve("sys/bus/pci/devices"));
    Files.createDirectories(root.resolve("sys/devices/system/node/node0"));
    Files.writeString(root.resolve("sys/devices/system/node/node0/cpulist"), "0-3\n");
    for (String device : devices) {
      String[] facts = device.split(" ", -1); // address, class, NUMA node, directory
      Path directory = Files.createDirectories(root.resolve("sys/devices/pci0000:00/" + facts[0]));
      Files.writeString(directory.resolve("class"), facts[1] + "\n");
      Files.writeString(directory.resolve("vendor"), "0x1af4\n");
      Files.writeString(directory.resolve("device"), "0x1041\n");
      Files.writeString(directory.resolve("numa_node"), facts[2] + "\n");
      Files.createDirectories(directory.resolve(facts[3])); // such as net/eth0
      Files.createSymbolicLink(
          bus.resolve(facts[0]), Path.of("../../../devices/pci0000:00/" + facts[0]));
    }
    return root;
  }

  @ParameterizedTest
  @CsvSource({
    "0000:00:03.0 0x020000 -1 net/eth0, NUMA node unknown, NIC0  0000:00:03.0",
    "0000:00:03.0 0x030200 -1 drm/card0, NUMA node unknown, GPU0  0000:00:03.0",
    "0000:00:03.0 0x120000 -1 accel/accel0, NUMA node unknown, ACC0  0000:00:03.0",
    "0000:00:03.0 0x020000 0 net/eth0, NUMA node 0  CPUs 0-3, NIC0  0000:00:03.0"
  })
  void aHostWithOneDeviceNeedsNoLegend(
      String device, String node, String line, @TempDir Path directory) throws IOException {
    Path root = host(directory, device, "0000:00:04.0 0x010802 0 nvme/nvme0");

    Cli cli = Cli.run("topology", "--root", root.toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(cli.out()).doesNotContain("Legend").contains(line).contains("nvme0  0000:00:04.0");
    assertThat(lines).contains(node);
    assertThat(lines.subList(lines.indexOf(node), lines.size()))
        .anyMatch(each -> each.contains(line));
  }

  /** A guest without switches, and the matrix of its hardware. */
  @ParameterizedTest
  @CsvSource({
    "PIX, SYS, 1, SWITCH",
    "PIX, NODE, 0, SWITCH",
    "PXB, SYS, 1, MULTI_SWITCH",
    "NODE, SYS, 1, HOST_BRIDGE_OR_NUMA_NODE"
  })
  void switchesOfAMatrixAreInventedForNccl(
      String near, String far, int secondNode, String path, @TempDir Path directory)
      throws IOException {
    Path guest =
        Files.writeString(
            directory.resolve("guest.xml"),
            "<system version=\"1\"><cpu numaid=\"-1\">"
                + "<pci busid=\"0000:01:00.0\" class=\"0x030200\"/>"
                + "<pci busid=\"0000:02:00.0\" class=\"0x030200\"/>"
                + "<pci busid=\"0000:03:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_0\"/></nic></pci>"
                + "<pci busid=\"0000:04:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_1\"/></nic></pci>"
                + "</cpu></system>");
    Path matrix =
        Files.writeString(
            directory.resolve("smi.txt"),
            """
            GPU0 GPU1 NIC0 NIC1 CPU Affinity NUMA Affinity
            GPU0 X NV18 %1$s %2$s 0-7 0
            GPU1 NV18 X %2$s %1$s 8-15 %3$d
            NIC0 %1$s %2$s X %2$s
            NIC1 %2$s %1$s %2$s X
            """
                .formatted(near, far, secondNode));

    Cli written =
        Cli.run(
            "topology",
            "--no-host",
            "--nccl-xml",
            guest.toString(),
            "--nvidia-smi",
            matrix.toString(),
            "-o",
            "nccl-xml");
    Path file = Files.writeString(directory.resolve("written.xml"), written.out());
    JsonNode again =
        json(Cli.run("topology", "--no-host", "--nccl-xml", file.toString(), "-o", "json"));

    assertThat(written.code()).as(written.err()).isZero();
    assertThat(find(again.get("pairs"), "b", "0000:03:00.0").get("type").asText()).isEqualTo(path);
  }

  /** The CPU has the attribute of dra.net, and the root of the GPU the NUMA node of the NIC. */
  @Test
  void devicesOfSeveralDriversAreWhatTheirDriverSays() {
    String slices =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: n1-cpu}
        spec:
          driver: dra.cpu
          nodeName: n1
          pool: {name: n1, generation: 1, resourceSliceCount: 1}
          devices: [{name: cpus0, attributes: {dra.net/numaNode: {int: 0}}}]
        ---
        """
            + SLICES
                .replace(
                    "- name: nic-0\n  attributes: {",
                    "- name: nic-0\n  attributes: {dra.net/numaNode: {int: 3}, ")
                .replace(
                    "name: nic-0\n    attributes: {",
                    "name: nic-0\n    attributes: {dra.net/numaNode: {int: 3}, ");

    Cli cli = Cli.runWith(slices, "topology", "--slices", "-");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).doesNotContain("cpus0").doesNotContain("NUMA node unknown");
    assertThat(cli.out().lines().filter(line -> line.contains("pci0000:8c"))).hasSize(1);
    assertThat(cli.out()).contains("NUMA node 3", "NIC0  dra.net/n1/nic-0");
  }

  @Test
  void aMatrixByItselfIsShownByItsLabels(@TempDir Path directory) throws IOException {
    Path smi =
        Files.writeString(
            directory.resolve("smi.txt"),
            """
            > GPU0 GPU1 NIC0 CPU Affinity NUMA Affinity
            > GPU0 X NV18 PIX 0-7 0
            > GPU1 NV18 X SOC 8-15 1
            > NIC0 PIX SOC X
            >
            > NIC Legend:
            > NIC0: mlx5_0
            """);

    Cli cli = Cli.run("topology", "--no-host", "--nvidia-smi", smi.toString());
    Cli here = Cli.run("topology", "--nvidia-smi", smi.toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out()).contains("NUMA node 0\n  GPU0\n  NIC0  mlx5_0\n", "NV18", "PIX", "SYS");
    assertThat(here.code()).isEqualTo(2);
    assertThat(here.err())
        .contains("2 GPUs in the matrix, ", "; use --no-host to show only the file");
  }

  @Test
  void gpusOfAMatrixThatAreFewerOrMoreAreCounted(
      @CapturedHostTree("a4-like") Path root, @TempDir Path directory) throws IOException {
    Path seven = Files.writeString(directory.resolve("seven.txt"), matrix(7));
    Path nine = Files.writeString(directory.resolve("nine.txt"), matrix(9));

    assertThat(
            Cli.run("topology", "--root", root.toString(), "--nvidia-smi", seven.toString()).err())
        .contains("seven.txt: 7 GPUs in the matrix, 8 here (0000:");
    assertThat(
            Cli.run("topology", "--root", root.toString(), "--nvidia-smi", nine.toString()).err())
        .contains("nine.txt: 9 GPUs in the matrix, 8 here (0000:");
  }

  private static String matrix(int gpus) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < gpus; i++) {
      text.append("\tGPU").append(i);
    }
    for (int i = 0; i < gpus; i++) {
      text.append("\nGPU").append(i);
      for (int j = 0; j < gpus; j++) {
        text.append(i == j ? "\tX" : "\tNODE");
      }
    }
    return text.append("\n").toString();
  }

  @Test
  void aFileThatKnowsMoreDevicesThanTheHostIsAWarning(
      @CapturedHostTree("a4-like") Path root, @TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("more.xml"),
            "<system version=\"1\"><cpu numaid=\"0\">"
                + "<pci busid=\"0000:13:00.0\" class=\"0x030200\"/>"
                + "<pci busid=\"0000:f1:00.0\" class=\"0x030200\"/>"
                + "<pci busid=\"0000:f2:00.0\" class=\"0x020000\"/></cpu></system>");

    Cli cli = Cli.run("topology", "--root", root.toString(), "--nccl-xml", file.toString());

    assertThat(cli.code()).isZero();
    assertThat(cli.err())
        .contains(
            "dra4j: warning: "
                + file
                + ": 1 of its 3 devices is here; the others are added as recorded");
  }

  @Test
  void aFileByItselfNeedsNoHost() throws IOException {
    JsonNode json =
        json(
            Cli.run(
                "topology",
                "--no-host",
                "--nccl-xml",
                "../examples/nd-h100-v5.nccl.xml",
                "-o",
                "json"));

    assertThat(json.get("pairs")).hasSize(16 * 15 / 2);
  }

  @Test
  void aMatrixThatTheFileCannotTellIsNotWritten(@TempDir Path directory) throws IOException {
    Path near =
        Files.writeString(
            directory.resolve("near.xml"),
            "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"ffff:ff:01.0\">"
                + "<pci busid=\"0000:01:00.0\" class=\"0x030200\"/>"
                + "<pci busid=\"0000:02:00.0\" class=\"0x020700\"/></pci></cpu></system>");
    Path far = Files.writeString(directory.resolve("far.csv"), "device,GPU0,NIC0\nGPU0,X,SYS\n");
    Path same = Files.writeString(directory.resolve("same.csv"), "device,GPU0,NIC0\nGPU0,X,PIX\n");

    Cli refused =
        Cli.run(
            "topology",
            "--no-host",
            "--nccl-xml",
            near.toString(),
            "--nvidia-smi",
            far.toString(),
            "-o",
            "nccl-xml");
    Cli written =
        Cli.run(
            "topology",
            "--no-host",
            "--nccl-xml",
            near.toString(),
            "--nvidia-smi",
            same.toString(),
            "-o",
            "nccl-xml");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .contains(
            "dra4j: -o nccl-xml: 0000:01:00.0 and 0000:02:00.0 are SYSTEM apart in the matrix, but"
                + " would be SWITCH apart in the file: omit --nvidia-smi");
    assertThat(written.code()).isZero();
  }

  @Test
  void eachOptionForFilesOfOthersHasItsFormat() {
    List<OverlayFormat> formats = new ArrayList<>();
    for (Field field : TopologyCommand.class.getDeclaredFields()) {
      Option option = field.getAnnotation(Option.class);
      if (option != null && option.parameterConsumer() == TopologyCommand.OverlayConsumer.class) {
        formats.add(OverlayFormat.ofOption(option.names()[0]));
      }
    }
    assertThat(formats).containsExactlyInAnyOrder(OverlayFormat.values());
    assertThatThrownBy(() -> OverlayFormat.ofOption("--other"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no OverlayFormat reads files of --other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--nccl-xml", "--hwloc-xml", "--nvidia-smi"})
  void anOverlayThatCannotBeReadIsBadInput(String option, @TempDir Path directory)
      throws IOException {
    Path junk = Files.writeString(directory.resolve("junk"), "junk");

    Cli broken = Cli.run("topology", option, junk.toString());
    Cli missing = Cli.run("topology", option, junk + "2");

    assertThat(broken.code()).isEqualTo(2);
    assertThat(broken.err()).contains("junk:1");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("junk2: no such file");
  }

  @Test
  void aRootThatIsNotThereIsBadUsage(@TempDir Path directory) {
    Cli cli = Cli.run("topology", "--root", directory.resolve("nowhere").toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("--root: ").contains(" does not exist");
  }

  @Test
  void thisHostHasATopology() {
    assertThat(Cli.run("topology").code()).isZero();
    assertThat(Cli.run("discover").code()).isZero();
  }

  @Test
  void aPictureOfSlicesHasTheNodeAndWholeNamesOfDevices() throws Exception {
    Cli cli = Cli.run("topology", "--slices", TWO_SERVERS, "--node", "a4-1", "-o", "svg");

    assertThat(SvgTexts.in(cli.out()))
        .contains("Node a4-1", "gpu-0", "gpu.nvidia.com", "gpu0rdma0", "dra.net")
        .noneMatch(text -> text.contains("…") || text.startsWith("DEV"));
  }
}
