package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of {@code dra4j driver} that are refused before anything is changed. */
class DriverUsageTest {

  @TempDir private Path directory;

  private static String refusal(String... args) {
    String[] line = new String[args.length + 1];
    line[0] = "driver";
    System.arraycopy(args, 0, line, 1, args.length);
    Cli cli = Cli.run(line);
    assertThat(cli.code()).as(cli.err()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    return cli.err();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bad Name", "", "-x", "a/b", "a\nb", "Dra.Net", "a..b"})
  void aNameOfNoDriverIsBlamedOnTheOption(String name) {
    assertThat(refusal("run", "--local", "--name", name, "--state", directory.toString()))
        .startsWith("dra4j: --name: expected a DNS subdomain of at most 63 bytes")
        .doesNotContain("bug")
        .hasLineCount(1);
  }

  @Test
  void aNameOf64BytesIsRefused() {
    assertThat(refusal("run", "--local", "--name", "a".repeat(64), "--state", directory.toString()))
        .contains("--name: ");
  }

  @Test
  void aFileIsNoDirectoryOfState() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    Path dangling = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("none"));
    for (Path state : new Path[] {file, file.resolve("below"), dangling}) {
      for (String[] line :
          new String[][] {
            {"attach", "lo", "--netns", "pod", "--dry-run", "--state", state.toString()},
            {"attach", "lo", "--netns", "pod", "--state", state.toString()},
            {"run", "--local", "--state", state.toString()}
          }) {
        assertThat(refusal(line)).matches("dra4j: --state: .* is not a directory\n");
      }
    }
    assertThat(file).isEmptyFile();
  }

  @Test
  void aNamespaceIsLookedForBeforeAnyClaimNeedsIt() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    String state = directory.resolve("state").toString();

    assertThat(refusal("run", "--local", "--netns", "nope", "--state", state))
        .contains("/run/netns/nope: ENOENT (no such file)");
    assertThat(refusal("run", "--local", "--netns", file.toString(), "--state", state))
        .contains(file + " is not a network namespace");
    assertThat(refusal("run", "--local", "--netns", directory.toString(), "--state", state))
        .contains(directory + " is not a network namespace");
    assertThat(refusal("run", "--local", "--netns", "/proc/self/ns/net", "--state", state))
        .contains("the host's own network namespace");
    assertThat(directory.resolve("state")).doesNotExist();
  }
}
