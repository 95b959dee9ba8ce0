package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bound for constraints on distinct values: there must be enough different values. Each device
 * needs at least one value that no other device has.
 */
final class DistinctBound {

  private static final int CONSTRAINTS_PER_UNIT = 4;
  private static final int VALUES_PER_UNIT = 16;

  private final Budget budget;
  private final PlanOutline outline;
  private final @Nullable ValueIndex[][] indexes; // by constraint, then by target number
  private final BitSet union;

  DistinctBound(PlanOutline outline, @Nullable ValueIndex[][] indexes, int devices, Budget budget) {
    this.budget = budget;
    this.outline = outline;
    this.indexes = indexes;
    this.union = new BitSet(devices);
  }

  /** Whether the bound allows a solution. */
  boolean allows(RemainingDemand outstanding) throws BudgetExceededException {
    for (int i = 0; i < outline.distinct().length; i++) {
      BudgetTicks.spend(budget, i, CONSTRAINTS_PER_UNIT);
      if (!allows(outstanding, outline.distinct()[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean allows(RemainingDemand outstanding, int constraint)
      throws BudgetExceededException {
    union.clear();
    int need = 0;
    ValueIndex index = null;
    for (int i = 0; i < outstanding.size(); i++) {
      PlannedRequest target = outstanding.target(i);
      ValueIndex own = indexes[constraint][target.number];
      if (Arrays.binarySearch(outline.constraintsOf(target), constraint) >= 0) {
        if (own == null || (index != null && index != own)) {
          return true; // too many values to count, or values of two kinds
        }
        index = own;
        need += outstanding.need(i);
        union.or(outstanding.set(i));
      }
    }
    if (index == null) {
      return true;
    }
    budget.spend(index.values().length / VALUES_PER_UNIT);
    List<AttributeValueIds> placed = outline.constraints.get(constraint).held();
    boolean lists = outline.constraints.get(constraint).constraint().comparesLists();
    for (int value : index.values()) {
      if (need <= 0) {
        break;
      }
      if (index.with(value).intersects(union) && !isAmong(placed, value, lists)) {
        need--;
      }
    }
    return need <= 0;
  }

  private static boolean isAmong(List<AttributeValueIds> placed, int value, boolean lists) {
    for (AttributeValueIds values : placed) {
      if ((lists || values.scalar) && values.contains(value)) {
        return true;
      }
    }
    return false;
  }
}
