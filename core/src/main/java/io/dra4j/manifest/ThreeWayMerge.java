package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Brings a change of an object back into the document that it was read from. What the object did
 * not change is taken from the document as it is, with every field that the object does not know;
 * what it changed is taken from the object.
 */
final class ThreeWayMerge {

  private ThreeWayMerge() {}

  /**
   * Merges.
   *
   * @param before the object as it was read, written again
   * @param after the object as it is now
   * @param document the document that it was read from
   * @return the document as it is now
   */
  static JsonNode merge(JsonNode before, JsonNode after, JsonNode document) {
    if (before.equals(after)) {
      return document;
    }
    if (after instanceof ObjectNode changed && document instanceof ObjectNode source) {
      return mergeObjects(before, changed, source);
    }
    if (after instanceof ArrayNode changed && document instanceof ArrayNode source) {
      ArrayNode merged = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < changed.size(); i++) {
        boolean known = i < before.size() && i < source.size();
        merged.add(known ? merge(before.get(i), changed.get(i), source.get(i)) : changed.get(i));
      }
      return merged;
    }
    return after;
  }

  private static ObjectNode mergeObjects(JsonNode before, ObjectNode after, ObjectNode document) {
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    document
        .properties()
        .forEach(
            field -> {
              String name = field.getKey();
              @Nullable JsonNode changed = after.get(name);
              if (changed != null) {
                merged.set(name, merge(before.path(name), changed, field.getValue()));
              } else if (!before.has(name)) {
                merged.set(name, field.getValue()); // unknown to the object, or a default
              }
            });
    after
        .properties()
        .forEach(
            field -> {
              if (!document.has(field.getKey())
                  && !field.getValue().equals(before.path(field.getKey()))) {
                merged.set(field.getKey(), field.getValue());
              }
            });
    return merged;
  }
}
