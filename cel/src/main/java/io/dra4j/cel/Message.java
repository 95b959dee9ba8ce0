package io.dra4j.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.cel.common.values.CelByteString;
import java.util.List;
import java.util.Map;

/**
 * A message that CEL has no other value for, the {@code protoObj} of cel-go. {@link Equality} says
 * which ones are equal.
 *
 * @param type its type
 * @param fields those that are set, with their values
 * @param unknown fields that its type does not have, as they were read
 */
record Message(WellKnownMessage type, ImmutableMap<String, Object> fields, CelByteString unknown) {

  /** Makes a message. A text that is empty is not set. */
  Message(WellKnownMessage type, Map<String, Object> fields) {
    this(
        type,
        ImmutableMap.copyOf(
            Maps.filterEntries(
                fields,
                field ->
                    type.field(field.getKey()) != FieldKind.STRING
                        || !field.getValue().equals(""))),
        CelByteString.EMPTY);
  }

  /** The value of a field, {@link Node#ABSENT} if it is not set, or an error. */
  Object find(Object field) {
    if (!(field instanceof String name) || type.field(name) == null) {
      return new EvalError("no such field '" + field + "'");
    }
    return JsonContainers.copy(fields.getOrDefault(name, Node.ABSENT));
  }

  /** The value of a field, set or not. */
  Object get(String field) {
    return type.get(fields, field);
  }

  boolean isZero() {
    return fields.isEmpty() && unknown.isEmpty();
  }

  /** Whether JSON can write it. */
  boolean isFinite() {
    return isFinite(fields);
  }

  private static boolean isFinite(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.values().stream().allMatch(Message::isFinite);
    } else if (value instanceof List<?> list) {
      return list.stream().allMatch(Message::isFinite);
    }
    return !(value instanceof Double number) || Double.isFinite(number);
  }
}
