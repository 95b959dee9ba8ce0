package io.dra4j.allocation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places devices for one claim: asks every rule in turn, and takes everything back as soon as one
 * refuses. The only place where rules are undone, so that no way out can forget one.
 */
final class Placement {

  private final Rule[] rules;
  private @Nullable Rule refusedBy;

  Placement(List<Rule> rules) {
    this.rules = rules.toArray(new Rule[0]);
  }

  /**
   * Places a device, or changes nothing.
   *
   * @return null if it is placed, otherwise why not
   * @throws RejectedException if the input is at fault; nothing can be placed afterwards
   */
  @Nullable Refusal tryPlace(Target target, Candidate candidate) throws RejectedException {
    for (int i = 0; i < rules.length; i++) {
      Refusal refusal = rules[i].tryPlace(target, candidate);
      if (refusal != null) {
        refusedBy = rules[i];
        undoFrom(i - 1, target, candidate);
        return refusal;
      }
    }
    return null;
  }

  /** Takes back the last device that is still placed, which was this one. */
  void undo(Target target, Candidate candidate) {
    undoFrom(rules.length - 1, target, candidate);
  }

  /** Whether it was a constraint of the claim that refused last. */
  boolean wasRefusedByConstraint() {
    return refusedBy instanceof MatchAttributeRule || refusedBy instanceof DistinctAttributeRule;
  }

  private void undoFrom(int last, Target target, Candidate candidate) {
    for (int i = last; i >= 0; i--) {
      rules[i].undo(target, candidate);
    }
  }
}
