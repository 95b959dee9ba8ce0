package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bound before anything is placed: for each constraint on a common value, some value must have as
 * many devices as the requests of the constraint need together. Counts each device once, so that it
 * also works if there are too many values for a {@link ValueIndex}.
 *
 * <p>Ignores requests with alternatives, and requests with admin access, which may get devices in
 * use. A device that can be shared suffices for all requests.
 */
public final class CommonValueBound {

  private static final int VALUES_PER_UNIT = 64;

  private final SearchContext context;
  private final PlanOutline outline;
  private final CandidateSets sets;

  public CommonValueBound(SearchContext context, PlanOutline outline, CandidateSets sets) {
    this.context = context;
    this.outline = outline;
    this.sets = sets;
  }

  /** Returns whether the bound allows a solution. */
  public boolean allowsAll() throws RejectedException, BudgetExceededException {
    for (int constraint : outline.common()) {
      if (!allows(constraint)) {
        return false;
      }
    }
    return true;
  }

  private boolean allows(int constraint) throws RejectedException, BudgetExceededException {
    Constraint compared = outline.constraints.get(constraint).constraint();
    Map<String, PlannedRequest> firsts =
        new HashMap<>(); // by the expression that derives the attribute for them
    Map<String, BitSet> devices = new HashMap<>();
    long wanted = 0;
    for (RequestPlan request : outline.requests) {
      context.budget().spend(1);
      PlannedRequest target = request.alternatives().get(0);
      if (!request.prioritized()
          && !target.adminAccess
          && Arrays.binarySearch(outline.constraintsOf(target), constraint) >= 0) {
        wanted += target.count();
        String expression = target.expressionOf(compared.attribute);
        String source = expression == null ? "" : expression;
        firsts.putIfAbsent(source, target);
        devices.computeIfAbsent(source, any -> new BitSet()).or(sets.of(target));
      }
    }
    return wanted < 2 || hasCommonValue(compared, firsts, devices, wanted);
  }

  /** Returns whether as many devices as are wanted have some value. */
  private boolean hasCommonValue(
      Constraint compared,
      Map<String, PlannedRequest> firsts,
      Map<String, BitSet> devices,
      long wanted)
      throws RejectedException, BudgetExceededException {
    Map<Integer, Long> counts = new HashMap<>(); // devices by value; one may count for each source
    for (Map.Entry<String, PlannedRequest> source : firsts.entrySet()) {
      BitSet some = devices.getOrDefault(source.getKey(), new BitSet());
      for (int i = some.nextSetBit(0); i >= 0; i = some.nextSetBit(i + 1)) {
        context.budget().spend(1);
        NodeDevice candidate = context.candidates().get(i);
        AttributeValueIds values = comparable(compared, source.getValue(), candidate);
        if (values == null) {
          continue;
        }
        long room = context.canBeShared(candidate) ? wanted : 1;
        int[] numbers = values.toArray();
        for (int number = 0; number < numbers.length; number++) {
          BudgetTicks.spend(context.budget(), number, VALUES_PER_UNIT);
          if (counts.merge(numbers[number], room, Long::sum) >= wanted) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** The values of a device; null if they cannot equal the values of another device. */
  private static @Nullable AttributeValueIds comparable(
      Constraint compared, PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    AttributeValueIds values = compared.valuesOf(target, candidate);
    return values != null && (values.scalar || compared.comparesLists()) ? values : null;
  }
}
