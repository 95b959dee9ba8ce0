package io.dra4j.cel.internal.text;

import java.io.Serial;

/** Thrown if a text is no regular expression, with the message of Go's package {@code regexp}. */
public final class RegexSyntaxException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception, without a stack trace.
   *
   * @param problem what is wrong
   * @param part the part of the expression in which it is
   */
  RegexSyntaxException(String problem, String part) {
    super("error parsing regexp: " + problem + ": `" + part + "`", null, false, false);
  }
}
