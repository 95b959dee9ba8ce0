package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.RuleKind.Screen;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places devices for one claim: asks every rule in turn, and undoes all placements as soon as one
 * rule refuses. Only this class undoes rules, so that no exit path can miss one.
 */
public final class Placer {

  /**
   * A rule and its kind.
   *
   * @param kind the kind, which decides when the rule is asked
   * @param rule the rule
   */
  public record Asked(RuleKind kind, Rule rule) {}

  private static final Comparator<Asked> BY_KIND = Comparator.comparing(Asked::kind);
  private static final Asked[] NONE = {};

  private final SearchContext context;
  private final PlacedDevices placed;
  private final Asked[] rules;
  private final Rule[] beforeSelectors;
  private final Rule[] afterSelectors;
  private final int firstTarget;
  private final Asked[] @Nullable [] byTarget; // the rules that apply to it, computed on demand
  private Asked[] last = NONE; // the rules of the previous target
  private @Nullable RuleKind refusedBy;

  /**
   * Creates a placer.
   *
   * @param rules the rules in any order; rules of one kind are asked in the given order
   * @param firstTarget the number of the first target of the claim
   * @param targets the number of targets of the claim, numbered consecutively
   */
  public Placer(
      SearchContext context,
      PlacedDevices placed,
      List<Asked> rules,
      int firstTarget,
      int targets) {
    this.firstTarget = firstTarget;
    this.byTarget = new Asked[targets][];
    this.context = context;
    this.placed = placed;
    this.rules = rules.toArray(NONE);
    Arrays.sort(this.rules, BY_KIND); // stable
    this.beforeSelectors = screening(Screen.BEFORE_SELECTORS);
    this.afterSelectors = screening(Screen.AFTER_SELECTORS);
  }

  private Rule[] screening(Screen screen) {
    int n = 0;
    for (Asked asked : rules) {
      n += asked.kind.screen() == screen ? 1 : 0;
    }
    Rule[] screening = new Rule[n];
    for (int i = rules.length - 1; n > 0; i--) {
      if (rules[i].kind.screen() == screen) {
        screening[--n] = rules[i].rule;
      }
    }
    return screening;
  }

  /**
   * Places a device, or changes nothing.
   *
   * @return null if the device is placed, otherwise the reason
   * @throws RejectedException if the input has an error; nothing has changed then
   * @throws BudgetExceededException if the budget is used up; nothing can be placed afterwards
   */
  @Nullable
  public Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    Asked[] asked = rulesOf(target);
    for (int i = 0; i < asked.length; i++) {
      context.budget().spend(1);
      Violation refusal;
      try {
        refusal = asked[i].rule.tryPlace(target, candidate);
      } catch (RejectedException e) {
        undoFrom(i - 1, target, candidate);
        throw e;
      }
      if (refusal != null) {
        refusedBy = asked[i].kind;
        undoFrom(i - 1, target, candidate);
        return refusal;
      }
    }
    placed.add(target, candidate);
    return null;
  }

  /** Undoes the last placement that is not yet undone, which must be this one. */
  public void undo(PlannedRequest target, NodeDevice candidate) throws BudgetExceededException {
    placed.remove(target, candidate);
    undoFrom(rulesOf(target).length - 1, target, candidate);
  }

  /** {@return null if the rules of a screen accept a device, else the reason; places nothing} */
  @Nullable
  public Violation check(Screen screen, PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    for (Rule rule : screen == Screen.BEFORE_SELECTORS ? beforeSelectors : afterSelectors) {
      Violation refusal = rule.check(target, candidate);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Returns whether a constraint of the claim refused last. */
  public boolean wasRefusedByConstraint() {
    return refusedBy == RuleKind.CONSTRAINT;
  }

  private void undoFrom(int last, PlannedRequest target, NodeDevice candidate)
      throws BudgetExceededException {
    Asked[] asked = rulesOf(target);
    for (int i = last; i >= 0; i--) {
      asked[i].rule.undo(target, candidate);
    }
  }

  /** The rules that apply to a target; most of many constraints apply to other requests. */
  private Asked[] rulesOf(PlannedRequest target) {
    Asked[] known = byTarget[target.number - firstTarget];
    if (known == null) {
      int n = 0;
      boolean same = true; // as for the previous target, which is often the other one of a pair
      for (Asked asked : rules) {
        if (asked.rule.concerns(target)) {
          same &= n < last.length && last[n].equals(asked);
          n++;
        }
      }
      if (!same || n != last.length) {
        last = new Asked[n];
        for (int i = rules.length - 1; n > 0; i--) {
          if (rules[i].rule.concerns(target)) {
            last[--n] = rules[i];
          }
        }
      }
      known = last;
      byTarget[target.number - firstTarget] = known;
    }
    return known;
  }
}
