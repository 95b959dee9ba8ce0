package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @Test
  void helpNamesAllCommands() {
    assertThat(Cli.run("--help").out()).contains("allocate", "cel", "discover", "topology");
    assertThat(Cli.run().err()).contains("allocate", "cel", "discover", "topology");
  }

  @ParameterizedTest
  @ValueSource(strings = {"allocate", "cel", "discover", "topology"})
  void everyCommandHasItsOwnHelp(String command) {
    Cli cli = Cli.run(command, "--help");
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).startsWith("Usage: dra4j " + command);
  }

  @Test
  void anUnknownCommandIsBadUsage() {
    Cli cli = Cli.run("alocate");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: Unknown command: 'alocate'; did you mean allocate?", "Try 'dra4j --help'.");
  }

  @Test
  void aCrashIsExitCode70() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() {
            throw new OutOfMemoryError("no room");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            throw new OutOfMemoryError("no room");
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(broken, OutputStream.nullOutputStream(), err, "allocate", "-");
    assertThat(code).isEqualTo(70);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("dra4j: internal error: java.lang.OutOfMemoryError: no room");
  }

  /** Standard output that fails with what the system says. */
  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(reason);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"No space left on device", "Bad file descriptor"})
  void outputThatCannotBeWrittenIsExitCode74(String reason) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int code = Main.run(InputStream.nullInputStream(), failing(reason), err, "--help");

    assertThat(code).isEqualTo(74);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("dra4j: standard output: cannot be written: " + reason + "\n");
  }

  @Test
  void outputThatCannotBeWrittenIsMoreImportantThanTheAnswer() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int code =
        Main.run(
            InputStream.nullInputStream(),
            failing("No space left on device"),
            err,
            "allocate",
            "../examples/gke-a4-aligned.yaml");

    assertThat(code).isEqualTo(74);
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
  }

  @Test
  void aReaderThatHasHadEnoughEndsTheCommandQuietly() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int code =
        Main.run(
            InputStream.nullInputStream(),
            failing("Broken pipe"),
            err,
            "allocate",
            "../examples/gke-a4-aligned.yaml");

    assertThat(code).isZero();
    assertThat(err.size()).isZero();
  }
}
