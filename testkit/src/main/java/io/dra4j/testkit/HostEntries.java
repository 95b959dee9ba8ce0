package io.dra4j.testkit;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects the entries of one host and checks that they can be written safely: every path stays
 * below the root, and no entry is below a file or a link.
 */
final class HostEntries {

  /** The maximum number of entries; real hosts have some thousands. */
  static final int MAX_ENTRIES = 500_000;

  private static final int MAX_PATH = 4096; // PATH_MAX
  private static final int MAX_DEPTH = 64;

  private final TreeMap<String, HostEntry> entries = new TreeMap<>();

  /** Adds or replaces an entry; throws if the path is invalid or there are too many entries. */
  void put(String path, HostEntry entry) {
    checkPath(path);
    entries.put(path, entry);
    if (entries.size() > MAX_ENTRIES) {
      throw new IllegalArgumentException("more than %d entries".formatted(MAX_ENTRIES));
    }
  }

  void putAll(Map<String, HostEntry> others) {
    entries.putAll(others);
  }

  /** Removes the entries at the path and below it. */
  void remove(String path) {
    checkPath(path);
    entries.remove(path);
    entries.subMap(path + "/", path + "0").clear(); // '0' follows '/'
  }

  boolean contains(String path) {
    return entries.containsKey(path);
  }

  /** Returns the entries, or throws IllegalArgumentException if one is below a file or a link. */
  SortedMap<String, HostEntry> checked() {
    for (String path : entries.keySet()) {
      for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
        HostEntry above = entries.get(path.substring(0, slash));
        if (above != null && above != HostEntry.Directory.DIRECTORY) {
          throw new IllegalArgumentException(
              "%s is below %s, which is not a directory".formatted(path, path.substring(0, slash)));
        }
      }
    }
    return Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  private static void checkPath(String path) {
    if (path.isEmpty() || path.length() > MAX_PATH || path.startsWith("/")) {
      throw new IllegalArgumentException(
          "expected a path relative to the root of at most %d characters: %s"
              .formatted(MAX_PATH, shown(path)));
    }
    String[] names = path.split("/", -1);
    if (names.length > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "path is deeper than %d: %s".formatted(MAX_DEPTH, shown(path)));
    }
    for (String name : names) {
      if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "path has an empty part, a dot or a NUL: " + shown(path));
      }
    }
  }

  /** Returns untrusted text for a message in one line. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(120)
        .forEach(
            c -> {
              if (Character.isISOControl(c) || c > 0x7e) {
                shown.append("\\u%04x".formatted(c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return text.length() > 120 ? shown + "..." : shown.toString();
  }
}
