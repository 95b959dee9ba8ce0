package io.dra4j.cel.internal.message;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.UnsignedLong;
import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DoubleValue;
import com.google.protobuf.Empty;
import com.google.protobuf.FloatValue;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Int64Value;
import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.Value;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.value.JsonContainers;
import io.dra4j.cel.internal.value.JsonContainers.JsonList;
import io.dra4j.cel.internal.value.JsonContainers.JsonMap;
import io.dra4j.cel.internal.value.Message;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is in a {@code google.protobuf.Any}, if that is a message that cel-go always knows. */
final class PackedMessage {

  /**
   * How much larger what is in it may be, at most: a map without entries has four bytes, in a list.
   */
  static final int GROWTH = 24;

  /**
   * How long it takes to unpack a byte, at most, in units of {@link
   * io.dra4j.cel.internal.value.EvaluationMeter#spend}: a value of two bytes is one of no kind.
   */
  static final int UNITS = 4;

  /** Of messages in each other. Go allows 10,000, for which a stack of Java may be too small. */
  private static final int DEPTH = 1_000;

  private PackedMessage() {}

  /** Unpacks a message; throws {@code CelInvalidArgumentException} on another type or bad bytes. */
  static Object unpack(String url, CelByteString bytes) {
    return unpack(url, ByteString.copyFrom(bytes.toByteArray()));
  }

  private static Object unpack(String url, ByteString bytes) {
    try {
      CodedInputStream in = bytes.newCodedInput();
      in.setRecursionLimit(DEPTH);
      Object message = read(url.substring(url.lastIndexOf('/') + 1), in);
      if (message == null) {
        throw refused(url, bytes);
      }
      return message;
    } catch (IOException e) {
      throw refused(url, bytes);
    }
  }

  @SuppressWarnings("MethodLength") // one case for each type of message
  private static @Nullable Object read(String name, CodedInputStream in) throws IOException {
    WellKnownMessage type = WellKnownMessage.named(name);
    if (type == null) {
      return null;
    }
    return switch (type) {
      case BOOL -> BoolValue.parseFrom(in).getValue();
      case BYTES -> CelByteString.of(BytesValue.parseFrom(in).getValue().toByteArray());
      case DOUBLE -> DoubleValue.parseFrom(in).getValue();
      case FLOAT -> (double) FloatValue.parseFrom(in).getValue();
      case INT32 -> (long) Int32Value.parseFrom(in).getValue();
      case INT64 -> Int64Value.parseFrom(in).getValue();
      case STRING -> StringValue.parseFrom(in).getValue();
      case UINT32 ->
          UnsignedLong.fromLongBits(Integer.toUnsignedLong(UInt32Value.parseFrom(in).getValue()));
      case UINT64 -> UnsignedLong.fromLongBits(UInt64Value.parseFrom(in).getValue());
      case VALUE -> {
        Object value = value(Value.parseFrom(in));
        yield value == JsonContainers.UNSET ? NullValue.NULL_VALUE : value;
      }
      case LIST -> list(ListValue.parseFrom(in));
      case STRUCT -> struct(Struct.parseFrom(in));
      case DURATION -> {
        com.google.protobuf.Duration duration = com.google.protobuf.Duration.parseFrom(in);
        yield WellKnownMessage.duration(duration.getSeconds(), duration.getNanos());
      }
      case TIMESTAMP -> {
        com.google.protobuf.Timestamp timestamp = com.google.protobuf.Timestamp.parseFrom(in);
        yield WellKnownMessage.timestamp(timestamp.getSeconds(), timestamp.getNanos());
      }
      case ANY -> {
        Any any = Any.parseFrom(in);
        yield unpack(any.getTypeUrl(), any.getValue());
      }
      case EMPTY ->
          new Message(
              WellKnownMessage.EMPTY,
              ImmutableMap.of(),
              CelByteString.of(Empty.parseFrom(in).getUnknownFields().toByteArray()));
      case STRUCT_ENTRY -> null; // only part of another message
    };
  }

  /** Go writes the message as text, with one or two spaces between its fields. */
  private static CelInvalidArgumentException refused(String url, ByteString bytes) {
    String type = url.isEmpty() ? "" : "type_url:" + GoText.quoteField(GoText.bytes(url));
    String value = bytes.isEmpty() ? "" : "value:" + GoText.quoteField(bytes.toByteArray());
    return new CelInvalidArgumentException(
        "unsupported conversion to ref.Val: (*dynamicpb.Message)"
            + type
            + (type.isEmpty() || value.isEmpty() ? "" : " ")
            + value);
  }

  private static Object value(Value value) {
    return switch (value.getKindCase()) {
      case BOOL_VALUE -> value.getBoolValue();
      case NUMBER_VALUE -> value.getNumberValue();
      case STRING_VALUE -> value.getStringValue();
      case LIST_VALUE -> list(value.getListValue());
      case STRUCT_VALUE -> struct(value.getStructValue());
      case NULL_VALUE -> NullValue.NULL_VALUE;
      case KIND_NOT_SET -> JsonContainers.UNSET;
    };
  }

  private static JsonList list(ListValue list) {
    return new JsonList(list.getValuesList().stream().map(PackedMessage::value).toArray());
  }

  private static JsonMap struct(Struct struct) {
    Map<String, Object> fields = new HashMap<>();
    struct.getFieldsMap().forEach((field, value) -> fields.put(field, value(value)));
    return new JsonMap(fields);
  }
}
