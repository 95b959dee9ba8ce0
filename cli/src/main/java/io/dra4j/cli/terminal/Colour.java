package io.dra4j.cli.terminal;

import java.util.Map;

/**
 * What a colour says on a terminal: the answer is yes, it is no, or there is a warning. The text
 * says the same without it.
 */
public enum Colour {
  YES("32"),
  NO("31"),
  WARNING("33");

  /** The launcher knows whether a stream is a terminal; Java does not. */
  private static final String OUTPUT = "DRA4J_OUTPUT_TERMINAL";

  private static final String ERRORS = "DRA4J_TERMINAL";

  private final String code;

  Colour(String code) {
    this.code = code;
  }

  /** A text for standard output, in this colour where that is a terminal. */
  public String output(String text) {
    return of(text, System.getenv(), OUTPUT);
  }

  /** A text for standard error, in this colour where that is a terminal. */
  public String error(String text) {
    return of(text, System.getenv(), ERRORS);
  }

  /** With {@code NO_COLOR} that is not empty (no-color.org), and on a dumb terminal, no colour. */
  String of(String text, Map<String, String> environment, String stream) {
    boolean isPlain =
        !environment.containsKey(stream)
            || !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "dumb").equals("dumb");
    return isPlain ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
