package io.dra4j.dranet.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Merges the lists of two configurations. */
final class ConfigMerge {

  private ConfigMerge() {}

  /**
   * Returns the entries of the lower list, then those of the higher list; null if both are null. Of
   * entries with the same key only the last one is kept. A higher list that is empty, but not null,
   * removes all entries of the lower list.
   *
   * @param lower the list of lower precedence; null if there is none
   * @param higher the list of higher precedence; null if there is none
   */
  static <T> @Nullable List<T> lists(
      @Nullable List<T> lower, @Nullable List<T> higher, Function<T, ?> key) {
    if (higher == null || lower == null || higher.isEmpty()) {
      return higher == null ? lower : higher;
    }
    List<T> all = new ArrayList<>(lower);
    all.addAll(higher);
    Collections.reverse(all);
    Set<Object> seen = new HashSet<>();
    List<T> kept = new ArrayList<>();
    for (T one : all) {
      if (seen.add(key.apply(one))) {
        kept.add(one);
      }
    }
    Collections.reverse(kept);
    return List.copyOf(kept);
  }
}
