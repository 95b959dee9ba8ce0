package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.model.DeviceConstraint;
import java.util.List;

/**
 * The rule of one kind of constraint. In addition to its refusals, it has all facts about the kind
 * that a search needs to skip positions without a solution. A rule reads devices only through
 * {@link Constraint#valuesOf}, so that devices with equal values are interchangeable.
 */
public sealed interface ConstraintRule extends Rule
    permits MatchAttributeRule, DistinctAttributeRule {

  /** Creates the rule of a constraint. */
  static ConstraintRule of(Constraint constraint) {
    return switch (constraint.kind) {
      case MATCH_ATTRIBUTE -> new MatchAttributeRule(constraint);
      case DISTINCT_ATTRIBUTE -> new DistinctAttributeRule(constraint);
    };
  }

  /** The requests and the attribute. */
  Constraint constraint();

  @Override
  default boolean concerns(PlannedRequest target) {
    return constraint().appliesTo(target);
  }

  /** {@return whether the kind has a demand; if it is not fulfilled, bounds rule out a solution} */
  default boolean demands(DeviceConstraint.Demand demand) {
    return constraint().kind.demand() == demand;
  }

  /**
   * Returns the values with which further devices are compared: for {@code COMMON_VALUE} the common
   * values of the placed devices, for {@code DISTINCT_VALUES} the values of each placed device.
   * Empty while nothing is placed.
   */
  List<AttributeValueIds> held();

  /** {@return a key: equal keys mean that the same devices are refused while nothing is placed} */
  Object refusesAlone(PlannedRequest target);

  /**
   * {@return whether the order of placed devices does not matter, so that they can be exchanged}
   *
   * @param anyIncomparable whether a device may have a list of values while lists are not compared
   */
  boolean isSymmetric(boolean anyIncomparable);

  /**
   * Returns the state that later answers of the rule depend on, as numbers from 0: equal states
   * have equal answers. Empty while nothing is placed.
   */
  int[] state();
}
