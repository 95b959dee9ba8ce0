package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.CapturedHostTree;
import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RdmaCommandTest {

  private static final String PORT = "sys/devices/virtual/infiniband/rxe0/ports/1/";

  @Test
  void aTableOfPortsComesFirst(@CapturedHostTree("rdma") Path root) {
    Cli cli = Cli.run("rdma", "--root", root.toString());

    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .startsWith(
            """
            DEVICE  PORT  STATE   RATE      LINK LAYER  NETDEV  PCI FUNCTION  NUMA
            rxe0    1     ACTIVE  2.5 Gb/s  Ethernet    eth0    0000:13:00.0  0
            rxe1    1     ACTIVE  2.5 Gb/s  Ethernet    eth1    0000:14:00.0  0
            rxe2    1     ACTIVE  2.5 Gb/s  Ethernet    eth2    0000:2b:00.0  1
            """);
  }

  @Test
  void aDeviceIsToldInFull(@CapturedHostTree("rdma") Path root) {
    Cli cli = Cli.run("rdma", "--root", root.toString(), "rxe0");

    assertThat(cli.out().replaceAll("(?m)^(  PCI function +0000:13:00.0), .*(, pci)", "$1$2"))
        .endsWith(
            """

            rxe0
              protocol      roce, 1: CA
              PCI function  0000:13:00.0, pci0000:10
              parent        eth0
              description   rxe
              node GUID     5054:00ff:fe0d:a000
              system GUID   5054:00ff:fe0d:a000
              port 1        ACTIVE, LinkUp, Ethernet, 2.5 Gb/s, MTU 1024, netdev eth0
                capabilities 0x00010000
                GID 0       fe80:0000:0000:0000:5054:00ff:fe0d:a000, RoCE v2, eth0
                partitions  0xffff
              uverbs        /dev/infiniband/uverbs0, c 231:192
            """);
    assertThat(cli.out()).doesNotContain("rxe1");
  }

  @Test
  void jsonHasEachFactInAField(@TempDir Path directory) throws IOException {
    Path root = directory.resolve("host");
    CapturedHost.named("rdma")
        .withFile(PORT + "counters/port_rcv_errors", "7\n")
        .withFile(PORT + "hw_counters/rcvd_pkts", "4711\n")
        .expandTo(root);

    Cli cli = Cli.run("rdma", "--root", root.toString(), "--counters", "-o", "json", "rxe0");

    assertThat(cli.code()).isZero();
    JsonNode json = new ObjectMapper().readTree(cli.out());
    assertThat(json.get("sharedByNamespaces").isNull()).isTrue();
    JsonNode device = json.get("devices").get(0);
    assertThat(json.get("devices")).hasSize(1);
    assertThat(device.get("name").asText()).isEqualTo("rxe0");
    assertThat(device.get("protocol").asText()).isEqualTo("roce");
    assertThat(device.get("parent").asText()).isEqualTo("eth0");
    assertThat(device.get("pciFunction").asText()).isEqualTo("0000:13:00.0");
    assertThat(device.get("pcieRoot").asText()).isEqualTo("pci0000:10");
    assertThat(device.get("numaNode").asInt()).isZero();
    assertThat(device.get("firmwareVersion").isNull()).isTrue();
    JsonNode port = device.get("ports").get(0);
    assertThat(port.get("state").asText()).isEqualTo("ACTIVE");
    assertThat(port.get("gigabitsPerSecond").asDouble()).isEqualTo(2.5);
    assertThat(port.get("lid").isNull()).isTrue();
    assertThat(port.get("gids").get(0).get("type").asText()).isEqualTo("RoCE v2");
    assertThat(port.get("pkeys").get(0).asInt()).isEqualTo(0xffff);
    assertThat(port.get("counters").toString())
        .isEqualTo("{\"port_rcv_errors\":7,\"rcvd_pkts\":4711}");
    JsonNode node = device.get("characterDevices").get(0);
    assertThat(node.get("path").asText()).isEqualTo("/dev/infiniband/uverbs0");
    assertThat(node.get("major").asInt()).isEqualTo(231);
    assertThat(node.get("mode").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "0000:0000:0000:0000, 4: ACTIVE, 5: LinkUp, the node GUID is zero: ",
    "5054:00ff:fe0d:a000, 2: INIT, 5: LinkUp, port 1 is INIT: its network interface is not up",
    "5054:00ff:fe0d:a000, 1: DOWN, 2: Polling, port 1 is DOWN: no link partner answers ",
    "5054:00ff:fe0d:a000, 1: DOWN, 3: Disabled, port 1 is DOWN: the port is disabled",
    "5054:00ff:fe0d:a000, 4: ACTIVE, 5: LinkUp, ''"
  })
  void remarksAreInBothOutputs(
      String guid, String state, String physical, String remark, @TempDir Path directory)
      throws IOException {
    Path root = directory.resolve("host");
    CapturedHost.named("rdma")
        .withFile("sys/devices/virtual/infiniband/rxe0/node_guid", guid + "\n")
        .withFile(PORT + "state", state + "\n")
        .withFile(PORT + "phys_state", physical + "\n")
        .expandTo(root);

    Cli text = Cli.run("rdma", "--root", root.toString(), "rxe0");
    Cli json = Cli.run("rdma", "--root", root.toString(), "-o", "json", "rxe0");
    JsonNode remarks = new ObjectMapper().readTree(json.out()).at("/devices/0/remarks");

    assertThat(remarks.isArray()).isTrue();
    if (remark.isEmpty()) {
      assertThat(remarks).isEmpty();
      assertThat(text.out()).doesNotContain("remark");
    } else {
      assertThat(remarks).hasSize(1);
      assertThat(remarks.get(0).asText()).startsWith(remark.strip());
      assertThat(text.out().replaceAll("\\s+", " ")).contains("remark " + remark.strip());
    }
  }

  @Test
  void aHostWithoutDevicesSaysSo(@CapturedHostTree("two-socket") Path root) {
    Cli cli = Cli.run("rdma", "--root", root.toString());

    assertThat(cli.code()).isZero();
    assertThat(cli.out()).isEqualTo("No RDMA device.\n");
    assertThat(cli.err()).isEmpty();
  }

  @Test
  void aDeviceThatIsNotThereIsBadUsage(@CapturedHostTree("rdma") Path root) {
    Cli cli = Cli.run("rdma", "--root", root.toString(), "mlx5_7");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines().get(0))
        .startsWith("dra4j: no RDMA device 'mlx5_7' on the host")
        .endsWith(", which has rxe0, rxe1, rxe2");
  }

  @Test
  void whereThereIsNoDeviceNoneIsNamed(@CapturedHostTree("two-socket") Path root) {
    assertThat(Cli.run("rdma", "--root", root.toString(), "mlx5_7").errLines().get(0))
        .endsWith(", which has none");
  }

  @Test
  void whatACaptureHasNotIsSaidWhereItIsAskedFor(@CapturedHostTree("rdma") Path root) {
    Cli plain = Cli.run("rdma", "--root", root.toString(), "rxe0", "rxe1");
    Cli asked =
        Cli.run("rdma", "--root", root.toString(), "--limits", "--counters", "rxe0", "rxe1");

    assertThat(plain.errLines())
        .containsExactly(
            "dra4j: warning: no character device rdma_cm: the capture lacks it, or the module"
                + " rdma_ucm was not loaded");
    assertThat(asked.code()).isZero();
    assertThat(asked.out()).isEqualTo(plain.out());
    assertThat(asked.errLines().subList(1, asked.errLines().size()))
        .containsExactly(
            "dra4j: warning: --limits: not available for a captured host, because"
                + " libibverbs queries the device itself",
            "dra4j: warning: --counters: no counters of rxe0 port 1: expected files in counters or"
                + " hw_counters of /sys/class/infiniband/rxe0/ports/1",
            "dra4j: warning: --counters: no counters of rxe1 port 1: expected files in counters or"
                + " hw_counters of /sys/class/infiniband/rxe1/ports/1");
  }

  @Test
  void countersHave64BitsWithoutASign(@TempDir Path directory) throws IOException {
    Path root = directory.resolve("host");
    CapturedHost.named("rdma")
        .withFile(PORT + "counters/port_rcv_data", "18446744073709551615\n")
        .withFile(PORT + "counters/symbol_error", "-1\n")
        .expandTo(root);

    Cli text = Cli.run("rdma", "--root", root.toString(), "--counters", "rxe0");
    Cli json = Cli.run("rdma", "--root", root.toString(), "--counters", "-o", "json", "rxe0");

    assertThat(text.out()).contains("port_rcv_data 18446744073709551615\n");
    assertThat(json.out().replaceAll("\\s", ""))
        .contains("{\"port_rcv_data\":18446744073709551615}");
    assertThat(text.err())
        .containsOnlyOnce("counters/symbol_error: expected a number from 0")
        .contains("found '-1'");
  }

  /** A broken directory, which several readers read. */
  @Test
  void aWarningIsGivenOnce(@TempDir Path directory) throws IOException {
    Path root = directory.resolve("host");
    CapturedHost.named("two-socket").expandTo(root);
    Files.createSymbolicLink(root.resolve("sys/class/infiniband"), Path.of("infiniband"));

    Cli cli = Cli.run("rdma", "--root", root.toString());

    assertThat(cli.errLines())
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .anyMatch(line -> line.contains("/sys/class/infiniband: is a loop of links"));
  }

  /** Texts of a host go to a terminal. */
  @Test
  void controlCharactersStayInTheFile(@TempDir Path directory) throws IOException {
    Path root = directory.resolve("host");
    CapturedHost.named("rdma")
        .withFile("sys/devices/virtual/infiniband/rxe0/node_desc", "a\u001b[2Jb\n")
        .withFile("sys/devices/virtual/infiniband/rxe0/fw_ver", new byte[] {1, (byte) 0xff, 0})
        .expandTo(root);

    Cli cli = Cli.run("rdma", "--root", root.toString());

    assertThat(cli.code()).isZero();
    assertThat(cli.out() + cli.err()).doesNotContain("\u001b", "\u0001", "\u0000");
    assertThat(cli.err()).contains("rxe0/node_desc: expected one line of text", "rxe0/fw_ver");
    assertThat(cli.out()).contains("rxe0    1     ACTIVE");
  }

  /** As ConnectX-3, whose ports are those of one function. */
  @Test
  void discoverTellsOfAllPorts(@TempDir Path directory) throws IOException {
    Path root = directory.resolve("host");
    SyntheticHost host = new SyntheticHost("nic");
    host.root("pci0000:8c", 0)
        .function("0000:8f:00.0", 0x020000, 0x15b3, 0x1003)
        .rdma("mlx4_0", "Ethernet", "40 Gb/sec (4X QDR)");
    String ports = "sys/devices/pci0000:8c/0000:8f:00.0/infiniband/mlx4_0/ports/";
    host.build()
        .withFile(ports + "2/state", "1: DOWN\n")
        .withFile(ports + "2/rate", "40 Gb/sec (4X QDR)\n")
        .expandTo(root);

    Cli table = Cli.run("discover", "--root", root.toString());
    Cli yaml = Cli.run("discover", "--root", root.toString(), "-o", "yaml");

    assertThat(table.out()).contains("  ACTIVE 40 Gb/s, 1 of 2 ports up  ");
    assertThat(yaml.out().replaceAll("\\s+", " "))
        .contains("rdmaPorts: int: 2", "rdmaActivePorts: int: 1", "rdmaBandwidth: value: 40G");
  }

  @Test
  void discoverPrintsWhatAnAllocatorNeeds(@CapturedHostTree("rdma") Path root) {
    Cli table = Cli.run("discover", "--root", root.toString());
    Cli yaml = Cli.run("discover", "--root", root.toString(), "-o", "yaml");

    assertThat(table.out().lines().toList())
        .anyMatch(
            line ->
                line.matches(
                    "pci-0000-13-00-0 +nic +0 +pci0000:10 +\\S+ +eth0 rxe0 +ACTIVE 2.5 Gb/s .*"));
    assertThat(yaml.out().replaceAll("\\s+", " "))
        .contains(
            "rdma: bool: true",
            "rdma: bool: false",
            "rdmaDevice: string: rxe0",
            "rdmaState: string: ACTIVE",
            "rdmaBandwidth: value: 2500M",
            "resource.kubernetes.io/pcieRoot: string: pci0000:10",
            "resource.kubernetes.io/numaNode: int: 0");
  }
}
