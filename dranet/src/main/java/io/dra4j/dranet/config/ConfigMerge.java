package io.dra4j.dranet.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists of two configurations as one. */
final class ConfigMerge {

  private ConfigMerge() {}

  /**
   * The entries of the lower list, then those of the higher; of those with one key only the last
   * stays. A higher list that is there and empty takes the lower one's entries away.
   *
   * @param lower the list of lower precedence; null if there is none
   * @param higher the list of higher precedence; null if there is none
   * @param key what no two entries may have in common
   * @return the list; null if there is neither
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
