package io.dra4j.cel.internal.text;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of time zones as cel-go reads them: those of the IANA database, in their case, and offsets
 * such as {@code -05:30}.
 *
 * <p>The names and the rules are those of the JDK's copy of the database ({@code tzdb.dat}), which
 * a vendor keeps up to date, with the names that the JDK leaves out or has otherwise. What only the
 * JDK knows is none: {@code Z}, {@code +05}, {@code UTC+5}, {@code SystemV/EST5}.
 *
 * <p>Before 1970 the JDK gives some zones the offsets of a neighbour, which the copies that Go
 * reads keep apart (they are built with the file {@code backzone}): those offsets are in the
 * resource {@code zones.txt}, with all of zones that JDK 17 does not know. {@code
 * cel/src/zones/zones.go} writes it. A zone that is newer than both is unknown.
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

  /** The files in the directories of zones that are not zones. */
  private static final Set<String> TABLES =
      Set.of(
          "iso3166.tab",
          "leap-seconds.list",
          "leapseconds",
          "tzdata.zi",
          "zone.tab",
          "zone1970.tab");

  /** Links that are not among the copies. */
  private static final Set<String> NOT_COPIED = Set.of("localtime", "posixrules");

  /** NAME_MAX and PATH_MAX of Linux. */
  private static final int MAX_NAME_BYTES = 255;

  private static final int MAX_PATH_BYTES = 4096;
  private static final int DIRECTORY_BYTES = "/usr/share/zoneinfo/".length();

  /** Directories that have all zones once more. */
  private static final Set<String> COPIES = Set.of("posix", "right");

  private static final long NANOSECONDS_PER_MINUTE = 60_000_000_000L;
  private static final long NANOSECONDS_PER_SECOND = 1_000_000_000L;
  private static final int MINUTES_PER_HOUR = 60;

  /**
   * The offsets of a zone.
   *
   * @param rules those of the JDK's copy, or null for a zone that it does not have
   * @param early those before 1970, or all where the JDK has none; null if the rules have them
   */
  public record Zone(@Nullable ZoneRules rules, @Nullable Offsets early) {

    /**
     * {@return how far local time is ahead of UTC at a time}
     *
     * @param time the time
     */
    public ZoneOffset offset(Instant time) {
      return rules != null && (early == null || time.getEpochSecond() >= 0)
          ? rules.getOffset(time)
          : ZoneOffset.ofTotalSeconds(Objects.requireNonNull(early).at(time.getEpochSecond()));
    }
  }

  /** Offsets one after the other. */
  static final class Offsets {

    private final long[] times; // when they change, in seconds of the epoch
    private final int[] seconds; // one more than times

    /** Reads a line of the resource without its names. */
    Offsets(List<String> numbers) {
      times = new long[numbers.size() / 2];
      seconds = new int[times.length + 1];
      seconds[0] = Integer.parseInt(numbers.get(0), BASE);
      long time = FROM;
      for (int i = 0; i < times.length; i++) {
        time += Long.parseLong(numbers.get(2 * i + 1), BASE);
        times[i] = time;
        seconds[i + 1] = Integer.parseInt(numbers.get(2 * i + 2), BASE);
      }
    }

    int at(long second) {
      int found = Arrays.binarySearch(times, second);
      return seconds[found >= 0 ? found + 1 : -found - 1];
    }
  }

  private static final int BASE = 36;

  /** 1900, in seconds of the epoch. */
  private static final long FROM = -2_208_988_800L;

  /** Read when the first name is asked for. */
  private static final class Zones {

    private static final Map<String, Zone> ALL = new HashMap<>();
    private static final Set<String> DIRECTORIES = new HashSet<>();
    private static final String COMPLETE = "*"; // after the name of a zone with all its offsets
    private static final Splitter FIELDS = Splitter.on(' ');
    private static final Splitter NAMES = Splitter.on(',');

    static {
      Map<String, ZoneRules> rules = new HashMap<>();
      for (String name : ZoneId.getAvailableZoneIds()) {
        if (!name.startsWith("SystemV/")) {
          rules.put(name, ZoneId.of(name).getRules());
        }
      }
      LINKS.forEach((name, target) -> rules.put(name, ZoneId.of(target).getRules()));
      ADDED.forEach((name, zone) -> rules.put(name, zone.getRules()));
      Map<String, Offsets> early = early();
      rules.forEach((name, known) -> ALL.put(name, new Zone(known, early.get(name))));
      early.forEach(
          (name, offsets) -> {
            if (name.endsWith(COMPLETE)) {
              String zone = name.substring(0, name.length() - COMPLETE.length());
              ALL.put(zone, new Zone(rules.get(zone), offsets));
            }
          });
      for (String name : ALL.keySet()) {
        for (int end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
          DIRECTORIES.add(name.substring(0, end));
        }
      }
    }

    private static Map<String, Offsets> early() {
      Map<String, Offsets> early = new HashMap<>();
      try (InputStream in = GoZones.class.getResourceAsStream("zones.txt")) {
        if (in == null) {
          throw new IllegalStateException("zones.txt is missing from the archive");
        }
        new String(in.readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .forEach(
                line -> {
                  List<String> fields = FIELDS.splitToList(line);
                  Offsets offsets = new Offsets(fields.subList(1, fields.size()));
                  NAMES.split(fields.get(0)).forEach(name -> early.put(name, offsets));
                });
      } catch (IOException e) {
        throw new UncheckedIOException("zones.txt cannot be read", e);
      }
      return early;
    }
  }

  private GoZones() {}

  /**
   * {@return whether a text is an offset and no name: whether it has a colon}
   *
   * @param zone the text
   */
  public static boolean isOffset(String zone) {
    return zone.indexOf(':') >= 0;
  }

  /**
   * {@return the zone with a name}
   *
   * @param name the name
   * @throws IllegalArgumentException if it is none; the message is that of {@code LoadLocation}
   */
  public static Zone named(String name) {
    boolean file = name.contains("..") || name.startsWith("/") || name.startsWith("\\");
    if (file) {
      throw new IllegalArgumentException("time: invalid location name");
    }
    Zone zone = Zones.ALL.get(name);
    return zone != null ? zone : file(name);
  }

  /** Looks for the file that a name leads to, step by step, as the kernel does for Go. */
  private static Zone file(String name) {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("invalid argument");
    }
    if (DIRECTORY_BYTES + GoText.length(name) >= MAX_PATH_BYTES) {
      throw new IllegalArgumentException("file name too long");
    }
    String path = "";
    boolean copy = false; // which has zones alone
    for (String step : name.split("/", -1)) {
      if ((!path.isEmpty() && Zones.ALL.containsKey(path)) || TABLES.contains(path)) {
        throw new IllegalArgumentException("not a directory");
      } else if (step.isEmpty() || step.equals(".")) {
        continue;
      } else if (GoText.length(step) > MAX_NAME_BYTES) {
        throw new IllegalArgumentException("file name too long");
      } else if (!copy && path.isEmpty() && COPIES.contains(step)) {
        copy = true;
        continue;
      }
      path = path.isEmpty() ? step : path + "/" + step;
      if (copy && (TABLES.contains(path) || NOT_COPIED.contains(path))) {
        throw new IllegalArgumentException("unknown time zone " + name);
      }
      if (!Zones.ALL.containsKey(path)
          && !TABLES.contains(path)
          && !Zones.DIRECTORIES.contains(path)) {
        throw new IllegalArgumentException("unknown time zone " + name);
      }
    }
    Zone zone = path.isEmpty() ? null : Zones.ALL.get(path);
    if (zone == null) {
      throw new IllegalArgumentException(
          TABLES.contains(path) ? "malformed time zone information" : "is a directory");
    }
    return zone;
  }

  /**
   * {@return how many seconds to the east of UTC an offset is: hours, a colon and minutes, each
   * with or without sign and as many as one likes}
   *
   * @param offset the offset
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
