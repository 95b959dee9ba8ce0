package io.dra4j.runtime.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads fields of JSON. Missing fields have their default; fields of another type are refused. */
public final class JsonFields {

  /** Reads an element of a list. */
  interface Reader<T> {
    T read(JsonNode node) throws IOException;
  }

  private JsonFields() {}

  /** Reads a required string. */
  static String text(JsonNode node, String field) throws IOException {
    String text = textOrNull(node, field);
    if (text == null) {
      throw new IOException("field '" + field + "' is missing");
    }
    return text;
  }

  static String text(JsonNode node, String field, String otherwise) throws IOException {
    String text = textOrNull(node, field);
    return text == null ? otherwise : text;
  }

  static @Nullable String textOrNull(JsonNode node, String field) throws IOException {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw new IOException(
          "field '%s': expected a string, found %s".formatted(field, value.getNodeType()));
    }
    return value.textValue();
  }

  static @Nullable Long numberOrNull(JsonNode node, String field) throws IOException {
    JsonNode value = node.path(field);
    return value.isMissingNode() || value.isNull() ? null : number(value);
  }

  static long number(JsonNode value) throws IOException {
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new IOException("expected a whole number, found " + value.getNodeType());
    }
    return value.longValue();
  }

  static List<String> texts(JsonNode node, String field) throws IOException {
    return list(
        node,
        field,
        one -> {
          if (!one.isTextual()) {
            throw new IOException(
                "field '%s': expected strings, found %s".formatted(field, one.getNodeType()));
          }
          return one.textValue();
        });
  }

  static <T> List<T> list(JsonNode node, String field, Reader<T> reader) throws IOException {
    JsonNode value = node.path(field);
    List<T> list = new ArrayList<>();
    if (!value.isMissingNode() && !value.isNull()) {
      if (!value.isArray()) {
        throw new IOException(
            "field '%s': expected a list, found %s".formatted(field, value.getNodeType()));
      }
      for (JsonNode one : value) {
        list.add(reader.read(one));
      }
    }
    return List.copyOf(list);
  }

  static Map<String, String> map(JsonNode node, String field) throws IOException {
    Map<String, String> map = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : node.path(field).properties()) {
      if (!one.getValue().isTextual()) {
        throw new IOException(
            "field '%s': expected strings, found %s"
                .formatted(field, one.getValue().getNodeType()));
      }
      map.put(one.getKey(), one.getValue().textValue());
    }
    return map;
  }

  static ArrayNode ofTexts(List<String> texts) {
    ArrayNode node = JsonNodeFactory.instance.arrayNode();
    texts.forEach(node::add);
    return node;
  }

  static ObjectNode ofMap(Map<String, String> map) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    map.forEach(node::put);
    return node;
  }
}
