package io.dra4j.cel.internal.value;

import com.google.common.collect.Maps;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.text.GoText;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lists and maps of {@code JsonValues}. As in cel-go, a list or map in them is another one each
 * time it is read, which matters to {@link MapKeys} only.
 */
public final class JsonContainers {

  /** An element or a field that is a {@code google.protobuf.Value} of no kind: read as null. */
  public static final Object UNSET = new Object();

  private JsonContainers() {}

  /** Returns the same value, but another list or map. */
  static Object copy(Object value) {
    if (value instanceof JsonList list) {
      return new JsonList(list.elements);
    } else if (value == UNSET) {
      return NullValue.NULL_VALUE;
    }
    return value instanceof JsonMap map ? new JsonMap(map.entries) : value;
  }

  /**
   * Writes the one field that a {@code google.protobuf.Value} has.
   *
   * @param max in characters: nothing is begun behind that
   */
  private static void write(Object value, StringBuilder text, int max) {
    if (value == UNSET) {
      return;
    } else if (value instanceof String string) {
      text.append("string_value:").append(quoted(string, max));
    } else if (value instanceof Boolean truth) {
      text.append("bool_value:").append(truth);
    } else if (value instanceof Double number) {
      text.append("number_value:")
          .append(Double.isFinite(number) ? Values.goText(number) : infinite(number));
    } else if (value instanceof JsonList list) {
      text.append("list_value:{");
      String separator = "";
      for (int i = 0; i < list.elements.length && text.length() <= max; i++) {
        write(list.elements[i], text.append(separator).append("values:{"), max);
        text.append('}');
        separator = " ";
      }
      text.append('}');
    } else if (value instanceof JsonMap map) {
      text.append("struct_value:{");
      String separator = "";
      boolean cut = map.entries.size() > max; // as they come, since sorting takes long
      for (Map.Entry<String, Object> field :
          (cut ? map.entries : new TreeMap<>(map.entries)).entrySet()) {
        if (text.length() > max) {
          break;
        }
        text.append(separator).append("fields:{key:").append(quoted(field.getKey(), max));
        write(field.getValue(), text.append(" value:{"), max);
        text.append("}}");
        separator = " ";
      }
      text.append('}');
    } else {
      text.append("null_value:NULL_VALUE");
    }
  }

  private static String quoted(String text, int max) {
    String first = text.length() > max ? text.substring(0, max) : text;
    return GoText.quoteField(GoText.bytes(first));
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

    /**
     * Writes the messages as one list, as {@code prototext} of Go does, and begins nothing after
     * {@code max} characters.
     */
    void writeGoText(StringBuilder text, int max) {
      text.append('[');
      String separator = "";
      for (int i = 0; i < elements.length && text.length() <= max; i++) {
        write(elements[i], text.append(separator), max);
        separator = ", ";
      }
      text.append(']');
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
