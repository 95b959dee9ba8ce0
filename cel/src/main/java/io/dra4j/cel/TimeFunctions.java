package io.dra4j.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.function.ToLongFunction;

/** The parts of timestamps and durations, after {@code common/types} of cel-go. */
@SuppressWarnings("Immutable") // the functions keep nothing
final class TimeFunctions {

  private static final int SECONDS_PER_MINUTE = 60;

  /** By the beginning of the identifiers of their overloads. */
  private static final ImmutableMap<String, ToLongFunction<ZonedDateTime>> PARTS =
      ImmutableMap.<String, ToLongFunction<ZonedDateTime>>builder()
          .put("timestamp_to_year", ZonedDateTime::getYear)
          .put("timestamp_to_month", time -> time.getMonthValue() - 1L)
          .put("timestamp_to_day_of_year", time -> time.getDayOfYear() - 1L)
          .put("timestamp_to_day_of_month", time -> time.getDayOfMonth() - 1L)
          .put("timestamp_to_day_of_month_1_based", ZonedDateTime::getDayOfMonth)
          .put("timestamp_to_day_of_week", time -> time.getDayOfWeek().getValue() % 7)
          .put("timestamp_to_hours", ZonedDateTime::getHour)
          .put("timestamp_to_minutes", ZonedDateTime::getMinute)
          .put("timestamp_to_seconds", ZonedDateTime::getSecond)
          .put("timestamp_to_milliseconds", time -> time.getNano() / 1_000_000L)
          .buildOrThrow();

  private TimeFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    PARTS.forEach(
        (id, part) -> {
          String zoned =
              id + (id.endsWith("seconds") && !id.endsWith("milliseconds") ? "_tz" : "_with_tz");
          library
              .add(id, Instant.class, time -> part.applyAsLong(time.atZone(ZoneOffset.UTC)))
              .add(
                  zoned,
                  Instant.class,
                  String.class,
                  (time, zone) -> part.applyAsLong(inZone(time, zone)));
        });
    library
        .add(
            "duration_to_hours",
            Duration.class,
            duration -> duration.toNanos() / 3_600_000_000_000L)
        .add(
            "duration_to_minutes", Duration.class, duration -> duration.toNanos() / 60_000_000_000L)
        .add("duration_to_seconds", Duration.class, duration -> duration.toNanos() / 1_000_000_000)
        .add(
            "duration_to_milliseconds",
            Duration.class,
            dialect.strict()
                ? duration -> duration.toNanos() / 1_000_000 % 1_000
                : duration -> duration.toNanos() / 1_000_000);
  }

  private static ZonedDateTime inZone(Instant time, String zone) {
    try {
      int colon = zone.indexOf(':');
      if (colon < 0) {
        return time.atZone(zone.isEmpty() || zone.equals("UTC") ? ZoneOffset.UTC : ZoneId.of(zone));
      }
      int hours = Integer.parseInt(zone.substring(0, colon));
      int minutes = Integer.parseInt(zone.substring(colon + 1));
      if (minutes >= 0 && minutes < SECONDS_PER_MINUTE) {
        int offset = zone.startsWith("-") ? hours * 60 - minutes : hours * 60 + minutes;
        return time.plusSeconds((long) offset * SECONDS_PER_MINUTE).atZone(ZoneOffset.UTC);
      }
    } catch (DateTimeException | NumberFormatException e) {
      // said below
    }
    throw new CelInvalidArgumentException("unknown time zone " + zone);
  }
}
