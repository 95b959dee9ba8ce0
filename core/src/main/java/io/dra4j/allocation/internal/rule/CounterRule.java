package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.CounterLedger.Draw;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.QuantitySum;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A placed device draws from its pool's shared counters, and no counter may be overdrawn
 * (KEP-4815). The reference compares all counters of the pool, not only the counters that the
 * device draws from, so that one overdrawn counter of a pool excludes every device with draws. In
 * the reference, a device in use also draws again for admin access. Further shares of a device draw
 * nothing.
 */
public final class CounterRule implements Rule {

  private static final Violation USED_UP =
      RuleKind.COUNTERS.violation(Violation.Verb.NEEDS, "shared counters that are used up");

  /** The number of draws, added and later returned, that take one unit of a budget. */
  private static final int DRAWS_PER_UNIT = 16;

  private final SearchContext context;
  private final PlacedDevices placed;

  /** The counters of a pool in this search. */
  private static final class PoolCounters {
    final CounterLedger balance; // before the search
    final QuantitySum[] drawn; // by slot, the draws of the placed devices

    PoolCounters(CounterLedger balance) {
      this.balance = balance;
      this.drawn = nothing(balance.slots());
    }
  }

  private final Map<PoolView, PoolCounters> pools = new HashMap<>(0); // usually empty
  private final Map<NodeDevice, List<Draw>> draws = new HashMap<>(0);

  public CounterRule(SearchContext context, PlacedDevices placed) {
    this.context = context;
    this.placed = placed;
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws BudgetExceededException {
    if (!draws(candidate)) {
      return null;
    }
    PoolCounters counters = countersOf(candidate);
    CounterLedger balance = counters.balance;
    QuantitySum[] drawnFromPool = counters.drawn;
    List<Draw> own = draws.get(candidate);
    if (own == null) {
      own = balance.drawsOf(candidate.device(), context.budget());
      draws.put(candidate, own);
    }
    for (int i = 0; i < own.size(); i++) {
      BudgetTicks.spend(context.budget(), i, DRAWS_PER_UNIT);
      drawnFromPool[own.get(i).slot()].add(own.get(i).amount());
    }
    if (isOverdrawn(balance, drawnFromPool, own)) {
      giveBack(candidate);
      return USED_UP;
    }
    return null;
  }

  @Override
  public void undo(PlannedRequest target, NodeDevice candidate) throws BudgetExceededException {
    if (draws(candidate)) {
      giveBack(candidate);
    }
  }

  /** Computed for the first device that draws from the pool, as in the reference. */
  private PoolCounters countersOf(NodeDevice candidate) throws BudgetExceededException {
    PoolCounters known = pools.get(candidate.pool());
    if (known == null) {
      known =
          new PoolCounters(
              new CounterLedger(
                  candidate.pool(), context.view().drawing(candidate), context.budget()));
      pools.put(candidate.pool(), known);
    }
    return known;
  }

  private boolean draws(NodeDevice candidate) {
    return candidate.drawsFromCounters()
        && !placed.hasShare(candidate)
        && !(context.fixes(Quirk.ADMIN_ACCESS_IS_COUNTED) && hasDrawn(candidate));
  }

  /** Whether the device is held, so that its draws are already counted. */
  private boolean hasDrawn(NodeDevice candidate) {
    return context.view().isTaken(candidate)
        || context.view().isShared(candidate)
        || placed.isPlaced(candidate);
  }

  private boolean isOverdrawn(CounterLedger balance, QuantitySum[] drawnFromPool, List<Draw> own)
      throws BudgetExceededException {
    if (context.fixes(Quirk.ALL_COUNTERS_OF_THE_POOL)) {
      for (Draw draw : own) {
        context.budget().spend(1);
        if (isOverdrawn(balance, drawnFromPool, draw.slot())) {
          return true;
        }
      }
      return false;
    }
    for (int slot = 0; slot < drawnFromPool.length; slot++) {
      context.budget().spend(1);
      if (isOverdrawn(balance, drawnFromPool, slot)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOverdrawn(CounterLedger balance, QuantitySum[] drawnFromPool, int slot) {
    return balance.available(slot).compareTo(drawnFromPool[slot]) < 0;
  }

  private static QuantitySum[] nothing(int slots) {
    QuantitySum[] none = new QuantitySum[slots];
    Arrays.setAll(none, slot -> new QuantitySum());
    return none;
  }

  private void giveBack(NodeDevice candidate) throws BudgetExceededException {
    PoolCounters counters = pools.get(candidate.pool());
    if (counters != null) {
      int round = 0;
      for (Draw draw : draws.getOrDefault(candidate, List.of())) {
        BudgetTicks.spend(context.budget(), round++, DRAWS_PER_UNIT);
        counters.drawn[draw.slot()].subtract(draw.amount());
      }
    }
  }
}
