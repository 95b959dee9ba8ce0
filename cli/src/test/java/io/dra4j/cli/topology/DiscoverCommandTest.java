package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.CapturedHostTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoverCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"yaml", "json"})
  void slicesCanBeAllocatedFrom(
      String format, @CapturedHostTree("a4-like") Path root, @TempDir Path directory)
      throws Exception {
    Cli cli = Cli.run("discover", "--root", root.toString(), "--node", "a4-0", "-o", format);
    assertThat(cli.code()).isZero();
    ClusterSnapshot cluster =
        Manifests.readSnapshot(Files.writeString(directory.resolve("slices." + format), cli.out()));

    ResourceSlice slice = cluster.resourceSlices().get(0);
    assertThat(slice.driver()).isEqualTo("host.dra4j.io");
    assertThat(slice.nodeSelection().nodeName()).isEqualTo("a4-0");
    assertThat(slice.devices()).hasSize(16);
  }

  @Test
  void aVirtualMachineWithAGpuPublishesItAndItsNic(
      @CapturedHostTree("h200-vm") Path root, @TempDir Path directory) throws Exception {
    Cli cli = Cli.run("discover", "--root", root.toString(), "--node", "vm", "-o", "yaml");
    assertThat(cli.code()).as(cli.err()).isZero();
    Path published = Files.writeString(directory.resolve("slices.yaml"), cli.out());

    List<Device> devices =
        Manifests.readSnapshot(published).resourceSlices().stream()
            .flatMap(slice -> slice.devices().stream())
            .toList();

    assertThat(devices)
        .extracting(Device::name)
        .containsExactly("pci-0000-00-03-0", "pci-0000-00-06-0");
    assertThat(cli.out())
        .contains("string: eth0", "string: \"0x2335\"", "string: nvidia", "string: 32 GT/s x16");
    assertThat(cli.out().split("string: pci0000:00", -1)).hasSize(3);
  }

  @Test
  void pairsOfOneRootCanBeClaimed(@CapturedHostTree("a4-like") Path root, @TempDir Path directory)
      throws Exception {
    Cli slices = Cli.run("discover", "--root", root.toString(), "--node", "a4-0", "-o", "yaml");
    Path published = Files.writeString(directory.resolve("slices.yaml"), slices.out());
    Path claim =
        Files.writeString(
            directory.resolve("claim.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: a4-0}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: any}
            spec:
              selectors: [{cel: {expression: "device.driver == 'host.dra4j.io'"}}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: pair, namespace: default}
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: any
                    selectors: [{cel: {expression: "device.attributes['host.dra4j.io'].kind == 'gpu'"}}]
                - name: nic
                  exactly:
                    deviceClassName: any
                    selectors: [{cel: {expression: "device.attributes['host.dra4j.io'].kind == 'nic'"}}]
                constraints:
                - matchAttribute: resource.kubernetes.io/pcieRoot
            """);

    Cli cli = Cli.run("allocate", published.toString(), claim.toString(), "-o", "yaml");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("device: pci-0000-13-00-0", "device: pci-0000-14-00-0");
  }

  /** The host with one more PCI function, at a path below its host bridge. */
  private static CapturedHost with(CapturedHost host, String path, String... files) {
    String directory = "sys/devices/pci0000:00/" + path;
    String address = path.substring(path.lastIndexOf('/') + 1);
    CapturedHost more =
        host.withLink("sys/bus/pci/devices/" + address, "../../../devices/pci0000:00/" + path);
    for (int i = 0; i < files.length; i += 2) {
      more = more.withFile(directory + "/" + files[i], files[i + 1] + "\n");
    }
    return more;
  }

  /** The built-in graphics of a board are not a GPU for computing, regardless of the vendor. */
  @ParameterizedTest(name = "{0}: {1}:{2} of class {3} is published: {4}")
  @CsvSource({
    "ASPEED's BMC,       0x1a03, 0x2000, 0x030000, ''",
    "Matrox' BMC,        0x102b, 0x0536, 0x030000, ''",
    "virtio VGA,         0x1af4, 0x1050, 0x030000, ''",
    "virtio display,     0x1af4, 0x1050, 0x038000, ''",
    "QEMU's VGA,         0x1234, 0x1111, 0x030000, ''",
    "a compute card,     0x10de, 0x2330, 0x030200, gpu",
    "an accelerator,     0x1da3, 0x1020, 0x120000, accelerator",
  })
  void displayFunctionsAreNoGpus(
      String what, String vendor, String device, String classCode, String kind, @TempDir Path root)
      throws Exception {
    with(
            CapturedHost.named("two-socket"),
            "0000:00:1e.0",
            "class",
            classCode,
            "vendor",
            vendor,
            "device",
            device)
        .expandTo(root);

    Cli discovered = Cli.run("discover", "--root", root.toString(), "-o", "yaml");
    Cli drawn = Cli.run("topology", "--root", root.toString());

    assertThat(discovered.code()).as(what + discovered.err()).isZero();
    if (kind.isEmpty()) {
      assertThat(discovered.out()).doesNotContain("pci-0000-00-1e-0");
      assertThat(drawn.out().lines())
          .anyMatch(line -> line.strip().startsWith("DISPLAY  0000:00:1e.0"));
    } else {
      assertThat(discovered.out()).contains("name: pci-0000-00-1e-0", "string: " + kind);
      assertThat(drawn.out()).containsPattern("(GPU|ACC)0  0000:00:1e.0");
    }
  }

  @Test
  void rootPortsAreNoSwitches(@TempDir Path root) throws Exception {
    CapturedHost host = with(CapturedHost.named("two-socket"), "0000:00:1c.0", "class", "0x060400");
    for (String port : List.of("0", "1")) {
      host = with(host, "0000:00:1c.0/0000:05:00." + port, "class", "0x020000");
    }
    host.expandTo(root);

    Cli cli = Cli.run("topology", "--root", root.toString());

    assertThat(cli.out().lines().map(String::strip)).contains("root port 0000:00:1c.0");
    assertThat(cli.out()).doesNotContain("switch 0000:00:1c.0");
  }

  @Test
  void numaNodesCanBeLists(@CapturedHostTree("two-socket") Path root, @TempDir Path directory)
      throws Exception {
    Cli cli = Cli.run("discover", "--root", root.toString(), "--numa-node-lists", "-o", "yaml");
    ClusterSnapshot cluster =
        Manifests.readSnapshot(Files.writeString(directory.resolve("slices.yaml"), cli.out()));

    Device device = cluster.resourceSlices().get(0).devices().get(0);
    assertThat(device.attributes().get("resource.kubernetes.io/numaNode"))
        .isInstanceOf(DeviceAttribute.IntValues.class);
  }

  @Test
  void aTableNamesDevicesAndWhereTheySit(@CapturedHostTree("rdma") Path root) {
    Cli cli = Cli.run("discover", "--root", root.toString());

    assertThat(cli.code()).isZero();
    assertThat(cli.out().lines().toList())
        .anyMatch(line -> line.matches("pci-0000-13-00-0 +nic +0 +pci0000:10 +\\S+ +eth0 rxe0 .*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "BAD_name!", "-a", "a..b", "a."})
  void aNameThatNoNodeCanHaveIsRefused(String name) {
    Cli cli = Cli.run("discover", "--node", name);

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines()).singleElement().asString().contains("--node", "\"" + name + "\"");
  }

  @Test
  void linksOfACapturedHostCannotBeAsked(@CapturedHostTree("rdma") Path root) {
    Cli cli = Cli.run("discover", "--driver", "dra.net", "--root", root.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines()).singleElement().asString().contains("dra.net", "--root");
  }
}
