package io.dra4j.cel.internal.message;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Message;
import io.dra4j.cel.internal.value.MessageType;
import io.dra4j.cel.internal.value.Values;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message of {@code google.protobuf} that expressions can make in every environment of cel-go,
 * after {@code common/types/provider.go} and {@code common/types/pb} there. What it makes is the
 * value of CEL that the message stands for, or else a {@link Message}.
 */
public enum WellKnownMessage implements MessageType {
  BOOL("BoolValue", FieldKind.BOOL),
  BYTES("BytesValue", FieldKind.BYTES),
  DOUBLE("DoubleValue", FieldKind.DOUBLE),
  FLOAT("FloatValue", FieldKind.FLOAT),
  INT32("Int32Value", FieldKind.INT32),
  INT64("Int64Value", FieldKind.INT64),
  STRING("StringValue", FieldKind.STRING),
  UINT32("UInt32Value", FieldKind.UINT32),
  UINT64("UInt64Value", FieldKind.UINT64),
  VALUE(
      "Value",
      SimpleType.DYN,
      ImmutableMap.of(
          "null_value", FieldKind.NULL,
          "number_value", FieldKind.DOUBLE,
          "string_value", FieldKind.STRING,
          "bool_value", FieldKind.BOOL,
          "struct_value", FieldKind.STRUCT,
          "list_value", FieldKind.LIST)),
  LIST("ListValue", FieldKind.VALUES.type(), ImmutableMap.of("values", FieldKind.VALUES)),
  STRUCT("Struct", FieldKind.FIELDS.type(), ImmutableMap.of("fields", FieldKind.FIELDS)),
  STRUCT_ENTRY(
      "Struct.FieldsEntry",
      null,
      ImmutableMap.of("key", FieldKind.STRING, "value", FieldKind.JSON)),
  EMPTY("Empty", null, ImmutableMap.of()),
  DURATION(
      "Duration",
      SimpleType.DURATION,
      ImmutableMap.of("seconds", FieldKind.INT64, "nanos", FieldKind.INT32)),
  TIMESTAMP(
      "Timestamp",
      SimpleType.TIMESTAMP,
      ImmutableMap.of("seconds", FieldKind.INT64, "nanos", FieldKind.INT32)),
  ANY(
      "Any",
      SimpleType.ANY,
      ImmutableMap.of("type_url", FieldKind.STRING, "value", FieldKind.BYTES));

  /** The value of the one enumeration, which is the number 0. */
  public static final String NULL_VALUE = "google.protobuf.NullValue.NULL_VALUE";

  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

  /** Well within the years of {@link Instant}; those of Go begin again after 292 billion. */
  private static final long MAX_SECONDS = 31_000_000_000_000_000L;

  private final String fullName;
  private final ImmutableMap<String, FieldKind> fields;
  private final StructType structure;
  private final CelType type;

  /** A wrapper of a value that may be null instead. */
  WellKnownMessage(String name, FieldKind value) {
    this(name, NullableType.create(value.type()), ImmutableMap.of("value", value));
  }

  /** Any message; {@code type} is the type of its value in CEL, or null for the message itself. */
  WellKnownMessage(String name, @Nullable CelType type, ImmutableMap<String, FieldKind> fields) {
    this.fullName = "google.protobuf." + name;
    this.fields = fields;
    this.structure =
        StructType.create(
            fullName,
            fields.keySet(),
            field -> Optional.ofNullable(fields.get(field)).map(FieldKind::type));
    this.type = type == null ? structure : type;
  }

  /** Finds a message by its full name. */
  public static @Nullable WellKnownMessage named(String fullName) {
    for (WellKnownMessage message : values()) {
      if (message.fullName.equals(fullName)) {
        return message;
      }
    }
    return null;
  }

  /** Returns its name, for example {@code google.protobuf.Duration}. */
  public String fullName() {
    return fullName;
  }

  /** Returns the type of the value of CEL. */
  @Override
  public CelType type() {
    return type;
  }

  /** Its fields, for the checker. */
  public StructType structure() {
    return structure;
  }

  /** Returns what a field holds, or null if there is no such field. */
  public @Nullable FieldKind field(String field) {
    return fields.get(field);
  }

  /**
   * Creates a message.
   *
   * @param values of the fields that are set, which the checker knows
   * @param work counts the created values
   * @throws CelInvalidArgumentException if a value does not fit into its field
   */
  public Object make(Map<String, Object> values, EvaluationMeter work) {
    Map<String, Object> set = new HashMap<>();
    for (Map.Entry<String, Object> entry : values.entrySet()) {
      FieldKind field = fields.get(entry.getKey());
      if (field == null) {
        throw new CelInvalidArgumentException("no such field: " + entry.getKey());
      }
      set.put(entry.getKey(), convert(entry.getKey(), field, entry.getValue(), work));
    }
    return switch (this) {
      case VALUE -> set.isEmpty() ? NullValue.NULL_VALUE : set.values().iterator().next();
      case LIST -> set.getOrDefault("values", JsonValues.of(List.of(), work));
      case STRUCT -> set.getOrDefault("fields", JsonValues.of(Map.of(), work));
      case STRUCT_ENTRY, EMPTY -> {
        set.entrySet() // a text that is empty is not set
            .removeIf(e -> fields.get(e.getKey()) == FieldKind.STRING && e.getValue().equals(""));
        yield new Message(this, set);
      }
      case DURATION -> duration((Long) get(set, "seconds"), (Long) get(set, "nanos"));
      case TIMESTAMP -> timestamp((Long) get(set, "seconds"), (Long) get(set, "nanos"));
      case ANY -> {
        CelByteString packed = (CelByteString) get(set, "value");
        work.takes((long) packed.size() * PackedMessage.GROWTH);
        work.spend((long) packed.size() * PackedMessage.UNITS);
        yield PackedMessage.unpack((String) get(set, "type_url"), packed);
      }
      default -> get(set, fields.keySet().iterator().next());
    };
  }

  private Object convert(String name, FieldKind field, Object value, EvaluationMeter work) {
    if (field.isOfOtherShape(value)) {
      throw new CelInvalidArgumentException(
          "unsupported field type for " + fullName + "." + name + ": " + Values.typeText(value));
    }
    try {
      return field.convert(value, work);
    } catch (CelInvalidArgumentException e) {
      throw new CelInvalidArgumentException(
          "field type conversion error for "
              + fullName
              + "."
              + name
              + " value type: "
              + e.getMessage());
    }
  }

  @Override
  public boolean has(String field) {
    return fields.containsKey(field);
  }

  @Override
  public Object zero(String field) {
    FieldKind kind = fields.get(field);
    return kind == null ? Values.ABSENT : kind.zero();
  }

  /** Returns the value of a field, set or not. */
  private Object get(Map<String, Object> set, String field) {
    Object value = set.get(field);
    return value == null ? zero(field) : value;
  }

  /** As {@code AsDuration} of Go's package {@code durationpb} limits it. */
  static Duration duration(long seconds, long nanos) {
    BigInteger whole = BigInteger.valueOf(seconds).multiply(NANOS_PER_SECOND);
    BigInteger sum = whole.add(BigInteger.valueOf(nanos));
    if (whole.bitLength() > 63 || sum.bitLength() > 63) {
      return Duration.ofNanos(seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE);
    }
    return Duration.ofNanos(sum.longValue());
  }

  /** Unlike others, these timestamps may be from before the year 1 or from after 9999. */
  static Instant timestamp(long seconds, long nanos) {
    if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS) {
      throw new CelInvalidArgumentException("timestamp out of range: " + seconds + " seconds");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }
}
