package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.testkit.CapturedHostTree;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoverCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"yaml", "json"})
  void slicesCanBeAllocatedFrom(
      String format, @CapturedHostTree("a4-like") Path root, @TempDir Path folder)
      throws Exception {
    Cli cli = Cli.run("discover", "--root", root.toString(), "--node", "a4-0", "-o", format);
    assertThat(cli.code()).isZero();
    ClusterSnapshot cluster =
        Manifests.readSnapshot(Files.writeString(folder.resolve("slices." + format), cli.out()));

    ResourceSlice slice = cluster.resourceSlices().get(0);
    assertThat(slice.driver()).isEqualTo("host.dra4j.io");
    assertThat(slice.nodeSelection().nodeName()).isEqualTo("a4-0");
    assertThat(slice.devices()).hasSize(16);
  }

  @Test
  void pairsOfOneRootCanBeClaimed(@CapturedHostTree("a4-like") Path root, @TempDir Path folder)
      throws Exception {
    Cli slices = Cli.run("discover", "--root", root.toString(), "--node", "a4-0", "-o", "yaml");
    Path published = Files.writeString(folder.resolve("slices.yaml"), slices.out());
    Path claim =
        Files.writeString(
            folder.resolve("claim.yaml"),
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

  @Test
  void numaNodesCanBeLists(@CapturedHostTree("two-socket") Path root, @TempDir Path folder)
      throws Exception {
    Cli cli = Cli.run("discover", "--root", root.toString(), "--numa-node-lists", "-o", "yaml");
    ClusterSnapshot cluster =
        Manifests.readSnapshot(Files.writeString(folder.resolve("slices.yaml"), cli.out()));

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
