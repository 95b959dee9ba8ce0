package io.dra4j.allocation;

import io.dra4j.model.Feature;
import io.dra4j.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request must fit into what a device has left of its capacity, and a share of a shareable device
 * consumes it (KEP-5075). Devices that cannot be shared must merely be big enough. Admin access
 * makes no difference.
 */
final class CapacityRule implements Rule {

  private static final Refusal TOO_SMALL = new Refusal("has not the capacity that is asked for");
  private static final Refusal CONSUMED = new Refusal("has not enough capacity left");

  private final SearchContext context;
  private final boolean consumable;
  private final int[] shares; // placed in this search, by ordinal
  private final @Nullable Quantity[] @Nullable [] placed; // by ordinal

  CapacityRule(SearchContext context) {
    this.context = context;
    this.consumable = context.has(Feature.CONSUMABLE_CAPACITY);
    this.shares = new int[context.pools().candidates.length];
    this.placed = new Quantity[context.pools().candidates.length][];
  }

  /** Whether somebody, here or before, has a share of the device. */
  boolean hasShare(Candidate candidate) {
    return context.canBeShared(candidate)
        && (shares[candidate.ordinal] > 0 || context.state().shared.get(candidate.ordinal));
  }

  /** Whether the device has enough left. Changes nothing. */
  @Nullable Refusal check(Target target, Candidate candidate) throws RejectedException {
    if (!consumable) {
      return null;
    }
    Quantity[] consumption = target.consumptionOf(candidate);
    if (consumption == null) {
      return TOO_SMALL;
    }
    @Nullable Quantity[] before = context.state().consumed(candidate);
    @Nullable Quantity[] here = placed[candidate.ordinal];
    if (before == null && here == null) {
      return null; // the consumption alone fits, or there were none
    }
    for (int i = 0; i < consumption.length; i++) {
      Quantity sum = plus(plus(consumption[i], before, i), here, i);
      if (sum.compareTo(candidate.capacities[i].value()) > 0) {
        return CONSUMED;
      }
    }
    return null;
  }

  @Override
  public @Nullable Refusal tryPlace(Target target, Candidate candidate) throws RejectedException {
    Refusal refusal = check(target, candidate);
    if (refusal == null && context.canBeShared(candidate)) {
      add(target, candidate, 1);
    }
    return refusal;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    if (context.canBeShared(candidate)) {
      try {
        add(target, candidate, -1);
      } catch (RejectedException e) {
        throw new IllegalStateException("consumption changed during the search", e);
      }
    }
  }

  /** What a share of the device consumes, by capacity name; empty for other devices. */
  Map<String, Quantity> consumedBy(Target target, Candidate candidate) throws RejectedException {
    Quantity @Nullable [] consumption =
        context.canBeShared(candidate) ? target.consumptionOf(candidate) : null;
    if (consumption == null) {
      return Map.of();
    }
    Map<String, Quantity> byName = new LinkedHashMap<>();
    for (int i = 0; i < consumption.length; i++) {
      byName.put(candidate.capacityNames[i], consumption[i]);
    }
    return byName;
  }

  private void add(Target target, Candidate candidate, int sign) throws RejectedException {
    Quantity @Nullable [] consumption = target.consumptionOf(candidate);
    shares[candidate.ordinal] += sign;
    if (consumption == null || consumption.length == 0) {
      return;
    }
    @Nullable Quantity[] here = placed[candidate.ordinal];
    if (here == null) {
      here = new Quantity[consumption.length];
      placed[candidate.ordinal] = here;
    }
    for (int i = 0; i < consumption.length; i++) {
      Quantity amount = sign > 0 ? consumption[i] : consumption[i].negate();
      here[i] = plus(amount, here, i);
    }
  }

  private static Quantity plus(Quantity amount, @Nullable Quantity @Nullable [] others, int i) {
    Quantity other = others == null ? null : others[i];
    return other == null ? amount : amount.add(other);
  }
}
