package io.dra4j.manifest;

import io.dra4j.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes equal texts and quantities of one read the same instance. A cluster of a thousand equal
 * servers repeats its driver, attribute and device names a thousand times.
 */
final class SharedValues {

  private static final int MAX_TEXT_LENGTH = 64; // the API server's limit of attribute values
  private static final int MAX_ENTRIES = 100_000;

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Quantity> quantities = new HashMap<>();

  String text(String text) {
    if (text.length() > MAX_TEXT_LENGTH) {
      return text;
    }
    String known = texts.get(text);
    if (known == null) {
      known = text;
      if (texts.size() < MAX_ENTRIES) {
        texts.put(text, text);
      }
    }
    return known;
  }

  /** The quantity, or {@code null} if the text is none. */
  @Nullable Quantity quantity(String text) {
    Quantity known = quantities.get(text);
    if (known == null) {
      // Kubernetes ignores white space around a quantity (Quantity.UnmarshalJSON).
      known = Quantity.tryParse(text.strip()).orElse(null);
      if (known != null && quantities.size() < MAX_ENTRIES) {
        quantities.put(text, known);
      }
    }
    return known;
  }
}
