package io.dra4j.manifest.internal.read;

import io.dra4j.common.PrintableText;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.read.Schema.Field;
import io.dra4j.manifest.internal.read.Schema.Shape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Finds the fields of an object that its kind does not have, like {@code kubectl
 * --validate=strict}. Names are case sensitive, except {@code apiVersion} and {@code kind}.
 */
final class UnknownFields {

  /** The most places to suggest for a name; more do not help to find the intended one. */
  private static final int MAX_PLACES = 3;

  /** The type of capacities in requests; its only field is a map with the names of capacities. */
  private static final String CAPACITIES = ".CapacityRequirements";

  /** Names of fields in API versions that no cluster serves any longer. */
  private static final Map<String, String> RENAMED = Map.of("resourceClassName", "deviceClassName");

  /** An object on the way to a field: its type, and its path with a dot at the end. */
  private record Outer(String type, String path) {}

  private final Schema schema = Schema.kubernetes();
  private final Sink sink;
  private final Deque<Outer> outers = new ArrayDeque<>(); // the innermost first

  /** Receives an unknown field, with the names that may be meant. */
  @FunctionalInterface
  interface Sink {
    void add(String path, String message, List<String> near);
  }

  UnknownFields(Sink sink) {
    this.sink = sink;
  }

  /** Checks an object of a known kind as it was written. */
  void find(String apiVersion, String kind, Json.Fields object) {
    String type = schema.typeOf(apiVersion, kind);
    if (type != null) {
      object(object, type, "");
    }
  }

  private void object(Json.Fields object, String type, String path) {
    outers.push(new Outer(type, path));
    for (Map.Entry<String, Json> entry : object.map().entrySet()) {
      Field field = schema.field(type, entry.getKey());
      if (field != null) {
        if (!field.type().isEmpty()) {
          value(entry.getValue(), field, path, entry.getKey());
        }
      } else if (!isHeader(entry.getKey(), path)) {
        unknown(entry.getKey(), entry.getValue(), type, path);
      }
    }
    outers.pop();
  }

  private void value(Json value, Field field, String path, String name) {
    switch (field.shape()) {
      case OBJECT -> inside(value, field.type(), path, name, "");
      case LIST -> {
        if (value instanceof Json.Items items) {
          for (int i = 0; i < items.list().size(); i++) {
            inside(items.list().get(i), field.type(), path, name, "[" + i + "]");
          }
        }
      }
      case MAP -> {
        if (value instanceof Json.Fields entries) {
          entries
              .map()
              .forEach(
                  (key, entry) ->
                      inside(
                          entry,
                          field.type(),
                          path,
                          name,
                          "[" + PrintableText.abbreviate(key) + "]"));
        }
      }
      case VALUE -> {}
    }
  }

  private void inside(Json value, String type, String path, String name, String element) {
    if (value instanceof Json.Fields object) {
      object(object, type, path + name + element + ".");
    }
  }

  private static boolean isHeader(String name, String path) {
    return path.isEmpty() && (name.equalsIgnoreCase("apiVersion") || name.equalsIgnoreCase("kind"));
  }

  private void unknown(String name, Json value, String type, String path) {
    List<String> above = above(value, type, path);
    if (!above.isEmpty()) {
      String message = "unknown field; its fields are one level up here: ";
      sink.add(path + PrintableText.abbreviate(name), message + String.join(", ", above), above);
      return;
    }
    List<String> near =
        schema.below(type, name).stream().map(path::concat).toList(); // older versions are flatter
    if (near.isEmpty() && type.endsWith(CAPACITIES)) {
      near = List.of(path + "requests." + name);
    }
    if (near.isEmpty()) {
      near = around(name, value);
    }
    if (near.isEmpty()) {
      near = SimilarNames.of(name, schema.names(type));
    }
    if (near.isEmpty()) {
      near = elsewhere(RENAMED.getOrDefault(name, name), value);
    }
    sink.add(
        path + PrintableText.abbreviate(name),
        "unknown field" + (near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near)),
        near);
  }

  /** The place of a field that is one or more levels too low. */
  private List<String> around(String name, Json value) {
    for (Outer outer : outers) {
      Field field = schema.field(outer.type(), name);
      if (field != null && fits(value, field.shape())) {
        return List.of(outer.path() + name);
      }
    }
    return List.of();
  }

  /**
   * The places of a field that is one or more levels too high, or next to the right object: below
   * its object, or below the objects around it.
   */
  private List<String> elsewhere(String name, Json value) {
    for (Outer outer : outers) {
      List<String> places =
          schema.anywhereBelow(outer.type(), name).stream()
              .filter(below -> fits(value, below.field().shape()))
              .map(below -> outer.path() + below.path())
              .toList();
      if (!places.isEmpty()) {
        return places.size() <= MAX_PLACES ? places : List.of();
      }
    }
    return List.of();
  }

  private static boolean fits(Json value, Shape shape) {
    return switch (shape) {
      case OBJECT, MAP -> value instanceof Json.Fields;
      case LIST -> value instanceof Json.Items;
      case VALUE -> true;
    };
  }

  /** The fields of an unknown object, if the type around it has all of these fields itself. */
  private List<String> above(Json value, String type, String path) {
    return value instanceof Json.Fields object
            && schema.names(type).containsAll(object.map().keySet())
        ? object.map().keySet().stream().map(path::concat).toList()
        : List.of();
  }
}
