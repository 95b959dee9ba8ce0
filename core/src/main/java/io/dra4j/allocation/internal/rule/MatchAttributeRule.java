package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All devices of some requests must have a value of one attribute in common. With list attributes
 * (KEP-5491) the common values are what is left of the first device's; without, only scalars can be
 * equal, though a first device passes with any value.
 */
public final class MatchAttributeRule implements Rule {

  private final Constraint constraint;
  private final boolean lists;
  private @Nullable Violation differs;

  /** The values in common after each placement, the current ones last. */
  private @Nullable AttributeValueIds[] common = new AttributeValueIds[2]; // mostly pairs

  private int placed;

  public MatchAttributeRule(Constraint constraint) {
    this.constraint = constraint;
    this.lists = constraint.comparesLists();
  }

  public Constraint constraint() {
    return constraint;
  }

  /** The values that the placed devices have in common, or null while there are none. */
  @Nullable
  public AttributeValueIds current() {
    return placed == 0 ? null : common[placed - 1];
  }

  @Override
  public boolean concerns(PlannedRequest target) {
    return constraint.appliesTo(target);
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    AttributeValueIds values = constraint.valuesOf(target, candidate);
    if (values == null) {
      return constraint.missing();
    }
    AttributeValueIds current = current();
    AttributeValueIds narrowed = current == null ? values : inCommon(current, values);
    if (narrowed == null) {
      return differs();
    }
    if (placed == common.length) {
      common = Arrays.copyOf(common, 2 * placed);
    }
    common[placed++] = narrowed;
    return null;
  }

  @Override
  public void undo(PlannedRequest target, NodeDevice candidate) {
    common[--placed] = null;
  }

  private Violation differs() {
    Violation known = differs;
    if (known == null) {
      known = RuleKind.CONSTRAINT.violation(Violation.Verb.HAS, "another " + constraint.attribute);
      differs = known;
    }
    return known;
  }

  private @Nullable AttributeValueIds inCommon(AttributeValueIds current, AttributeValueIds values)
      throws BudgetExceededException {
    if (lists) {
      return current.intersect(values, constraint.budget());
    }
    return current.scalar && values.scalar && current.sameAs(values) ? current : null;
  }
}
