package io.dra4j.cel.internal.value;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.OpaqueValue;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The errors of cel-go about values that cannot be converted to Go values. */
public final class Conversions {

  private Conversions() {}

  /**
   * {@return the reason why a value cannot be converted to a Go value ({@code ConvertToNative})}
   *
   * @param value the value
   * @param type the type in Go, for example {@code bool}
   */
  public static String refusal(Object value, String type) {
    if (value instanceof String) {
      return "unsupported native conversion from string to '" + type + "'";
    } else if (value instanceof Long || value instanceof UnsignedLong) {
      return "unsupported type conversion from '" + Values.typeName(value) + "' to " + type;
    } else if (value instanceof CelType) {
      return "type conversion not supported for 'type'";
    } else if (value instanceof Optional<?> optional) {
      return optional.isPresent() ? refusal(optional.get(), type) : "optional.none() dereference";
    }
    return "type conversion error from " + name(value) + " to '" + type + "'";
  }

  private static String name(Object value) {
    if (value instanceof List) {
      return "list";
    } else if (value instanceof Map) {
      return "map";
    } else if (value instanceof Boolean) {
      return "bool";
    } else if (value instanceof Double) {
      return "Double";
    } else if (value instanceof CelByteString) {
      return "Bytes";
    } else if (value instanceof Duration) {
      return "'Duration'";
    } else if (value instanceof Temporal) {
      return "'Timestamp'";
    } else if (value instanceof NullValue) {
      return "'null_type'";
    } else if (value instanceof OpaqueValue) {
      return "'" + Values.goName(Values.typeName(value)) + "'";
    }
    return "'*dynamicpb.Message'";
  }
}
