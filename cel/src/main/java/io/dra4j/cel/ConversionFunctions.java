package io.dra4j.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelNumericOverflowException;
import dev.cel.common.values.CelByteString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The conversions between types, after {@code ConvertToType} in {@code common/types} of cel-go. */
final class ConversionFunctions {

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Pattern HEXADECIMAL =
      Pattern.compile(
          "[+-]?0[xX]_?([0-9a-fA-F_]+\\.?[0-9a-fA-F_]*|\\.[0-9a-fA-F_]+)[pP][+-]?[0-9_]+");
  private static final Pattern SPECIAL =
      Pattern.compile("[+-]?inf(inity)?|nan", Pattern.CASE_INSENSITIVE);

  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

  private ConversionFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("bool_to_bool", Boolean.class, value -> value)
        .add("string_to_bool", String.class, ConversionFunctions::bool)
        .add("bytes_to_bytes", CelByteString.class, value -> value)
        .add("string_to_bytes", String.class, text -> CelByteString.copyFromUtf8(text))
        .add("double_to_double", Double.class, value -> value)
        .add("int64_to_double", Long.class, value -> (double) value)
        .add("uint64_to_double", UnsignedLong.class, UnsignedLong::doubleValue)
        .add("string_to_double", String.class, ConversionFunctions::number)
        .add("int64_to_int64", Long.class, value -> value)
        .add("double_to_int64", Double.class, ConversionFunctions::integer)
        .add("duration_to_int64", Duration.class, ConversionFunctions::nanoseconds)
        .add("string_to_int64", String.class, ConversionFunctions::integer)
        .add("timestamp_to_int64", Instant.class, Instant::getEpochSecond)
        .add("uint64_to_int64", UnsignedLong.class, ConversionFunctions::integer)
        .add("uint64_to_uint64", UnsignedLong.class, value -> value)
        .add("double_to_uint64", Double.class, ConversionFunctions::unsigned)
        .add("int64_to_uint64", Long.class, ConversionFunctions::unsigned)
        .add("string_to_uint64", String.class, ConversionFunctions::unsigned)
        .add("string_to_string", String.class, value -> value)
        .add("bool_to_string", Boolean.class, String::valueOf)
        .add("bytes_to_string", CelByteString.class, ConversionFunctions::text)
        .add("double_to_string", Double.class, GoNumbers::shortest)
        .add("duration_to_string", Duration.class, ConversionFunctions::text)
        .add("int64_to_string", Long.class, String::valueOf)
        .add("timestamp_to_string", Temporal.class, Timestamps::text)
        .add("uint64_to_string", UnsignedLong.class, UnsignedLong::toString)
        .add("timestamp_to_timestamp", Temporal.class, value -> value)
        .add("int64_to_timestamp", Long.class, ConversionFunctions::timestamp)
        .add(
            "string_to_timestamp",
            String.class,
            text -> known(text, "google.protobuf.Timestamp", Timestamps::read))
        .add("duration_to_duration", Duration.class, value -> value)
        .add(
            "string_to_duration",
            String.class,
            text -> known(text, "google.protobuf.Duration", GoTime::duration));
  }

  /** How durations are written. */
  static String text(Duration duration) {
    return GoNumbers.plain(seconds(duration)) + "s";
  }

  static String text(CelByteString bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new CelInvalidArgumentException("invalid UTF-8 in bytes, cannot convert to string");
    }
  }

  /** As {@code time.Duration.Seconds} computes them. */
  private static double seconds(Duration duration) {
    long nanoseconds = nanoseconds(duration);
    long whole = nanoseconds / 1_000_000_000;
    return whole + (nanoseconds % 1_000_000_000) / 1e9;
  }

  private static long nanoseconds(Duration duration) {
    return duration.toNanos();
  }

  private static boolean bool(String text) {
    if (TRUE.contains(text)) {
      return true;
    } else if (FALSE.contains(text)) {
      return false;
    }
    throw failure("string", "bool");
  }

  private static long integer(String text) {
    try {
      if (INTEGER.matcher(text).matches()) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // too large
    }
    throw failure("string", "int");
  }

  private static long integer(double value) {
    if (!(value > -0x1p63 && value < 0x1p63)) {
      throw overflow("integer overflow");
    }
    return (long) value;
  }

  private static long integer(UnsignedLong value) {
    if (value.longValue() < 0) {
      throw overflow("integer overflow");
    }
    return value.longValue();
  }

  private static UnsignedLong unsigned(String text) {
    try {
      if (INTEGER.matcher(text).matches() && Character.isDigit(text.charAt(0))) {
        return UnsignedLong.valueOf(text);
      }
    } catch (NumberFormatException e) {
      // too large
    }
    throw failure("string", "uint");
  }

  private static UnsignedLong unsigned(double value) {
    if (!(value >= 0 && value < 0x1p64)) {
      throw overflow("unsigned integer overflow");
    }
    return Values.toUnsigned(value);
  }

  private static UnsignedLong unsigned(long value) {
    if (value < 0) {
      throw overflow("unsigned integer overflow");
    }
    return UnsignedLong.valueOf(value);
  }

  private static double number(String text) {
    double value = Double.NaN;
    if (DECIMAL.matcher(text).matches()) {
      value = Double.parseDouble(text);
    } else if (HEXADECIMAL.matcher(text).matches()) {
      value = Double.parseDouble(text.replace("_", ""));
    } else if (SPECIAL.matcher(text).matches()) {
      boolean infinite = text.toLowerCase(java.util.Locale.ROOT).contains("inf");
      return !infinite
          ? Double.NaN
          : text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw failure("string", "double");
    }
    return value;
  }

  private static Instant timestamp(long seconds) {
    if (!GoTime.isTimestamp(seconds)) {
      throw overflow("timestamp overflow");
    }
    return Instant.ofEpochSecond(seconds);
  }

  private static <T> T known(String text, String type, Function<String, @Nullable T> reader) {
    T value = reader.apply(text);
    if (value == null) {
      throw failure("string", type);
    }
    return value;
  }

  private static CelInvalidArgumentException failure(String from, String to) {
    return new CelInvalidArgumentException(
        "type conversion error from '" + from + "' to '" + to + "'");
  }

  private static CelNumericOverflowException overflow(String message) {
    return new CelNumericOverflowException(message);
  }
}
