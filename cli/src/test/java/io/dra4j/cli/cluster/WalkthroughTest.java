package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Walk-throughs that DraNet publishes: their manifests, as they are, on servers like those for
 * which they were written. The manifests come with the Go module of DraNet.
 */
class WalkthroughTest {

  private static final String MODULE = "sigs.k8s.io/dranet@v1.4.0/examples";

  @TempDir private Path directory;

  private static Path published(String name) {
    Path cache =
        Path.of(
            Objects.requireNonNullElse(
                System.getenv("GOMODCACHE"), System.getProperty("user.home") + "/go/pkg/mod"));
    Path file = cache.resolve(MODULE).resolve(name);
    assumeTrue(
        Files.isReadable(file), "no " + file + " (go mod download sigs.k8s.io/dranet@v1.4.0)");
    return file;
  }

  /** The classes, nodes and slices of an example, without its own workload. */
  private Path servers(String example) throws IOException {
    String text = Files.readString(Path.of("../examples/" + example));
    return Files.writeString(
        directory.resolve(example),
        Stream.of(text.split("\n---\n"))
            .filter(one -> one.matches("(?s).*\nkind: (DeviceClass|Node|ResourceSlice)\n.*"))
            .collect(Collectors.joining("\n---\n")));
  }

  private Cli place(Path servers, Path rendered, String... manifests) {
    return Cli.run(
        Stream.concat(
                Stream.of("place", servers.toString(), "--render", rendered.toString()),
                Stream.of(manifests).map(WalkthroughTest::published).map(Path::toString))
            .toArray(String[]::new));
  }

