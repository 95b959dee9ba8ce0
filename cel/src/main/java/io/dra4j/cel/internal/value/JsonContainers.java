package io.dra4j.cel.internal.value;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Maps;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.text.GoText;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists and maps of {@code JsonValues}. As in cel-go, a list or map in them is another one each
 * time it is read, which matters to {@link MapKeys} only.
 */
public final class JsonContainers {

  /** An element or a field that is a {@code google.protobuf.Value} of no kind: read as null. */
  public static final Object UNSET = new Object();

  private JsonContainers() {}

  /** The same value, but another list or map. */
  static Object copy(Object value) {
    if (value instanceof JsonList list) {
      return new JsonList(list.elements);
    } else if (value == UNSET) {
      return NullValue.NULL_VALUE;
    }
    return value instanceof JsonMap map ? new JsonMap(map.entries) : value;
  }

  /** The one field that a {@code google.protobuf.Value} has. */
  private static String message(Object value) {
    if (value == UNSET) {
      return "";
    } else if (value instanceof String text) {
      return "string_value:" + GoText.quoteField(GoText.bytes(text));
    } else if (value instanceof Boolean truth) {
      return "bool_value:" + truth;
    } else if (value instanceof Double number) {
      String text = Double.isFinite(number) ? Values.goText(number) : infinite(number);
      return "number_value:" + text;
    } else if (value instanceof JsonList list) {
      return Stream.of(list.elements)
          .map(element -> "values:{" + message(element) + "}")
          .collect(joining(" ", "list_value:{", "}"));
    } else if (value instanceof JsonMap map) {
      return new TreeMap<>(map.entries)
          .entrySet().stream()
              .map(field -> message(field.getKey(), field.getValue()))
              .collect(joining(" ", "struct_value:{", "}"));
    }
    return "null_value:NULL_VALUE";
  }

  private static String message(String key, Object value) {
    String name = GoText.quoteField(GoText.bytes(key));
    return "fields:{key:" + name + " value:{" + message(value) + "}}";
  }

  private static String infinite(double number) {
    return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  }

  /** The values of a {@code google.protobuf.ListValue}. */
  public static final class JsonList extends AbstractList<Object> implements RandomAccess {

    private final Object[] elements;

    /** Takes over an array, which nothing else may change. */
    public JsonList(Object[] elements) {
      this.elements = elements;
    }

    @Override
    public Object get(int index) {
      return copy(elements[index]);
    }

    @Override
    public int size() {
      return elements.length;
    }

    /** Writes the messages, as {@code prototext} of Go does, as one list. */
    String goText() {
      return Stream.of(elements).map(JsonContainers::message).collect(joining(", ", "[", "]"));
    }
  }

  /** The fields of a {@code google.protobuf.Struct}. */
  public static final class JsonMap extends AbstractMap<String, Object> {

    private final Map<String, Object> entries;

    /** Takes over a map, which nothing else may change. */
    public JsonMap(Map<String, Object> entries) {
      this.entries = entries;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      Object value = entries.get(key);
      return value == null ? null : copy(value);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return entries.containsKey(key);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
      return Maps.transformValues(entries, JsonContainers::copy).entrySet();
    }
  }
}
