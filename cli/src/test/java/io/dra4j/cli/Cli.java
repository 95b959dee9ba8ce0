package io.dra4j.cli;

import io.dra4j.cli.terminal.WrappedText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The answer of one run of the command.
 *
 * @param code the exit code
 * @param out the standard output
 * @param err the standard error
 */
public record Cli(int code, String out, String err) {

  public static Cli run(String... args) {
    return runWith("", args);
  }

  public static Cli runWith(String input, String... args) {
    return runWith(input.getBytes(StandardCharsets.UTF_8), args);
  }

  public static Cli runWith(byte[] input, String... args) {
    return run(input, WrappedText.DEFAULT_WIDTH, args);
  }

  /** Runs the command on a terminal that is so wide that no line is wrapped. */
  public static Cli wide(String... args) {
    return wideWith("", args);
  }

  /** Runs the command like {@link #wide}, with a standard input. */
  public static Cli wideWith(String input, String... args) {
    return run(input.getBytes(StandardCharsets.UTF_8), 1_000_000, args);
  }

  private static Cli run(byte[] input, int width, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(new ByteArrayInputStream(input), out, err, width, args);
    return new Cli(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Returns the answer with each sentence in one line, regardless of the width of the terminal. */
  public Cli unwrapped() {
    return new Cli(code, out.replaceAll("\\n  (?=[^ ])", " "), err);
  }

  public List<String> errLines() {
    return err.lines().toList();
  }
}
