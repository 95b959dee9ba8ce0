package io.dra4j.allocation;

import io.dra4j.allocation.Pruning.TooLongException;
import io.dra4j.allocation.RuleKind.Screen;
import io.dra4j.inventory.Candidate;
import io.dra4j.model.BudgetExceededException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which devices each target can get at all: those that every rule lets pass while nothing is
 * placed. Rules are monotonic, so no other device is ever placed for the target. Sets are by
 * ordinal, and not to be changed.
 *
 * <p>Making them evaluates everything that a search may come to evaluate, so that a search among
 * them meets no fault of the input.
 */
final class CandidateSets {

  /** Targets for which the same devices come into question. */
  private record Alike(
      Selection selection,
      Object consumption,
      List<?> tolerations,
      boolean adminAccess,
      boolean all,
      List<String> attributes) {}

  /** The time is looked at once in so many devices and 1. */
  private static final int LOOK_MASK = 7;

  private final SearchPlan plan;
  private final List<List<Constraint>> constraints = new ArrayList<>(); // of each claim, in order
  private final Map<Alike, Integer> kinds = new HashMap<>();
  private final List<BitSet> sets = new ArrayList<>(); // by kind
  private final int[] kindOf; // by target number
  private final long end;

  /**
   * Asks all rules about all devices.
   *
   * @param nanos how long that may take
   * @throws RejectedException if an evaluation fails, which a search may never come to see
   * @throws TooLongException if it takes longer
   */
  CandidateSets(SearchPlan plan, long nanos)
      throws RejectedException, BudgetExceededException, TooLongException {
    this.plan = plan;
    this.end = System.nanoTime() + nanos;
    plan.claims.forEach(claim -> constraints.add(claim.allConstraints()));
    this.kindOf = new int[plan.targets.size()];
    for (Target target : plan.targets) {
      Alike alike = alike(target);
      Integer kind = kinds.get(alike);
      if (kind == null) {
        kind = sets.size();
        kinds.put(alike, kind);
        sets.add(candidatesOf(target));
      }
      kindOf[target.number] = kind;
    }
  }

  private Alike alike(Target target) {
    List<String> attributes = new ArrayList<>(2);
    // In the order of the claim, which decides whether a fault of the second shows.
    for (Constraint constraint : constraints.get(target.claimIndex)) {
      if (constraint.appliesTo(target)) {
        addAttribute(attributes, target, constraint);
      }
    }
    return new Alike(
        target.selection,
        target.consumption,
        target.request.tolerations(),
        target.adminAccess,
        target.all,
        attributes);
  }

  /** Each attribute once, with the expression that derives it, if any. */
  private static void addAttribute(List<String> attributes, Target target, Constraint constraint) {
    String expression = target.expressionOf(constraint.attribute);
    String attribute = constraint.attribute + "=" + (expression == null ? "" : expression);
    if (!attributes.contains(attribute)) {
      attributes.add(attribute);
    }
  }

  private BitSet candidatesOf(Target target)
      throws RejectedException, BudgetExceededException, TooLongException {
    BitSet set = new BitSet(plan.context.candidates().size());
    if (target.all) {
      for (int i = 0; i < target.count() && target.count() <= SearchPlan.MAX_RESULTS; i++) {
        addIfPlaceable(set, target, target.member(i));
      }
      return set;
    }
    Placer placer = plan.claims.get(target.claimIndex).placer();
    for (int ordinal = 0; ordinal < plan.context.candidates().size(); ordinal++) {
      Candidate candidate = plan.context.candidates().get(ordinal);
      plan.context.budget().spend(1);
      if ((ordinal & LOOK_MASK) == 0 && System.nanoTime() - end > 0) {
        throw new TooLongException();
      }
      if (placer.check(Screen.BEFORE_SELECTORS, target, candidate) == null
          && target.selects(candidate)
          && placer.check(Screen.AFTER_SELECTORS, target, candidate) == null) {
        addIfPlaceable(set, target, candidate);
      }
    }
    return set;
  }

  private void addIfPlaceable(BitSet set, Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    Placer placer = plan.claims.get(target.claimIndex).placer();
    if (placer.tryPlace(target, candidate) == null) {
      placer.undo(target, candidate);
      set.set(candidate.ordinal());
    }
  }

  /** The devices that come into question for a target. */
  BitSet of(Target target) {
    return sets.get(kindOf[target.number]);
  }

  /** A number that targets have in common if the same devices come into question for them. */
  int kindOf(Target target) {
    return kindOf[target.number];
  }

  /** The sets of all kinds of targets, each of them once. */
  List<BitSet> all() {
    return sets;
  }
}
