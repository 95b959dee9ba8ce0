package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.testkit.SyntheticHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pictures that docs/gallery.md shows are those that the command draws. */
class GalleryTest {

  private static final Path PICTURES = Path.of("../docs/pictures");
  private static final String OVERLAY = "../examples/nd-h100-v5.nccl.xml";

  @TempDir Path root;

  private void assertDraws(String picture, String... options) throws IOException {
    String[] args = new String[options.length + 5];
    args[0] = "topology";
    args[1] = "--root";
    args[2] = root.toString();
    args[3] = "-o";
    args[4] = "svg";
    System.arraycopy(options, 0, args, 5, options.length);
    assertDrawn(picture, Cli.run(args));
  }

  private static void assertDrawn(String picture, Cli cli) throws IOException {
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.err()).isEmpty();
    if (System.getProperty("pictures", "").equals("write")) {
      Files.writeString(PICTURES.resolve(picture), cli.out());
    }
    assertThat(cli.out())
        .as("write the pictures anew with -Dpictures=write, and look at them")
        .isEqualTo(Files.readString(PICTURES.resolve(picture)));
  }

  @Test
  void pairsThatAClaimGotJoinedByWhatTheyCarry() throws IOException {
    SyntheticHosts.a4().expandTo(root);
    Path cluster = root.resolve("cluster.yaml");
    Cli slices = Cli.run("discover", "--root", root.toString(), "--node", "a4", "-o", "yaml");
    Files.writeString(
        cluster,
        slices.out()
            + """
            ---
            {apiVersion: v1, kind: Node, metadata: {name: a4}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {selectors: [{cel: {expression: "device.attributes['host.dra4j.io'].kind == 'gpu'"}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: nic}
            spec:
              selectors:
              - cel: {expression: "device.attributes['host.dra4j.io'].?rdma.orValue(false)"}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: training}
            spec:
              devices:
                requests:
                - {name: gpus, exactly: {deviceClassName: gpu, count: 3}}
                - {name: nics, exactly: {deviceClassName: nic, count: 3}}
            """);

    assertDrawn(
        "allocate-a4.svg",
        Cli.run("allocate", "--policy", "best", "-o", "svg", cluster.toString()));
  }

  @Test
  void twoGpusAndTwoNicsOnEachOfFourSwitches() throws IOException {
    SyntheticHosts.a4().expandTo(root);

    assertDraws("a4.svg");
  }

  @Test
  void sixteenGpusBelowNestedSwitches() throws IOException {
    SyntheticHosts.dgx16().expandTo(root);

    assertDraws("dgx16.svg");
  }

  @Test
  void pairsThatOnlyAnOverlayKnows() throws IOException {
    SyntheticHosts.ndH100v5().expandTo(root);

    assertDraws("nd-h100-v5.svg", "--nccl-xml", OVERLAY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "one-pair-of-eight",
        "gke-a4-aligned",
        "eight-roots-pairwise",
        "nd-h100-v5-numa",
        "two-nodes-scale-out",
        "gpus-without-nics",
        "aws-p4d-efa",
        "azure-mi300x-nics",
        "oci-gb200-numa",
        "azure-gb300-numa"
      })
  void whatTheExamplesGet(String example) throws IOException {
    Cli cli = Cli.run("allocate", "-o", "svg", "../examples/" + example + ".yaml");

    assertThat(cli.errLines()).allMatch(line -> line.startsWith("dra4j: warning: "));
    assertDrawn("example-" + example + ".svg", new Cli(cli.code(), cli.out(), ""));
  }

  @Test
  void theGalleryShowsEveryPicture() throws IOException {
    String gallery = Files.readString(Path.of("../docs/gallery.md"));
    try (Stream<Path> pictures = Files.list(PICTURES)) {
      assertThat(pictures)
          .allSatisfy(picture -> assertThat(gallery).contains("pictures/" + picture.getFileName()));
    }
  }
}
