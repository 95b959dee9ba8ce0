package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.SourcePosition;
import java.io.Serial;

/** A text that is not JSON or YAML, or exceeds a limit; nothing after the place can be read. */
public final class DocumentException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final transient SourcePosition place;
  private final String fault;

  /** A fault at a place; both counts are from 1. */
  public DocumentException(int line, int column, String message) {
    super("line " + line + ", column " + column + ": " + message, null, false, false);
    this.place = new SourcePosition(line, column);
    this.fault = message;
  }

  /** A fault of the whole text. */
  public DocumentException(String message) {
    super(message, null, false, false);
    this.place = SourcePosition.UNKNOWN;
    this.fault = message;
  }

  /** The same fault at another place. */
  public DocumentException at(SourcePosition other) {
    return new DocumentException(other.line(), other.column(), fault);
  }

  /** The same fault, with its cause at the beginning of the message. */
  public DocumentException because(String cause) {
    return new DocumentException(place.line(), place.column(), cause + " (" + fault + ")");
  }

  /** Returns whether this fault is later in the text than another one. */
  public boolean isBehind(DocumentException other) {
    return place.line() > other.place.line()
        || (place.line() == other.place.line() && place.column() > other.place.column());
  }

  /** The place of the fault. */
  public SourcePosition place() {
    return place;
  }

  /** The problem, without the place. */
  public String fault() {
    return fault;
  }
}
