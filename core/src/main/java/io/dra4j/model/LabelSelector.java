package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A selector of objects by their labels. All conditions must hold; a selector without conditions
 * selects every object.
 *
 * <p>Source: {@code LabelSelector} of {@code k8s.io/apimachinery/pkg/apis/meta/v1}.
 *
 * @param matchLabels values by the keys of labels
 * @param matchExpressions conditions on labels, with all operators except {@code Gt} and {@code Lt}
 */
public record LabelSelector(
    Map<String, String> matchLabels, List<NodeSelectorRequirement> matchExpressions) {

  /** Selects every object. */
  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

  /** Copies the map and the list; rejects null. {@inheritDoc} */
  public LabelSelector {
    matchLabels = Checks.map("LabelSelector.matchLabels", matchLabels);
    matchExpressions = Checks.list("LabelSelector.matchExpressions", matchExpressions);
  }

  /**
   * {@return a selector of the objects with some labels}
   *
   * @param labels values by the keys of the labels
   */
  public static LabelSelector of(Map<String, String> labels) {
    return new LabelSelector(labels, List.of());
  }

  /** {@return whether the selector has no condition and so selects every object} */
  public boolean isEmpty() {
    return matchLabels.isEmpty() && matchExpressions.isEmpty();
  }

  /**
   * {@return whether labels meet all conditions; a condition with an unknown operator is not met}
   *
   * @param labels the labels of an object
   */
  public boolean matches(Map<String, String> labels) {
    Checks.value("LabelSelector.matches.labels", labels);
    return labels.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(condition -> matches(condition, labels));
  }

  private static boolean matches(NodeSelectorRequirement condition, Map<String, String> labels) {
    String value = labels.get(condition.key());
    return switch (condition.operator().value()) {
      case "In" -> value != null && condition.values().contains(value);
      case "NotIn" -> value == null || !condition.values().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
