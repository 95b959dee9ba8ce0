package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.ALLOCATION_MODE;
import static io.dra4j.manifest.validation.ValidationRule.CLASS_NAME;
import static io.dra4j.manifest.validation.ValidationRule.COUNT_POSITIVE;
import static io.dra4j.manifest.validation.ValidationRule.COUNT_WITH_ALL;
import static io.dra4j.manifest.validation.ValidationRule.DERIVED_ATTRIBUTES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.DERIVED_ATTRIBUTE_UNIQUE;
import static io.dra4j.manifest.validation.ValidationRule.DERIVED_ATTRIBUTE_USED;
import static io.dra4j.manifest.validation.ValidationRule.FULL_ATTRIBUTE_NAME;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of one request: {@code exactly}, or one of its alternatives. */
final class RequestRules {

  private static final List<String> MODES = List.of("ExactCount", "All");

  /**
   * The lists and objects of a request of v1beta1; if one is given, the request counts as exactly.
   */
  private static final List<String> OBJECTS =
      List.of("selectors", "adminAccess", "tolerations", "capacity", "derivedAttributes");

  private final SelectorRules selectors;
  private final TaintRules taints = new TaintRules();

  RequestRules(SelectorRules selectors) {
    this.selectors = selectors;
  }

  /**
   * Whether a request of v1beta1, which has no field exactly, has a field of it: a name or mode
   * that is not empty, a count other than zero, or any other field.
   */
  static boolean isAnySet(FieldCursor request) {
    String className = request.text("deviceClassName");
    String mode = request.text("allocationMode");
    Long count = request.integer("count");
    return (className != null && !className.isEmpty())
        || (mode != null && !mode.isEmpty())
        || (count != null && count != 0)
        || OBJECTS.stream().anyMatch(request::has);
  }

  /**
   * Checks a request with a name; returns the cost of its derived attributes, an unsigned number.
   */
  long check(FieldCursor body, String name, ConstrainedAttributes constrained) {
    body.requireName(CLASS_NAME, "deviceClassName", NameFormat.SUBDOMAIN);
    selectors.check(body);
    checkCount(body);
    body.objects("tolerations").forEach(taints::checkToleration);
    return checkDerived(body, name, constrained);
  }

  private static void checkCount(FieldCursor body) {
    String mode = body.text("allocationMode");
    Long count = body.integer("count");
    if (mode == null || mode.isEmpty() || mode.equals("ExactCount")) {
      if (count != null && count < 0) { // no count and 0 mean one
        body.problem(COUNT_POSITIVE, "count", "expected at least 1, found " + count);
      }
    } else if (!mode.equals("All")) {
      body.checkWord(ALLOCATION_MODE, "allocationMode", mode, MODES);
    } else if (count != null && count != 0) {
      body.problem(COUNT_WITH_ALL, "count", "expected none with allocationMode All");
    }
  }

  private long checkDerived(FieldCursor body, String request, ConstrainedAttributes constrained) {
    body.atMost(DERIVED_ATTRIBUTES_MAX, "derivedAttributes", ApiLimits.DERIVED_ATTRIBUTES);
    Set<String> names = new HashSet<>();
    long cost = 0;
    for (FieldCursor attribute : body.objects("derivedAttributes")) {
      String name =
          attribute.required(FULL_ATTRIBUTE_NAME, "name", NameFormat.FULLY_QUALIFIED.expected());
      if (name != null) {
        attribute.checkName(FULL_ATTRIBUTE_NAME, "name", name, NameFormat.FULLY_QUALIFIED);
        Unique.check(DERIVED_ATTRIBUTE_UNIQUE, attribute, "name", names);
        if (!constrained.has(name, request)) {
          attribute.problem(
              DERIVED_ATTRIBUTE_USED, "name", "no constraint on this request names it");
        }
      }
      long more = selectors.checkDerived(attribute);
      cost = Long.compareUnsigned(cost + more, cost) < 0 ? -1 : cost + more;
    }
    return cost;
  }
}
