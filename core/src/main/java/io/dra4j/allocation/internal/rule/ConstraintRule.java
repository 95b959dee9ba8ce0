package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.model.DeviceConstraint;
import java.util.List;

/**
 * The rule of one kind of constraint: besides which devices it refuses, all that a search needs to
 * know of the kind to pass over what cannot hold a solution. A rule reads devices only through
 * {@link Constraint#valuesOf}, so that devices with equal values are interchangeable.
 */
public sealed interface ConstraintRule extends Rule
    permits MatchAttributeRule, DistinctAttributeRule {

  /** Makes the rule of a constraint. */
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

  /** Whether the kind has a demand, which bounds count: without it there is no solution. */
  default boolean demands(DeviceConstraint.Demand demand) {
    return constraint().kind.demand() == demand;
  }

  /**
   * The values with which further devices are compared, as the demand of the kind has it: with
   * {@code COMMON_VALUE} those that the placed devices have in common, with {@code DISTINCT_VALUES}
   * those of each placed device. Empty while nothing is placed.
   */
  List<AttributeValueIds> held();

  /**
   * What decides which devices the rule refuses a target while nothing is placed; equal for rules
   * and targets of which the same devices are refused.
   */
  Object refusesAlone(PlannedRequest target);

  /**
   * Whether the order in which devices are placed does not matter, so that devices can be
   * exchanged.
   *
   * @param anyIncomparable whether a device may have a list of values where lists are not compared
   */
  boolean isSymmetric(boolean anyIncomparable);

  /**
   * What later answers of the rule depend on, as numbers from 0 on: equal states have equal
   * answers. Empty while nothing is placed.
   */
  int[] state();
}
