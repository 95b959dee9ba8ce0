package io.dra4j.kubernetes;

import io.dra4j.common.PrintableText;

/** Formats text of a server as one line of a message. */
final class Printable {

  private static final int MAX_LENGTH = 500;

  private Printable() {}

  /** Returns the text without harmful characters, cut to the length of a message. */
  static String line(String text) {
    return PrintableText.of(PrintableText.start(text.strip(), MAX_LENGTH));
  }
}
