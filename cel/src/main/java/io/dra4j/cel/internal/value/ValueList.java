package io.dra4j.cel.internal.value;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** An immutable list. Of one class, so that nodes can look into it fast. */
public final class ValueList extends AbstractList<Object> implements RandomAccess {

  private final Object[] elements;
  private final boolean ofDevice;

  private ValueList(Object[] elements, boolean ofDevice) {
    this.elements = elements;
    this.ofDevice = ofDevice;
  }

  /** The value of an attribute. */
  public static ValueList ofDevice(List<?> list) {
    return new ValueList(list.toArray(), true);
  }

  /** Takes over an array, which nothing else may change. */
  public static ValueList of(Object[] elements) {
    return new ValueList(elements, false);
  }

  /** The same list as {@link MapKeys#bound} has it. */
  ValueList bound() {
    return ofDevice ? of(elements) : this;
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
