package io.dra4j.manifest.internal.json;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.SourcePosition;

/**
 * Receives the documents of one file, in order. The elements of "items" in a document are passed
 * one by one while it is read, so that a list of a whole cluster is never in memory at once. The
 * rest of the document follows at its end.
 */
public interface DocumentSink {

  /**
   * Receives the place of the first character of the next document, or of the next element of the
   * list "items". By default it is ignored.
   */
  default void begin(SourcePosition place) {}

  /**
   * Receives the next element of the list "items" of the current document.
   *
   * @param head the fields of the document before the list
   * @param index the position in the list, from 0
   * @param item the element
   * @param bytes the memory of the element
   */
  void item(Json.Fields head, int index, Json item, long bytes) throws DocumentException;

  /**
   * Receives the end of the current document.
   *
   * @param document the document, without the elements that were passed before
   * @param bytes the memory of the document
   */
  void document(Json document, long bytes) throws DocumentException;

  /**
   * Receives a field that an object has a second time.
   *
   * @param place the place at which the second name begins
   * @param name the name
   * @throws DocumentException by default, since the rest cannot be trusted
   */
  default void duplicate(SourcePosition place, String name) throws DocumentException {
    throw new DocumentException(
        place.line(), place.column(), "duplicate field \"" + PrintableText.abbreviate(name) + '"');
  }

  /**
   * Whether a list named "items" may be a list of objects. {@code kind} often comes after it, since
   * tools sort fields by name; in this case the answer is true.
   */
  static boolean mayBeList(Json.Fields head) {
    Json kind = JsonFields.inAnyCase(head, "kind");
    return kind == null || (kind instanceof Json.Text text && text.value().endsWith("List"));
  }
}
