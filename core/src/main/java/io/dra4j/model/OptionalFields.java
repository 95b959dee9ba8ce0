package io.dra4j.model;

import java.util.Collection;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The rarely set fields of an object that have a value, in parentheses, for texts. */
final class OptionalFields {

  private final StringJoiner joiner = new StringJoiner("; ", " (", ")").setEmptyValue("");

  /** Adds a field, if it has a value. */
  void add(String name, @Nullable Object value) {
    boolean isEmpty =
        value == null
            || Boolean.FALSE.equals(value)
            || (value instanceof Collection<?> collection && collection.isEmpty())
            || (value instanceof Map<?, ?> map && map.isEmpty());
    if (!isEmpty) {
      joiner.add(Boolean.TRUE.equals(value) ? name : name + " " + value);
    }
  }

  @Override
  public String toString() {
    return joiner.toString();
  }
}
