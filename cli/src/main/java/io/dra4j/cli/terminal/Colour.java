package io.dra4j.cli.terminal;

import java.util.Map;

/** A colour's meaning: positive answer, negative answer or warning. The text has it as well. */
public enum Colour {
  YES("32"),
  NO("31"),
  WARNING("33");

  /** Set by the launcher if standard output is a terminal, because Java cannot check that. */
  private static final String OUTPUT = "DRA4J_OUTPUT_TERMINAL";

  private static final String ERRORS = "DRA4J_TERMINAL";

  private final String code;

  Colour(String code) {
    this.code = code;
  }

  /** Returns a text for standard output, in this colour if that is a terminal. */
  public String output(String text) {
    return of(text, System.getenv(), OUTPUT);
  }

  /** Returns a text for standard error, in this colour if that is a terminal. */
  public String error(String text) {
    return of(text, System.getenv(), ERRORS);
  }

  /** Returns coloured text; plain if {@code NO_COLOR} is not empty (no-color.org) or TERM=dumb. */
  String of(String text, Map<String, String> environment, String stream) {
    boolean isPlain =
        !environment.containsKey(stream)
            || !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "dumb").equals("dumb");
    return isPlain ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
