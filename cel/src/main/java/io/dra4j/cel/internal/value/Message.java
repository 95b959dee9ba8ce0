package io.dra4j.cel.internal.value;

import com.google.common.collect.ImmutableMap;
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
public record Message(
    MessageType type, ImmutableMap<String, Object> fields, CelByteString unknown) {

  /**
   * Creates a message without unknown fields.
   *
   * @param type its type
   * @param fields the set fields, with their values
   */
  public Message(MessageType type, Map<String, Object> fields) {
    this(type, ImmutableMap.copyOf(fields), CelByteString.EMPTY);
  }

  /** Returns the value of a field, {@link Values#ABSENT} if it is not set, or an error. */
  public Object find(Object field) {
    if (!(field instanceof String name)) {
      return new EvalError("no such overload");
    } else if (!type.has(name)) {
      return new EvalError("no such field '" + field + "'");
    }
    return JsonContainers.copy(fields.getOrDefault(name, Values.ABSENT));
  }

  /** Returns the value of a field, set or not. */
  public Object get(String field) {
    Object value = fields.get(field);
    return value == null ? type.zero(field) : value;
  }

  /** Returns whether no field is set. */
  public boolean isZero() {
    return fields.isEmpty() && unknown.isEmpty();
  }

  /** Returns whether JSON can write it. */
  public boolean isFinite() {
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
