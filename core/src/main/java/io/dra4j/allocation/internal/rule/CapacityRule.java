package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A request must fit into the remaining capacity of a device, and a share of a shareable device
 * consumes it (KEP-5075). A device that cannot be shared only needs enough capacity in total. Admin
 * access makes no difference in the reference; in strict mode it consumes nothing.
 */
public final class CapacityRule implements Rule {

  private static final Violation TOO_SMALL =
      RuleKind.CAPACITY.violation(Violation.Verb.HAS, "less capacity than requested");
  private static final Violation CONSUMED =
      RuleKind.CAPACITY.violation(Violation.Verb.HAS, "not enough capacity left");

  private static final int CAPACITIES_PER_UNIT = 16;

  private static final Quantity[] NOTHING = {};

  private final SearchContext context;
  private final QuantitySum[] @Nullable [] placed; // by ordinal, then as NodeDevice.capacityNames
  private final Deque<Quantity[]> consumptions = new ArrayDeque<>(1); // of the shares placed

  public CapacityRule(SearchContext context) {
    this.context = context;
    this.placed = new QuantitySum[context.candidates().size()][];
  }

  @Override
  public @Nullable Violation check(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    if (target.consumption.takesWholeDevice(candidate)) {
      return null;
    }
    Quantity @Nullable [] consumption = target.consumptionOf(candidate);
    if (consumption == null) {
      return TOO_SMALL;
    }
    @Nullable QuantitySum @Nullable [] before = context.consumed(candidate);
    QuantitySum @Nullable [] here = placed[candidate.ordinal()];
    if ((before == null && here == null) || usesNothing(target)) {
      return null; // the unused device has enough capacity
    }
    for (int i = 0; i < consumption.length; i++) {
      BudgetTicks.spend(context.budget(), i, CAPACITIES_PER_UNIT);
      QuantitySum sum = QuantitySum.of(consumption[i]);
      if (before != null && before[i] != null) {
        sum.add(before[i]);
      }
      if (here != null) {
        sum.add(here[i]);
      }
      if (sum.compareTo(candidate.capacities().get(i).value()) > 0) {
        return CONSUMED;
      }
    }
    return null;
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    Violation refusal = check(target, candidate);
    if (refusal == null && consumes(target, candidate)) {
      Quantity @Nullable [] consumption = target.consumptionOf(candidate);
      consumptions.push(consumption == null ? NOTHING : consumption);
      add(consumptions.element(), candidate);
    }
    return refusal;
  }

  @Override
  public void undo(PlannedRequest target, NodeDevice candidate) throws BudgetExceededException {
    if (consumes(target, candidate)) {
      subtract(consumptions.pop(), candidate);
    }
  }

  /** Only shares consume capacity; other devices only need enough in total. */
  private boolean consumes(PlannedRequest target, NodeDevice candidate) {
    return context.canBeShared(candidate) && !usesNothing(target);
  }

  private boolean usesNothing(PlannedRequest target) {
    return target.adminAccess && context.fixes(Quirk.ADMIN_ACCESS_IS_COUNTED);
  }

  private void add(Quantity[] consumption, NodeDevice candidate) throws BudgetExceededException {
    QuantitySum @Nullable [] here = placed[candidate.ordinal()];
    if (here == null) {
      here = new QuantitySum[consumption.length];
      for (int i = 0; i < here.length; i++) {
        BudgetTicks.spend(context.budget(), i, CAPACITIES_PER_UNIT);
        here[i] = new QuantitySum();
      }
      placed[candidate.ordinal()] = here;
    }
    for (int i = 0; i < consumption.length; i++) {
      BudgetTicks.spend(context.budget(), i, CAPACITIES_PER_UNIT);
      here[i].add(consumption[i]);
    }
  }

  private void subtract(Quantity[] consumption, NodeDevice candidate)
      throws BudgetExceededException {
    QuantitySum @Nullable [] here = placed[candidate.ordinal()];
    for (int i = 0; here != null && i < consumption.length; i++) {
      BudgetTicks.spend(context.budget(), i, CAPACITIES_PER_UNIT);
      here[i].subtract(consumption[i]);
    }
  }
}
