package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.BudgetExceededException;
import java.util.BitSet;
import java.util.List;

/**
 * A bound for the number of devices: there must be enough devices for each subset of the targets
 * (Hall's condition). Targets with the same candidates count as one. Ignores devices that can be
 * shared.
 */
final class SupplyBound {

  /** The number of kinds of targets up to which all subsets are checked, not only each and all. */
  private static final int MAX_KINDS = 5;

  private final BitSet shareable;
  private final BitSet[] sets;
  private final int[] needs;
  private final BitSet union;
  private int kinds;

  SupplyBound(BitSet shareable, int targets, int devices) {
    this.shareable = shareable;
    this.sets = new BitSet[targets];
    this.needs = new int[targets];
    this.union = new BitSet(devices);
  }

  /**
   * Whether there are enough devices for all targets of a plan, for each kind and for all together.
   * A request with alternatives counts with its smallest alternative and the candidates of all
   * alternatives; it does not count if one of them has admin access, which may get devices in use.
   */
  static boolean allowsAll(SearchPlan plan, CandidateSets sets) throws BudgetExceededException {
    int kinds = sets.all().size();
    SearchContext context = plan.context;
    BitSet shareable = new BitSet();
    for (BitSet set : sets.all()) {
      for (int i = set.nextSetBit(0); i >= 0; i = set.nextSetBit(i + 1)) {
        context.budget().spend(1);
        shareable.set(i, context.canBeShared(context.candidates().get(i)));
      }
    }
    int most = kinds;
    for (ClaimPlan claim : plan.claims) {
      most += claim.requests().size();
    }
    SupplyBound bound = new SupplyBound(shareable, most, context.candidates().size());
    long[] needs = new long[kinds];
    for (ClaimPlan claim : plan.claims) {
      for (ClaimPlan.RequestPlan request : claim.requests()) {
        context.budget().spend(1);
        if (request.prioritized()) {
          bound.addLeast(request.alternatives(), sets, context);
          continue;
        }
        PlannedRequest target = request.alternatives().get(0);
        int kind = sets.kindOf(target);
        if (!target.adminAccess && !sets.of(target).intersects(shareable)) {
          needs[kind] = Math.min(Integer.MAX_VALUE / 2 / most, needs[kind] + target.count());
        }
      }
    }
    for (int kind = 0; kind < kinds; kind++) {
      if (needs[kind] > 0) {
        bound.add(sets.all().get(kind), (int) needs[kind]);
      }
    }
    return bound.suffice();
  }

  private void addLeast(
      List<PlannedRequest> alternatives, CandidateSets candidates, SearchContext context)
      throws BudgetExceededException {
    BitSet devices = new BitSet();
    long least = PlannedRequest.MAX_RESULTS; // no claim has more
    for (PlannedRequest target : alternatives) {
      context.budget().spend(1 + kinds);
      if (target.adminAccess) {
        return;
      }
      devices.or(candidates.of(target));
      least = Math.min(least, target.count());
    }
    if (least > 0 && !devices.intersects(shareable)) {
      add(devices, (int) least);
    }
  }

  /** Whether the bound allows a solution. */
  boolean allows(RemainingDemand outstanding) {
    kinds = 0;
    for (int i = 0; i < outstanding.size(); i++) {
      BitSet set = outstanding.set(i);
      if (!outstanding.target(i).adminAccess && !set.intersects(shareable)) {
        add(set, outstanding.need(i));
      }
    }
    return suffice();
  }

  private boolean suffice() {
    if (kinds > MAX_KINDS) {
      for (int kind = 0; kind < kinds; kind++) {
        if (sets[kind].cardinality() < needs[kind]) {
          return false;
        }
      }
      return suffices(-1);
    }
    for (int subset = 1; subset < 1 << kinds; subset++) {
      if (!suffices(subset)) {
        return false;
      }
    }
    return true;
  }

  private void add(BitSet set, int need) {
    for (int kind = 0; kind < kinds; kind++) {
      if (sets[kind].equals(set)) {
        needs[kind] += need;
        return;
      }
    }
    sets[kinds] = set;
    needs[kinds++] = need;
  }

  /** Whether there are enough devices for the kinds whose bits are set together. */
  private boolean suffices(int subset) {
    union.clear();
    int need = 0;
    for (int kind = 0; kind < kinds; kind++) {
      if ((subset >> kind & 1) != 0 || subset < 0) {
        union.or(sets[kind]);
        need += needs[kind];
      }
    }
    return union.cardinality() >= need;
  }
}
