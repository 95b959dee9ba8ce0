package io.dra4j.scheduling;

import io.dra4j.common.SimilarNames;
import io.dra4j.model.ClaimKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Lines for readers about pods, each once; if very many, the first ones and the others' number. */
final class MessageList {

  private static final int MAX = 200;
  private static final int MAX_HINTS = 3;

  private final Map<String, String> lines = new LinkedHashMap<>(); // with their hints
  private String last = "";
  private int more;

  /** Adds a line without a hint. */
  void add(String line) {
    add(line, () -> "");
  }

  /** Adds a line; the hint at its end, slow to find, is computed only if the line is reported. */
  void add(String line, Supplier<String> hint) {
    if (lines.containsKey(line) || line.equals(last)) {
      return;
    }
    last = line; // the replicas of a set repeat the same problem
    if (lines.size() < MAX) {
      lines.put(line, line + hint.get());
    } else {
      more++;
    }
  }

  /** Returns the lines, and the number of the others if there are too many. */
  List<String> list() {
    List<String> list = new ArrayList<>(lines.values());
    if (more > 0) {
      list.add("and " + more + (more == 1 ? " more problem" : " more problems") + " of pods");
    }
    return list;
  }

  /**
   * The end of a message about a missing object, which suggests the intended one: other namespaces
   * with an object of that name, or else similar names in the same namespace; empty if there are
   * neither.
   */
  static String hint(ClaimKey missing, Collection<ClaimKey> known) {
    List<String> elsewhere =
        known.stream()
            .filter(key -> key.name().equals(missing.name()) && !key.equals(missing))
            .limit(MAX_HINTS)
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
