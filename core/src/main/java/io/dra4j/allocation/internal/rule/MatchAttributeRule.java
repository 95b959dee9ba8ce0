package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All devices of some requests must have a common value of one attribute. With list attributes
 * (KEP-5491), each device reduces the common values of the devices before it. Without them, only
 * scalars can be equal, but a first device is accepted with any value.
 */
final class MatchAttributeRule implements ConstraintRule {

  private static final int[] NOTHING = {};

  private final Constraint constraint;
  private final boolean lists;
  private @Nullable Violation differs;

  /** The values in common after each placement, the current ones last. */
  private @Nullable AttributeValueIds[] common = new AttributeValueIds[2]; // usually pairs

  private int placed;

  MatchAttributeRule(Constraint constraint) {
    this.constraint = constraint;
    this.lists = constraint.comparesLists();
  }

  @Override
  public Constraint constraint() {
    return constraint;
  }

  /** The values that the placed devices have in common, or null while there are none. */
  private @Nullable AttributeValueIds current() {
    return placed == 0 ? null : common[placed - 1];
  }

  @Override
  public List<AttributeValueIds> held() {
    AttributeValueIds current = current();
    return current == null ? List.of() : List.of(current);
  }

  /** A device without the attribute has no value in common with any device. */
  @Override
  public Object refusesAlone(PlannedRequest target) {
    return constraint.source(target);
  }

  @Override
  public boolean isSymmetric(boolean anyIncomparable) {
    return true; // values that cannot be compared are refused before other devices and after them
  }

  @Override
  public int[] state() {
    AttributeValueIds current = current();
    return current == null
        ? NOTHING
        : IntStream.concat(IntStream.of(current.scalar ? 1 : 0), current.ids()).toArray();
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
