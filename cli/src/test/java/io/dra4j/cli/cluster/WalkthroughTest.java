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

  @TempDir private Path folder;

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
        folder.resolve(example),
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
    Path rendered = folder.resolve("rendered");
    Cli cli =
        place(
            servers("gke-a4-aligned.yaml"),
            rendered,
            "demo_nvidia_dranet/resourceclaims.yaml",
            "demo_nvidia_dranet/statefulset.yaml");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out())
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
    Path rendered = folder.resolve("rendered");
    Cli cli =
        place(
            servers("nd-h100-v5-numa.yaml"),
            rendered,
            "distributed_training/resource-claim-template.yaml",
            "distributed_training/mpi-job-4gpu-4nic-numa-" + variant + ".yaml");

    String job = "pytorch-nccl-mfu-4gpu-" + variant;
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out())
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
}
