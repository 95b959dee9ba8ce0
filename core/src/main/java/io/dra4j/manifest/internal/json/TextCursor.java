package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.SourcePosition;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Goes through the values of a text one after another, with their places; JSON or YAML. */
public interface TextCursor {

  /** The kind of value at the cursor. */
  enum Kind {
    OBJECT,
    LIST,
    SCALAR
  }

  /** Goes to the value of the next document; returns whether there is one. */
  boolean nextDocument() throws IOException, DocumentException;

  /** Returns the kind of value that begins at the cursor. */
  Kind kind();

  /** Returns the place at which the value or the name at the cursor begins. */
  SourcePosition place();

  /** Goes past the value at the cursor. */
  void skip() throws IOException, DocumentException;

  /** Goes into the object or list at the cursor. */
  void enter() throws IOException, DocumentException;

  /** Returns the name of the next field, {@code null} after the last one. */
  @Nullable String name() throws IOException, DocumentException;

  /** Goes from the name of a field to its value. */
  void toValue() throws IOException, DocumentException;

  /** Returns whether another element of a list begins at the cursor. */
  boolean hasElement() throws IOException, DocumentException;

  /** Goes past the end of an object or list. */
  void leave() throws IOException, DocumentException;
}
