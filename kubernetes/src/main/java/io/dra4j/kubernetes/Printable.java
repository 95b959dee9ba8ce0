package io.dra4j.kubernetes;

import io.dra4j.common.PrintableText;

/** Text of a server as one line of a message. */
final class Printable {

  private static final int MAX_LENGTH = 500;

  private Printable() {}

  /** The text without characters that do harm, and not longer than a message may be. */
  static String line(String text) {
    return PrintableText.of(PrintableText.start(text.strip(), MAX_LENGTH));
  }
}
