package io.dra4j.cel.internal.value;

import com.google.common.collect.ImmutableMap;
import io.dra4j.cel.internal.text.GoTime;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalField;
import java.time.temporal.TemporalUnit;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps. They are {@link Instant}s, but for those read from a text with a zone other than
 * {@code Z}, which is written again when they become texts: these are {@link Zoned}.
 */
public final class Timestamps {

  private static final int SECONDS_PER_MINUTE = 60;
  private static final int MINUTES_PER_HOUR = 60;

  /** The zones that Go has once: whole hours, from 12 to the west to 14 to the east. */
  private static final ImmutableMap<Integer, Zone> HOURS =
      IntStream.rangeClosed(-12, 14)
          .map(hours -> hours * MINUTES_PER_HOUR)
          .boxed()
          .collect(ImmutableMap.toImmutableMap(minutes -> minutes, Zone::new));

  /**
   * A zone as it was read. Timestamps are the same key of a map if they are of one zone: that of
   * another text may be another one, and one without difference to UTC is not UTC.
   */
  static final class Zone {

    private final int minutes;

    private Zone(int minutes) {
      this.minutes = minutes;
    }

    static Zone of(int minutes) {
      Zone known = HOURS.get(minutes);
      return known == null ? new Zone(minutes) : known;
    }
  }

  /**
   * A timestamp that knows its zone. Go reads zones of up to 25 hours.
   *
   * @param instant when it is
   * @param zone its zone
   */
  record Zoned(Instant instant, Zone zone) implements Temporal, Comparable<Zoned> {

    /**
     * {@inheritDoc} For maps, whose keys may have been made to have one hash: two zones of one text
     * are in no order, though they are different.
     */
    @Override
    public int compareTo(Zoned other) {
      int order = instant.compareTo(other.instant);
      return order != 0 ? order : Integer.compare(zone.minutes, other.zone.minutes);
    }

    /** How far its zone is to the east of UTC. */
    int minutes() {
      return zone.minutes;
    }

    @Override
    public boolean isSupported(TemporalField field) {
      return instant.isSupported(field);
    }

    @Override
    public long getLong(TemporalField field) {
      return instant.getLong(field);
    }

    @Override
    public boolean isSupported(TemporalUnit unit) {
      return instant.isSupported(unit);
    }

    @Override
    public Temporal with(TemporalField field, long value) {
      return new Zoned(instant.with(field, value), zone);
    }

    @Override
    public Temporal plus(long amount, TemporalUnit unit) {
      return new Zoned(instant.plus(amount, unit), zone);
    }

    @Override
    public long until(Temporal end, TemporalUnit unit) {
      return instant.until(end, unit);
    }
  }

  private Timestamps() {}

  /** Reads a timestamp as Go does, or returns null. */
  public static @Nullable Temporal read(String text) {
    Instant instant = GoTime.timestamp(text);
    return instant == null || text.endsWith("Z")
        ? instant
        : new Zoned(instant, Zone.of(minutes(text)));
  }

  /** Returns the zone at the end of a timestamp, such as {@code +01:00}. */
  private static int minutes(String text) {
    int sign = text.length() - 6;
    int minutes =
        Integer.parseInt(text, sign + 1, sign + 3, 10) * MINUTES_PER_HOUR
            + Integer.parseInt(text, sign + 4, sign + 6, 10);
    return text.charAt(sign) == '-' ? -minutes : minutes;
  }

  /** Returns the point in time, without zone. */
  public static Instant instant(Temporal timestamp) {
    return timestamp instanceof Zoned zoned ? zoned.instant() : (Instant) timestamp;
  }

  /** Puts an instant into the zone of a timestamp. */
  static Temporal inZoneOf(Temporal timestamp, Instant instant) {
    return timestamp instanceof Zoned zoned ? new Zoned(instant, zoned.zone()) : instant;
  }

  /** Writes a timestamp, with as many digits as it has. */
  public static String text(Temporal timestamp) {
    int minutes = timestamp instanceof Zoned zoned ? zoned.minutes() : 0;
    Instant local = instant(timestamp).plusSeconds((long) minutes * SECONDS_PER_MINUTE);
    String text = local.toString();
    text = text.substring(text.startsWith("+") ? 1 : 0, text.length() - 1);
    int end = text.length();
    if (text.indexOf('.') >= 0) {
      while (text.charAt(end - 1) == '0') {
        end--;
      }
    }
    return text.substring(0, end) + zone(minutes);
  }

  private static String zone(int minutes) {
    return minutes == 0
        ? "Z"
        : String.format(
            Locale.ROOT,
            "%s%02d:%02d",
            minutes < 0 ? "-" : "+",
            Math.abs(minutes) / SECONDS_PER_MINUTE,
            Math.abs(minutes) % SECONDS_PER_MINUTE);
  }
}
