package io.dra4j.cel.internal.check;

import io.dra4j.cel.internal.library.Functions.Function;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Suggestions for undeclared names in errors, by {@code common/env/catalog.go} of cel-go 0.33. */
final class Suggestions {

  /** The maximum product of two lengths; longer names are not compared. */
  private static final int MAX_COMPARED = 64 * 64;

  private static final int MAX_SHOWN = 2;

  private static final List<String> TYPES =
      List.of(
          "bool",
          "bytes",
          "double",
          "google.protobuf.Duration",
          "google.protobuf.Timestamp",
          "int",
          "list",
          "map",
          "null_type",
          "string",
          "type",
          "uint");

  private static final Comparator<String> SHORTEST_FIRST =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final Set<String> names = new TreeSet<>(SHORTEST_FIRST);

  /** Creates suggestions from the names of functions, macros, types and the variable. */
  Suggestions(Map<String, Function> functions) {
    names.addAll(functions.keySet());
    names.addAll(TYPES);
    Macros.ALL.forEach(macro -> names.add(macro.getFunction()));
    names.add("device");
  }

  /**
   * {@return at most two names that are nearest, or else begin with the name; only the name if it
   * is known} Names with a dot are compared with such names only.
   */
  List<String> find(String name) {
    if (names.contains(name)) {
      return List.of(name);
    }
    boolean dotted = name.contains(".");
    int length = utf8Length(name);
    int nearest = length <= 3 ? 1 : length <= 8 ? 2 : length / 3;
    List<String> found = new ArrayList<>();
    for (String known : names) {
      int distance = known.contains(".") == dotted ? distance(name, known) : Integer.MAX_VALUE;
      if (distance < nearest) {
        nearest = distance;
        found.clear();
      }
      if (distance == nearest) {
        found.add(known);
      }
    }
    Stream<String> all = found.stream();
    if (found.isEmpty() && length >= 2) {
      all = names.stream().filter(k -> k.contains(".") == dotted && k.startsWith(name));
    }
    return all.limit(MAX_SHOWN).toList();
  }

  /** Returns the end of an error about a name that is not declared. */
  static String suffix(String name, List<String> found) {
    if (found.isEmpty() || found.equals(List.of(name))) {
      return "";
    }
    return " (did you mean '" + String.join("' or '", found) + "'?)";
  }

  private static int utf8Length(String text) {
    return text.codePoints().map(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4).sum();
  }

  /**
   * Returns the number of letters that are added, omitted, replaced or exchanged with their
   * neighbours; a larger number if the lengths already show that the names are not similar.
   */
  private static int distance(String name1, String name2) {
    int[] a = name1.codePoints().toArray();
    int[] b = name2.codePoints().toArray();
    if (a.length == 0 || b.length == 0) {
      return a.length + b.length;
    }
    int longer = Math.max(a.length, b.length);
    int shorter = Math.min(a.length, b.length);
    if (longer >= 16 && longer * 2L >= shorter * 3L) {
      return longer - shorter;
    }
    if ((long) a.length * b.length > MAX_COMPARED) {
      return Integer.MAX_VALUE;
    }
    int[][] distances = new int[a.length + 1][b.length + 1];
    for (int j = 0; j <= b.length; j++) {
      distances[0][j] = j;
    }
    for (int i = 1; i <= a.length; i++) {
      distances[i][0] = i;
      int least = i;
      for (int j = 1; j <= b.length; j++) {
        int replaced = distances[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        int changed = Math.min(distances[i - 1][j], distances[i][j - 1]) + 1;
        int distance = Math.min(replaced, changed);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          distance = Math.min(distance, distances[i - 2][j - 2] + 1);
        }
        distances[i][j] = distance;
        least = Math.min(least, distance);
      }
      if (least > longer / 3) {
        return Integer.MAX_VALUE;
      }
    }
    return distances[a.length][b.length];
  }
}
