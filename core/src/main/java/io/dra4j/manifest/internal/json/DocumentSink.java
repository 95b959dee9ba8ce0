package io.dra4j.manifest.internal.json;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.SourcePosition;

/**
 * Takes the documents of one file, in order. What a document has under {@code items} is handed over
 * element by element while it is read, so that a list of a whole cluster is never in memory at
 * once; the rest of the document follows at its end.
 */
public interface DocumentSink {

  /**
   * Takes the place where the next document, or the next element of the list under the name items,
   * begins. By default it is forgotten.
   *
   * @param place of its first character
   */
  default void begin(SourcePosition place) {}

  /**
   * Takes the next element of the list under the name items of the current document.
   *
   * @param head the fields of the document that came before
   * @param index its place in the list, from 0
   * @param item the element
   * @param bytes the memory that it takes
   */
  void item(Json.Fields head, int index, Json item, long bytes) throws DocumentException;

  /**
   * Takes the end of the current document.
   *
   * @param document the document, without the elements that were handed over
   * @param bytes the memory that it takes
   */
  void document(Json document, long bytes) throws DocumentException;

  /**
   * Takes a field that an object names a second time.
   *
   * @param place where the second name begins
   * @param name the name
   * @throws DocumentException by default: what follows cannot be trusted
   */
  default void duplicate(SourcePosition place, String name) throws DocumentException {
    throw new DocumentException(
        place.line(), place.column(), "duplicate field \"" + PrintableText.abbreviate(name) + '"');
  }

  /**
   * Whether a list named items can be one of objects. {@code kind} often comes after it, as tools
   * sort fields by name; then it is taken for one.
   */
  static boolean mayBeList(Json.Fields head) {
    Json kind = JsonFields.inAnyCase(head, "kind");
    return kind == null || (kind instanceof Json.Text text && text.value().endsWith("List"));
  }
}
