package io.dra4j.internal;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rejects null arguments with an exception whose message is the name of the argument or field. */
public final class Checks {

  private Checks() {}

  public static <T> T value(String field, @Nullable T value) {
    return Objects.requireNonNull(value, field);
  }

  /** Returns an immutable copy. */
  public static <T> List<T> list(String field, List<T> values) {
    if (value(field, values).isEmpty()) {
      return List.of(); // the common case
    }
    int position = 0;
    for (T value : values) {
      if (value == null) {
        throw new NullPointerException(field + "[" + position + "]");
      }
      position++;
    }
    return List.copyOf(values);
  }

  /** Returns an immutable list. */
  public static <T> List<T> array(String field, T[] values) {
    return list(field, Arrays.asList(value(field, values)));
  }

  /** Returns an immutable copy in the same order, in as little memory as possible. */
  public static <V> Map<String, V> map(String field, Map<String, V> values) {
    if (value(field, values) instanceof NamedValues<V> copy) {
      return copy;
    }
    checkEntries(field, values);
    return values.size() < 2 || values.size() > NamedValues.MAX_SIZE
        ? ImmutableMap.copyOf(values)
        : NamedValues.copyOf(values);
  }

  /** Returns an immutable copy in the order of the constants. */
  public static <K extends Enum<K>, V> Map<K, V> enumMap(String field, Map<K, V> values) {
    checkEntries(field, value(field, values));
    return Maps.immutableEnumMap(values);
  }

  private static void checkEntries(String field, Map<?, ?> values) {
    if (values instanceof ImmutableMap) {
      return; // has none
    }
    for (Map.Entry<?, ?> entry : values.entrySet()) {
      if (entry.getKey() == null) {
        throw new NullPointerException(field + "[null]");
      }
      if (entry.getValue() == null) {
        throw new NullPointerException(field + "[" + entry.getKey() + "]");
      }
    }
  }
}
