package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Reads slices and claims that were captured on real clusters. They are not part of the project:
 * the environment variable {@code DRA4J_SHARED} names the directory that has them in {@code
 * data/resourceslices}, by default the one beside the project.
 */
class RealSlicesTest {

  private static List<Path> files(String suffix) throws IOException {
    String shared = Optional.ofNullable(System.getenv("DRA4J_SHARED")).orElse("../../shared");
    Path directory = Path.of(shared, "data", "resourceslices");
    assumeThat(directory).as("no captured slices in %s", directory).isDirectory();
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  @Test
  void theOriginalAndItsJsonFormReadTheSame() throws Exception {
    List<Path> jsons = files(".json");
    assertThat(jsons).isNotEmpty();
    for (Path json : jsons) {
      Path yaml = Path.of(json.toString().replace(".json", ".orig.yaml"));
      ClusterSnapshot cluster = Manifests.readSnapshot(json);
      assertThat(cluster.resourceSlices()).as(json.toString()).hasSize(1);
      assertThat(Manifests.readSnapshot(yaml)).as(yaml.toString()).isEqualTo(cluster);
    }
  }

  @Test
  void everyFileIsWrittenSoThatItReadsBackEqual() throws Exception {
    List<Path> yamls = files(".yaml");
    assertThat(yamls).isNotEmpty();
    for (Path yaml : yamls) {
      List<Manifest> manifests = ManifestReader.create().read(yaml);
      List<KubernetesObject> objects = manifests.stream().map(Manifest::object).toList();
      assertThat(Reading.objects(ManifestWriter.toYaml(manifests)))
          .as(yaml.toString())
          .isEqualTo(objects);
    }
  }
}
