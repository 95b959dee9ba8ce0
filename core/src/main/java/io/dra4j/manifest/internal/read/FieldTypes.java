package io.dra4j.manifest.internal.read;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.codec.FieldReader;
import io.dra4j.manifest.internal.codec.Rfc3339;
import io.dra4j.manifest.internal.read.Schema.Field;
import io.dra4j.model.Quantity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds values of the wrong type in nodes, pods and the controllers of pods, also in fields that no
 * class of the model has: values that the API server rejects with a decoding error. {@link Schema}
 * has the shapes of objects; {@code values.txt} has the types of values that are not strings.
 */
final class FieldTypes {

  /** Groups of the API that {@code values.txt} is complete for. */
  private static final String[] GROUPS = {"core/", "apps/", "batch/", "meta/", "scheduling/"};

  private static final String TEXT = "text";

  /** The contents of {@code values.txt}, read on first use. */
  private static final class Values {
    static final Map<String, Map<String, String>> TYPES = read();

    private Values() {}

    private static Map<String, Map<String, String>> read() {
      Map<String, Map<String, String>> types = new HashMap<>();
      try (InputStream in = FieldTypes.class.getResourceAsStream("values.txt")) {
        if (in == null) {
          throw new IllegalStateException("values.txt is missing in the jar");
        }
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] words = line.split(" ", -1);
          Map<String, String> fields = new HashMap<>();
          for (int i = 1; i < words.length; i++) {
            int colon = words[i].indexOf(':');
            fields.put(words[i].substring(0, colon), words[i].substring(colon + 1));
          }
          types.put(words[0], fields);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return types;
    }
  }

  private final Schema schema = Schema.kubernetes();
  private final Sink sink;

  /** Receives a value of the wrong type. */
  @FunctionalInterface
  interface Sink {
    void add(String path, String message);
  }

  FieldTypes(Sink sink) {
    this.sink = sink;
  }

  private static boolean isCovered(String type) {
    for (String group : GROUPS) {
      if (type.startsWith(group)) {
        return true;
      }
    }
    return false;
  }

  /** Checks an object of a known kind as it was written. */
  void find(String apiVersion, String kind, Json.Fields object) {
    String type = schema.typeOf(apiVersion, kind);
    if (type != null && isCovered(type)) {
      object(object, type, "");
    }
  }

  private void object(Json.Fields object, String type, String path) {
    object.map().forEach((name, value) -> field(type, path, name, value));
  }

  private void field(String type, String path, String name, Json value) {
    Field field = schema.field(type, name);
    if (field == null || value == Json.Null.NULL) {
      return; // null is the same as a missing field
    }
    String at = path + name;
    switch (field.shape()) {
      case OBJECT -> inside(value, field.type(), at);
      case LIST -> {
        if (isList(value, at)) {
          int index = 0;
          for (Json item : ((Json.Items) value).list()) {
            inside(item, field.type(), at + "[" + index++ + "]");
          }
        }
      }
      case MAP -> {
        if (isObject(value, at)) {
          ((Json.Fields) value)
              .map()
              .forEach((key, entry) -> inside(entry, field.type(), at + entry(key)));
        }
      }
      case VALUE -> {
        if (isCovered(type)) {
          values(Values.TYPES.getOrDefault(type, Map.of()).getOrDefault(name, TEXT), value, at);
        }
      }
    }
  }

  private void inside(Json value, String type, String path) {
    if (value != Json.Null.NULL && isObject(value, path)) {
      object((Json.Fields) value, type, path + ".");
    }
  }

  /** Checks a value, or the values of a list or map. */
  private void values(String type, Json value, String path) {
    String inner = type.substring(1, Math.max(1, type.length() - 1));
    if (type.charAt(0) == '[') {
      if (isList(value, path)) {
        int index = 0;
        for (Json item : ((Json.Items) value).list()) {
          value(inner, item, path + "[" + index++ + "]");
        }
      }
    } else if (type.charAt(0) == '{') {
      if (isObject(value, path)) {
        ((Json.Fields) value).map().forEach((key, entry) -> value(inner, entry, path + entry(key)));
      }
    } else {
      value(type, value, path);
    }
  }

  private void value(String type, Json value, String path) {
    String expected = value == Json.Null.NULL ? null : expected(type, value);
    if (expected != null) {
      mismatch(path, expected, value);
    }
  }

  /** The expected type of a value; null if the value has it. */
  private static @Nullable String expected(String type, Json value) {
    return switch (type) {
      case TEXT -> value instanceof Json.Text ? null : TEXT;
      case "bool" -> value instanceof Json.Flag ? null : "true or false";
      case "int32" -> isInteger(value, Integer.SIZE) ? null : "an integer of 32 bits";
      case "int64" -> isInteger(value, Long.SIZE) ? null : "an integer of 64 bits";
      case "int-or-text" ->
          value instanceof Json.Text || isInteger(value, Integer.SIZE)
              ? null
              : "text or an integer of 32 bits";
      case "quantity" -> isQuantity(value) ? null : "a quantity such as 10Gi";
      case "time" ->
          value instanceof Json.Text text && Rfc3339.isRfc3339(text.value())
              ? null
              : "a time such as 2026-01-31T12:00:00Z";
      default -> null; // any
    };
  }

  private static boolean isInteger(Json value, int bits) {
    if (!(value instanceof Json.Num number)) {
      return false;
    }
    try {
      long integer = Long.parseLong(number.text());
      return bits == Long.SIZE || integer == (int) integer;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isQuantity(Json value) {
    if (value instanceof Json.Num number) {
      return Quantity.tryParse(number.text()).isPresent();
    }
    return value instanceof Json.Text text && Quantity.tryParse(text.value()).isPresent();
  }

  private boolean isList(Json value, String path) {
    if (value instanceof Json.Items) {
      return true;
    }
    mismatch(path, "a list", value);
    return false;
  }

  private boolean isObject(Json value, String path) {
    if (value instanceof Json.Fields) {
      return true;
    }
    mismatch(path, "an object", value);
    return false;
  }

  private void mismatch(String path, String expected, Json found) {
    sink.add(path, FieldReader.mismatch(expected, found));
  }

  private static String entry(String key) {
    return "[" + PrintableText.abbreviate(key) + "]";
  }
}
