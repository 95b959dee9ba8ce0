package io.dra4j.cel.internal.value;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists and maps that loops build up. As in cel-go, an empty initial one is changed in place. */
public final class Accumulators {

  private Accumulators() {}

  /** Replaces an empty list or map by one that can grow, and notes when it does. */
  public static Object growable(Object initial, EvaluationMeter work) {
    if (initial instanceof List<?> list && Values.size(list) == 0) {
      return new GrowingList(work);
    } else if (initial instanceof Map<?, ?> map && map.isEmpty()) {
      return new GrowingMap(new MapKeys.AnyMap(), work);
    }
    return MapKeys.bound(initial);
  }

  /** Returns whether a value is a list or map that can grow. */
  public static boolean isGrowing(Object value) {
    return value instanceof GrowingList || value instanceof GrowingMap;
  }

  /** A list as it is now, whether it grows or not. */
  public static List<?> asOfNow(List<?> list) {
    return list instanceof GrowingList growing ? growing.subList(0, growing.size()) : list;
  }

  /** Ends the growth of a list or map. */
  public static Object finished(Object result) {
    if (result instanceof GrowingList list) {
      return list.finished();
    } else if (result instanceof GrowingMap growing) {
      return growing.map;
    }
    return result;
  }

  /** A list that {@code +} appends to. */
  static final class GrowingList extends AbstractList<Object> implements RandomAccess {

    private final EvaluationMeter work;
    private final long number;
    private Object[] elements = new Object[8];
    private int size;

    GrowingList(EvaluationMeter work) {
      this.work = work;
      this.number = work.begun();
    }

    GrowingList append(List<?> others) {
      long added = Values.size(others);
      Limits.checkSize(size + added);
      work.grown(number);
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
  public static final class GrowingMap extends AbstractMap<Object, Object> {

    private final MapKeys.AnyMap map;
    private final EvaluationMeter work;
    private final long number;

    GrowingMap(MapKeys.AnyMap map, EvaluationMeter work) {
      this.map = map;
      this.work = work;
      this.number = work.begun();
    }

    /** Adds an entry; a key that is there fails. */
    public void insert(Object key, Object value) {
      work.grown(number);
      map.put(key, MapKeys.bound(value));
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      return map.get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return map.containsKey(key);
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
      return map.entrySet();
    }
  }
}
