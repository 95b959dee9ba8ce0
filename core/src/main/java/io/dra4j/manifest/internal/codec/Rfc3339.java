package io.dra4j.manifest.internal.codec;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks times as {@code metav1.Time} reads them: RFC 3339 with the extensions of Go's parser. */
public final class Rfc3339 {

  private static final Pattern RFC_3339 =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d?):(\\d\\d):(\\d\\d)(?:[.,]\\d+)?"
              + "(?:Z|[+-](\\d\\d):(\\d\\d))");

  private Rfc3339() {}

  public static boolean isRfc3339(String text) {
    Matcher matcher = RFC_3339.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    try {
      LocalDateTime.of(
          number(matcher, 1),
          number(matcher, 2),
          number(matcher, 3),
          number(matcher, 4),
          number(matcher, 5),
          number(matcher, 6));
    } catch (DateTimeException e) {
      return false;
    }
    // Go accepts offsets up to 24:60 (time.Parse).
    return matcher.group(7) == null || (number(matcher, 7) <= 24 && number(matcher, 8) <= 60);
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
