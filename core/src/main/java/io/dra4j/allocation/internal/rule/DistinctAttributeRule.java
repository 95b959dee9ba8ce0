package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * No two devices of some requests may have a common value of one attribute. With list attributes
 * (KEP-5491), their values must be disjoint. Without them, only scalars can differ, but a first
 * device is accepted with any value.
 */
final class DistinctAttributeRule implements ConstraintRule {

  private final Constraint constraint;
  private final boolean lists;
  private @Nullable Violation taken;
  private final List<AttributeValueIds> placed = new ArrayList<>();

  DistinctAttributeRule(Constraint constraint) {
    this.constraint = constraint;
    this.lists = constraint.comparesLists();
  }

  @Override
  public Constraint constraint() {
    return constraint;
  }

  @Override
  public List<AttributeValueIds> held() {
    return placed;
  }

  /** A device without the attribute does not differ from others. */
  @Override
  public Object refusesAlone(PlannedRequest target) {
    return constraint.source(target);
  }

  @Override
  public boolean isSymmetric(boolean anyIncomparable) {
    return !anyIncomparable; // a list is accepted before other devices, and not after them
  }

  @Override
  public int[] state() {
    return placed.stream().flatMapToInt(this::stateOf).sorted().toArray();
  }

  /** Values that cannot be compared never collide with other devices. */
  private IntStream stateOf(AttributeValueIds values) {
    return values.scalar || lists ? values.ids().map(id -> 1 + id) : IntStream.of(0);
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
