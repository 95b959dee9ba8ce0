package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allocate --bogus",
        "explain --bogus",
        "validate --bogus --strict",
        "driver attach --bogus",
        "driver attach eth0 --dry-run --bogus",
        "driver config --bogus"
      })
  void anUnknownOptionIsNamedBeforeWhatIsMissing(String line) {
    Cli cli = Cli.run(line.split(" "));
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines().get(0)).isEqualTo("dra4j: Unknown option: '--bogus'");
  }

  @Test
  void whatIsMissingIsNamedWhereAllOptionsAreKnown() {
    assertThat(Cli.run("allocate", "--strict").errLines().get(0))
        .isEqualTo("dra4j: Missing required parameter: 'FILE', or --from-cluster");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allocate ''",
        "explain ''",
        "validate pom.xml ''",
        "driver config ''",
        "driver run --local ''",
        "driver attach eth0 --netns x --config ''",
        "topology --slices ''",
        "topology --root ''",
        "topology --nvidia-smi ''",
        "topology --address-map ''",
        "cel --slices ''"
      })
  void anEmptyTextIsTheNameOfNoFile(String line) {
    Cli cli =
        Cli.run(
            Arrays.stream(line.split(" "))
                .map(word -> word.equals("''") ? "" : word)
                .toArray(String[]::new));
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines().get(0))
        .matches("dra4j: .*(FILE|--[a-z-]+).*: expected a file name, found ''");
  }

  @ParameterizedTest
  @ValueSource(strings = {"allocate", "explain", "topology --slices", "driver config"})
  void anAtSignBeginsTheNameOfAFile(String command, @TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("args"), "--help");
    Cli cli = Cli.run((command + " @" + file).split(" "));
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines().get(0)).isEqualTo("dra4j: @" + file + ": no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\u001b[31mb", "\r", "a\u0000b", "a\u202eb", "a\u2028b"})
  void controlCharactersOfANodeAreEscaped(String name) {
    for (String[] line :
        List.of(
            new String[] {"discover", "--node", name},
            new String[] {"driver", "run", "--local", "--node", name},
            new String[] {"allocate", "--node", name, "../examples/gke-a4-aligned.yaml"},
            new String[] {"explain", "--node", name, "../examples/gke-a4-aligned.yaml"})) {
      Cli cli = Cli.run(line);
      assertThat(cli.code()).isEqualTo(2);
      assertThat(cli.errLines()).hasSize(1);
      assertThat(cli.err()).contains("--node: ").doesNotContain(name);
    }
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

  /** Standard output that fails with an error of the system. */
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
        .isEqualTo("dra4j: cannot write standard output: " + reason + "\n");
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

  /** Endless input does not lead to endless output after the reader has closed the pipe. */
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
    InputStream directory =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("Is a directory");
          }
        };

    int ended = Main.run(directory, OutputStream.nullOutputStream(), err, "cel");

    assertThat(ended).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("dra4j: standard input: is a directory\n");
  }
}
