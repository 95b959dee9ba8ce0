package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
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
        .containsExactly("dra4j: Unmatched argument at index 0: 'alocate'", "Try 'dra4j --help'.");
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
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            broken, new PrintWriter(new StringWriter()), new PrintWriter(err), "allocate", "-");
    assertThat(code).isEqualTo(70);
    assertThat(err.toString())
        .startsWith("dra4j: internal error: java.lang.OutOfMemoryError: no room");
  }
}
