package io.dra4j.cel;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists and maps that loops build up. As in cel-go, a loop that begins with an empty one changes it
 * in place.
 */
final class Accumulators {

  private Accumulators() {}

  /** Replaces an empty list or map by one that can grow. */
  static Object growable(Object initial) {
    if (initial instanceof List<?> list && Values.size(list) == 0) {
      return new GrowingList();
    } else if (initial instanceof Map<?, ?> map && map.isEmpty()) {
      return new GrowingMap();
    }
    return initial;
  }

  /** Ends the growth of a list or map. */
  static Object finished(Object result) {
    if (result instanceof GrowingList list) {
      return list.finished();
    } else if (result instanceof GrowingMap map) {
      return Collections.unmodifiableMap(new LinkedHashMap<>(map.entries));
    }
    return result;
  }

  /** A list that {@code +} appends to. */
  static final class GrowingList extends AbstractList<Object> {

    private Object[] elements = new Object[8];
    private int size;

    GrowingList append(List<?> others) {
      long added = Values.size(others);
      Limits.checkSize(size + added);
      if (others instanceof GrowingList list) { // perhaps this one
        Object[] copied = Arrays.copyOf(list.elements, list.size);
        reserve(copied.length);
        System.arraycopy(copied, 0, elements, size, copied.length);
        size += copied.length;
        return this;
      }
      reserve((int) added);
      for (Object element : others) {
        elements[size++] = element;
      }
      return this;
    }

    private void reserve(int added) {
      if (size + added > elements.length) {
        elements = Arrays.copyOf(elements, Math.max(size + added, 2 * elements.length));
      }
    }

    private List<Object> finished() {
      return Collections.unmodifiableList(new ArrayList<>(this));
    }

    @Override
    public Object get(int index) {
      if (index >= size) {
        throw new IndexOutOfBoundsException(index);
      }
      return elements[index];
    }

    @Override
    public int size() {
      return size;
    }
  }

  /** A map that {@code cel.@mapInsert} puts entries into. */
  static final class GrowingMap extends java.util.AbstractMap<Object, Object> {

    private final Map<Object, Object> entries = new LinkedHashMap<>();

    void insert(Object key, Object value) {
      entries.put(key, value);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      return entries.get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return entries.containsKey(key);
    }

    @Override
    public java.util.Set<Map.Entry<Object, Object>> entrySet() {
      return entries.entrySet();
    }
  }
}
