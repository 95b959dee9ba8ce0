package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes fields as Kubernetes' Go types do: what is empty is left out ({@code omitempty}), unless
 * the method says otherwise.
 */
final class Json {

  private Json() {}

  static void text(ObjectNode json, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      json.put(name, value);
    }
  }

  /** A text that is there even when empty, but not when null. */
  static void pointer(ObjectNode json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  static void flag(ObjectNode json, String name, @Nullable Boolean value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  static void quantity(ObjectNode json, String name, @Nullable Quantity value) {
    if (value != null) {
      json.put(name, value.toString());
    }
  }

  static void texts(ObjectNode json, String name, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(json.putArray(name)::add);
    }
  }

  static void textMap(ObjectNode json, String name, Map<String, String> values) {
    if (!values.isEmpty()) {
      values.forEach(json.putObject(name)::put);
    }
  }

  static void quantityMap(ObjectNode json, String name, Map<String, Quantity> values) {
    if (!values.isEmpty()) {
      ObjectNode object = json.putObject(name);
      values.forEach((key, value) -> object.put(key, value.toString()));
    }
  }

  static <T> void object(
      ObjectNode json, String name, @Nullable T value, BiConsumer<T, ObjectNode> writer) {
    if (value != null) {
      writer.accept(value, json.putObject(name));
    }
  }

  static <T> void list(
      ObjectNode json, String name, List<T> values, BiConsumer<T, ObjectNode> writer) {
    if (!values.isEmpty()) {
      ArrayNode array = json.putArray(name);
      values.forEach(value -> writer.accept(value, array.addObject()));
    }
  }

  static <T> void map(
      ObjectNode json, String name, Map<String, T> values, BiConsumer<T, ObjectNode> writer) {
    if (!values.isEmpty()) {
      ObjectNode object = json.putObject(name);
      values.forEach((key, value) -> writer.accept(value, object.putObject(key)));
    }
  }

  /** A JSON value kept as text; null where the text is empty. */
  static JsonNode raw(String text) {
    return JsonText.read(text.isEmpty() ? "null" : text);
  }
}
