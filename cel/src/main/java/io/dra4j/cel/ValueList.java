package io.dra4j.cel;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** An immutable list. Of one class, so that nodes can look into it fast. */
final class ValueList extends AbstractList<Object> implements RandomAccess {

  private final Object[] elements;

  private ValueList(Object[] elements) {
    this.elements = elements;
  }

  static ValueList copyOf(List<?> list) {
    return new ValueList(list.toArray());
  }

  /** Takes over an array, which nothing else may change. */
  static ValueList of(Object[] elements) {
    return new ValueList(elements);
  }

  @Override
  public Object get(int index) {
    return elements[index];
  }

  @Override
  public int size() {
    return elements.length;
  }
}
