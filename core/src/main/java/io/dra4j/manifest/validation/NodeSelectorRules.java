package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.NODE_SELECTOR_KEY;
import static io.dra4j.manifest.validation.ValidationRule.NODE_SELECTOR_OPERATOR;
import static io.dra4j.manifest.validation.ValidationRule.NODE_SELECTOR_TERMS;
import static io.dra4j.manifest.validation.ValidationRule.NODE_SELECTOR_VALUE;
import static io.dra4j.manifest.validation.ValidationRule.NODE_SELECTOR_VALUES;

import java.util.List;

/** The rules of node selectors: {@code ValidateNodeSelector} of Kubernetes' core API. */
final class NodeSelectorRules {

  private static final List<String> OPERATORS =
      List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
  private static final List<String> FIELD_OPERATORS = List.of("In", "NotIn");
  private static final String FIELD = "metadata.name";

  /** Checks the node selector in a field, if there is one. */
  void check(FieldCursor parent) {
    FieldCursor selector = parent.object("nodeSelector");
    if (selector == null) {
      return;
    }
    if (selector.size("nodeSelectorTerms") == 0) {
      selector.problem(NODE_SELECTOR_TERMS, "", "expected nodeSelectorTerms: at least one");
    }
    for (FieldCursor term : selector.objects("nodeSelectorTerms")) {
      term.objects("matchExpressions").forEach(NodeSelectorRules::checkLabel);
      term.objects("matchFields").forEach(NodeSelectorRules::checkField);
    }
  }

  private static void checkLabel(FieldCursor requirement) {
    String operator = operator(requirement, OPERATORS);
    int values = requirement.size("values");
    switch (operator) {
      case "In", "NotIn" -> checkValues(requirement, values > 0, "at least one value", values);
      case "Gt", "Lt" -> checkValues(requirement, values == 1, "one value", values);
      case "Exists", "DoesNotExist" -> checkValues(requirement, values == 0, "no values", values);
      default -> {}
    }
    requirement.requireName(NODE_SELECTOR_KEY, "key", NameFormat.LABEL_NAME);
    requirement.texts(
        "values",
        (path, text) ->
            requirement.checkName(NODE_SELECTOR_VALUE, path, text, NameFormat.LABEL_VALUE));
  }

  private static void checkField(FieldCursor requirement) {
    if (!operator(requirement, FIELD_OPERATORS).isEmpty()) {
      int values = requirement.size("values");
      checkValues(requirement, values == 1, "one value", values);
    }
    String key = requirement.text("key");
    if (key != null ? !key.equals(FIELD) : !requirement.has("key")) {
      requirement.problem(NODE_SELECTOR_KEY, key == null ? "" : "key", "expected key: " + FIELD);
      return;
    }
    requirement.texts(
        "values",
        (path, text) ->
            requirement.checkName(NODE_SELECTOR_VALUE, path, text, NameFormat.SUBDOMAIN));
  }

  private static String operator(FieldCursor requirement, List<String> operators) {
    String found =
        requirement.required(NODE_SELECTOR_OPERATOR, "operator", String.join(" or ", operators));
    if (found == null) {
      return "";
    }
    requirement.checkWord(NODE_SELECTOR_OPERATOR, "operator", found, operators);
    return found;
  }

  private static void checkValues(FieldCursor requirement, boolean isFine, String want, int found) {
    if (!isFine) {
      requirement.problem(
          NODE_SELECTOR_VALUES,
          found == 0 ? "" : "values",
          "expected " + want + " for this operator, found " + found);
    }
  }
}
