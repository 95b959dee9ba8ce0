package io.dra4j.cel.internal.value;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import io.dra4j.cel.internal.text.GoNumbers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.Temporal;
import org.jspecify.annotations.Nullable;

/** Values as texts, wherever they become one: in conversions, in formats and in JSON. */
public final class Texts {

  private Texts() {}

  /**
   * {@return a duration in seconds, for example {@code 1.5s}}
   *
   * @param duration the duration
   */
  public static String of(Duration duration) {
    return GoNumbers.plain(seconds(duration)) + "s";
  }

  /**
   * {@return the text of bytes in UTF-8}
   *
   * @param bytes the bytes
   * @throws CelInvalidArgumentException if they are no text
   */
  public static String of(CelByteString bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new CelInvalidArgumentException("invalid UTF-8 in bytes, cannot convert to string");
    }
  }

  /** {@return the text of a value as {@code string()} makes it; null if it does not become one} */
  static @Nullable String converted(@Nullable Object value) {
    if (value instanceof CelByteString bytes) {
      try {
        return of(bytes);
      } catch (CelInvalidArgumentException e) {
        return null;
      }
    } else if (value instanceof Double number) {
      return GoNumbers.shortest(number);
    } else if (value instanceof Duration duration) {
      return of(duration);
    } else if (value instanceof Temporal time) {
      return Timestamps.text(time);
    } else if (value instanceof CelType type) {
      return type.name();
    }
    return value instanceof String
            || value instanceof Number
            || value instanceof Boolean
            || value instanceof IpValue
            || value instanceof CidrValue
        ? value.toString()
        : null;
  }

  /**
   * Returns the length of a text to CEL.
   *
   * @param text the text
   * @return the number of its characters, those outside of the basic plane counted once
   */
  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** As {@code time.Duration.Seconds} of Go computes them. */
  private static double seconds(Duration duration) {
    long nanoseconds = duration.toNanos();
    long whole = nanoseconds / 1_000_000_000;
    return whole + (nanoseconds % 1_000_000_000) / 1e9;
  }
}
