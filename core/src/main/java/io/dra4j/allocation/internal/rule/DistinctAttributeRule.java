package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * No two devices of some requests may have a value of one attribute in common. With list attributes
 * (KEP-5491) their values must be disjoint; without, only scalars can differ, though a first device
 * passes with any value.
 */
public final class DistinctAttributeRule implements Rule {

  private final Constraint constraint;
  private final boolean lists;
  private @Nullable Violation taken;
  private final List<AttributeValueIds> placed = new ArrayList<>();

  public DistinctAttributeRule(Constraint constraint) {
    this.constraint = constraint;
    this.lists = constraint.comparesLists();
  }

  public Constraint constraint() {
    return constraint;
  }

  /** The values of the placed devices, in the order in which they were placed. */
  public List<AttributeValueIds> placed() {
    return placed;
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
    for (AttributeValueIds other : placed) {
      if (collides(values, other)) {
        return taken();
      }
    }
    placed.add(values);
    return null;
  }

  @Override
  public void undo(PlannedRequest target, NodeDevice candidate) {
    placed.remove(placed.size() - 1);
  }

  private Violation taken() {
    Violation known = taken;
    if (known == null) {
      known =
          RuleKind.CONSTRAINT.violation(
              Violation.Verb.HAS, "the " + constraint.attribute + " of another device");
      taken = known;
    }
    return known;
  }

  private boolean collides(AttributeValueIds values, AttributeValueIds other)
      throws BudgetExceededException {
    if (lists) {
      return values.intersects(other, constraint.budget());
    }
    return !values.scalar || (other.scalar && values.sameAs(other));
  }
}
