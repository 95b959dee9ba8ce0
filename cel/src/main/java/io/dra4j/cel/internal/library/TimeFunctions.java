package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.dra4j.cel.internal.text.GoZones;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.function.ToLongFunction;

/** The parts of timestamps and durations, after {@code common/types} of cel-go. */
@SuppressWarnings("Immutable") // the functions keep nothing
final class TimeFunctions {

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

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      getDate
        timestamp_to_day_of_month_1_based google.protobuf.Timestamp.() int
        timestamp_to_day_of_month_1_based_with_tz google.protobuf.Timestamp.(string) int
      getDayOfMonth
        timestamp_to_day_of_month google.protobuf.Timestamp.() int
        timestamp_to_day_of_month_with_tz google.protobuf.Timestamp.(string) int
      getDayOfWeek
        timestamp_to_day_of_week google.protobuf.Timestamp.() int
        timestamp_to_day_of_week_with_tz google.protobuf.Timestamp.(string) int
      getDayOfYear
        timestamp_to_day_of_year google.protobuf.Timestamp.() int
        timestamp_to_day_of_year_with_tz google.protobuf.Timestamp.(string) int
      getFullYear
        timestamp_to_year google.protobuf.Timestamp.() int
        timestamp_to_year_with_tz google.protobuf.Timestamp.(string) int
      getHours
        timestamp_to_hours google.protobuf.Timestamp.() int
        timestamp_to_hours_with_tz google.protobuf.Timestamp.(string) int
        duration_to_hours google.protobuf.Duration.() int
      getMilliseconds
        timestamp_to_milliseconds google.protobuf.Timestamp.() int
        timestamp_to_milliseconds_with_tz google.protobuf.Timestamp.(string) int
        duration_to_milliseconds google.protobuf.Duration.() int
      getMinutes
        timestamp_to_minutes google.protobuf.Timestamp.() int
        timestamp_to_minutes_with_tz google.protobuf.Timestamp.(string) int
        duration_to_minutes google.protobuf.Duration.() int
      getMonth
        timestamp_to_month google.protobuf.Timestamp.() int
        timestamp_to_month_with_tz google.protobuf.Timestamp.(string) int
      getSeconds
        timestamp_to_seconds google.protobuf.Timestamp.() int
        timestamp_to_seconds_tz google.protobuf.Timestamp.(string) int
        duration_to_seconds google.protobuf.Duration.() int
      """;

  private TimeFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    PARTS.forEach((id, part) -> addPart(library, id, part));
    addDurations(library, dialect);
  }

  /** Adds a part of timestamps, in UTC and in a time zone. */
  private static void addPart(
      FunctionLibrary.Builder library, String id, ToLongFunction<ZonedDateTime> part) {
    String zoned =
        id + (id.endsWith("seconds") && !id.endsWith("milliseconds") ? "_tz" : "_with_tz");
    library
        .add(
            id,
            FunctionCost.ONE,
            Instant.class,
            time -> part.applyAsLong(time.atZone(ZoneOffset.UTC)))
        .add(
            zoned,
            FunctionCost.ONE,
            Instant.class,
            String.class,
            (time, zone) -> part.applyAsLong(inZone(time, zone)));
  }

  private static void addDurations(FunctionLibrary.Builder library, Dialect dialect) {
    library
        .add(
            "duration_to_hours",
            FunctionCost.ONE,
            Duration.class,
            duration -> whole(duration, 3_600_000_000_000L))
        .add(
            "duration_to_minutes",
            FunctionCost.ONE,
            Duration.class,
            duration -> whole(duration, 60_000_000_000L))
        .add(
            "duration_to_seconds",
            FunctionCost.ONE,
            Duration.class,
            duration -> whole(duration, 1_000_000_000L))
        .add(
            "duration_to_milliseconds",
            FunctionCost.ONE,
            Duration.class,
            dialect.strict()
                ? duration -> duration.toNanos() / 1_000_000 % 1_000
                : duration -> duration.toNanos() / 1_000_000);
  }

  /**
   * How many whole units a duration has. Go computes it with a fraction, which rounds up where so
   * many units leave no room for the last digits: 10,000 hours less a nanosecond are 10,000.
   */
  private static long whole(Duration duration, long unit) {
    long nanos = duration.toNanos();
    long whole = nanos / unit;
    double fraction = (double) (nanos % unit) / unit;
    return (long) (whole + fraction);
  }

  private static ZonedDateTime inZone(Instant time, String zone) {
    try {
      return GoZones.isOffset(zone)
          ? time.plusSeconds(GoZones.offset(zone)).atZone(ZoneOffset.UTC)
          : time.atZone(GoZones.named(zone).offset(time));
    } catch (IllegalArgumentException e) {
      throw new CelInvalidArgumentException(String.valueOf(e.getMessage()));
    }
  }
}
