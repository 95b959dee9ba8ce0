package io.dra4j.cel.internal.message;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.value.ConcatenatedList;
import io.dra4j.cel.internal.value.Conversions;
import io.dra4j.cel.internal.value.EvaluationAborted;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.JsonContainers.JsonList;
import io.dra4j.cel.internal.value.JsonContainers.JsonMap;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.Message;
import io.dra4j.cel.internal.value.Texts;
import io.dra4j.cel.internal.value.Timestamps;
import io.dra4j.cel.internal.value.Values;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values as JSON knows them, which is what {@code google.protobuf.Value} holds: null, truth values,
 * doubles, texts, lists, and maps with texts for keys. After {@code ConvertToNative} in {@code
 * common/types} of cel-go.
 */
final class JsonValues {

  /** Larger integers become texts, since some readers of JSON would round them. */
  private static final long MAX_INTEGER = (1L << 53) - 1;

  /** Bytes of a number or a map without entries, in a map. */
  private static final int ROOM = 80;

  /** How long it takes to convert any other value, without what is in it. */
  private static final long UNITS = 3;

  /**
   * How long it takes to write a duration or timestamp, in units of {@link EvaluationMeter#spend}.
   */
  private static final long TIME_UNITS = 200;

  private final EvaluationMeter work;
  private int size; // a list can be in another one many times

  private JsonValues(EvaluationMeter work) {
    this.work = work;
  }

  /** Converts any value. */
  static Object of(Object value, EvaluationMeter work) {
    return new JsonValues(work).json(value);
  }

  /** Converts a list, or returns null if the value is none. */
  static @Nullable Object list(Object value, EvaluationMeter work) {
    if (value instanceof Map<?, ?> map) {
      return listOfFields(map, work);
    }
    return value instanceof List ? of(value, work) : null;
  }

  /** Converts the elements of a list one by one. */
  static Object elements(List<?> list, EvaluationMeter work) {
    return new JsonValues(work).json(list, false);
  }

  /** Converts the entries of a map one by one. */
  static Object entries(Map<?, ?> map, EvaluationMeter work) {
    JsonValues values = new JsonValues(work);
    Limits.checkSize(++values.size);
    work.takes(ROOM);
    work.spend(UNITS);
    return values.jsonEntries(map);
  }

  /** To Go, a map may also be its own type of lists with the names and values of its fields. */
  private static Object listOfFields(Map<?, ?> map, EvaluationMeter work) {
    checkConvertible(map);
    Object values = of(List.of(), work);
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = fieldName(entry.getKey());
      if (!name.equals("Values")) {
        throw new CelInvalidArgumentException(
            "type conversion error, no such field '" + name + "' in type 'structpb.ListValue'");
      }
      Object content = Values.content(entry.getValue());
      if (content instanceof CelByteString) {
        throw new EvaluationAborted( // cel-go panics
            "internal error: reflect.Value.Convert: value of type types.Bytes cannot be converted to"
                + " type []*structpb.Value");
      } else if (!(content instanceof List)) {
        throw new CelInvalidArgumentException(Conversions.refusal(content, "[]*structpb.Value"));
      }
      values = of(content, work);
    }
    return values;
  }

  private static void checkConvertible(Map<?, ?> map) {
    if (map instanceof MapValue value && value.isOpaque()) {
      throw new CelInvalidArgumentException("not implemented");
    }
  }

  /** Returns the name of a field in Go: {@code upperCamelCase} in {@code common/types/map.go}. */
  private static String fieldName(Object key) {
    String text = String.valueOf(key).strip();
    StringBuilder name = new StringBuilder();
    int previous = 0;
    for (int c : text.codePoints().toArray()) {
      if (c != '_' && c != '-') {
        boolean first = previous == 0 || previous == '_' || previous == '-';
        boolean lower = previous >= 'a' && previous <= 'z';
        name.appendCodePoint(
            first ? Character.toUpperCase(c) : lower ? c : Character.toLowerCase(c));
      }
      previous = c;
    }
    return name.toString();
  }

  private Object json(Object value) {
    Limits.checkSize(++size);
    work.takes(ROOM);
    work.spend(value instanceof Duration || value instanceof Temporal ? TIME_UNITS : UNITS);
    if (value instanceof String
        || value instanceof Boolean
        || value instanceof Double
        || value instanceof NullValue) {
      return value;
    } else if (value instanceof Long number) {
      boolean fits = number >= -MAX_INTEGER && number <= MAX_INTEGER;
      return fits ? (Object) (double) number : number.toString();
    } else if (value instanceof UnsignedLong number) {
      boolean fits = number.longValue() >= 0 && number.longValue() <= MAX_INTEGER;
      return fits ? (Object) number.doubleValue() : number.toString();
    } else if (value instanceof CelByteString bytes) {
      work.spendOn(bytes);
      return work.made(Base64.getEncoder().encodeToString(bytes.toByteArray()));
    } else if (value instanceof Duration duration) {
      return Texts.of(duration);
    } else if (value instanceof Temporal timestamp) {
      return Timestamps.text(timestamp);
    } else if (value instanceof List<?> list) {
      return json(list, list instanceof ConcatenatedList);
    } else if (value instanceof Map<?, ?> map) {
      return json(map);
    } else if (value instanceof Optional<?> optional && optional.isPresent()) {
      return json(optional.get());
    } else if (value instanceof Message message && message.isFinite()) {
      return json(message.fields());
    }
    throw new CelInvalidArgumentException(Conversions.refusal(value, "*structpb.Value"));
  }

  /** Converts a list; {@code asGo} makes types names and empty optionals null first, as in Go. */
  private JsonList json(List<?> list, boolean asGo) {
    Limits.checkSize(size + Values.size(list));
    Object[] elements = new Object[list.size()];
    int i = 0;
    for (Object element : list) {
      elements[i++] = json(asGo ? Values.ofGo(element) : element);
    }
    return new JsonList(elements);
  }

  private JsonMap json(Map<?, ?> map) {
    checkConvertible(map);
    return jsonEntries(map);
  }

  private JsonMap jsonEntries(Map<?, ?> map) {
    Map<String, Object> entries = new HashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      entries.put((String) FieldKind.STRING.convert(entry.getKey(), work), json(entry.getValue()));
    }
    return new JsonMap(entries);
  }
}
