package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.DERIVED_ATTRIBUTES_COST;
import static io.dra4j.manifest.validation.ValidationRule.DERIVED_ATTRIBUTE_EXPRESSION;
import static io.dra4j.manifest.validation.ValidationRule.SELECTORS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.SELECTOR_CEL;
import static io.dra4j.manifest.validation.ValidationRule.SELECTOR_COST;
import static io.dra4j.manifest.validation.ValidationRule.SELECTOR_EXPRESSION;
import static io.dra4j.manifest.validation.ValidationRule.SELECTOR_SIZE;

import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.util.OptionalLong;

/** The rules of expressions: selectors of classes and requests, and derived attributes. */
final class SelectorRules {

  private final SelectorCompiler compiler;

  SelectorRules(SelectorCompiler compiler) {
    this.compiler = compiler;
  }

  /** Checks the selectors of a class or a request. */
  void check(FieldCursor object) {
    object.atMost(SELECTORS_MAX, "selectors", ApiLimits.SELECTORS);
    for (FieldCursor selector : object.objects("selectors")) {
      FieldCursor cel = selector.object("cel");
      if (cel != null) {
        checkSelector(cel);
      } else if (!selector.has("cel")) {
        selector.problem(SELECTOR_CEL, "", "expected cel");
      }
    }
  }

  private void checkSelector(FieldCursor cel) {
    String expression = cel.text("expression");
    if (expression == null && cel.has("expression")) {
      return; // of a wrong type
    }
    String text = expression == null ? "" : expression;
    if (isTooLong(SELECTOR_SIZE, cel, text)) {
      return;
    }
    try {
      OptionalLong cost = compiler.compileSelector(text).estimate();
      if (cost.isPresent()
          && Long.compareUnsigned(cost.getAsLong(), ApiLimits.EXPRESSION_COST) > 0) {
        cel.problem(SELECTOR_COST, "expression", tooDear(cost.getAsLong()));
      }
    } catch (SelectorException e) {
      cel.problem(SELECTOR_EXPRESSION, "expression", String.valueOf(e.getMessage()));
    }
  }

  /** Checks a derived attribute; returns its estimated cost, an unsigned number. */
  long checkDerived(FieldCursor attribute) {
    String expression =
        attribute.required(DERIVED_ATTRIBUTE_EXPRESSION, "expression", "an expression of CEL");
    if (expression == null || isTooLong(DERIVED_ATTRIBUTE_EXPRESSION, attribute, expression)) {
      return 0;
    }
    try {
      return compiler.compileAttribute(expression).estimate().orElse(0);
    } catch (SelectorException e) {
      attribute.problem(DERIVED_ATTRIBUTE_EXPRESSION, "expression", String.valueOf(e.getMessage()));
      return 0;
    }
  }

  /** Checks the total cost of all derived attributes of a claim. */
  void checkDerivedCost(FieldCursor devices, long cost) {
    if (Long.compareUnsigned(cost, ApiLimits.EXPRESSION_COST) > 0) {
      devices.problem(
          DERIVED_ATTRIBUTES_COST, "requests", "all derived attributes: " + tooDear(cost));
    }
  }

  private static String tooDear(long cost) {
    return "expected an estimated cost of at most "
        + ApiLimits.EXPRESSION_COST
        + ", found "
        + Long.toUnsignedString(cost);
  }

  private static boolean isTooLong(ValidationRule rule, FieldCursor object, String expression) {
    int bytes = NameFormat.bytes(expression);
    if (bytes > ApiLimits.EXPRESSION_BYTES) {
      object.problem(
          rule,
          "expression",
          "expected at most " + ApiLimits.EXPRESSION_BYTES + " bytes, found " + bytes);
    }
    return bytes > ApiLimits.EXPRESSION_BYTES;
  }
}
