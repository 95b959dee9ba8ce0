package io.dra4j.testkit;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects the entries of one host and holds the rule that makes them safe to lay out: every path
 * stays below the root, and nothing lies below a file or a link.
 */
final class HostEntries {

  /** Real hosts have some thousands. */
  static final int MAX_ENTRIES = 500_000;

  private static final int MAX_PATH = 4096; // PATH_MAX
  private static final int MAX_DEPTH = 64;

  private final TreeMap<String, HostEntry> entries = new TreeMap<>();

  /**
   * Adds an entry; a later one at the same path takes its place.
   *
   * @throws IllegalArgumentException if the path is none or there are too many entries
   */
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

  /** Removes what is at the path and below it. */
  void remove(String path) {
    checkPath(path);
    entries.remove(path);
    entries.subMap(path + "/", path + "0").clear(); // '0' follows '/'
  }

  boolean contains(String path) {
    return entries.containsKey(path);
  }

  /**
   * The entries, none of which lies below a file or a link.
   *
   * @throws IllegalArgumentException if one does
   */
  SortedMap<String, HostEntry> checked() {
    for (String path : entries.keySet()) {
      for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
        HostEntry above = entries.get(path.substring(0, slash));
        if (above != null && above != HostEntry.Folder.FOLDER) {
          throw new IllegalArgumentException(
              "%s lies below %s, which is no folder".formatted(path, path.substring(0, slash)));
        }
      }
    }
    return Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  private static void checkPath(String path) {
    if (path.isEmpty() || path.length() > MAX_PATH || path.startsWith("/")) {
      throw new IllegalArgumentException(
          "want a path relative to the root of at most %d characters: %s"
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

  /** Text that may come from anywhere, for a message in one line. */
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
