package io.dra4j.cel.internal.value;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import java.util.List;
import java.util.Map;

/**
 * Checks whether values have the declared types of functions. For lists and maps, only the first
 * element is checked, as {@code defaultIsAssignableRuntimeType} of cel-go does.
 */
public final class RuntimeTypes {

  private RuntimeTypes() {}

  /** Returns whether there is more to look at than the class of a value. */
  public static boolean hasElements(CelType type) {
    return type.parameters().stream().anyMatch(element -> !isAny(element));
  }

  /** Returns whether a value has a declared type. */
  public static boolean accepts(CelType type, Object value) {
    if (isAny(type)) {
      return true;
    } else if (type instanceof ListType list) {
      return value instanceof List<?> values
          && (values.isEmpty() || accepts(list.elemType(), values.get(0)));
    } else if (type instanceof MapType map) {
      return value instanceof Map<?, ?> values && acceptsFirst(map, values);
    }
    return Values.typeName(value).equals(type.name());
  }

  private static boolean acceptsFirst(MapType type, Map<?, ?> map) {
    if (map.isEmpty()) {
      return true;
    }
    Map.Entry<?, ?> first = map.entrySet().iterator().next();
    return accepts(type.keyType(), first.getKey()) && accepts(type.valueType(), first.getValue());
  }

  private static boolean isAny(CelType type) {
    CelKind kind = type.kind();
    return kind == CelKind.DYN || kind == CelKind.ANY || kind == CelKind.TYPE_PARAM;
  }
}
