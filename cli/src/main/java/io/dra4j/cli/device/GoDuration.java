package io.dra4j.cli.device;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as Go's {@code time.ParseDuration} reads them, for example {@code 1m30s}. */
final class GoDuration implements ITypeConverter<Duration> {

  private static final Pattern PART = Pattern.compile("\\G([0-9]{1,9})(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find()) {
      long amount = Long.parseLong(part.group(1));
      sum =
          switch (part.group(2)) {
            case "ms" -> sum.plusMillis(amount);
            case "s" -> sum.plusSeconds(amount);
            case "m" -> sum.plusMinutes(amount);
            default -> sum.plusHours(amount);
          };
      end = part.end();
    }
    if (end != text.length() || sum.isZero()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration; expected for example 500ms, 2s or 1m30s");
    }
    return sum;
  }
}
