package io.dra4j.allocation;

import io.dra4j.model.ClaimKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What devices a node has for a target while nothing else is placed, and what refused the rest. */
final class Supply {

  private static final int MAX_HOLDERS = 2;

  final BitSet usable = new BitSet(); // by ordinal
  final List<RefusedDevice> refused = new ArrayList<>(); // those of the class
  final BitSet members = new BitSet(); // of the class
  int ofClass;
  int onNode;
  String hint = ""; // where there is nothing of the class: what its selectors may have meant
  private final Map<Objection, Integer> objections = new LinkedHashMap<>();
  private final Map<Objection, SortedSet<ClaimKey>> holders = new LinkedHashMap<>();

  void refuse(Objection objection, RefusedDevice device) {
    refused.add(device);
    objections.merge(objection, 1, Integer::sum);
    holders.computeIfAbsent(objection, any -> new TreeSet<>()).addAll(device.holders());
  }

  /** What became of the devices that cannot be had: {@code 2 are in use by default/train-0}. */
  String reasons() {
    if (ofClass == 0) {
      return hint;
    }
    // That selectors choose some devices only is meant so more often than the rest.
    return objections.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().rule() == RefusingRule.SELECTOR))
        .map(
            entry ->
                entry.getValue()
                    + " "
                    + entry.getKey().of(entry.getValue())
                    + by(
                        entry.getKey().rule(),
                        holders.getOrDefault(entry.getKey(), new TreeSet<>())))
        .collect(Collectors.joining(", "));
  }

  /** As {@link #reasons}, where several supplies have to be told apart. */
  String reasons(String deviceClass) {
    return refused.isEmpty()
        ? ""
        : "of the node's " + ofClass + " devices of class " + deviceClass + ", " + reasons();
  }

  /** Who has the device, or what the device shares with others. */
  static String by(RefusingRule rule, SortedSet<ClaimKey> holders) {
    if (holders.isEmpty()) {
      return "";
    }
    String names = Wording.list(holders.stream().map(ClaimKey::toString).toList(), MAX_HOLDERS);
    return rule == RefusingRule.USAGE ? " by " + names : " (used by " + names + ")";
  }
}
