package io.dra4j.common;

import io.dra4j.internal.Checks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that the author of an unknown name may have meant. */
public final class SimilarNames {

  /** Longer names are not typing errors, and comparing them takes time. */
  private static final int MAX_LENGTH = 128;

  /** More names than a device can have; a bound for objects that were never validated. */
  private static final int MAX_COMPARED = 1_000;

  private static final int MAX_FOUND = 3;

  private record Near(String name, int distance) {}

  private SimilarNames() {}

  /**
   * {@return at most 3 other names, the nearest first} They contain the written one, are contained
   * in it, or are within a Levenshtein distance of 1 plus a quarter of its length. Ignores case.
   *
   * @param written the name that was written
   * @param candidates the names that exist
   */
  public static List<String> of(String written, Collection<String> candidates) {
    Checks.value("candidates", candidates);
    String wanted = Checks.value("written", written).toLowerCase(Locale.ROOT);
    if (wanted.isEmpty() || wanted.length() > MAX_LENGTH) {
      return List.of();
    }
    int limit = 1 + wanted.length() / 4;
    List<Near> near = new ArrayList<>();
    int compared = 0;
    for (String name : candidates) {
      if (++compared > MAX_COMPARED) {
        break;
      }
      String candidate = name.toLowerCase(Locale.ROOT);
      if (name.equals(written) || candidate.length() > MAX_LENGTH) {
        continue;
      }
      int distance = distance(wanted, candidate);
      if (distance <= limit) {
        near.add(new Near(name, distance));
      } else if (contains(wanted, candidate)) {
        near.add(new Near(name, limit + distance));
      }
    }
    near.sort(Comparator.comparingInt(Near::distance).thenComparing(Near::name));
    return near.stream().limit(MAX_FOUND).map(Near::name).toList();
  }

  /**
   * {@return the end of a message: {@code "; did you mean gpu or gpus?"}; empty without names}
   *
   * @param near the names, the nearest first
   */
  public static String hint(List<String> near) {
    Checks.value("near", near);
    return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
  }

  private static boolean contains(String a, String b) {
    return Math.min(a.length(), b.length()) >= 3 && (a.contains(b) || b.contains(a));
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
