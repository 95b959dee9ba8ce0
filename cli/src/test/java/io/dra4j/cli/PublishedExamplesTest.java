package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.cli.cluster.ExamplesTest;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceSlice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The examples of existing machines give the same devices with the slices that drivers published
 * there, which are stored outside the project, instead of their own slices.
 */
class PublishedExamplesTest {

  private static final Path DATA =
      Path.of(Objects.requireNonNullElse(System.getenv("DRA4J_SHARED"), "../../shared"))
          .resolve("data/resourceslices");

  private static void assertSameDevices(String example, String... published) throws Exception {
    ManifestReader reader = ManifestReader.builder().build();
    List<Manifest> cluster = new ArrayList<>();
    String node = "";
    for (Manifest manifest : reader.read(Path.of("../examples", example))) {
      if (manifest.object() instanceof ResourceSlice slice) {
        node = Objects.requireNonNull(slice.nodeSelection().nodeName());
      } else {
        cluster.add(manifest);
      }
    }
    for (String name : published) {
      Path file = DATA.resolve(name + ".json");
      assumeTrue(Files.exists(file), () -> "nothing at " + file.toAbsolutePath());
      for (Manifest manifest : reader.read(file)) {
        ResourceSlice slice = (ResourceSlice) manifest.object();
        cluster.add(
            manifest.withObject(
                slice.toBuilder().nodeSelection(NodeSelection.ofNode(node)).build()));
      }
    }

    Cli cli = Cli.runWith(ManifestWriter.toYaml(cluster), "allocate", "-");

    assertThat(ExamplesTest.answers(cli)).isEqualTo(ExamplesTest.expected(example));
  }

  @Test
  void p4d() throws Exception {
    assertSameDevices("aws-p4d-efa.yaml", "aws-p4d-gpu", "aws-p4d-dranet");
  }

  @Test
  void gb200() throws Exception {
    assertSameDevices("oci-gb200-numa.yaml", "oci-gb200-gpu", "oci-gb200-dranet");
  }

  @Test
  void gb300() throws Exception {
    assertSameDevices("azure-gb300-numa.yaml", "azure-gb300-gpu", "azure-gb300-dranet");
  }

  @Test
  void mi300x() throws Exception {
    assertSameDevices("azure-mi300x-nics.yaml", "azure-mi300x-dranet");
  }
}
