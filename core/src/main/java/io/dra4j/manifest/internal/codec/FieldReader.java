package io.dra4j.manifest.internal.codec;

import com.google.common.collect.ImmutableMap;
import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.Footprint;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one JSON object by name and type, like Kubernetes' decoder: names are case
 * sensitive, null is the same as a missing field, unknown fields are ignored, and null in a list or
 * map is the zero value of its type. A field of the wrong type is reported as a problem with its
 * path, and has its zero value, so that one reading finds all problems. {@link FieldWriter} is the
 * reverse.
 */
public final class FieldReader {

  private final Map<String, Json> fields;
  private final @Nullable FieldReader parent;
  private final @Nullable Step step; // from the parent
  private final Context context;

  /**
   * What all readers of one object have in common.
   *
   * @param problems receives path and message of each problem
   * @param shared shares equal values
   * @param kept counts the memory of the values
   */
  public record Context(ProblemSink problems, SharedValues shared, MemoryMeter kept) {

    String text(String text) {
      return shared.text(text, kept);
    }

    @Nullable Quantity quantity(String text) {
      return shared.quantity(text, kept);
    }

    DeviceAttribute attribute(DeviceAttribute value) {
      return shared.attribute(value);
    }
  }

  /** Receives a problem of the object that is being read. */
  @FunctionalInterface
  public interface ProblemSink {
    void add(String path, String message);
  }

  /** A field, or an element of the list or map in it; used only in messages. */
  private record Step(String name, @Nullable Object key) {

    static Step of(String name) {
      return new Step(name, null);
    }

    @Override
    public String toString() {
      String shown =
          key instanceof String text ? PrintableText.abbreviate(text) : String.valueOf(key);
      return "." + name + (key == null ? "" : "[" + shown + "]");
    }
  }

  private FieldReader(
      Map<String, Json> fields,
      @Nullable FieldReader parent,
      @Nullable Step step,
      Context context) {
    this.fields = fields;
    this.parent = parent;
    this.step = step;
    this.context = context;
  }

  public static FieldReader of(Json.Fields object, Context context) {
    return new FieldReader(object.map(), null, null, context);
  }

  // Scalars. Optional ones are null if they are not given.

  String text(String name) {
    String text = optionalText(name);
    return text == null ? "" : text;
  }

  @Nullable String optionalText(String name) {
    Json value = given(name);
    return value == null ? null : textOf(value, Step.of(name));
  }

  long integer(String name) {
    Long number = optionalInteger(name);
    return number == null ? 0 : number;
  }

  @Nullable Long optionalInteger(String name) {
    Json value = given(name);
    return value == null ? null : integerOf(value, Step.of(name), Long.SIZE);
  }

  /** An integer that Kubernetes keeps in 32 bits. */
  int int32(String name, int otherwise) {
    Json value = given(name);
    return value == null ? otherwise : integerOf(value, Step.of(name), Integer.SIZE).intValue();
  }

  /** An integer of 32 bits that the API server rejects if it is negative. */
  int count(String name, int otherwise) {
    int number = int32(name, otherwise);
    if (number < 0) {
      problem(Step.of(name), "expected 0 or more, found number " + number);
      return 0;
    }
    return number;
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(optionalFlag(name));
  }

  @Nullable Boolean optionalFlag(String name) {
    Json value = given(name);
    return value == null ? null : flagOf(value, Step.of(name));
  }

  /** A quantity; zero if none is given. */
  Quantity quantity(String name) {
    Quantity quantity = optionalQuantity(name);
    return quantity == null ? Quantity.of(0) : quantity;
  }

  @Nullable Quantity optionalQuantity(String name) {
    Json value = given(name);
    return value == null ? null : quantityOf(value, Step.of(name));
  }

