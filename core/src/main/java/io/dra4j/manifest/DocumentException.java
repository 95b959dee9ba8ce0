package io.dra4j.manifest;

import java.io.Serial;

/** A text that is no JSON or YAML, or that passes a limit; nothing after the place can be read. */
final class DocumentException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  /** A fault at a place; both counts are from 1. */
  DocumentException(int line, int column, String message) {
    super("line " + line + ", column " + column + ": " + message, null, false, false);
    this.line = line;
    this.column = column;
  }

  /** A fault of the whole. */
  DocumentException(String message) {
    super(message, null, false, false);
    this.line = 0;
    this.column = 0;
  }

  /** Whether this fault lies further into the text than another. */
  boolean isBehind(DocumentException other) {
    return line > other.line || (line == other.line && column > other.column);
  }
}
