package io.dra4j.cel.internal.value;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** An immutable list. Of one class, so that nodes can look into it fast. */
public final class ValueList extends AbstractList<Object> implements RandomAccess {

  private final Object[] elements;
  private final boolean ofDevice;
  private final boolean fresh; // created at each read, as in cel-go

  private ValueList(Object[] elements, boolean ofDevice, boolean fresh) {
    this.elements = elements;
    this.ofDevice = ofDevice;
    this.fresh = fresh;
  }

  /** Returns the value of an attribute. */
  public static ValueList ofDevice(List<?> list) {
    return new ValueList(list.toArray(), true, true);
  }

  /** Takes over an array, which nothing else may change. */
  public static ValueList of(Object[] elements) {
    return new ValueList(elements, false, false);
  }

  /** Returns the same list as {@link MapKeys#bound} has it. */
  ValueList bound() {
    return fresh ? new ValueList(elements, true, false) : this;
  }

  /** Returns whether it is the value of an attribute. */
  boolean isOfDevice() {
    return ofDevice;
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
