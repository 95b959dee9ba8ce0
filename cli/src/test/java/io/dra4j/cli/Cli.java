package io.dra4j.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The answer of one run of the command.
 *
 * @param code the exit code
 * @param out what went to standard output
 * @param err what went to standard error
 */
record Cli(int code, String out, String err) {

  static Cli run(String... args) {
    return runWith("", args);
  }

  static Cli runWith(String input, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintWriter(out),
            new PrintWriter(err),
            args);
    return new Cli(code, out.toString(), err.toString());
  }

  List<String> errLines() {
    return err.lines().toList();
  }
}
