package io.dra4j.cel.internal.value;

import com.google.common.collect.Maps;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists and maps of {@code JsonValues}. As in cel-go, a list or map in them is another one each
 * time it is read, which matters to {@link MapKeys} only.
 */
public final class JsonContainers {

  private JsonContainers() {}

  /** The same value, but another list or map. */
  static Object copy(Object value) {
    if (value instanceof JsonList list) {
      return new JsonList(list.elements);
    }
    return value instanceof JsonMap map ? new JsonMap(map.entries) : value;
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
