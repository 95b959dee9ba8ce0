package io.dra4j.cel.internal.value;

import dev.cel.common.types.CelType;

/** The type of a {@link Message}, with the parts that values need. */
public interface MessageType {

  /** {@return the type in CEL, for example {@code google.protobuf.Empty}} */
  CelType type();

  /** {@return whether its messages have the field} */
  boolean has(String field);

  /** {@return the value of the unset field, or {@link Values#ABSENT} if there is no such field} */
  Object zero(String field);
}
