package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * A list that a builder collects. A list that was set as a whole is copied only when an element is
 * added.
 *
 * @param <T> the type of the elements
 */
final class ListField<T> {

  private final String field;
  private List<T> values = List.of();
  private boolean mutable;

  /** The name is for messages, {@code Device.taints} for example. */
  ListField(String field) {
    this.field = field;
  }

  void set(List<? extends T> all) {
    values = List.copyOf(Checks.list(field, all));
    mutable = false;
  }

  void add(T value) {
    if (value == null) {
      throw new NullPointerException(field + "[" + values.size() + "]");
    }
    if (!mutable) {
      values = new ArrayList<>(values);
      mutable = true;
    }
    values.add(value);
  }

  List<T> get() {
    return values;
  }
}
