package io.dra4j.scheduling;

import io.dra4j.common.SimilarNames;
import io.dra4j.model.ClaimKey;
import java.util.Collection;
import java.util.List;

/** The end of a message about an object that is not there: which one may be meant. */
final class NameHint {

  private static final int MAX = 3;

  private NameHint() {}

  /**
   * Returns where else objects of that name are, else names of the same namespace that differ
   * little; empty if there are neither.
   */
  static String of(ClaimKey missing, Collection<ClaimKey> known) {
    List<String> elsewhere =
        known.stream()
            .filter(key -> key.name().equals(missing.name()) && !key.equals(missing))
            .limit(MAX)
            .map(ClaimKey::toString)
            .toList();
    if (!elsewhere.isEmpty()) {
      return "; there " + (elsewhere.size() == 1 ? "is " : "are ") + String.join(", ", elsewhere);
    }
    List<String> near =
        SimilarNames.of(
            missing.name(),
            known.stream()
                .filter(key -> key.namespace().equals(missing.namespace()))
                .map(ClaimKey::name)
                .toList());
    return SimilarNames.hint(near);
  }
}