  @Nullable String time(String name) {
    Json value = given(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Json.Text text) || !Rfc3339.isRfc3339(text.value())) {
      mismatch(Step.of(name), "a time such as 2026-01-31T12:00:00Z", value);
      return null;
    }
    return textOf(value, Step.of(name));
  }

  /** Any JSON value as text; empty if none is given. */
  String json(String name) {
    Json value = given(name);
    if (value == null) {
      return "";
    }
    try {
      String text = JsonText.writeBounded(value);
      context.kept().add(Footprint.text(text));
      return text;
    } catch (DocumentException e) {
      problem(Step.of(name), String.valueOf(e.getMessage()));
      return "";
    }
  }

  // Objects.

  /** An object; an empty object if none is given. */
  <T> T object(String name, Function<FieldReader, T> read) {
    T object = optionalObject(name, read);
    return object == null ? read.apply(child(Map.of(), Step.of(name))) : object;
  }

  <T> @Nullable T optionalObject(String name, Function<FieldReader, T> read) {
    Json value = given(name);
    return value == null ? null : read.apply(readerOf(value, Step.of(name)));
  }

  // Lists and maps; empty if none is given.

  <T> List<T> objects(String name, Function<FieldReader, T> read) {
    return list(name, (value, step) -> read.apply(readerOf(value, step)));
  }

  List<String> texts(String name) {
    return list(name, this::textOf);
  }

  List<Long> integers(String name) {
    return list(name, (value, step) -> integerOf(value, step, Long.SIZE));
  }

  List<Boolean> flags(String name) {
    return list(name, this::flagOf);
  }

  List<Quantity> quantities(String name) {
    return list(name, this::quantityOf);
  }

  <T> Map<String, T> objectMap(String name, Function<FieldReader, T> read) {
    return map(name, (value, step) -> read.apply(readerOf(value, step)));
  }

  Map<String, String> textMap(String name) {
    return map(name, this::textOf);
  }

  Map<String, Quantity> quantityMap(String name) {
    return map(name, this::quantityOf);
  }

  /** Whether a field exists and is not null. */
  boolean has(String name) {
    return given(name) != null;
  }

  private <T> List<T> list(String name, BiFunction<Json, Step, T> read) {
    Json value = given(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof Json.Items items)) {
      mismatch(Step.of(name), "a list", value);
      return List.of();
    }
    List<T> list = new ArrayList<>(items.list().size());
    context.kept().add(MemoryMeter.LIST + (long) MemoryMeter.ELEMENT * items.list().size());
    int index = 0;
    for (Json item : items.list()) {
      list.add(read.apply(item, new Step(name, index++)));
    }
    return list;
  }

  private <T> Map<String, T> map(String name, BiFunction<Json, Step, T> read) {
    Json value = given(name);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Json.Fields object)) {
      mismatch(Step.of(name), "an object", value);
      return Map.of();
    }
    context.kept().add(MemoryMeter.MAP + (long) MemoryMeter.ENTRY * object.map().size());
    ImmutableMap.Builder<String, T> map = ImmutableMap.builderWithExpectedSize(object.map().size());
    object
        .map()
        .forEach(
            (key, entry) -> map.put(context.text(key), read.apply(entry, new Step(name, key))));
    return map.buildOrThrow();
  }

  /** The value of an attribute, shared with equal values if there is room. */
  DeviceAttribute shared(DeviceAttribute scalar) {
    return context.attribute(scalar);
  }

  // Values. Null occurs only inside of lists and maps.

  private String textOf(Json value, Step step) {
    if (value instanceof Json.Text text) {
      return context.text(text.value());
    }
    if (value != Json.Null.NULL) {
      mismatch(step, "text", value);
    }
    return "";
  }

  private Long integerOf(Json value, Step step, int bits) {
    if (value instanceof Json.Num number) {
      try {
        long integer = Long.parseLong(number.text());
        if (bits == Long.SIZE || integer == (int) integer) {
          context.kept().add(MemoryMeter.NUMBER);
          return integer;
        }
      } catch (NumberFormatException e) {
        // 1.0 and 1e3 are rejected as well, as by Go's decoder.
      }
    }
    if (value != Json.Null.NULL) {
      mismatch(step, "an integer of " + bits + " bits", value);
    }
    return 0L;
  }

  private Boolean flagOf(Json value, Step step) {
    if (value instanceof Json.Flag flag) {
      return flag == Json.Flag.TRUE;
    }
    if (value != Json.Null.NULL) {
      mismatch(step, "true or false", value);
    }
    return false;
  }

  private Quantity quantityOf(Json value, Step step) {
    Quantity quantity = null;
    if (value instanceof Json.Text text) {
      quantity = context.quantity(text.value());
    } else if (value instanceof Json.Num number) {
      quantity = context.quantity(number.text());
    }
    if (quantity != null) {
      return quantity;
    }
    if (value != Json.Null.NULL) {
      mismatch(step, "a quantity such as 10Gi", value);
    }
    return Quantity.of(0);
  }

  private FieldReader readerOf(Json value, Step step) {
    context.kept().add(MemoryMeter.RECORD);
    if (value instanceof Json.Fields object) {
      return child(object.map(), step);
    }
    if (value != Json.Null.NULL) {
      mismatch(step, "an object", value);
    }
    return child(Map.of(), step);
  }

  private FieldReader child(Map<String, Json> children, Step step) {
    return new FieldReader(children, this, step, context);
  }

  private @Nullable Json given(String name) {
    Json value = fields.get(name);
    return value == Json.Null.NULL ? null : value;
  }

  private void mismatch(Step step, String expected, Json found) {
    problem(step, mismatch(expected, found));
  }

  /**
   * Returns the message that a value has the wrong type.
   *
   * @param expected the expected type, for example {@code text}
   */
  public static String mismatch(String expected, Json found) {
    String message = "expected " + expected + ", found " + found.describe();
    if (expected.equals("text") && found instanceof Json.Flag flag) {
      String words = flag == Json.Flag.TRUE ? "y, yes, on and true" : "n, no, off and false";
      return message + "; YAML reads " + words + " as this: quote the text";
    }
    return message;
  }

  private void problem(Step last, String message) {
    StringBuilder path = new StringBuilder(last.toString());
    FieldReader reader = this;
    while (reader != null && reader.step != null) {
      path.insert(0, reader.step);
      reader = reader.parent;
    }
    context.problems().add(path.substring(1), message);
  }
}
