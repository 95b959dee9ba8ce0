package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import io.dra4j.internal.Checks;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that a builder collects, in order. A map that was set as a whole is copied only when an
 * entry is put.
 *
 * @param <V> the type of the values
 */
final class MapField<V> {

  private final String field;
  private Map<String, V> values = ImmutableMap.of();
  private boolean mutable;

  /** The name is for messages, {@code Device.attributes} for example. */
  MapField(String field) {
    this.field = field;
  }

  void set(Map<String, V> all) {
    values = Checks.map(field, all);
    mutable = false;
  }

  /** Puts a value, which replaces an earlier value of the same key. */
  void put(String key, V value) {
    if (key == null || value == null) {
      Checks.map(field, Collections.singletonMap(key, value));
    }
    if (!mutable) {
      values = new LinkedHashMap<>(values);
      mutable = true;
    }
    values.put(key, value);
  }

  Map<String, V> get() {
    return values;
  }
}
