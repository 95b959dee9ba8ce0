package io.dra4j.dranet.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, each read once by its name. This class does not use {@code
 * JsonRecords}: most fields have their own range or syntax, and several have a special meaning if
 * they are empty. A field with a wrong type or an unreadable value is a problem, and counts as not
 * set. Null counts as not set, as in Go.
 */
final class JsonFields {

  private final JsonNode object;
  private final String pointer;
  private final List<ConfigurationProblem> problems;
  private final Set<String> known = new TreeSet<>();
  private final @Nullable Set<String> pointers;

  private JsonFields(
      JsonNode object,
      String pointer,
      List<ConfigurationProblem> problems,
      @Nullable Set<String> pointers) {
    this.object = object;
    this.pointer = pointer;
    this.problems = problems;
    this.pointers = pointers;
  }

  /** Returns the fields of a value that must be an object; no fields if it is not an object. */
  static JsonFields of(JsonNode value, String pointer, List<ConfigurationProblem> problems) {
    if (!value.isObject() && !value.isNull()) {
      problems.add(new ConfigurationProblem(pointer, "expected an object, found " + kind(value)));
    }
    JsonNode object = value.isObject() ? value : JsonNodeFactory.instance.objectNode();
    return new JsonFields(object, pointer, problems, null);
  }

  /**
   * Returns the fields of an empty object, whose nested objects are empty, too. Adds the JSON
   * pointer of each field that a reader reads to {@code pointers}.
   */
  static JsonFields listing(Set<String> pointers) {
    return listing("", pointers);
  }

  private static JsonFields listing(String pointer, Set<String> pointers) {
    JsonNode empty = JsonNodeFactory.instance.objectNode();
    return new JsonFields(empty, pointer, new ArrayList<>(), pointers);
  }

  /** Reports a problem of a field. */
  void problem(String name, String message) {
    problems.add(new ConfigurationProblem(pointer + "/" + name, message));
  }

  /** Returns whether a field is present and not null. */
  boolean has(String name) {
    return object.hasNonNull(name);
  }

  private @Nullable JsonNode value(String name, String type, Function<JsonNode, Boolean> is) {
    known.add(name);
    if (pointers != null) {
      pointers.add(pointer + "/" + name);
    }
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!is.apply(value)) {
      problem(name, "expected " + type + ", found " + kind(value));
      return null;
    }
    return value;
  }

  @Nullable String text(String name) {
    JsonNode value = value(name, "a string", JsonNode::isTextual);
    return value == null ? null : value.textValue();
  }

  @Nullable Boolean truth(String name) {
    JsonNode value = value(name, "true or false", JsonNode::isBoolean);
    return value == null ? null : value.booleanValue();
  }

  /** Returns a whole number within a range. */
  @Nullable Long number(String name, long least, long most) {
    JsonNode value = value(name, "a whole number", JsonNode::isIntegralNumber);
    if (value == null) {
      return null;
    }
    if (!value.canConvertToLong() || value.longValue() < least || value.longValue() > most) {
      problem(name, "must be from " + least + " to " + most + ", found " + value.asText());
      return null;
    }
    return value.longValue();
  }

  @Nullable Integer integer(String name, int least, int most) {
    Long number = number(name, least, most);
    return number == null ? null : number.intValue();
  }

  /** Parses a string. The message of the parser becomes the problem. */
  <T> @Nullable T parsed(String name, Function<String, T> parser) {
    String text = text(name);
    return text == null ? null : parsed(text, pointer + "/" + name, parser);
  }

  /** Parses a string like {@link #parsed}; an empty string counts as not set. */
  <T> @Nullable T parsedUnlessEmpty(String name, Function<String, T> parser) {
    String text = text(name);
    return text == null || text.isEmpty() ? null : parsed(text, pointer + "/" + name, parser);
  }

  private <T> @Nullable T parsed(String text, String place, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      problems.add(new ConfigurationProblem(place, String.valueOf(e.getMessage())));
      return null;
    }
  }

  /** Returns a list of parsed strings, without strings that cannot be parsed. */
  <T> @Nullable List<T> parsedList(String name, Function<String, T> parser) {
    return list(
        name,
        (value, place) -> {
          if (!value.isTextual()) {
            problems.add(
                new ConfigurationProblem(place, "expected a string, found " + kind(value)));
            return null;
          }
          return parsed(value.textValue(), place, parser);
        });
  }

  /** Returns a list of objects, without objects that cannot be read. */
  <T> @Nullable List<T> objects(String name, Function<JsonFields, @Nullable T> reader) {
    return list(
        name,
        (value, place) -> {
          if (!value.isObject()) {
            problems.add(
                new ConfigurationProblem(place, "expected an object, found " + kind(value)));
            return null;
          }
          JsonFields fields = of(value, place, problems);
          T read = reader.apply(fields);
          fields.noOthers();
          return read;
        });
  }

  private <T> @Nullable List<T> list(
      String name, BiFunction<JsonNode, String, @Nullable T> reader) {
    JsonNode array = value(name, "a list", JsonNode::isArray);
    if (array == null) {
      return null;
    }
    List<T> list = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      T one = reader.apply(array.get(i), pointer + "/" + name + "/" + i);
      if (one != null) {
        list.add(one);
      }
    }
    return list;
  }

  /** Returns an object; null if it is not set. */
  <T> @Nullable T object(String name, Function<JsonFields, @Nullable T> reader) {
    JsonNode value = value(name, "an object", JsonNode::isObject);
    if (pointers != null) {
      return reader.apply(listing(pointer + "/" + name, pointers));
    }
    if (value == null) {
      return null;
    }
    JsonFields fields = of(value, pointer + "/" + name, problems);
    T read = reader.apply(fields);
    fields.noOthers();
    return read;
  }

  /** Returns an object whose fields have any names and boolean values. */
  Map<String, Boolean> truths(String name) {
    Map<String, Boolean> truths = new TreeMap<>();
    JsonNode value = value(name, "an object", JsonNode::isObject);
    if (value != null) {
      JsonFields fields = of(value, pointer + "/" + name, problems);
      value
          .fieldNames()
          .forEachRemaining(
              one -> {
                if (one.isEmpty()) {
                  fields.problem("", "field names must not be empty");
                }
                Boolean truth = fields.truth(one);
                if (truth != null) {
                  truths.put(one, truth);
                }
              });
    }
    return truths;
  }

  /** Reports all fields that were not read as unknown. */
  void noOthers() {
    Set<String> others = new HashSet<>();
    object.fieldNames().forEachRemaining(others::add);
    others.removeAll(known);
    for (String other : new TreeSet<>(others)) {
      problem(
          JsonTree.escaped(other), "unknown field, expected one of " + String.join(", ", known));
    }
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      case STRING -> "a string";
      case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number with a fraction";
      case BOOLEAN -> "true or false";
      default -> "null";
    };
  }
}
