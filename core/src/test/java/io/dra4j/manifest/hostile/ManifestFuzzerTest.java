package io.dra4j.manifest.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the fuzzer and the corpus start from, without the fuzzer. */
class ManifestFuzzerTest {

  @Test
  void theManifestThatIsMutatedIsGood() throws ManifestException {
    byte[] good = Mutants.GOOD.getBytes(StandardCharsets.UTF_8);
    assertThat(ManifestReader.builder().build().read("good", new ByteArrayInputStream(good)))
        .hasSize(5);
    assertThatCode(() -> ManifestFuzzer.fuzzerTestOneInput(good)).doesNotThrowAnyException();
  }

  @Test
  void mutantsAreObjectsOrRefused() {
    for (int seed = 0; seed < 500; seed++) {
      byte[] mutant = Mutants.of(seed);
      assertThatCode(() -> ManifestFuzzer.fuzzerTestOneInput(mutant))
          .as("mutant %d", seed)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void thereAreManyFamiliesOfHostileFilesAndSmallOnesAreHarmless(@TempDir Path directory)
      throws IOException {
    Set<String> names = new HashSet<>();
    Path file = directory.resolve("f");
    for (Shape shape : Shapes.all()) {
      names.add(shape.name());
      shape.write(file, 2000);
      byte[] bytes = Files.readAllBytes(file);
      assertThatCode(() -> ManifestFuzzer.fuzzerTestOneInput(bytes))
          .as(shape.name())
          .doesNotThrowAnyException();
    }
    assertThat(names).hasSizeGreaterThan(150).hasSameSizeAs(Shapes.all());
  }
}
