package io.dra4j.manifest.validation;

import io.dra4j.common.PrintableText;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestInspector.Findings;
import io.dra4j.manifest.RawObject;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object in a manifest with its place, for the rules. Null is the same as a missing field. A
 * field of the wrong type is missing for the rules, since the reader reports it.
 */
final class FieldCursor {

  private final Json.Fields fields;
  private final @Nullable FieldCursor parent;
  private final String name;
  private final @Nullable Object key;
  private final Findings findings;

  private FieldCursor(
      Json.Fields fields,
      @Nullable FieldCursor parent,
      String name,
      @Nullable Object key,
      Findings findings) {
    this.fields = fields;
    this.parent = parent;
    this.name = name;
    this.key = key;
    this.findings = findings;
  }

  static FieldCursor of(RawObject object, Findings findings) {
    return new FieldCursor(object.fields(), null, "", null, findings);
  }

  /** The whole object. */
  Json json() {
    return fields;
  }

  // Fields.

  /** The value of a field; {@code null} if none is given. */
  @Nullable Json get(String field) {
    Json value = fields.map().get(field);
    return value == Json.Null.NULL ? null : value;
  }

  /** Whether a field is given, with any type. */
  boolean has(String field) {
    return get(field) != null;
  }

  /** Whether a field holds an object. */
  boolean isObject(String field) {
    return get(field) instanceof Json.Fields;
  }

  /** The names of the given fields. */
  List<String> names() {
    return fields.map().keySet().stream().filter(this::has).toList();
  }

  /** The string in a field; {@code null} if none is given. */
  @Nullable String text(String field) {
    return get(field) instanceof Json.Text text ? text.value() : null;
  }

  /** The string in a required field; {@code null} after a problem, or if it has the wrong type. */
  @Nullable String required(ValidationRule rule, String field, String expected) {
    String text = text(field);
    if (text != null && !text.isEmpty()) {
      return text;
    }
    if (text != null || !has(field)) {
      problem(rule, text == null ? "" : field, "expected " + field + ": " + expected);
    }
    return null;
  }

  /** Checks a required name. */
  void requireName(ValidationRule rule, String field, NameFormat format) {
    String found = required(rule, field, format.expected());
    if (found != null) {
      checkName(rule, field, found, format);
    }
  }

  /** Checks the name in a field, if there is one. */
  void checkName(ValidationRule rule, String field, NameFormat format) {
    String found = text(field);
    if (found != null) {
      checkName(rule, field, found, format);
    }
  }

  /** Checks a name at a path below this object. */
  void checkName(ValidationRule rule, String path, String found, NameFormat format) {
    if (!format.accepts(found)) {
      problem(rule, path, "expected " + format.expected() + ", found " + shown(found));
    }
  }

  /** Checks one of a few words. */
  void checkWord(ValidationRule rule, String field, String found, List<String> words) {
    if (!words.contains(found)) {
      problem(
          rule,
          field,
          "expected " + String.join(" or ", words) + ", found " + shown(found),
          SimilarNames.of(found, words));
    }
  }

  @Nullable Boolean flag(String field) {
    return get(field) instanceof Json.Flag flag ? (Boolean) (flag == Json.Flag.TRUE) : null;
  }

  /** The number in a field; {@code null} if none is given or it does not fit in 64 bits. */
  @Nullable Long integer(String field) {
    if (get(field) instanceof Json.Num number) {
      try {
        return Long.parseLong(number.text());
      } catch (NumberFormatException e) {
        return null; // the reader reports it
      }
    }
    return null;
  }

  @Nullable Quantity quantity(String field) {
    return quantityOf(get(field));
  }

  static @Nullable Quantity quantityOf(@Nullable Json value) {
    if (value instanceof Json.Text text) {
      return Quantity.tryParse(text.value().strip()).orElse(null);
    }
    return value instanceof Json.Num number ? Quantity.tryParse(number.text()).orElse(null) : null;
  }

