package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.explanation.Explanation;
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
import org.jspecify.annotations.Nullable;

/** Explains for the nodes of a cluster why claims do not fit on them. */
final class ClusterExplainer {

  private static final String NOT_ASKED = "not checked: the time was over";

  private ClusterExplainer() {}

  /** Explains nodes one after the other within the budget, nodes of equal signature only once. */
  static ClusterExplanation explain(ClusterQuery query, List<Node> nodes, Budget budget) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    Map<String, Explanation> examples = new HashMap<>();
    SignatureCache<String> known = new SignatureCache<>();
    List<String> fitting = new ArrayList<>();
    ClusterQuery asking = query.withBudget(budget);
    for (Node node : nodes) {
      boolean over = budget.isOver();
      @Nullable NodeSignature shape = over ? null : asking.shapeOf(node.name());
      String summary = shape == null ? null : known.get(shape);
      if (summary == null) {
        summary = summaryOf(node, asking, examples, budget);
        if (shape != null && summary != null) {
          known.put(shape, summary);
        }
      }
      if (summary == null) {
        fitting.add(node.name());
      } else {
        groups.computeIfAbsent(summary, any -> new ArrayList<>()).add(node.name());
      }
    }
    List<ClusterExplanation.Group> sorted = new ArrayList<>();
    groups.forEach(
        (summary, names) -> {
          Explanation example = examples.get(summary);
          if (example != null) {
            sorted.add(new ClusterExplanation.Group(summary, names, example));
          }
        });
    sorted.sort(
        Comparator.comparingInt((ClusterExplanation.Group group) -> group.nodes().size())
            .reversed());
    return new ClusterExplanation(sorted, fitting);
  }

  /** The reason of a node, or null if the claims fit. */
  private static @Nullable String summaryOf(
      Node node, ClusterQuery query, Map<String, Explanation> examples, Budget budget) {
    try {
      budget.check();
    } catch (BudgetExceededException e) {
      examples.computeIfAbsent(
          NOT_ASKED, any -> query.explain(node, new AllocationOutcome.Undecided(e.reason())));
      return NOT_ASKED;
    }
    AllocationOutcome outcome = query.on(node.name());
    if (outcome instanceof Allocated) {
      return null;
    }
    Explanation explanation = query.explain(node, outcome);
    String summary = explanation.reasons(budget).get(0).summary();
    examples.putIfAbsent(summary, explanation);
    return summary;
  }
}
