package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole answers of {@code place}, {@code headroom} and {@code audit}; the golden files are written
 * by -Dgolden=write. The gate lays the pages out in a browser (e2e/pictures/check).
 */
class JobsGoldenTest {

  private static final boolean WRITE = "write".equals(System.getProperty("golden"));
  private static final Path CASES = Path.of("src/test/resources/io/dra4j/cli/jobs");

  @ParameterizedTest
  @CsvSource({
    "place.txt, 0, place EXAMPLES/gke-a4-aligned.yaml",
    "place.json, 0, place -o json EXAMPLES/gke-a4-aligned.yaml",
    "place.html, 0, place -o html EXAMPLES/gke-a4-aligned.yaml",
    "place-unplaced.txt, 1, place EXAMPLES/two-nodes-scale-out.yaml --without node/server-1",
    "place-unplaced.html, 1,"
        + " place -o html EXAMPLES/two-nodes-scale-out.yaml --without node/server-1",
    "place-groups.txt, 1, place CASES/groups.yaml --kubernetes 1.38",
    "place-plugin.txt, 1, place CASES/plugin.yaml",
    "place-plugin.json, 1, place -o json CASES/plugin.yaml",
    "headroom.txt, 0,"
        + " headroom job/third EXAMPLES/two-nodes-scale-out.yaml --add-node server-0=3",
    "headroom.json, 0,"
        + " headroom -o json job/third EXAMPLES/two-nodes-scale-out.yaml --add-node server-0=3",
    "audit.txt, 1, audit CASES/audit.yaml",
    "audit.json, 1, audit -o json CASES/audit.yaml",
  })
  void theAnswerIsTheGoldenOne(String name, int code, String command) throws IOException {
    Cli cli =
        Cli.run(
            command
                .replace("EXAMPLES", "../examples")
                .replace("CASES", CASES.toString())
                .split(" "));
    Path golden = CASES.resolve(name);
    if (WRITE) {
      Files.writeString(golden, cli.out());
    }

    assertThat(cli.code()).as(cli.err()).isEqualTo(code);
    assertThat(cli.out()).isEqualTo(Files.readString(golden)).isNotBlank();
  }
}
