package io.dra4j.cel.internal.value;

import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.value.JsonContainers.JsonList;
import io.dra4j.common.PrintableText;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Values in the texts of errors where cel-go prints them as they are held in Go. */
public final class GoValues {

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private static final long NANOSECONDS = 1_000_000_000L;
  private static final int SECONDS_PER_MINUTE = 60;

  /** How long it takes to write a value, at most, in units of {@link EvaluationMeter#spend}. */
  public static final long UNITS = 5_000;

  /** Characters, of which an operator reads the first. */
  private static final int MAX = 4_096;

  private GoValues() {}

  /**
   * {@return a value as {@code %v} writes it, such as {@code [97 98]} for {@code b'ab'}, or {@code
   * 1h0m0s} for a duration} Cuts at 4,096 characters, unlike Go: an expression can double a list.
   *
   * @param value a value of an evaluation
   */
  public static String text(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return PrintableText.start(text.toString(), MAX);
  }

  private static void write(Object value, StringBuilder text) {
    if (value instanceof CelByteString bytes) {
      write(bytes, text);
    } else if (value instanceof JsonList list) {
      list.writeGoText(text, MAX);
    } else if (value instanceof List<?> list) {
      text.append('[');
      String separator = "";
      for (Object element : list) {
        if (text.length() > MAX) {
          break;
        }
        write(element, text.append(separator));
        separator = ", ";
      }
      text.append(']');
    } else if (value instanceof Map<?, ?> map) {
      text.append('{');
      String separator = "";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (text.length() > MAX) {
          break;
        }
        write(entry.getKey(), text.append(separator));
        write(entry.getValue(), text.append(": "));
        separator = ", ";
      }
      text.append('}');
    } else {
      text.append(single(value));
    }
  }

  private static String single(Object value) {
    if (value instanceof Duration duration) {
      return duration(duration);
    } else if (value instanceof Temporal timestamp) {
      return timestamp(timestamp);
    } else if (value instanceof NullValue) {
      return "0"; // the only value of an enumeration
    } else if (value instanceof CelType type) {
      return Values.text(type);
    } else if (value instanceof Optional<?> optional) {
      return optional.map(content -> "optional(" + text(content) + ")").orElse("optional.none()");
    }
    return Values.goText(value);
  }

  private static void write(CelByteString bytes, StringBuilder text) {
    text.append('[');
    String separator = "";
    for (byte one : bytes.toByteArray()) {
      if (text.length() > MAX) {
        break;
      }
      text.append(separator).append(one & 0xff);
      separator = " ";
    }
    text.append(']');
  }

  /** As {@code time.Duration.String}: below a second with one unit, else hours to seconds. */
  private static String duration(Duration duration) {
    String sign = duration.isNegative() ? "-" : "";
    BigDecimal nanoseconds =
        BigDecimal.valueOf(duration.getSeconds())
            .multiply(BigDecimal.valueOf(NANOSECONDS))
            .add(BigDecimal.valueOf(duration.getNano()))
            .abs();
    int digits = nanoseconds.precision();
    if (nanoseconds.signum() == 0) {
      return "0s";
    } else if (digits <= 9) {
      int power = (digits - 1) / 3 * 3;
      return sign
          + plain(nanoseconds.movePointLeft(power))
          + List.of("ns", "µs", "ms").get(power / 3);
    }
    BigDecimal seconds = nanoseconds.movePointLeft(9);
    long minutes = seconds.longValue() / SECONDS_PER_MINUTE;
    long hours = minutes / SECONDS_PER_MINUTE;
    return sign
        + (hours > 0 ? hours + "h" : "")
        + (minutes > 0 ? minutes % SECONDS_PER_MINUTE + "m" : "")
        + plain(seconds.subtract(BigDecimal.valueOf(minutes * SECONDS_PER_MINUTE)))
        + "s";
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  /** As {@code time.Time.String}. */
  private static String timestamp(Temporal timestamp) {
    int minutes = timestamp instanceof Timestamps.Zoned zoned ? zoned.minutes() : 0;
    OffsetDateTime time =
        Timestamps.instant(timestamp).atOffset(ZoneOffset.UTC).plusMinutes(minutes);
    String fraction =
        time.getNano() == 0 ? "" : plain(BigDecimal.valueOf(time.getNano(), 9)).substring(1);
    String zone =
        String.format(
            Locale.ROOT,
            "%s%02d%02d",
            minutes < 0 ? "-" : "+",
            Math.abs(minutes) / SECONDS_PER_MINUTE,
            Math.abs(minutes) % SECONDS_PER_MINUTE);
    return LOCAL.format(time) + fraction + " " + zone + " " + (minutes == 0 ? "UTC" : zone);
  }
}
