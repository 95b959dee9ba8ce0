package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.model.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects the fields of one JSON object. Like {@code omitempty} of the Go types, it omits null and
 * empty strings, lists and maps. For fields that a type always writes, use {@code required}.
 */
final class FieldWriter {

  private final Map<String, Json> fields = new LinkedHashMap<>();

  Json.Fields done() {
    return new Json.Fields(fields);
  }

  FieldWriter required(String name, String text) {
    fields.put(name, new Json.Text(text));
    return this;
  }

  FieldWriter required(String name, long number) {
    fields.put(name, new Json.Num(Long.toString(number)));
    return this;
  }

  FieldWriter required(String name, Quantity quantity) {
    fields.put(name, json(quantity));
    return this;
  }

  FieldWriter required(String name, Json value) {
    fields.put(name, value);
    return this;
  }

  /** A list that is written even if it is empty. */
  <T> FieldWriter required(String name, List<T> list, Function<T, ? extends Json> write) {
    fields.put(name, json(list, write));
    return this;
  }

  /** A string that is omitted if it is empty. */
  FieldWriter text(String name, String text) {
    return text.isEmpty() ? this : required(name, text);
  }

  /** A string that is written even if it is empty. */
  FieldWriter optionalText(String name, @Nullable String text) {
    return text == null ? this : required(name, text);
  }

  FieldWriter integer(String name, long number) {
    return number == 0 ? this : required(name, number);
  }

  FieldWriter optionalInteger(String name, @Nullable Long number) {
    return number == null ? this : required(name, number);
  }

  FieldWriter flag(String name, boolean flag) {
    return flag ? required(name, Json.Flag.TRUE) : this;
  }

  FieldWriter optionalFlag(String name, @Nullable Boolean flag) {
    return flag == null ? this : required(name, flag ? Json.Flag.TRUE : Json.Flag.FALSE);
  }

  FieldWriter quantity(String name, @Nullable Quantity quantity) {
    return quantity == null ? this : required(name, quantity);
  }

  /** A JSON value as text; null if there is none. */
  FieldWriter requiredJson(String name, String text) {
    return required(name, text.isEmpty() ? Json.Null.NULL : JsonText.parseValid(text));
  }

  FieldWriter json(String name, String text) {
    return text.isEmpty() ? this : requiredJson(name, text);
  }

  <T> FieldWriter optional(String name, @Nullable T value, Function<T, ? extends Json> write) {
    return value == null ? this : required(name, write.apply(value));
  }

  /** An object that is omitted if it has no fields. */
  FieldWriter object(String name, Json.Fields object) {
    return object.map().isEmpty() ? this : required(name, object);
  }

  <T> FieldWriter list(String name, List<T> list, Function<T, ? extends Json> write) {
    return list.isEmpty() ? this : required(name, json(list, write));
  }

  FieldWriter texts(String name, List<String> texts) {
    return list(name, texts, Json.Text::new);
  }

  FieldWriter quantities(String name, List<Quantity> quantities) {
    return list(name, quantities, FieldWriter::json);
  }

  <T> FieldWriter map(String name, Map<String, T> map, Function<T, ? extends Json> write) {
    if (map.isEmpty()) {
      return this;
    }
    Map<String, Json> entries = new LinkedHashMap<>();
    map.forEach((key, value) -> entries.put(key, write.apply(value)));
    return required(name, new Json.Fields(entries));
  }

  FieldWriter textMap(String name, Map<String, String> map) {
    return map(name, map, Json.Text::new);
  }

  FieldWriter quantityMap(String name, Map<String, Quantity> map) {
    return map(name, map, FieldWriter::json);
  }

  private static Json json(Quantity quantity) {
    return new Json.Text(quantity.toString());
  }

  private static <T> Json json(List<T> list, Function<T, ? extends Json> write) {
    return new Json.Items(list.stream().<Json>map(write).toList());
  }
}
