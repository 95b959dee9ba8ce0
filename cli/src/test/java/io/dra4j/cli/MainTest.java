package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void helpIsAWordForTheOption() {
    Cli cli = Cli.run("help");
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).isEqualTo(Cli.run("--help").out());
    assertThat(Cli.run("help", "cel").out()).isEqualTo(Cli.run("cel", "--help").out());
    assertThat(Cli.run("help", "nope").code()).isEqualTo(2);
  }

  @Test
  void whatAnOptionMayBeIsWrittenAsItIsTyped() {
    assertThat(Cli.run("topology", "-o", "png").errLines().get(0))
        .isEqualTo(
            "dra4j: Invalid value for option '--output': expected one of text, json, svg,"
                + " nccl-xml, found 'png'");
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

  @ParameterizedTest
  @CsvSource({
    "0, allocate ../examples/gke-a4-aligned.yaml",
    "2, validate src/test/resources",
    "2, allocate src/test/resources",
  })
  void aReaderThatHasHadEnoughIsNoFailureAndHidesNone(int code, String line) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int ended =
        Main.run(InputStream.nullInputStream(), failing("Broken pipe"), err, line.split(" "));

    assertThat(ended).isEqualTo(code);
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("output", "pipe");
  }

  /** Whoever asks without end is not answered without end when nobody listens any more. */
  @Test
  @SuppressWarnings("InputStreamSlowMultibyteRead")
  void answersToEndlessQuestionsEndWithTheirReader() {
    InputStream endless =
        new InputStream() {
          private final byte[] line =
              "{\"expression\":\"true\"}\n".getBytes(StandardCharsets.UTF_8);
          private int next;

          @Override
          public int read() {
            return line[next++ % line.length];
          }
        };

    int ended = Main.run(endless, failing("Broken pipe"), OutputStream.nullOutputStream(), "cel");

    assertThat(ended).isZero();
  }

  @Test
  @SuppressWarnings("InputStreamSlowMultibyteRead")
  void anInputThatCannotBeReadIsToldByItsName() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    InputStream folder =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("Is a directory");
          }
        };

    int ended = Main.run(folder, OutputStream.nullOutputStream(), err, "cel");

    assertThat(ended).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("dra4j: standard input: is a directory\n");
  }
}
