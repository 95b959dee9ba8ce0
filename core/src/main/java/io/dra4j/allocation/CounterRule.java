package io.dra4j.allocation;

import io.dra4j.allocation.CounterBalance.Draw;
import io.dra4j.model.Quantity;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A placed device draws from its pool's shared counters, and no counter may be overdrawn
 * (KEP-4815). All counters of the pool are compared, not only those that the device draws from, so
 * a pool that is overdrawn anywhere refuses every such device, as in the reference. Further shares
 * of a device draw nothing.
 */
final class CounterRule implements Rule {

  private static final Refusal USED_UP = new Refusal("needs shared counters that are used up");
  private static final Quantity ZERO = Quantity.of(0);

  private final SearchContext context;
  private final CapacityRule shares;
  private final Map<Pool, Quantity[]> drawn = new HashMap<>();
  private final Map<Candidate, List<Draw>> draws = new HashMap<>();

  CounterRule(SearchContext context, CapacityRule shares) {
    this.context = context;
    this.shares = shares;
  }

  @Override
  public @Nullable Refusal tryPlace(Target target, Candidate candidate) {
    if (!candidate.drawsFromCounters() || shares.hasShare(candidate)) {
      return null;
    }
    CounterBalance balance = context.state().counters(candidate.pool);
    Quantity[] drawnFromPool = draw(candidate, balance);
    for (int slot = 0; slot < drawnFromPool.length; slot++) {
      if (balance.available(slot).compareTo(drawnFromPool[slot]) < 0) {
        giveBack(candidate, drawnFromPool);
        return USED_UP;
      }
    }
    return null;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    // By now the share of this placement is undone, so the answer is what it was then.
    if (candidate.drawsFromCounters() && !shares.hasShare(candidate)) {
      Quantity[] drawnFromPool = drawn.get(candidate.pool);
      if (drawnFromPool != null) {
        giveBack(candidate, drawnFromPool);
      }
    }
  }

  private Quantity[] draw(Candidate candidate, CounterBalance balance) {
    Quantity[] drawnFromPool =
        drawn.computeIfAbsent(
            candidate.pool,
            pool -> {
              Quantity[] none = new Quantity[balance.slots()];
              Arrays.fill(none, ZERO);
              return none;
            });
    for (Draw draw : draws.computeIfAbsent(candidate, c -> balance.drawsOf(c.device))) {
      drawnFromPool[draw.slot()] = drawnFromPool[draw.slot()].add(draw.amount());
    }
    return drawnFromPool;
  }

  private void giveBack(Candidate candidate, Quantity[] drawnFromPool) {
    for (Draw draw : draws.getOrDefault(candidate, List.of())) {
      drawnFromPool[draw.slot()] = drawnFromPool[draw.slot()].subtract(draw.amount());
    }
  }
}
