package io.dra4j.cel.internal.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelNumericOverflowException;
import dev.cel.common.values.CelByteString;
import io.dra4j.cel.internal.text.GoNumbers;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.GoTime;
import io.dra4j.cel.internal.value.Texts;
import io.dra4j.cel.internal.value.Timestamps;
import io.dra4j.cel.internal.value.Values;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The conversions between types, after {@code ConvertToType} in {@code common/types} of cel-go. */
final class ConversionFunctions {

  private static final FunctionCost TO_BYTES =
      new FunctionCost(
          args -> {
            Estimate size = args.get(0).sizeOrUnknown();
            return new CallEstimate(
                size.times(Estimates.TEXT), new Estimate(size.min(), size.max() * 4));
          },
          CallCost.CORE_FIRST);
  private static final FunctionCost TO_TEXT =
      new FunctionCost(
          args -> {
            Estimate size = args.get(0).sizeOrUnknown();
            return new CallEstimate(
                size.times(Estimates.TEXT),
                new Estimate(Long.divideUnsigned(size.min(), 4), size.max()));
          },
          CallCost.CORE_FIRST);

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      bool
        bool_to_bool (bool) bool
        string_to_bool (string) bool
      bytes
        bytes_to_bytes (bytes) bytes
        string_to_bytes (string) bytes
      double
        double_to_double (double) double
        int64_to_double (int) double
        string_to_double (string) double
        uint64_to_double (uint) double
      duration
        duration_to_duration (google.protobuf.Duration) google.protobuf.Duration
        string_to_duration (string) google.protobuf.Duration
      int
        int64_to_int64 (int) int
        double_to_int64 (double) int
        duration_to_int64 (google.protobuf.Duration) int
        string_to_int64 (string) int
        timestamp_to_int64 (google.protobuf.Timestamp) int
        uint64_to_int64 (uint) int
      string
        string_to_string (string) string
        bool_to_string (bool) string
        bytes_to_string (bytes) string
        double_to_string (double) string
        duration_to_string (google.protobuf.Duration) string
        int64_to_string (int) string
        timestamp_to_string (google.protobuf.Timestamp) string
        uint64_to_string (uint) string
      timestamp
        timestamp_to_timestamp (google.protobuf.Timestamp) google.protobuf.Timestamp
        int64_to_timestamp (int) google.protobuf.Timestamp
        string_to_timestamp (string) google.protobuf.Timestamp
      uint
        uint64_to_uint64 (uint) uint
        double_to_uint64 (double) uint
        int64_to_uint64 (int) uint
        string_to_uint64 (string) uint
      """;

  private ConversionFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    addBooleansAndBytes(library);
    addNumbers(library);
    addTexts(library);
    addTimes(library);
  }

  private static void addBooleansAndBytes(FunctionLibrary.Builder library) {
    library
        .add("bool_to_bool", FunctionCost.ONE, Boolean.class, value -> value)
        .add("string_to_bool", FunctionCost.ONE, String.class, ConversionFunctions::bool)
        .add("bytes_to_bytes", FunctionCost.ONE, CelByteString.class, value -> value)
        .add(
            "string_to_bytes",
            TO_BYTES,
            String.class,
            text -> CelByteString.of(GoText.bytes(text)));
  }

  private static void addNumbers(FunctionLibrary.Builder library) {
    library
        .add("double_to_double", FunctionCost.ONE, Double.class, value -> value)
        .add("int64_to_double", FunctionCost.ONE, Long.class, value -> (double) value)
        .add("uint64_to_double", FunctionCost.ONE, UnsignedLong.class, UnsignedLong::doubleValue)
        .add("string_to_double", FunctionCost.ONE, String.class, ConversionFunctions::number)
        .add("int64_to_int64", FunctionCost.ONE, Long.class, value -> value)
        .add("double_to_int64", FunctionCost.ONE, Double.class, ConversionFunctions::integer)
        .add(
            "duration_to_int64", FunctionCost.ONE, Duration.class, ConversionFunctions::nanoseconds)
        .add("string_to_int64", FunctionCost.ONE, String.class, ConversionFunctions::integer)
        .add("timestamp_to_int64", FunctionCost.ONE, Instant.class, Instant::getEpochSecond)
        .add("uint64_to_int64", FunctionCost.ONE, UnsignedLong.class, ConversionFunctions::integer)
        .add("uint64_to_uint64", FunctionCost.ONE, UnsignedLong.class, value -> value)
        .add("double_to_uint64", FunctionCost.ONE, Double.class, ConversionFunctions::unsigned)
        .add("int64_to_uint64", FunctionCost.ONE, Long.class, ConversionFunctions::unsigned)
        .add("string_to_uint64", FunctionCost.ONE, String.class, ConversionFunctions::unsigned);
  }

  private static void addTexts(FunctionLibrary.Builder library) {
    library
        .add("string_to_string", FunctionCost.ONE, String.class, value -> value)
        .add("bool_to_string", FunctionCost.ONE, Boolean.class, String::valueOf)
        .add("bytes_to_string", TO_TEXT, CelByteString.class, Texts::of)
        .add("double_to_string", FunctionCost.ONE, Double.class, GoNumbers::shortest)
        .add("duration_to_string", FunctionCost.ONE, Duration.class, Texts::of)
        .add("int64_to_string", FunctionCost.ONE, Long.class, String::valueOf)
        .add("timestamp_to_string", FunctionCost.ONE, Temporal.class, Timestamps::text)
        .add("uint64_to_string", FunctionCost.ONE, UnsignedLong.class, UnsignedLong::toString);
  }

  private static void addTimes(FunctionLibrary.Builder library) {
    library
        .add("timestamp_to_timestamp", FunctionCost.ONE, Temporal.class, value -> value)
        .add("int64_to_timestamp", FunctionCost.ONE, Long.class, ConversionFunctions::timestamp)
        .add(
            "string_to_timestamp",
            FunctionCost.ONE,
            String.class,
            text -> timestamp(known(text, "google.protobuf.Timestamp", Timestamps::read)))
        .add("duration_to_duration", FunctionCost.ONE, Duration.class, value -> value)
        .add(
            "string_to_duration",
            FunctionCost.ONE,
            String.class,
            text -> known(text, "google.protobuf.Duration", GoTime::duration));
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
    return GoNumbers.parse(text).orElseThrow(() -> failure("string", "double"));
  }

  private static Instant timestamp(long seconds) {
    if (!GoTime.isTimestamp(seconds)) {
      throw overflow("timestamp overflow");
    }
    return Instant.ofEpochSecond(seconds);
  }

  private static Temporal timestamp(Temporal read) {
    if (!GoTime.isTimestamp(Timestamps.instant(read).getEpochSecond())) {
      throw overflow("timestamp overflow");
    }
    return read;
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
