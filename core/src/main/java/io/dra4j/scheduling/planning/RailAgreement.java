package io.dra4j.scheduling.planning;

import io.dra4j.placement.PlacementScore;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The agreement of the rails of a job: whether its pods have NICs of the same rails on all of its
 * nodes. NICs of one rail are usually on one switch, so that traffic between them crosses no other
 * switch.
 *
 * @param nodes the number of nodes over which the NICs of the pods are spread
 * @param common the rails that the job has on each of these nodes, in their order
 * @param fewest the number of rails of the job on the node with the fewest of them
 * @param equal whether the job has the same rails on all of its nodes
 */
public record RailAgreement(int nodes, List<Integer> common, int fewest, boolean equal) {

  /** Copies the list. {@inheritDoc} */
  public RailAgreement {
    common = List.copyOf(common);
  }

  /**
   * {@return the agreement of the rails of the nodes that have the pods of one job}
   *
   * @param pods the placed pods; pods without a {@link PlacementScore} or without NICs do not count
   */
  public static RailAgreement of(Collection<Placed> pods) {
    Objects.requireNonNull(pods, "pods");
    Map<String, NavigableSet<Integer>> byNode = new LinkedHashMap<>();
    for (Placed pod : pods) {
      if (pod.score().orElse(null) instanceof PlacementScore score && !score.rails().isEmpty()) {
        byNode.computeIfAbsent(pod.node(), any -> new TreeSet<>()).addAll(score.rails());
      }
    }
    NavigableSet<Integer> common = new TreeSet<>();
    int fewest = 0;
    boolean isFirst = true;
    for (Set<Integer> rails : byNode.values()) {
      if (isFirst) {
        common.addAll(rails);
        fewest = rails.size();
        isFirst = false;
      }
      common.retainAll(rails);
      fewest = Math.min(fewest, rails.size());
    }
    int shared = common.size();
    boolean equal = byNode.values().stream().allMatch(rails -> rails.size() == shared);
    return new RailAgreement(byNode.size(), List.copyOf(common), fewest, equal);
  }

  /**
   * {@return the share of the rails with a partner on every other node, from 0 to 1; 1 on one node,
   * whose pods need no rail}
   */
  public double score() {
    return nodes < 2 ? 1 : (double) common.size() / fewest;
  }

  /** {@return the agreement in a few words; empty if the pods are on one node or have no NICs} */
  public String reason() {
    if (nodes < 2) {
      return "";
    } else if (equal) {
      return "equal rails " + list(common) + " on all " + nodes + " nodes";
    } else if (common.isEmpty()) {
      return "unequal rails: none is used on all " + nodes + " nodes";
    }
    if (common.size() == fewest) {
      return "unequal rails: %s %s used on all %d nodes, and further rails on some of them"
          .formatted(list(common), fewest == 1 ? "is" : "are", nodes);
    }
    return "unequal rails: only %s of %d %s used on all %d nodes"
        .formatted(list(common), fewest, common.size() == 1 ? "is" : "are", nodes);
  }

  private static String list(List<Integer> rails) {
    boolean isRun = rails.size() > 2;
    for (int i = 1; i < rails.size(); i++) {
      isRun &= rails.get(i) == rails.get(i - 1) + 1;
    }
    return isRun
        ? rails.get(0) + " to " + rails.get(rails.size() - 1)
        : rails.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
