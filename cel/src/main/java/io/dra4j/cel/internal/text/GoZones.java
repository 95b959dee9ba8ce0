package io.dra4j.cel.internal.text;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Names of time zones as cel-go reads them: those of the IANA database, in their case, and offsets
 * such as {@code -05:30}.
 *
 * <p>The names and the rules are those of the JDK's copy of the database ({@code tzdb.dat}), which
 * a vendor keeps up to date, with the names that the JDK leaves out or has otherwise. What only the
 * JDK knows is none: {@code Z}, {@code +05}, {@code UTC+5}, {@code SystemV/EST5}.
 *
 * <p>A zone that is newer than the JDK's copy is unknown, as to a Go program on a host with that
 * copy. Before 1970 the JDK gives some zones the offsets of a neighbour, which copies built with
 * the file {@code backzone} keep apart; Go reads whichever copy its host has.
 */
public final class GoZones {

  /** What the files of the database have and the JDK has not. */
  private static final Map<String, ZoneId> ADDED =
      Map.of(
          "", ZoneOffset.UTC,
          "UTC", ZoneOffset.UTC,
          "Local", ZoneOffset.UTC, // as in a container
          "localtime", ZoneOffset.UTC,
          "Factory", ZoneOffset.UTC,
          "EST", ZoneOffset.ofHours(-5),
          "MST", ZoneOffset.ofHours(-7),
          "HST", ZoneOffset.ofHours(-10));

  private static final Map<String, String> LINKS =
      Map.of(
          "ROC", "Asia/Taipei",
          "posixrules", "America/New_York",
          "GMT+0", "Etc/GMT",
          "GMT-0", "Etc/GMT");

  /** Files beside the zones that are none. */
  private static final Set<String> TABLES =
      Set.of(
          "iso3166.tab",
          "leap-seconds.list",
          "leapseconds",
          "tzdata.zi",
          "zone.tab",
          "zone1970.tab");

  /** Directories that have all zones once more. */
  private static final Set<String> COPIES = Set.of("posix", "right");

  private static final long NANOSECONDS_PER_MINUTE = 60_000_000_000L;
  private static final long NANOSECONDS_PER_SECOND = 1_000_000_000L;
  private static final int MINUTES_PER_HOUR = 60;

  /** Read when the first name is asked for. */
  private static final class Zones {

    private static final Map<String, ZoneId> ALL = new HashMap<>();
    private static final Set<String> DIRECTORIES = new HashSet<>();

    static {
      for (String name : ZoneId.getAvailableZoneIds()) {
        if (!name.startsWith("SystemV/")) {
          ALL.put(name, ZoneId.of(name));
        }
      }
      LINKS.forEach((name, target) -> ALL.put(name, ZoneId.of(target)));
      ALL.putAll(ADDED);
      for (String name : ALL.keySet()) {
        for (int end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
          DIRECTORIES.add(name.substring(0, end));
        }
      }
    }
  }

  private GoZones() {}

  /**
   * Whether a text is an offset and no name.
   *
   * @param zone the text
   * @return whether it has a colon
   */
  public static boolean isOffset(String zone) {
    return zone.indexOf(':') >= 0;
  }

  /**
   * Reads a name.
   *
   * @param name the name
   * @return the zone
   * @throws IllegalArgumentException if it is none; the message is that of {@code LoadLocation}
   */
  public static ZoneId named(String name) {
    boolean file = name.contains("..") || name.startsWith("/") || name.startsWith("\\");
    if (file) {
      throw new IllegalArgumentException("time: invalid location name");
    }
    ZoneId zone = Zones.ALL.get(name);
    return zone != null ? zone : file(name);
  }

  /** Looks for the file that a name leads to, step by step, as the kernel does for Go. */
  private static ZoneId file(String name) {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("invalid argument");
    }
    String path = "";
    for (String step : name.split("/", -1)) {
      if ((!path.isEmpty() && Zones.ALL.containsKey(path)) || TABLES.contains(path)) {
        throw new IllegalArgumentException("not a directory");
      } else if (step.isEmpty() || step.equals(".") || (path.isEmpty() && COPIES.contains(step))) {
        continue; // copies of the whole have the same zones
      }
      path = path.isEmpty() ? step : path + "/" + step;
      if (!Zones.ALL.containsKey(path)
          && !TABLES.contains(path)
          && !Zones.DIRECTORIES.contains(path)) {
        throw new IllegalArgumentException("unknown time zone " + name);
      }
    }
    ZoneId zone = path.isEmpty() ? null : Zones.ALL.get(path);
    if (zone == null) {
      throw new IllegalArgumentException(
          TABLES.contains(path) ? "malformed time zone information" : "is a directory");
    }
    return zone;
  }

  /**
   * Reads an offset: hours, a colon and minutes, each with or without sign and as many as one
   * likes.
   *
   * @param offset the offset
   * @return how many seconds to the east of UTC it is
   * @throws IllegalArgumentException if it is none; the message is that of cel-go
   */
  public static long offset(String offset) {
    int colon = offset.indexOf(':');
    long hours = GoNumbers.integer(offset.substring(0, colon));
    long minutes = GoNumbers.integer(offset.substring(colon + 1));
    long sum = hours * MINUTES_PER_HOUR + (offset.startsWith("-") ? -minutes : minutes);
    return sum * NANOSECONDS_PER_MINUTE / NANOSECONDS_PER_SECOND; // too large ones wrap in Go, too
  }
}
