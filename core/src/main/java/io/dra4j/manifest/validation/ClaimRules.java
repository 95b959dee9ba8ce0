package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.ALTERNATIVES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.ALTERNATIVE_UNIQUE;
import static io.dra4j.manifest.validation.ValidationRule.CONSTRAINTS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.CONSTRAINT_ATTRIBUTE;
import static io.dra4j.manifest.validation.ValidationRule.REQUESTS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.REQUEST_NAME;
import static io.dra4j.manifest.validation.ValidationRule.REQUEST_ONE_OF;
import static io.dra4j.manifest.validation.ValidationRule.REQUEST_UNIQUE;

import io.dra4j.model.DeviceConstraint;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of the spec of a claim or of a template. */
final class ClaimRules {

  private final SelectorRules selectors;
  private final RequestRules requests;
  private final ConfigurationRules configurations = new ConfigurationRules();
  private final AttributeNames attributes = new AttributeNames();

  ClaimRules(SelectorRules selectors) {
    this.selectors = selectors;
    this.requests = new RequestRules(selectors);
  }

  /** Checks the spec of a claim, in v1beta1 or a later version. */
  void check(FieldCursor spec, boolean isBeta1) {
    FieldCursor devices = spec.objectOrEmpty("devices");
    devices.atMost(REQUESTS_MAX, "requests", ApiLimits.REQUESTS);
    ConstrainedAttributes constrained = new ConstrainedAttributes(devices);
    Set<String> names = new HashSet<>();
    long cost = 0;
    for (FieldCursor request : devices.objects("requests")) {
      Unique.check(REQUEST_UNIQUE, request, "name", names);
      cost = sum(cost, checkRequest(request, isBeta1, constrained));
    }
    selectors.checkDerivedCost(devices, cost);
    RequestNames known = new RequestNames(devices);
    devices.atMost(CONSTRAINTS_MAX, "constraints", ApiLimits.CONSTRAINTS);
    for (FieldCursor constraint : devices.objects("constraints")) {
      known.checkAll(constraint);
      checkConstraint(constraint);
    }
    configurations.check(devices, known::checkAll);
  }

  private long checkRequest(
      FieldCursor request, boolean isBeta1, ConstrainedAttributes constrained) {
    request.requireName(REQUEST_NAME, "name", NameFormat.LABEL);
    boolean hasExactly = isBeta1 ? RequestRules.isAnySet(request) : request.has("exactly");
    boolean hasAlternatives = request.size("firstAvailable") > 0;
    if (hasExactly == hasAlternatives) {
      String one = isBeta1 ? "deviceClassName" : "exactly";
      request.problem(
          REQUEST_ONE_OF,
          "",
          "expected " + one + " or firstAvailable, found " + (hasExactly ? "both" : "neither"));
    }
    String name = String.valueOf(request.text("name"));
    long cost = 0;
    if (hasExactly) {
      FieldCursor body = isBeta1 ? request : request.object("exactly");
      cost = body == null ? 0 : requests.check(body, name, constrained);
    }
    request.atMost(ALTERNATIVES_MAX, "firstAvailable", ApiLimits.ALTERNATIVES);
    Set<String> names = new HashSet<>();
    for (FieldCursor alternative : request.objects("firstAvailable")) {
      alternative.requireName(REQUEST_NAME, "name", NameFormat.LABEL);
      Unique.check(ALTERNATIVE_UNIQUE, alternative, "name", names);
      String path = name + "/" + alternative.text("name");
      cost = sum(cost, requests.check(alternative, path, constrained));
    }
    return cost;
  }

  private void checkConstraint(FieldCursor constraint) {
    boolean isNamed = false;
    for (DeviceConstraint.Kind kind : DeviceConstraint.Kind.values()) {
      String attribute = constraint.text(kind.field());
      if (attribute != null) {
        attributes.checkFull(constraint, kind.field(), attribute);
      }
      isNamed |= constraint.has(kind.field());
    }
    if (!isNamed) {
      constraint.problem(
          CONSTRAINT_ATTRIBUTE,
          "",
          "expected "
              + Stream.of(DeviceConstraint.Kind.values())
                  .map(DeviceConstraint.Kind::field)
                  .collect(Collectors.joining(" or ")));
    }
  }

  /** The sum of unsigned numbers; the largest number on overflow. */
  private static long sum(long a, long b) {
    long sum = a + b;
    return Long.compareUnsigned(sum, a) < 0 ? -1 : sum;
  }
}
