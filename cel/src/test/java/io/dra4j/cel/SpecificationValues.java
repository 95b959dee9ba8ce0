package io.dra4j.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.message.WellKnownMessage;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Unicode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The values and types of the specification's tests, as evaluators take and give them. */
final class SpecificationValues {

  private SpecificationValues() {}

  /** The value of a {@code cel.expr.Value}. */
  static Object value(TextProto value) {
    TextProto.Field field = value.fields().get(0);
    String name = field.name();
    return switch (name) {
      case "null_value" -> NullValue.NULL_VALUE;
      case "bool_value" -> Boolean.parseBoolean(value.word(name));
      case "int64_value" -> new BigInteger(value.word(name)).longValueExact();
      case "uint64_value" -> UnsignedLong.valueOf(value.word(name));
      case "double_value" -> number(value.word(name));
      case "string_value" -> value.string(name);
      case "bytes_value" -> CelByteString.of(value.bytes(name));
      case "type_value" -> new TypeName(value.string(name));
      case "list_value" -> {
        List<Object> list = new ArrayList<>();
        ((TextProto) field.value()).messages("values").forEach(element -> list.add(value(element)));
        yield list;
      }
      case "map_value" -> {
        Map<Object, Object> map = new HashMap<>();
        for (TextProto entry : ((TextProto) field.value()).messages("entries")) {
          map.put(
              value(entry.message("key").orElseThrow()),
              value(entry.message("value").orElseThrow()));
        }
        yield map;
      }
      case "object_value" -> wellKnown(((TextProto) field.value()).fields().get(0));
      default -> throw new IllegalArgumentException("unknown value: " + name);
    };
  }

  /**
   * The name of a type where a value is expected.
   *
   * @param name the name
   */
  record TypeName(String name) {}

  /** Whether an evaluator's result is the expected value. */
  static boolean equal(Object expected, Object actual) {
    if (expected instanceof TypeName type) {
      return actual instanceof CelType other && type.name().equals(other.name());
    }
    if (expected instanceof Double number) {
      // As protobuf compares: -0.0 is not 0.0, and every NaN is the same.
      return actual instanceof Double && number.equals(actual);
    }
    if (expected instanceof List<?> list) {
      if (!(actual instanceof List<?> other) || list.size() != other.size()) {
        return false;
      }
      for (int i = 0; i < list.size(); i++) {
        if (!equal(list.get(i), other.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (expected instanceof Map<?, ?> map) {
      return actual instanceof Map<?, ?> other
          && map.size() == other.size()
          && map.entrySet().stream()
              .allMatch(
                  entry ->
                      other.entrySet().stream()
                          .anyMatch(
                              found ->
                                  equal(entry.getKey(), found.getKey())
                                      && equal(entry.getValue(), found.getValue())));
    }
    return expected.equals(actual);
  }

  /** The type of a {@code cel.expr.Type}. */
  static CelType type(TextProto type) {
    TextProto.Field field = type.fields().get(0);
    String name = field.name();
    return switch (name) {
      case "dyn" -> SimpleType.DYN;
      case "null" -> SimpleType.NULL_TYPE;
      case "error" -> SimpleType.ERROR;
      case "wrapper" -> NullableType.create(primitive(type.word(name)));
      case "message_type" ->
          Objects.requireNonNull(WellKnownMessage.named(type.string(name)), type.string(name))
              .type();
      case "primitive" -> primitive(type.word(name));
      case "well_known" ->
          switch (type.word(name)) {
            case "TIMESTAMP" -> SimpleType.TIMESTAMP;
            case "DURATION" -> SimpleType.DURATION;
            case "ANY" -> SimpleType.ANY;
            default -> throw new IllegalArgumentException(type.word(name));
          };
      case "list_type" -> ListType.create(part((TextProto) field.value(), "elem_type"));
      case "map_type" ->
          MapType.create(
              part((TextProto) field.value(), "key_type"),
              part((TextProto) field.value(), "value_type"));
      case "type_param" -> TypeParamType.create(type.string(name));
      case "type" ->
          TypeType.create(
              ((TextProto) field.value()).fields().isEmpty()
                  ? SimpleType.DYN
                  : type((TextProto) field.value()));
      case "abstract_type" -> {
        TextProto of = (TextProto) field.value();
        List<CelType> parameters =
            of.messages("parameter_types").stream().map(SpecificationValues::type).toList();
        yield of.string("name").equals("optional_type")
            ? OptionalType.create(parameters.get(0))
            : OpaqueType.create(of.string("name"), parameters.toArray(new CelType[0]));
      }
      default -> throw new IllegalArgumentException("unknown type: " + name);
    };
  }

  private static CelType primitive(String name) {
    return switch (name) {
      case "BOOL" -> SimpleType.BOOL;
      case "INT64" -> SimpleType.INT;
      case "UINT64" -> SimpleType.UINT;
      case "DOUBLE" -> SimpleType.DOUBLE;
      case "STRING" -> SimpleType.STRING;
      case "BYTES" -> SimpleType.BYTES;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** A type as text, for comparison. */
  static String format(CelType type) {
    if (type instanceof NullableType nullable) {
      return "wrapper(" + format(nullable.targetType()) + ")";
    }
    return type.parameters().isEmpty()
        ? type.name()
        : type.parameters().stream()
            .map(SpecificationValues::format)
            .collect(Collectors.joining(",", type.name() + "(", ")"));
  }

  private static CelType part(TextProto type, String name) {
    return type.message(name)
        .filter(of -> !of.fields().isEmpty())
        .map(SpecificationValues::type)
        .orElse(SimpleType.DYN);
  }

  /** The value of a message of {@code google.protobuf}, whose type is the name of the field. */
  private static Object wellKnown(TextProto.Field any) {
    String name = any.name().substring(any.name().lastIndexOf('/') + 1, any.name().length() - 1);
    return message(
        Objects.requireNonNull(WellKnownMessage.named(name), name), (TextProto) any.value());
  }

  private static Object message(WellKnownMessage type, TextProto message) {
    Map<String, Object> fields = new HashMap<>();
    for (TextProto.Field field : message.fields()) {
      String name = field.name();
      fields.put(
          name,
          switch (Objects.requireNonNull(type.field(name), name)) {
            case BOOL -> Boolean.parseBoolean(message.word(name));
            case INT32, INT64 -> Long.valueOf(message.word(name));
            case UINT32, UINT64 -> UnsignedLong.valueOf(message.word(name));
            case DOUBLE, FLOAT -> number(message.word(name));
            case STRING -> message.string(name);
            case BYTES -> CelByteString.of(message.bytes(name));
            case NULL -> 0L;
            case LIST -> message(WellKnownMessage.LIST, (TextProto) field.value());
            case STRUCT -> message(WellKnownMessage.STRUCT, (TextProto) field.value());
            case JSON -> message(WellKnownMessage.VALUE, (TextProto) field.value());
            case VALUES ->
                message.messages(name).stream()
                    .map(value -> message(WellKnownMessage.VALUE, value))
                    .toList();
            case FIELDS ->
                message.messages(name).stream()
                    .collect(
                        Collectors.toMap(
                            entry -> entry.string("key"),
                            entry ->
                                message(
                                    WellKnownMessage.VALUE, entry.message("value").orElseThrow())));
          });
    }
    return type.make(fields, new Frame(EvaluationLimit.STANDARD, new Patterns(Unicode.V15)));
  }

  private static double number(String word) {
    return switch (word) {
      case "inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> Double.parseDouble(word);
    };
  }
}
