package io.dra4j.cli.terminal;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as Kubernetes tools write them: {@code 500ms}, {@code 30s}, {@code 1m30s}. */
public final class DurationConverter implements ITypeConverter<Duration> {

  private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      BigDecimal nanos =
          new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanosOf(part.group(2))));
      sum =
          sum.plus(
              Duration.ofSeconds(
                  nanos.divideToIntegralValue(BigDecimal.valueOf(1_000_000_000L)).longValueExact(),
                  nanos.remainder(BigDecimal.valueOf(1_000_000_000L)).longValue()));
      end = part.end();
    }
    if (end == 0 || end != text.length()) {
      throw new TypeConversionException("'" + text + "' is not a duration such as 30s or 1m30s");
    }
    return sum;
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      default -> 3_600_000_000_000L;
    };
  }
}
