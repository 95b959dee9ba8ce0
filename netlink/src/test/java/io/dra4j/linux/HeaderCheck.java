package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Numbers of the kernel's headers, held against ours by a compiler alone, so that a program for
 * another architecture need not run.
 */
public final class HeaderCheck {

  private HeaderCheck() {}

  /**
   * Fails if an expression of C has another value; skips the test if the compiler is not there.
   *
   * @param compiler its command, for example {@code aarch64-linux-gnu-gcc}
   * @param includes the lines that the expressions need
   * @param values what each expression has to be
   * @param directory where the program is written
   */
  public static void holds(
      String compiler, String includes, Map<String, Integer> values, Path directory)
      throws IOException, InterruptedException {
    assumeThat(exists(compiler)).as(compiler).isTrue();
    StringBuilder program = new StringBuilder(includes);
    values.forEach(
        (what, value) ->
            program.append(
                String.format("_Static_assert((%s) == %d, \"%s\");%n", what, value, what)));
    Path source = Files.writeString(directory.resolve("numbers.c"), program);

    Process process =
        new ProcessBuilder(compiler, "-fsyntax-only", source.toString())
            .redirectErrorStream(true)
            .start();
    String messages = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(messages).isZero();
  }

  private static boolean exists(String compiler) throws InterruptedException {
    try {
      return new ProcessBuilder(compiler, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
