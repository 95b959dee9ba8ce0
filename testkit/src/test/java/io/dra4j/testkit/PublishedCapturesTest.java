package io.dra4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Captures of real servers, which lie beside the project and not in it. */
class PublishedCapturesTest {

  private static final Path ARCHIVES =
      Path.of(Objects.requireNonNullElse(System.getenv("DRA4J_SHARED"), "../../shared"))
          .resolve("data/topology/sysfs");

  @Test
  void everyArchiveHasTheFunctionsThatItsExpectedFileLists() throws IOException {
    assumeTrue(Files.isDirectory(ARCHIVES), () -> "no captures in " + ARCHIVES.toAbsolutePath());
    List<Path> archives;
    try (Stream<Path> files = Files.list(ARCHIVES)) {
      archives = files.filter(file -> file.toString().endsWith(".tar.gz")).sorted().toList();
    }
    assertThat(archives).hasSizeGreaterThanOrEqualTo(7);
    for (Path archive : archives) {
      CapturedHost host = CapturedHost.readTarGz(archive);

      Path expected = Path.of(archive.toString().replace(".tar.gz", ".devices.csv"));
      List<String> addresses =
          Files.readAllLines(expected).stream()
              .skip(1)
              .map(line -> line.split(",", 2)[0])
              .sorted()
              .toList();
      try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
        Path root = memory.getPath("/root");
        host.expandTo(root);
        try (Stream<Path> functions = Files.list(root.resolve("sys/bus/pci/devices"))) {
          assertThat(functions.map(function -> function.getFileName().toString()).sorted())
              .as(archive.toString())
              .containsExactlyElementsOf(addresses);
        }
      }
    }
  }
}
