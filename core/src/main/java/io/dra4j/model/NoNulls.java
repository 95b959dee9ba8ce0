package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses null where an object is made, in a sentence that names the field. */
final class NoNulls {

  private NoNulls() {}

  static <T> T value(String field, @Nullable T value) {
    if (value == null) {
      throw new NullPointerException(field + " is null");
    }
    return value;
  }

  /** Returns an immutable copy. */
  static <T> List<T> list(String field, List<T> values) {
    int position = 0;
    for (T value : value(field, values)) {
      if (value == null) {
        throw new NullPointerException(field + "[" + position + "] is null");
      }
      position++;
    }
    return List.copyOf(values);
  }

  /** Returns an immutable copy in the same order. */
  static <V> Map<String, V> map(String field, Map<String, V> values) {
    if (value(field, values) instanceof ImmutableMap<String, V> copy) {
      return copy;
    }
    for (Map.Entry<String, V> entry : values.entrySet()) {
      if (entry.getKey() == null) {
        throw new NullPointerException(field + " has a null key");
      }
      if (entry.getValue() == null) {
        throw new NullPointerException(field + "[" + entry.getKey() + "] is null");
      }
    }
    return ImmutableMap.copyOf(values);
  }
}
