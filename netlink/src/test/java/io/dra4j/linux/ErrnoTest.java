package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of error numbers, beside the headers of both architectures. */
class ErrnoTest {

  private static final Set<String> OTHER_NAMES = Set.of("EWOULDBLOCK", "EDEADLOCK", "ENOTSUP");

  @ParameterizedTest
  @ValueSource(strings = {"x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"})
  void isThatOfTheCompilerForBothArchitectures(String compiler, @TempDir Path directory)
      throws Exception {
    Path source = Files.writeString(directory.resolve("errno.c"), "#include <errno.h>\n");
    Process process;
    try {
      process = new ProcessBuilder(compiler, "-E", "-dM", source.toString()).start();
    } catch (IOException e) {
      assumeThat(e).as(compiler + " is there").isNull();
      throw e;
    }
    String macros = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    Set<String> theirs =
        macros
            .lines()
            .map(line -> line.split(" ", 3))
            .filter(words -> words.length == 3 && words[1].startsWith("E"))
            .filter(words -> words[2].chars().allMatch(Character::isDigit))
            .filter(words -> !OTHER_NAMES.contains(words[1]))
            .map(words -> words[1] + " " + words[2])
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(theirs)
        .isEqualTo(
            IntStream.rangeClosed(1, 4_095)
                .filter(code -> !Errno.nameOf(code).startsWith("error"))
                .mapToObj(code -> Errno.nameOf(code) + " " + code)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @ParameterizedTest
  @EnumSource
  void everyConstantHasTheNumberOfItsName(Errno errno) {
    assertThat(Errno.of(errno.code())).hasValue(errno);
    assertThat(Errno.nameOf(errno.code())).isEqualTo(errno.name());
  }

  @Test
  void numbersHaveMeanings() {
    assertThat(Errno.meaningOf(19)).isEqualTo("No such device");
    assertThat(Errno.nameOf(39)).isEqualTo("ENOTEMPTY");
    assertThat(Errno.of(39)).isEmpty();
    assertThat(Errno.nameOf(4_095)).isEqualTo("error 4095");
    assertThat(Errno.meaningOf(4_095)).isEqualTo("Unknown error 4095");
  }
}
