package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Slices that real drivers published on real servers. They are other people's, so they are read
 * where they lie: {@code resourceslices} in the data directory beside the project, or below {@code
 * DRA4J_SHARED}.
 */
class PublishedSlicesTest {

  @Test
  void everyOneIsReadAndWrittenBackEqual() throws IOException, ManifestException {
    String shared = System.getenv().getOrDefault("DRA4J_SHARED", "");
    Path directory =
        Path.of(shared.isEmpty() ? "../../shared" : shared).resolve("data/resourceslices");
    Assumptions.assumeTrue(Files.isDirectory(directory), "no data in " + directory);
    List<ResourceSlice> slices = new ArrayList<>();
    for (Path file : filesIn(directory)) {
      List<Manifest> manifests = ManifestReader.builder().build().read(file);
      List<KubernetesObject> objects = manifests.stream().map(Manifest::object).toList();
      Path copy = Files.createTempFile("slices", ".yaml");
      try {
        Files.writeString(copy, ManifestWriter.toYaml(manifests));
        assertThat(ManifestReader.builder().build().read(copy).stream().map(Manifest::object))
            .as(file.toString())
            .isEqualTo(objects);
      } finally {
        Files.delete(copy);
      }
      for (KubernetesObject object : objects) {
        if (object instanceof ResourceSlice slice) {
          slices.add(slice);
        }
      }
    }
    assertThat(slices).hasSizeGreaterThan(5);
  }

  private static List<Path> filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml") || file.toString().endsWith(".json"))
          .sorted()
          .toList();
    }
  }
}
