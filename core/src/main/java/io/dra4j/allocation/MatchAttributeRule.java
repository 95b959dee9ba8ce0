package io.dra4j.allocation;

import io.dra4j.inventory.Candidate;
import io.dra4j.model.BudgetExceededException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All devices of some requests must have a value of one attribute in common. With list attributes
 * (KEP-5491) the common values are what is left of the first device's; without, only scalars can be
 * equal, though a first device passes with any value.
 */
final class MatchAttributeRule implements Rule {

  private final Constraint constraint;
  private final boolean lists;
  private final Objection differs;

  /** The values in common after each placement, the current ones last. */
  private final List<AttributeValues> common = new ArrayList<>();

  MatchAttributeRule(Constraint constraint) {
    this.constraint = constraint;
    this.lists = constraint.comparesLists();
    this.differs =
        new Objection(
            RefusingRule.CONSTRAINT, Objection.Verb.HAS, "another " + constraint.attribute);
  }

  Constraint constraint() {
    return constraint;
  }

  /** The values that the placed devices have in common, or null while there are none. */
  @Nullable AttributeValues current() {
    return common.isEmpty() ? null : common.get(common.size() - 1);
  }

  @Override
  public @Nullable Objection tryPlace(Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    if (!constraint.appliesTo(target)) {
      return null;
    }
    AttributeValues values = constraint.valuesOf(target, candidate);
    if (values == null) {
      return constraint.missing();
    }
    AttributeValues narrowed = values;
    if (!common.isEmpty()) {
      narrowed = inCommon(common.get(common.size() - 1), values);
      if (narrowed == null) {
        return differs;
      }
    }
    common.add(narrowed);
    return null;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    if (constraint.appliesTo(target)) {
      common.remove(common.size() - 1);
    }
  }

  private @Nullable AttributeValues inCommon(AttributeValues current, AttributeValues values) {
    if (lists) {
      return current.intersect(values);
    }
    return current.scalar && values.scalar && current.sameAs(values) ? current : null;
  }
}
