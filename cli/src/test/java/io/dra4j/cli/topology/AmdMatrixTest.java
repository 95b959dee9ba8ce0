package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output of amd-smi with GPUs that the host does not have. */
class AmdMatrixTest {

  private static final String TABLE =
      """
      HOPS TABLE:
                   0000:0c:00.0 0000:22:00.0 0000:38:00.0
      0000:0c:00.0 0            1            1
      0000:22:00.0 1            0            1
      0000:38:00.0 1            1            0

      LINK TYPE TABLE:
                   0000:0c:00.0 0000:22:00.0 0000:38:00.0
      0000:0c:00.0 SELF         XGMI         XGMI
      0000:22:00.0 XGMI         SELF         XGMI
      0000:38:00.0 XGMI         XGMI         SELF
      """;

  @TempDir Path directory;

  private Cli run(String table, String... gpus) throws IOException {
    SyntheticHost host = new SyntheticHost("amd");
    for (String gpu : gpus) {
      host.root("pci0000:" + gpu.substring(5, 7), 0).function(gpu, 0x120000, 0x1002, 0x74a1);
    }
    Path root = directory.resolve("host");
    host.build().expandTo(root);
    Path file = Files.writeString(directory.resolve("topo.txt"), table);
    return Cli.run("topology", "--root", root.toString(), "--nvidia-smi", file.toString());
  }

  @Test
  void oneMissingGpuTakesNoOtherWithIt() throws IOException {
    Cli cli = run(TABLE, "0000:0c:00.0", "0000:22:00.0");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("XGMI1");
    assertThat(cli.err())
        .contains("topo.txt: GPUs of the matrix that are not here: 0000:38:00.0; left out");
  }

  @Test
  void anotherGpuOfTheHostIsJustNotInTheMatrix() throws IOException {
    Cli cli = run(TABLE, "0000:0c:00.0", "0000:22:00.0", "0000:38:00.0", "0000:5c:00.0");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("XGMI1");
    assertThat(cli.err()).doesNotContain("topo.txt");
  }

  @Test
  void allMissingIsAnotherMachine() throws IOException {
    Cli cli = run(TABLE, "0000:0d:00.0", "0000:23:00.0");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err())
        .contains("not here: 0000:0c:00.0, 0000:22:00.0, 0000:38:00.0")
        .contains("use --no-host to show only the file");
  }

  @Test
  void numbersOfMoreGpusThanThereAreNameNone() throws IOException {
    String numbered =
        TABLE
            .replace("0000:0c:00.0", "GPU0")
            .replace("0000:22:00.0", "GPU1")
            .replace("0000:38:00.0", "GPU2");
    Cli cli = run(numbered, "0000:0c:00.0", "0000:22:00.0");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("3 GPUs in the matrix, ");
  }
}
