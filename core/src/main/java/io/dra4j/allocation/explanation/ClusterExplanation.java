package io.dra4j.allocation.explanation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.SignatureCache;
import io.dra4j.allocation.internal.text.ReasonText;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why claims do not fit on the nodes of a cluster: nodes that refuse for the same reason are
 * counted together.
 *
 * @param groups the nodes by what they say, most nodes first; none where the claims fit
 * @param fitting the nodes on which the claims fit, in the order in which they were asked
 */
public record ClusterExplanation(List<Group> groups, List<String> fitting) {

  /** Copies the lists. {@inheritDoc} */
  public ClusterExplanation {
    groups = List.copyOf(groups);
    fitting = List.copyOf(fitting);
  }

  /**
   * Nodes that refuse for the same reason.
   *
   * @param gist the reason in a few words, without names of nodes and devices
   * @param nodes the names of the nodes, in the order in which they were asked
   * @param example why the first of the nodes refuses, in full
   */
  public record Group(String gist, List<String> nodes, Explanation example) {

    /** Copies the list. {@inheritDoc} */
    public Group {
      nodes = List.copyOf(nodes);
    }
  }

  /** More reasons are counted. */
  private static final int MAX_GROUPS = 16;

  private static final String NOT_ASKED = "there was no time to ask";

  /**
   * Says in one line why no node takes the claims, or which nodes do.
   *
   * @return the full reason if there is one node, otherwise for example {@code 14 nodes: no free
   *     device of class gpu.nvidia.com; 3 nodes: a pool of driver dra.net is incomplete}; where
   *     there are nodes that take the claims, these come first
   */
  public String summary() {
    if (groups.isEmpty()) {
      return fitting.isEmpty()
          ? "there are no nodes"
          : ReasonText.line("fits on " + ReasonText.list(fitting, 4), false);
    }
    if (groups.size() == 1 && groups.get(0).nodes().size() == 1 && fitting.isEmpty()) {
      return groups.get(0).example().summary();
    }
    return ReasonText.line(reasons(), false);
  }

  private String reasons() {
    return (fitting.isEmpty() ? "" : "fits on " + ReasonText.list(fitting, 4) + "; ")
        + groups.stream()
            .limit(MAX_GROUPS)
            .map(ClusterExplanation::lineOf)
            .collect(Collectors.joining("; ", "", others("; ")));
  }

  private static String lineOf(Group group) {
    return ReasonText.line(countOf(group.nodes().size()) + ": " + group.gist(), false);
  }

  private static String countOf(long nodes) {
    return nodes + (nodes == 1 ? " node" : " nodes");
  }

  /** How many nodes are in groups that are not told; empty if there are none. */
  private String others(String before) {
    int more = groups.size() - MAX_GROUPS;
    return more <= 0
        ? ""
        : before
            + countOf(groups.stream().skip(MAX_GROUPS).mapToLong(it -> it.nodes().size()).sum())
            + " for "
            + more
            + (more == 1 ? " more reason" : " more reasons");
  }

  /** For people: the nodes on which the claims fit, then a line for each reason. */
  @Override
  public String toString() {
    if (groups.isEmpty()) {
      return summary();
    }
    StringJoiner lines = new StringJoiner("\n");
    if (!fitting.isEmpty()) {
      lines.add(ReasonText.line("fits on " + ReasonText.list(fitting, 4), false));
    }
    groups.stream().limit(MAX_GROUPS).forEach(group -> lines.add(lineOf(group)));
    String others = others("");
    return others.isEmpty() ? lines.toString() : lines.add(others).toString();
  }

  /** Asks nodes one after the other, those of one shape once, as long as the caller waits. */
  public static ClusterExplanation of(ClusterQuery fit, List<Node> nodes, Budget budget) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    Map<String, Explanation> examples = new HashMap<>();
    SignatureCache<String> known = new SignatureCache<>();
    List<String> fitting = new ArrayList<>();
    ClusterQuery asking = fit.within(budget);
    for (Node node : nodes) {
      boolean over = budget.isOver();
      @Nullable NodeSignature shape = over ? null : asking.shapeOf(node.name());
      String gist = shape == null ? null : known.get(shape);
      if (gist == null) {
        gist = gistOf(node, asking, examples, budget);
        if (shape != null && gist != null) {
          known.put(shape, gist);
        }
      }
      if (gist == null) {
        fitting.add(node.name());
      } else {
        groups.computeIfAbsent(gist, any -> new ArrayList<>()).add(node.name());
      }
    }
    List<Group> sorted = new ArrayList<>();
    groups.forEach(
        (gist, names) -> {
          Explanation example = examples.get(gist);
          if (example != null) {
            sorted.add(new Group(gist, names, example));
          }
        });
    sorted.sort(Comparator.comparingInt((Group group) -> group.nodes().size()).reversed());
    return new ClusterExplanation(sorted, fitting);
  }

  /** What a node says, or null if the claims fit. */
  private static @Nullable String gistOf(
      Node node, ClusterQuery fit, Map<String, Explanation> examples, Budget budget) {
    try {
      budget.check();
    } catch (BudgetExceededException e) {
      examples.computeIfAbsent(
          NOT_ASKED, any -> fit.explain(node, new AllocationOutcome.Undecided(e.reason())));
      return NOT_ASKED;
    }
    AllocationOutcome outcome = fit.on(node.name());
    if (outcome instanceof Allocated) {
      return null;
    }
    Explanation explanation = fit.explain(node, outcome);
    String gist = explanation.refusals(budget).get(0).gist();
    examples.putIfAbsent(gist, explanation);
    return gist;
  }
}
