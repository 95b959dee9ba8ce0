package io.dra4j.cel;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps. They are {@link Instant}s, but for those read from a text with another zone than UTC,
 * which is written again when they become texts: these are {@link OffsetDateTime}s.
 */
final class Timestamps {

  private Timestamps() {}

  /** Reads a timestamp as Go does, or returns null. */
  static @Nullable Temporal read(String text) {
    Instant instant = GoTime.timestamp(text);
    if (instant == null || text.endsWith("Z") || text.length() < 6) {
      return instant;
    }
    try {
      ZoneOffset offset = ZoneOffset.of(text.substring(text.length() - 6));
      return offset.equals(ZoneOffset.UTC) ? instant : instant.atOffset(offset);
    } catch (DateTimeException e) {
      return instant; // Java knows no zone that far away
    }
  }

  static Instant instant(Temporal timestamp) {
    return timestamp instanceof OffsetDateTime time ? time.toInstant() : (Instant) timestamp;
  }

  /** Puts an instant into the zone of a timestamp. */
  static Temporal inZoneOf(Temporal timestamp, Instant instant) {
    return timestamp instanceof OffsetDateTime time ? instant.atOffset(time.getOffset()) : instant;
  }

  /** Writes a timestamp, with as many digits as it has. */
  static String text(Temporal timestamp) {
    boolean zoned = timestamp instanceof OffsetDateTime;
    String zone = zoned ? ((OffsetDateTime) timestamp).getOffset().getId() : "Z";
    Instant local =
        timestamp instanceof OffsetDateTime time
            ? time.toLocalDateTime().toInstant(ZoneOffset.UTC)
            : (Instant) timestamp;
    String text = local.toString();
    text = text.substring(text.startsWith("+") ? 1 : 0, text.length() - 1);
    int end = text.length();
    if (text.indexOf('.') >= 0) {
      while (text.charAt(end - 1) == '0') {
        end--;
      }
    }
    return text.substring(0, end) + zone;
  }
}
