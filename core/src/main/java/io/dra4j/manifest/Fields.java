package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object whose fields are read as certain types. A field of another type is a problem, noted
 * with its path, and reads as if it were not there; {@code null} always does. Unknown fields are
 * not looked at.
 */
final class Fields {

  private final JsonNode json;
  private final String path;
  private final Problems problems;

  private Fields(JsonNode json, String path, Problems problems) {
    this.json = json;
    this.path = path;
    this.problems = problems;
  }

  static Fields of(JsonNode json, Problems problems) {
    return new Fields(json, "", problems);
  }

  /** The object in a field; one without fields when there is none. */
  Fields at(String name) {
    return new Fields(expect(name, JsonNodeType.OBJECT, "an object"), pathOf(name), problems);
  }

  <T> @Nullable T object(String name, Function<Fields, T> reader) {
    return has(name) ? reader.apply(at(name)) : null;
  }

  /** Whether the field is there and not null. */
  boolean has(String name) {
    return !json.path(name).isMissingNode() && !json.path(name).isNull();
  }

  String text(String name) {
    return expect(name, JsonNodeType.STRING, "text").asText("");
  }

  @Nullable String optionalText(String name) {
    return has(name) ? text(name) : null;
  }

  /** Null also for an empty text, where Kubernetes treats both alike. */
  @Nullable String nonEmptyText(String name) {
    String text = text(name);
    return text.isEmpty() ? null : text;
  }

  boolean flag(String name) {
    return expect(name, JsonNodeType.BOOLEAN, "true or false").asBoolean(false);
  }

  @Nullable Boolean optionalFlag(String name) {
    return has(name) ? (Boolean) flag(name) : null;
  }

  long integer(String name) {
    return integerOf(expect(name, JsonNodeType.NUMBER, "an integer"), pathOf(name));
  }

  @Nullable Long optionalInteger(String name) {
    return has(name) ? (Long) integer(name) : null;
  }

  int smallInteger(String name, int otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    long value = integer(name);
    if (value != (int) value) {
      problems.add(pathOf(name), "expected an integer of 32 bits, found " + value);
      return otherwise;
    }
    return (int) value;
  }

  Quantity quantity(String name) {
    return quantityOf(json.path(name), pathOf(name));
  }

  @Nullable Quantity optionalQuantity(String name) {
    return has(name) ? quantity(name) : null;
  }

  /** A JSON value of any type, as text; empty when not there. */
  String rawJson(String name) {
    return has(name) ? JsonText.write(json.path(name)) : "";
  }

  List<String> texts(String name) {
    return elements(
        name, (element, where) -> typed(element, where, JsonNodeType.STRING, "text").asText(""));
  }

  List<Boolean> flags(String name) {
    return elements(
        name,
        (element, where) ->
            typed(element, where, JsonNodeType.BOOLEAN, "true or false").asBoolean(false));
  }

  List<Long> integers(String name) {
    return elements(
        name,
        (element, where) ->
            integerOf(typed(element, where, JsonNodeType.NUMBER, "an integer"), where));
  }

  List<Quantity> quantities(String name) {
    return elements(name, this::quantityOf);
  }

  <T> List<T> list(String name, Function<Fields, T> reader) {
    return elements(name, (element, where) -> reader.apply(objectAt(element, where)));
  }

  Map<String, String> textMap(String name) {
    return entries(
        name, (value, where) -> typed(value, where, JsonNodeType.STRING, "text").asText(""));
  }

  Map<String, Quantity> quantityMap(String name) {
    return entries(name, this::quantityOf);
  }

  <T> Map<String, T> map(String name, Function<Fields, T> reader) {
    return entries(name, (value, where) -> reader.apply(objectAt(value, where)));
  }

  private interface Element<T> {
    T read(JsonNode json, String path);
  }

  private <T> List<T> elements(String name, Element<T> reader) {
    JsonNode array = expect(name, JsonNodeType.ARRAY, "a list");
    List<T> elements = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      elements.add(reader.read(array.get(i), pathOf(name) + "[" + i + "]"));
    }
    return elements;
  }

  private <T> Map<String, T> entries(String name, Element<T> reader) {
    Map<String, T> entries = new LinkedHashMap<>();
    expect(name, JsonNodeType.OBJECT, "an object")
        .properties()
        .forEach(
            entry ->
                entries.put(
                    entry.getKey(),
                    reader.read(entry.getValue(), pathOf(name) + "[" + entry.getKey() + "]")));
    return entries;
  }

  private Fields objectAt(JsonNode element, String where) {
    return new Fields(typed(element, where, JsonNodeType.OBJECT, "an object"), where, problems);
  }

  private JsonNode expect(String name, JsonNodeType type, String expected) {
    return typed(json.path(name), pathOf(name), type, expected);
  }

  private JsonNode typed(JsonNode value, String where, JsonNodeType type, String expected) {
    if (value.isNull() || value.isMissingNode()) {
      return MissingNode.getInstance();
    }
    if (value.getNodeType() != type) {
      problems.add(where, "expected " + expected + ", found " + describe(value));
      return MissingNode.getInstance();
    }
    return value;
  }

  private long integerOf(JsonNode number, String where) {
    if (number.isMissingNode()) {
      return 0;
    }
    if (!number.isIntegralNumber() || !number.canConvertToLong()) {
      problems.add(where, "expected an integer of 64 bits, found " + describe(number));
      return 0;
    }
    return number.longValue();
  }

  private Quantity quantityOf(JsonNode value, String where) {
    if (value.isNull() || value.isMissingNode()) {
      return Quantity.of(0);
    }
    // Kubernetes reads numbers as if they were in quotes.
    String text = value.isNumber() ? value.asText().replace("E+", "E") : value.asText("");
    Optional<Quantity> quantity =
        value.isNumber() || value.isTextual() ? Quantity.tryParse(text) : Optional.empty();
    if (quantity.isEmpty()) {
      problems.add(where, "expected a quantity such as 4, 500m or 1Gi, found " + describe(value));
      return Quantity.of(0);
    }
    return quantity.get();
  }

  private String pathOf(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String describe(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "a list";
      case OBJECT, POJO -> "an object";
      case STRING -> "text " + shortened(JsonText.write(value));
      default ->
          value.getNodeType().name().toLowerCase(Locale.ROOT) + " " + shortened(value.asText());
    };
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }

  /** Collects the problems of one document, up to a number that a person still reads. */
  static final class Problems {

    private static final int MAX = 20;

    private final Manifest.Origin origin;
    private final String object;
    private final List<Problem> list = new ArrayList<>();
    private int more;

    Problems(Manifest.Origin origin, String object) {
      this.origin = origin;
      this.object = object;
    }

    void add(String path, String message) {
      if (list.size() < MAX) {
        list.add(new Problem(origin.file(), origin.document(), object, path, message));
      } else {
        more++;
      }
    }

    List<Problem> all() {
      if (more == 0) {
        return list;
      }
      List<Problem> all = new ArrayList<>(list);
      all.add(
          new Problem(
              origin.file(), origin.document(), object, "", "and " + more + " more problems"));
      return all;
    }
  }
}
