package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SelectorMatches;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.allocation.internal.rule.RuleKind;
import io.dra4j.allocation.internal.rule.RuleKind.Screen;
import io.dra4j.allocation.internal.search.Pruning.TooLongException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The devices that each target can get at all: the devices that every rule accepts while nothing is
 * placed. Rules are monotonic, so no other device is ever placed for the target. Sets contain
 * ordinals, and must not be changed.
 *
 * <p>Creating the sets evaluates everything that a search may evaluate, so that a search among them
 * finds no error of the input.
 */
public final class CandidateSets {

  /** The key of targets with the same candidate devices. */
  public record DemandKey(
      SelectorMatches selection,
      Object consumption,
      List<?> tolerations,
      boolean adminAccess,
      boolean all,
      List<Object> constraints, // the keys of their refusals while nothing is placed, each once
      String request) {

    /**
     * Returns the key of a target.
     *
     * @param constraints the constraints of its claim, in order
     */
    public static DemandKey of(
        PlannedRequest target, List<ConstraintRule> constraints, SearchContext context)
        throws BudgetExceededException {
      Set<Object> refusing = new LinkedHashSet<>(4);
      // In the order of the claim, which decides whether an error of the second one is reported.
      for (ConstraintRule constraint : constraints) {
        context.budget().spend(1);
        if (constraint.concerns(target)) {
          refusing.add(constraint.refusesAlone(target));
        }
      }
      return new DemandKey(
          target.selection,
          target.consumption,
          target.request.tolerations(),
          target.adminAccess,
          target.all,
          List.copyOf(refusing),
          RuleKind.anyReadsAnything(context.features(), context.rules())
              ? target.resultName()
              : ""); // the input of added rules
    }
  }

  /** The time is checked once in every {@code LOOK_MASK + 1} devices. */
  private static final int LOOK_MASK = 7;

  private final SearchPlan plan;
  private final List<BitSet> sets = new ArrayList<>(); // by kind
  private final List<PlannedRequest> firsts = new ArrayList<>(); // of each kind
  private final int[] kindOf; // by target number
  private final long end;

  private CandidateSets(SearchPlan plan, long nanos)
      throws BudgetExceededException, TooLongException {
    this.plan = plan;
    this.end = System.nanoTime() + nanos;
    Map<DemandKey, Integer> kinds = new HashMap<>();
    this.kindOf = new int[plan.targets.size()];
    for (PlannedRequest target : plan.targets) {
      plan.context.budget().spend(1);
      lookAtTheTime();
      DemandKey key =
          DemandKey.of(target, plan.claims.get(target.claimIndex).constraints(), plan.context);
      Integer kind = kinds.get(key);
      if (kind == null) {
        kind = firsts.size();
        kinds.put(key, kind);
        firsts.add(target);
      }
      kindOf[target.number] = kind;
    }
  }

  /**
   * {@return the answers of all rules for all devices as sets; null if they would be too large}
   *
   * @param nanos the time limit in nanoseconds
   * @param maxBits the maximum size of all sets together, in bits
   * @throws RejectedException if an evaluation fails, which a search might not reach
   * @throws TooLongException if the time limit is exceeded
   */
  static @Nullable public CandidateSets of(SearchPlan plan, long nanos, long maxBits)
      throws RejectedException, BudgetExceededException, TooLongException {
    CandidateSets made = new CandidateSets(plan, nanos);
    if ((long) made.firsts.size() * plan.context.candidates().size() > maxBits) {
      return null;
    }
    for (PlannedRequest first : made.firsts) {
      made.sets.add(made.candidatesOf(first));
    }
    return made;
  }

  private BitSet candidatesOf(PlannedRequest target)
      throws RejectedException, BudgetExceededException, TooLongException {
    BitSet set = new BitSet(plan.context.candidates().size());
    if (target.all) {
      for (int i = 0; i < target.count() && target.count() <= PlannedRequest.MAX_RESULTS; i++) {
        addIfPlaceable(set, target, target.member(i));
      }
      return set;
    }
    Placer placer = plan.claims.get(target.claimIndex).placer();
    for (int ordinal = 0; ordinal < plan.context.candidates().size(); ordinal++) {
      NodeDevice candidate = plan.context.candidates().get(ordinal);
      plan.context.budget().spend(1);
      if ((ordinal & LOOK_MASK) == 0) {
        lookAtTheTime();
      }
      if (placer.check(Screen.BEFORE_SELECTORS, target, candidate) == null
          && target.selects(candidate)
          && placer.check(Screen.AFTER_SELECTORS, target, candidate) == null) {
        addIfPlaceable(set, target, candidate);
      }
    }
    return set;
  }

  private void lookAtTheTime() throws TooLongException {
    if (System.nanoTime() - end > 0) {
      throw new TooLongException();
    }
  }

  private void addIfPlaceable(BitSet set, PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    Placer placer = plan.claims.get(target.claimIndex).placer();
    if (placer.tryPlace(target, candidate) == null) {
      placer.undo(target, candidate);
      set.set(candidate.ordinal());
    }
  }

  /** Returns the candidate devices of a target. */
  public BitSet of(PlannedRequest target) {
    return sets.get(kindOf[target.number]);
  }

  /**
   * The number of a kind of targets; targets with the same candidate devices have the same number.
   */
  int kindOf(PlannedRequest target) {
    return kindOf[target.number];
  }

  /** The sets of all kinds of targets, each of them once. */
  List<BitSet> all() {
    return sets;
  }
}