  /** The object in a field; {@code null} if there is none. */
  @Nullable FieldCursor object(String field) {
    return get(field) instanceof Json.Fields object ? child(object, field, null) : null;
  }

  /** The object in a field; an empty object if none is given. */
  FieldCursor objectOrEmpty(String field) {
    FieldCursor object = object(field);
    return object == null ? child(new Json.Fields(Map.of()), field, null) : object;
  }

  /** The elements of a list; empty if none is given. */
  List<Json> list(String field) {
    return get(field) instanceof Json.Items items ? items.list() : List.of();
  }

  /** The objects of a list; null counts as an empty object. */
  List<FieldCursor> objects(String field) {
    List<Json> list = list(field);
    List<FieldCursor> objects = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      Json one = list.get(i);
      if (one instanceof Json.Fields object) {
        objects.add(child(object, field, i));
      } else if (one == Json.Null.NULL) {
        objects.add(child(new Json.Fields(Map.of()), field, i));
      }
    }
    return objects;
  }

  /** The strings of a list, each with its path; elements of other types are omitted. */
  void texts(String field, Texts to) {
    List<Json> list = list(field);
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof Json.Text text) {
        to.accept(field + "[" + i + "]", text.value());
      } else if (list.get(i) == Json.Null.NULL) {
        to.accept(field + "[" + i + "]", "");
      }
    }
  }

  /** Receives a string and its path from the object that has it. */
  @FunctionalInterface
  interface Texts {
    void accept(String path, String text);
  }

  /** The entries of a map; empty if none is given. */
  Map<String, Json> map(String field) {
    return get(field) instanceof Json.Fields object ? object.map() : Map.of();
  }

  /** An entry of a map; an empty object if the entry is not an object. */
  FieldCursor entry(String field, String entry) {
    Json value = map(field).get(entry);
    return child(
        value instanceof Json.Fields object ? object : new Json.Fields(Map.of()), field, entry);
  }

  /** The number of elements or entries of a field. */
  int size(String field) {
    Json value = get(field);
    return value instanceof Json.Items items
        ? items.list().size()
        : value instanceof Json.Fields object ? object.map().size() : 0;
  }

  // Problems.

  /** Whether a list or map has at most a number of elements; reports it if not. */
  boolean atMost(ValidationRule rule, String field, int most) {
    int size = size(field);
    if (size > most) {
      problem(rule, field, "expected at most " + most + ", found " + size);
    }
    return size <= most;
  }

  /** Reports a problem at a path below this object; empty for the object itself. */
  void problem(ValidationRule rule, String below, String message) {
    problem(rule, below, message, List.of());
  }

  void problem(ValidationRule rule, String below, String message, List<String> near) {
    findings.add(rule.id(), path(below), message + SimilarNames.hint(near), near);
  }

  /** Reports a problem that is not a rule of the API server, at a path below this object. */
  void report(String rule, String below, String message) {
    findings.add(rule, path(below), message, List.of());
  }

  /** The path of a field below this object, from the object of the document. */
  String path(String below) {
    StringBuilder path = new StringBuilder(below);
    for (FieldCursor at = this; at.parent != null; at = at.parent) {
      path.insert(0, at.step() + (path.isEmpty() || path.charAt(0) == '[' ? "" : "."));
    }
    return path.toString();
  }

  /** A value in the form for messages. */
  static String shown(String text) {
    return '"' + PrintableText.abbreviate(text) + '"';
  }

  /** The path of an entry of a map, from the object that has the map. */
  static String at(String field, String entry) {
    String text = shown(entry);
    return field + "[" + text.substring(1, text.length() - 1) + "]";
  }

  private String step() {
    return key instanceof String entry
        ? at(name, entry)
        : key == null ? name : name + "[" + key + "]";
  }

  private FieldCursor child(Json.Fields object, String field, @Nullable Object at) {
    return new FieldCursor(object, this, field, at, findings);
  }
}
