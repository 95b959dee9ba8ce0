package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.Rule;
import io.dra4j.allocation.internal.rule.RuleKind;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The parts that a search need not try. A skipped part is proven not to contain the first solution,
 * so that a search finds the same solution with and without pruning. It skips:
 *
 * <ul>
 *   <li>devices that some rule refuses a target in any case ({@link CandidateSets});
 *   <li>positions at which the remaining devices cannot suffice ({@link ForwardChecking});
 *   <li>solutions that become earlier ones by exchanging devices ({@link InterchangeableDevices})
 *       or requests ({@link InterchangeableRequests}) that are interchangeable;
 *   <li>positions equivalent to one from which no solution was found ({@link NogoodStore}).
 * </ul>
 *
 * <p>There is no pruning if a search may end with an error of the input, because a skipped part
 * might contain the error.
 */
public final class Pruning {

  private static final int NONE = -1;
  private static final int DRAWS_PER_UNIT = 64;

  /** The preparation of the pruning exceeds its time limit. */
  static final class TooLongException extends Exception {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super("longer than the search may wait", null, false, false);
    }
  }

  /** 16 claims with the maximum number of requests. */
  public static final int MAX_TARGETS = 512;

  /** Sets of devices for each target take about 10 MB. */
  private static final long MAX_BITS = 1 << 24;

  /** Constraints for each target take about 20 MB. */
  private static final long MAX_CELLS = 1 << 22;

  private final PlanOutline outline;
  private final CandidateSets sets;
  private final ForwardChecking outlook;
  private final BitSet used = new BitSet(); // exclusive devices that are placed
  private final BitSet shareable;
  private final Shares shares;
  private final int[] firstDevices; // by target number; 0 if it has none
  private final SearchContext context;
  private final RequestGroups groups;

  // Set by compare().
  private @Nullable InterchangeableDevices interchangeable;
  private @Nullable InterchangeableRequests alikeRequests;
  private @Nullable NogoodStore store;

  private Pruning(
      SearchContext context, SearchCache memory, PlanOutline outline, CandidateSets sets)
      throws RejectedException, BudgetExceededException {
    this.context = context;
    this.outline = outline;
    this.sets = sets;
    this.shareable = new BitSet();
    for (BitSet set : sets.all()) {
      for (int i = set.nextSetBit(0); i >= 0; i = set.nextSetBit(i + 1)) {
        context.budget().spend(1);
        shareable.set(i, context.canBeShared(context.candidates().get(i)));
      }
    }
    this.shares = new Shares(context.candidates().size());
    this.firstDevices = new int[outline.targets.size()];
    this.groups = new RequestGroups(outline, context.budget());
    this.outlook = new ForwardChecking(context, memory, outline, sets, groups, shareable, used);
  }

  /**
   * Finds interchangeable devices and requests. Called only if the search continues after the first
   * forward check, which suffices on most nodes where claims do not fit.
   */
  void compare() throws BudgetExceededException {
    if (RuleKind.anyReadsAnything(context.features(), context.rules())) {
      return; // a rule may distinguish devices that are equal for all others
    }
    // With admin access it matters which claim has which device.
    for (PlannedRequest target : outline.targets) {
      if (target.adminAccess) {
        return;
      }
    }
    if (outlook.allowsExchange()) {
      InterchangeableDevices candidates =
          new InterchangeableDevices(context, sets, outlook.indexes());
      interchangeable = candidates;
      alikeRequests = new InterchangeableRequests(outline, sets, groups, context.budget());
      store = new NogoodStore(context, outline, sets, candidates);
    }
  }

  /**
   * {@return the pruning for a plan without placements; null if everything has to be tried}
   *
   * @param nanos the time limit in nanoseconds; cached facts make the next attempt shorter
   */
  static @Nullable Pruning of(SearchPlan plan, long nanos)
      throws BudgetExceededException, TooLongException {
    long targets = plan.targets.size();
    if (targets > MAX_TARGETS || targets * plan.context.candidates().size() > MAX_BITS) {
      return null;
    }
    long constraints = 0;
    for (ClaimPlan claim : plan.claims) {
      constraints += claim.constraints().size();
    }
    if (targets * constraints > MAX_CELLS || mayEndWithAFault(plan)) {
      return null;
    }
    PlanOutline outline = new PlanOutline(plan);
    try {
      CandidateSets sets = CandidateSets.of(plan, nanos, MAX_BITS);
      return sets == null ? null : new Pruning(plan.context, plan.memory, outline, sets);
    } catch (RejectedException e) {
      return null; // only the search decides whether it reaches the error
    }
  }

  /**
   * Whether a plan without placements needs more devices than there are, counted by kinds of
   * targets; false if not known within {@code nanos}. For plans with too many targets for a
   * pruning.
   */
  static boolean wantsTooMuch(SearchPlan plan, long nanos)
      throws BudgetExceededException, TooLongException {
    long cells = 0;
    for (ClaimPlan claim : plan.claims) {
      long targets = 0;
      for (RequestPlan request : claim.requests()) {
        targets += request.alternatives().size();
      }
      cells += targets * claim.constraints().size();
    }
    if (plan.targets.size() <= MAX_TARGETS || cells > MAX_CELLS || mayEndWithAFault(plan)) {
      return false;
    }
    try {
      CandidateSets sets = CandidateSets.of(plan, nanos, MAX_BITS);
      return sets != null && !SupplyBound.allowsAll(plan, sets);
    } catch (RejectedException e) {
      return false; // only the search decides whether it reaches the error
    }
  }

  /**
   * Whether all requests together need more devices than there are, whichever alternatives they
   * get, or whether the requests of a constraint need more devices than have a common value.
   *
   * @param plan the plan, without placements
   */
  boolean lacksDevices(SearchPlan plan) throws RejectedException, BudgetExceededException {
    if (!new CommonValueBound(context, outline, sets).allowsAll()) {
      return true;
    }
    for (ClaimPlan claim : plan.claims) {
      for (ClaimPlan.RequestPlan request : claim.requests()) {
        if (request.prioritized()) {
          return !SupplyBound.allowsAll(plan, sets);
        }
      }
    }
    return false; // already checked
  }

  private static boolean mayEndWithAFault(SearchPlan plan) throws BudgetExceededException {
    return mayExceedTheLimit(plan)
        || mayRejectAMember(plan)
        || drawsLessThanNothing(plan)
        || getsMoreFromOthers(plan);
  }

  private static boolean mayExceedTheLimit(SearchPlan plan) {
    for (ClaimPlan claim : plan.claims) {
      long most = 0;
      for (RequestPlan request : claim.requests()) {
        long ofRequest = 0;
        for (PlannedRequest target : request.alternatives()) {
          ofRequest = Math.max(ofRequest, target.count());
        }
        if (ofRequest > PlannedRequest.MAX_RESULTS - most) {
          return true;
        }
        most += ofRequest;
      }
    }
    return false;
  }

  private static boolean mayRejectAMember(SearchPlan plan) throws BudgetExceededException {
    if (plan.context.fixes(Quirk.ALL_AND_A_CONSTRAINT)) {
      return false;
    }
    for (PlannedRequest target : plan.targets) {
      if (target.all && isConstrained(plan, target)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isConstrained(SearchPlan plan, PlannedRequest target)
      throws BudgetExceededException {
    for (Rule constraint : plan.claims.get(target.claimIndex).constraints()) {
      plan.context.budget().spend(1);
      if (constraint.concerns(target)) {
        return true;
      }
    }
    return false;
  }

  /** In strict mode, admin access to a device of another request draws no counters. */
  private static boolean getsMoreFromOthers(SearchPlan plan) {
    return plan.context.fixes(Quirk.ADMIN_ACCESS_IS_COUNTED)
        && plan.targets.stream().anyMatch(target -> target.adminAccess);
  }

  /** Whether counters grow as devices are placed; a refusal is then not permanent. */
  private static boolean drawsLessThanNothing(SearchPlan plan) throws BudgetExceededException {
    for (int i = 0; i < plan.context.candidates().size(); i++) {
      plan.context.budget().spend(1);
      NodeDevice candidate = plan.context.candidates().get(i);
      if (candidate.drawsFromCounters()) {
        for (DeviceCounterConsumption draw : candidate.device().consumesCounters()) {
          plan.context.budget().spend(draw.counters().size() / DRAWS_PER_UNIT);
          for (Quantity amount : draw.counters().values()) {
            if (amount.signum() < 0) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  /**
   * Whether there may be a solution from a position on.
   *
   * @param current the target chosen for the request, or null if it has alternatives and none is
   */
  boolean mayFit(int claim, int request, @Nullable PlannedRequest current, long chosen, int start)
      throws BudgetExceededException {
    return outlook.mayFit(outline.placeOf(claim, request), current, chosen, start);
  }

  /**
   * {@return the ordinal of the next device to try for a target, or -1 if none is left}
   *
   * @param chosen the number of devices that the target has
   * @param start the first device that it can get next
   * @param from the first ordinal that was not tried
   */
  int next(PlannedRequest target, long chosen, int start, int from) {
    BitSet set = sets.of(target);
    int first = chosen == 0 ? Math.max(from, earliest(target)) : from;
    for (int i = set.nextSetBit(first); i >= 0; i = set.nextSetBit(i + 1)) {
      if ((target.adminAccess || !used.get(i)) && !isInterchangeableWithEarlier(i, start)) {
        return i;
      }
    }
    return NONE;
  }

  /**
   * The first ordinal to try: not before the first device of the preceding interchangeable request.
   */
  private int earliest(PlannedRequest target) {
    int before = alikeRequests == null ? NONE : alikeRequests.before(target);
    return before < 0 ? 0 : firstDevices[before];
  }

  /** Whether an equally free interchangeable device comes before. */
  private boolean isInterchangeableWithEarlier(int ordinal, int start) {
    if (interchangeable == null) {
      return false;
    }
    boolean canBeShared = shareable.get(ordinal);
    for (int i = interchangeable.before(ordinal); i >= 0; i = interchangeable.before(i)) {
      if (canBeShared ? i >= start && shares.areInterchangeable(i, ordinal) : !used.get(i)) {
        return true;
      }
    }
    return false;
  }

  /** Records that a device is placed for a target. */
  void placed(PlannedRequest target, int ordinal, long chosenBefore) {
    if (chosenBefore == 0) {
      firstDevices[target.number] = ordinal;
    }
    if (shareable.get(ordinal)) {
      shares.add(target, ordinal);
    } else if (!target
        .adminAccess) { // in strict mode, this makes nothing unavailable to other claims
      used.set(ordinal);
    }
  }

  /** Records that a placement is undone. */
  void undone(PlannedRequest target, int ordinal, long chosenBefore) {
    if (chosenBefore == 0) {
      firstDevices[target.number] = 0;
    }
    if (shareable.get(ordinal)) {
      shares.remove(target, ordinal);
    } else if (!target.adminAccess) {
      used.clear(ordinal);
    }
  }

  /** As {@link NogoodStore#keyOf}; null if dead ends are not stored. */
  NogoodStore.@Nullable Key keyOf(int claim, int request, int alternative, long chosen, int start)
      throws BudgetExceededException {
    return store == null
        ? null
        : store.keyOf(outline.placeOf(claim, request), alternative, chosen, start, used, shares);
  }

  /** Whether no solution was found from an equivalent position. */
  boolean isDeadEnd(NogoodStore.Key key) {
    return store != null && store.contains(key);
  }

  /** Stores that no solution was found from a position on. */
  void remember(NogoodStore.Key key) {
    if (store != null) {
      store.add(key);
    }
  }
}