  @Test
  void theStatefulSetForGkeGetsPairsOnOneRoot() throws IOException {
    Path rendered = directory.resolve("rendered");
    Cli cli =
        place(
            servers("gke-a4-aligned.yaml"),
            rendered,
            "demo_nvidia_dranet/resourceclaims.yaml",
            "demo_nvidia_dranet/statefulset.yaml");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.unwrapped().out())
        .contains("2 of 2 pods placed on 2 nodes, 160 of at most 160 GB/s")
        .contains("default/nccl-gib-test-0  a4-0  80    gpu-0 gpu-1 gpu0rdma0 gpu1rdma0")
        .contains("default/nccl-gib-test-1  a4-1  80    gpu-0 gpu-1 gpu0rdma0 gpu1rdma0");
    assertThat(rendered.resolve("default-nccl-gib-test.yaml"))
        .content()
        .contains("mountPath: /etc/mpi", "name: nccl-gib-test-hostfile", "slots=2");
    assertThat(rendered.resolve("default-nccl-gib-test.sky.yaml"))
        .content()
        .contains("accelerators: B200:2");
  }

  @ParameterizedTest
  @CsvSource({"aligned, 320, 160, 1", "unaligned, 44, 22, 5"})
  void theMpiJobForAzureIsFastOnlyOnItsOwnNumaNode(
      String variant, int together, int each, int firstNic) throws IOException {
    Path rendered = directory.resolve("rendered");
    Cli cli =
        place(
            servers("nd-h100-v5-numa.yaml"),
            rendered,
            "distributed_training/resource-claim-template.yaml",
            "distributed_training/mpi-job-4gpu-4nic-numa-" + variant + ".yaml");

    String job = "pytorch-nccl-mfu-4gpu-" + variant;
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.unwrapped().out())
        .startsWith("2 of 2 pods placed\n")
        .contains("MPIJob default/" + job + ": 2 of 2 pods placed on 2 nodes, " + together + " of")
        .containsPattern(job + "-worker-0 +nd-h100-v5-0 +" + each + " +gpu-0 gpu-1 gpu-2 gpu-3")
        .containsPattern(job + "-worker-1 +nd-h100-v5-1 +" + each + " +gpu-0 gpu-1 gpu-2 gpu-3")
        .contains("pci-010" + firstNic + "-00-00-0");
    Path manifests = rendered.resolve("default-" + job + ".yaml");
    assertThat(manifests)
        .content()
        .contains("kind: MPIJob", "name: NCCL_TOPO_FILE", "slotsPerWorker: 4")
        .contains("\"010" + firstNic + ":00:00.0\"")
        .doesNotContain("hostfile");
    assertThat(Cli.run("validate", manifests.toString()).code()).isZero();
    Cli again = Cli.run("place", servers("nd-h100-v5-numa.yaml").toString(), manifests.toString());
    assertThat(again.out()).isEqualTo(cli.out());
  }

  /** A server with 8 H200 and 8 NICs, two pairs on each PCIe root, as an a3-ultragpu-8g. */
  private static String a3(String name) {
    StringBuilder gpus = new StringBuilder();
    StringBuilder nics = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      String place =
          """
          resource.kubernetes.io/pcieRoot: {string: "pci0000:%02x"},
                resource.kubernetes.io/pciBusID: {string: "0000:%02x:00.0"},
                resource.kubernetes.io/numaNode: {int: %d}}
          """;
      gpus.append("  - name: gpu-%d%n".formatted(i))
          .append(
              "    attributes: {type: {string: gpu}, productName: {string: NVIDIA H200},\n      ")
          .append(place.formatted(64 * (i / 2), 64 * (i / 2) + 4 + i % 2, i / 4));
      nics.append("  - name: gpu%drdma0%n".formatted(i))
          .append("    attributes: {dra.net/rdma: {bool: true},\n      ")
          .append(place.formatted(64 * (i / 2), 64 * (i / 2) + 8 + i % 2, i / 4));
    }
    String slice =
        """
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: %1$s-%2$s}
        spec:
          driver: %2$s
          nodeName: %1$s
          pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
          devices:
        """;
    return "---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\n".formatted(name)
        + slice.formatted(name, "gpu.nvidia.com")
        + gpus
        + slice.formatted(name, "dra.net")
        + nics;
  }

  private static String classFor(String name, String driver) {
    return """
        ---
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: %s}
        spec: {selectors: [{cel: {expression: 'device.driver == "%s"'}}]}
        """
        .formatted(name, driver);
  }

  /**
   * The task for NCCL tests on GKE that SkyPilot publishes ({@code
   * examples/gcp_gpu_direct_tcpx/nccl_rdma_gke_h200.yaml}), if a checkout of SkyPilot is there;
   * else one with the same resources.
   */
  private Path task() throws IOException {
    String checkout = System.getenv("SKYPILOT");
    if (checkout != null) {
      return Path.of(checkout, "examples/gcp_gpu_direct_tcpx/nccl_rdma_gke_h200.yaml");
    }
    return Files.writeString(
        directory.resolve("task.yaml"),
        """
        # Two nodes with the fastest network.
        name: nccl-gpudirect-rdma-h200
        resources:
          infra: k8s
          accelerators: H200:8
          image_id: registry.example/nccl:v1
          network_tier: best
        num_nodes: 2
        envs:
          USE_GPU_DIRECT: "true"
        run: |
          nodes=${nodes::-1}
          mpirun -H $nodes -x ${!NCCL*} all_gather_perf
        """);
  }

  @Test
  void theTaskOfSkyPilotGetsAllGpusWithTheirNics() throws IOException {
    Path servers =
        Files.writeString(
            directory.resolve("a3.yaml"),
            classFor("dranet", "dra.net")
                + classFor("gpu.nvidia.com", "gpu.nvidia.com")
                + a3("a3-0")
                + a3("a3-1"));
    Cli cli = Cli.run("place", servers.toString(), "--task", task().toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.unwrapped().out())
        .startsWith("2 of 2 pods placed\n")
        .contains("Job default/nccl-gpudirect-rdma-h200: 2 of 2 pods placed on 2 nodes, 640 of at")
        .containsPattern("default/nccl-gpudirect-rdma-h200-0 +a3-0 +320 +gpu-0 gpu0rdma0 gpu-1")
        .containsPattern("default/nccl-gpudirect-rdma-h200-1 +a3-1 +320 +gpu-0 gpu0rdma0 gpu-1")
        .contains("equal rails 0 to 7 on all 2 nodes");
    assertThat(
            Cli.run(
                    "headroom",
                    "job/nccl-gpudirect-rdma-h200",
                    servers.toString(),
                    "--task",
                    task().toString(),
                    "--add-node",
                    "a3-0=4")
                .out())
        .startsWith("2 more of job default/nccl-gpudirect-rdma-h200 fit, each of 2 pods\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{resources: {accelerators: [H100:8, H200:8]}} | resources.accelerators: expected one kind",
        "{resources: {accelerators: B200:8}} | no DeviceClass of the input selects GPUs of kind B200",
        "{resources: {accelerators: H200:8, any_of: []}} | resources: expected one choice",
        "{resources: {cpus: 4}} | task task requests no accelerators",
        "{num_nodes: 2} | resources: expected the resources of a SkyPilot task",
        "{resources: {accelerators: 'H200:many'}} | expected KIND:COUNT, such as H200:8, found H200:many",
        "{resources: {accelerators: H200}, num_nodes: 0} | num_nodes: expected 1 to 100000, found 0",
      })
  void aTaskThatLeavesAChoiceOrAsksForNothingIsRefused(String task, String reason)
      throws IOException {
    Path servers =
        Files.writeString(
            directory.resolve("a3.yaml"),
            classFor("gpu.nvidia.com", "gpu.nvidia.com") + a3("a3-0"));
    Path file = Files.writeString(directory.resolve("bad.yaml"), task);
    Cli cli = Cli.run("place", servers.toString(), "--task", file.toString());

    assertThat(cli.code()).isNotZero();
    assertThat(cli.err()).contains(reason);
  }
}
