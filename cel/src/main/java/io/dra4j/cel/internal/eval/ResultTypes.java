package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.SemVerValue;
import io.dra4j.cel.internal.value.Values;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.SelectorException;
import java.util.List;

/** The valid results of expressions, after {@code dynamic-resource-allocation/cel/compile.go}. */
public final class ResultTypes {

  private ResultTypes() {}

  /** Converts the result of an expression to the value of an attribute, or rejects it. */
  public static DeviceAttribute toAttribute(Object result) throws SelectorException {
    if (result instanceof List<?> list) {
      if (Values.size(list) > Limits.SIZE) {
        throw new SelectorException("the result is a list of more than " + Limits.SIZE);
      }
      return toList(list.stream().map(Values::ofGo).toList());
    }
    Object value = Values.ofGo(result);
    if (value instanceof Boolean bool) {
      return DeviceAttribute.of(bool);
    } else if (value instanceof Long number) {
      return DeviceAttribute.of(number);
    } else if (value instanceof String text) {
      return DeviceAttribute.of(text);
    } else if (value instanceof SemVerValue version) {
      return DeviceAttribute.version(version.toString());
    }
    throw new SelectorException("the result cannot be the value of an attribute: " + name(result));
  }

  /** The first element decides the type; an empty list is a list of strings. */
  private static DeviceAttribute toList(List<?> list) throws SelectorException {
    if (list.isEmpty()) {
      return DeviceAttribute.strings();
    }
    Class<?> type = list.get(0).getClass();
    for (Object element : list) {
      if (element.getClass() != type) {
        throw new SelectorException(
            "the result is a list of different types: " + name(list.get(0)) + ", " + name(element));
      }
    }
    if (type == Boolean.class) {
      return new DeviceAttribute.BoolValues(list.stream().map(Boolean.class::cast).toList());
    } else if (type == Long.class) {
      return new DeviceAttribute.IntValues(list.stream().map(Long.class::cast).toList());
    } else if (type == String.class) {
      return new DeviceAttribute.StringValues(list.stream().map(String.class::cast).toList());
    } else if (type == SemVerValue.class) {
      return new DeviceAttribute.VersionValues(list.stream().map(Object::toString).toList());
    }
    throw new SelectorException(
        "the result cannot be the value of an attribute: a list of " + name(list.get(0)));
  }

  private static String name(Object value) {
    return Values.typeName(value);
  }
}
