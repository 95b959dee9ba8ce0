package io.dra4j.cel.internal.value;

import dev.cel.common.types.CelType;

/** The type of a {@link Message}, with the parts that values need. */
public interface MessageType {

  /**
   * Returns the type in CEL.
   *
   * @return for example {@code google.protobuf.Empty}
   */
  CelType type();

  /**
   * Returns whether its messages have a field.
   *
   * @param field the name of the field
   * @return whether there is such a field
   */
  boolean has(String field);

  /**
   * Returns the value of a field that is not set.
   *
   * @param field the name of the field
   * @return its value, or {@link Values#ABSENT} if there is no such field
   */
  Object zero(String field);
}
