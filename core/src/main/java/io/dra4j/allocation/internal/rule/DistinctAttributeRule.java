package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.explanation.RefusingRule;
import io.dra4j.allocation.internal.request.AttributeValues;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.Target;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.Candidate;
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
  private @Nullable Objection taken;
  private final List<AttributeValues> placed = new ArrayList<>();

  public DistinctAttributeRule(Constraint constraint) {
    this.constraint = constraint;
    this.lists = constraint.comparesLists();
  }

  public Constraint constraint() {
    return constraint;
  }

  /** The values of the placed devices, in the order in which they were placed. */
  public List<AttributeValues> placed() {
    return placed;
  }

  @Override
  public boolean concerns(Target target) {
    return constraint.appliesTo(target);
  }

  @Override
  public @Nullable Objection tryPlace(Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    AttributeValues values = constraint.valuesOf(target, candidate);
    if (values == null) {
      return constraint.missing();
    }
    for (AttributeValues other : placed) {
      if (collides(values, other)) {
        return taken();
      }
    }
    placed.add(values);
    return null;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    placed.remove(placed.size() - 1);
  }

  private Objection taken() {
    Objection known = taken;
    if (known == null) {
      known =
          new Objection(
              RefusingRule.CONSTRAINT,
              Objection.Verb.HAS,
              "the " + constraint.attribute + " of another device");
      taken = known;
    }
    return known;
  }

  private boolean collides(AttributeValues values, AttributeValues other)
      throws BudgetExceededException {
    if (lists) {
      return values.intersects(other, constraint.budget());
    }
    return !values.scalar || (other.scalar && values.sameAs(other));
  }
}
