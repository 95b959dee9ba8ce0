package io.dra4j.cel.internal.message;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.value.Conversions;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.FormatValue;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.Message;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kinds of message fields and their {@code ConvertToNative}, of cel-go's {@code common/types}. */
@SuppressWarnings("ImmutableEnumChecker") // the values of unset fields never change
public enum FieldKind {
  BOOL(SimpleType.BOOL, false, "bool"),
  BYTES(SimpleType.BYTES, CelByteString.EMPTY, "[]uint8"),
  DOUBLE(SimpleType.DOUBLE, 0.0, "float64"),
  FLOAT(SimpleType.DOUBLE, 0.0, "float32"),
  INT32(SimpleType.INT, 0L, "int32"),
  INT64(SimpleType.INT, 0L, "int64"),
  UINT32(SimpleType.UINT, UnsignedLong.ZERO, "uint32"),
  UINT64(SimpleType.UINT, UnsignedLong.ZERO, "uint64"),
  STRING(SimpleType.STRING, "", "string"),

  /** The enumeration whose one value is null. All other numbers are null as well. */
  NULL(SimpleType.INT, NullValue.NULL_VALUE, "protoreflect.EnumNumber"),
  JSON(SimpleType.DYN, NullValue.NULL_VALUE, "*structpb.Value"),
  LIST(ListType.create(SimpleType.DYN), List.of(), "*structpb.ListValue"),
  STRUCT(MapType.create(SimpleType.STRING, SimpleType.DYN), MapValue.EMPTY, "*structpb.Struct"),

  /** A field of many values. */
  VALUES(LIST.type, LIST.zero, "[]*structpb.Value"),

  /** A field of many entries. */
  FIELDS(STRUCT.type, STRUCT.zero, "map[string]*structpb.Value");

  private final CelType type;
  private final Object zero;
  private final String goType;

  FieldKind(CelType type, Object zero, String goType) {
    this.type = type;
    this.zero = zero;
    this.goType = goType;
  }

  /** Returns the type of the field for the checker. */
  CelType type() {
    return type;
  }

  /** Returns the value of the field if it is not set. */
  Object zero() {
    return zero;
  }

  /** Makes the field's value; throws {@code CelInvalidArgumentException} if it cannot have it. */
  Object convert(Object value, EvaluationMeter work) {
    Object converted =
        switch (this) {
          case VALUES -> value instanceof List<?> list ? JsonValues.elements(list, work) : null;
          case FIELDS -> value instanceof Map<?, ?> map ? JsonValues.entries(map, work) : null;
          default -> single(Values.content(value), work);
        };
    if (converted == null) {
      throw new CelInvalidArgumentException(refusal(Values.content(value)));
    }
    return converted;
  }

  /**
   * Returns whether there are many values in the field, and this is none of them, nor all of them.
   */
  boolean isOfOtherShape(Object value) {
    return (this == VALUES && !(value instanceof List))
        || (this == FIELDS && !(value instanceof Map));
  }

  private String refusal(Object value) {
    if (value instanceof Long && (this == INT32 || this == NULL)) {
      return "integer overflow";
    } else if (value instanceof UnsignedLong && this == UINT32) {
      return "unsigned integer overflow";
    }
    if (value instanceof Message message && (this == STRUCT || this == LIST)) {
      return "type conversion error: pb.Merge() arguments must be the same type. got: google.protobuf."
          + (this == STRUCT ? "Struct" : "ListValue")
          + ", "
          + message.type().type().name();
    }
    return Conversions.refusal(value, goType);
  }

  private @Nullable Object single(Object value, EvaluationMeter work) {
    return switch (this) {
      case BOOL -> value instanceof Boolean ? value : null;
      case BYTES -> bytes(value, work);
      case DOUBLE -> value instanceof Double ? value : null;
      case FLOAT -> value instanceof Double number ? (Object) (double) number.floatValue() : null;
      case INT32 -> value instanceof Long number && number == number.intValue() ? value : null;
      case INT64 -> value instanceof Long ? value : null;
      case UINT32 -> isUnsigned(value, 32) ? value : null;
      case UINT64 -> isUnsigned(value, 64) ? value : null;
      case STRING -> text(value, work);
      case NULL -> INT32.single(value, work) == null ? null : zero;
      case JSON -> JsonValues.of(value, work);
      case LIST -> JsonValues.list(value, work);
      case STRUCT -> value instanceof Map<?, ?> map ? JsonValues.of(map, work) : null;
      case VALUES, FIELDS -> null;
    };
  }

  private static boolean isUnsigned(Object value, int bits) {
    return value instanceof UnsignedLong number && number.bigIntegerValue().bitLength() <= bits;
  }

  /** Lists of bytes are bytes to Go. */
  private static @Nullable Object bytes(Object value, EvaluationMeter work) {
    if (!(value instanceof List<?> list)) {
      return value instanceof CelByteString ? value : null;
    }
    Limits.checkSize(Values.size(list));
    work.takes(list.size());
    work.spend(list.size());
    byte[] bytes = new byte[list.size()];
    int size = 0;
    for (Object element : list) {
      Object content = Values.content(element);
      if (!isUnsigned(content, 8)) {
        throw new CelInvalidArgumentException(
            content instanceof UnsignedLong
                ? "unsigned integer overflow"
                : Conversions.refusal(content, "uint8"));
      }
      bytes[size++] = ((UnsignedLong) content).byteValue();
    }
    return CelByteString.of(bytes);
  }

  /** Kubernetes lets its own types become texts. */
  private static @Nullable Object text(Object value, EvaluationMeter work) {
    if (value instanceof OpaqueValue && !(value instanceof FormatValue)) {
      work.spendOn(value);
      return work.made(value.toString());
    }
    return value instanceof String ? value : null;
  }
}
