package io.dra4j.cel.internal.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts of durations and timestamps as cel-go reads them: by {@code time.ParseDuration} and by
 * {@code time.Parse} with the layout of RFC 3339, which takes more than that.
 */
public final class GoTime {

  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "\u00b5s", 1_000L,
          "\u03bcs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private static final long FIRST_SECOND = -62_135_596_800L; // 0001-01-01T00:00:00Z
  private static final long LAST_SECOND = 253_402_300_799L; // 9999-12-31T23:59:59Z

  // Hours may have one digit, and a comma may stand before the fraction.
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
              + "(?:Z|([+-])([0-9]{2}):([0-9]{2}))");

  private GoTime() {}

  /** Returns a duration like {@code 1h15m30.918s}, or null if the text is none. */
  public static @Nullable Duration duration(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Duration.ZERO;
    }
    long sum = 0; // unsigned, at most 2^63
    int position = 0;
    do {
      int end = position;
      while (end < rest.length() && isDigit(rest.charAt(end))) {
        end++;
      }
      int fraction = end;
      if (end < rest.length() && rest.charAt(end) == '.') {
        do {
          end++;
        } while (end < rest.length() && isDigit(rest.charAt(end)));
      }
      int unit = end;
      while (end < rest.length() && !isDigit(rest.charAt(end)) && rest.charAt(end) != '.') {
        end++;
      }
      Long scale = UNITS.get(rest.substring(unit, end));
      if (scale == null || unit - position < (fraction < unit ? 2 : 1)) {
        return null;
      }
      long part = nanoseconds(rest, position, fraction, unit, scale);
      sum += part;
      if (part == -1 || Long.compareUnsigned(sum, Long.MIN_VALUE) > 0) {
        return null;
      }
      position = end;
    } while (position < rest.length());
    if (sum == Long.MIN_VALUE && !negative) {
      return null;
    }
    return Duration.ofNanos(negative ? -sum : sum);
  }

  /** Returns a number of at most 2^63, or -1 if it is larger. */
  private static long nanoseconds(String text, int start, int point, int end, long unit) {
    long whole = 0;
    for (int i = start; i < point; i++) {
      if (Long.compareUnsigned(whole, Long.MAX_VALUE / 10) > 0) { // 2^63, too
        return -1;
      }
      whole = whole * 10 + (text.charAt(i) - '0');
      if (whole < 0 && whole != Long.MIN_VALUE) {
        return -1;
      }
    }
    if (Long.compareUnsigned(whole, Long.divideUnsigned(Long.MIN_VALUE, unit)) > 0) {
      return -1;
    }
    long result = whole * unit;
    long fraction = 0;
    double scale = 1;
    for (int i = point + 1; i < end && fraction >= 0 && fraction <= Long.MAX_VALUE / 10; i++) {
      long next = fraction * 10 + (text.charAt(i) - '0');
      if (next < 0 && next != Long.MIN_VALUE) {
        break;
      }
      fraction = next;
      scale *= 10;
    }
    result += (long) (Math.abs((double) fraction) * (unit / scale));
    return Long.compareUnsigned(result, Long.MIN_VALUE) > 0 ? -1 : result;
  }

  /**
   * Returns a timestamp like {@code 2020-01-01T10:00:00.5+01:00}, or null if the text is none. It
   * may lie outside of the years 1 to 9999: {@link #isTimestamp}.
   */
  public static @Nullable Instant timestamp(String text) {
    Matcher matcher = TIMESTAMP.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    int hours = 0;
    int minutes = 0;
    if (matcher.group(8) != null) {
      hours = number(matcher, 9);
      minutes = number(matcher, 10);
      if (hours > 24 || minutes > 60) { // larger ones than there are, but no limit at all
        return null;
      }
    }
    int offset = (hours * 60 + minutes) * 60;
    try {
      LocalDateTime local =
          LocalDateTime.of(
              number(matcher, 1),
              number(matcher, 2),
              number(matcher, 3),
              number(matcher, 4),
              number(matcher, 5),
              number(matcher, 6),
              fraction(matcher.group(7)));
      return local
          .toInstant(ZoneOffset.UTC)
          .minusSeconds("-".equals(matcher.group(8)) ? -offset : offset);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Returns whether a number of seconds since 1970 is in the range of timestamps. */
  public static boolean isTimestamp(long second) {
    return second >= FIRST_SECOND && second <= LAST_SECOND;
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  /** Digits after the ninth are cut off. */
  private static int fraction(@Nullable String digits) {
    int nanoseconds = 0;
    for (int i = 0; i < 9; i++) {
      nanoseconds *= 10;
      if (digits != null && i < digits.length()) {
        nanoseconds += digits.charAt(i) - '0';
      }
    }
    return nanoseconds;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
