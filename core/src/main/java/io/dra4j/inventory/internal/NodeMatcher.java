package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a node selection selects a node ({@code component-helpers}, package {@code
 * nodeaffinity}). A selector that Kubernetes cannot parse is an error of its slice, whether or not
 * the node would match.
 */
public final class NodeMatcher {

  // Kubernetes label syntax (apimachinery, util/validation): a name of at most 63 characters after
  // an optional DNS subdomain of at most 253.
  private static final Pattern LABEL_NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern DNS_SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");
  private static final int MAX_SUBDOMAIN = 253;
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  /** Comparing this many values takes no longer than a unit of a budget. */
  private static final int VALUES_PER_UNIT = 100;

  private NodeMatcher() {}

  /**
   * Returns whether the selection selects the node. The first field that is set counts: node name,
   * all nodes, selector. If none is set, the selection selects no node.
   */
  public static boolean matches(NodeSelection selection, Node node, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    String nodeName = selection.nodeName();
    if (nodeName != null && !nodeName.isEmpty()) {
      return nodeName.equals(node.name());
    }
    if (Boolean.TRUE.equals(selection.allNodes())) {
      return true;
    }
    NodeSelector selector = selection.nodeSelector();
    return selector != null && matches(selector, node, budget);
  }

  private static boolean matches(NodeSelector selector, Node node, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    for (int i = 0; i < selector.terms().size(); i++) {
      check(selector.terms().get(i), "nodeSelectorTerms[" + i + "]", budget);
    }
    for (NodeSelectorTerm term : selector.terms()) {
      budget.spend(1);
      if (matches(term, node, budget)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(NodeSelectorTerm term, Node node, Budget budget)
      throws BudgetExceededException {
    if (term.matchExpressions().isEmpty() && term.matchFields().isEmpty()) {
      return false;
    }
    Map<String, String> labels = node.metadata().labels();
    for (NodeSelectorRequirement requirement : term.matchExpressions()) {
      budget.spend(1 + requirement.values().size() / VALUES_PER_UNIT);
      String label = labels.get(requirement.key());
      if (!matchesLabel(requirement.operator(), requirement.values(), label)) {
        return false;
      }
    }
    budget.spend(term.matchFields().size() / VALUES_PER_UNIT);
    return matchesFields(term.matchFields(), node);
  }

  /** Whether the fields of a node fulfil requirements that Kubernetes can parse. */
  static boolean matchesFields(List<NodeSelectorRequirement> requirements, Node node) {
    if (node.name().isEmpty()) {
      return true; // a node without a name has no fields to compare
    }
    for (NodeSelectorRequirement requirement : requirements) {
      String field = requirement.key().equals(NodeSelector.NAME_FIELD) ? node.name() : "";
      boolean equal = field.equals(requirement.values().get(0));
      if (equal != requirement.operator().equals(NodeSelectorOperator.IN)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a label, which may be missing, fulfils a requirement. */
  static boolean matchesLabel(
      NodeSelectorOperator operator, Collection<String> values, @Nullable String label) {
    if (operator.equals(NodeSelectorOperator.EXISTS)) {
      return label != null;
    }
    if (operator.equals(NodeSelectorOperator.DOES_NOT_EXIST)) {
      return label == null;
    }
    if (operator.equals(NodeSelectorOperator.NOT_IN)) {
      return label == null || !values.contains(label);
    }
    if (label == null) {
      return false;
    }
    if (operator.equals(NodeSelectorOperator.IN)) {
      return values.contains(label);
    }
    Long actual = parseInteger(label);
    Long bound = parseInteger(values.iterator().next());
    if (actual == null || bound == null) {
      return false;
    }
    return operator.equals(NodeSelectorOperator.GT) ? actual > bound : actual < bound;
  }

  /** Rejects a term that Kubernetes cannot parse. */
  public static void check(NodeSelectorTerm term, String path, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    budget.spend(1);
    for (int i = 0; i < term.matchExpressions().size(); i++) {
      budget.spend(1);
      checkLabel(term.matchExpressions().get(i), path + ".matchExpressions[" + i + "]", budget);
    }
    for (int i = 0; i < term.matchFields().size(); i++) {
      budget.spend(1);
      checkField(term.matchFields().get(i), path + ".matchFields[" + i + "]");
    }
  }

  private static void checkLabel(NodeSelectorRequirement requirement, String path, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    List<String> values = requirement.values();
    NodeSelectorOperator operator = requirement.operator();
    if (operator.equals(NodeSelectorOperator.IN) || operator.equals(NodeSelectorOperator.NOT_IN)) {
      require(!values.isEmpty(), path + ".values: must not be empty for " + operator);
    } else if (operator.equals(NodeSelectorOperator.EXISTS)
        || operator.equals(NodeSelectorOperator.DOES_NOT_EXIST)) {
      require(values.isEmpty(), path + ".values: must be empty for " + operator);
    } else if (operator.equals(NodeSelectorOperator.GT)
        || operator.equals(NodeSelectorOperator.LT)) {
      require(
          values.size() == 1 && parseInteger(values.get(0)) != null,
          path + ".values: must be one integer for " + operator);
    } else {
      require(false, path + ".operator: unknown operator " + operator);
    }
    require(isLabelKey(requirement.key()), path + ".key: no label key: " + requirement.key());
    for (String value : values) {
      budget.spend(1);
      require(isLabelValue(value), path + ".values: no label value: " + value);
    }
  }

  private static void checkField(NodeSelectorRequirement requirement, String path)
      throws NodeSelectorException {
    NodeSelectorOperator operator = requirement.operator();
    require(
        operator.equals(NodeSelectorOperator.IN) || operator.equals(NodeSelectorOperator.NOT_IN),
        path + ".operator: fields allow only In and NotIn, not " + operator);
    require(requirement.values().size() == 1, path + ".values: must have one element");
  }

  private static void require(boolean holds, String problem) throws NodeSelectorException {
    if (!holds) {
      throw new NodeSelectorException("failed to parse node selector: " + problem);
    }
  }

  private static boolean isLabelKey(String key) {
    int slash = key.indexOf('/');
    if (slash < 0) {
      return LABEL_NAME.matcher(key).matches();
    }
    return slash <= MAX_SUBDOMAIN
        && DNS_SUBDOMAIN.matcher(key.substring(0, slash)).matches()
        && LABEL_NAME.matcher(key.substring(slash + 1)).matches();
  }

  private static boolean isLabelValue(String value) {
    return value.isEmpty() || LABEL_NAME.matcher(value).matches();
  }

  private static @Nullable Long parseInteger(String text) {
    if (!INTEGER.matcher(text).matches()) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException outOfRange) {
      return null;
    }
  }
}
