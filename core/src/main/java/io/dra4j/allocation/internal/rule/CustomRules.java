package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.ClaimRule.Given;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules that were added to the allocator; each sees the devices of one claim at a time. */
final class CustomRules implements Rule {

  private final List<ClaimRule> rules;
  private final Map<Integer, List<Given>> given = new HashMap<>(); // by claim, in order

  CustomRules(SearchContext context) {
    this.rules = context.rules();
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate) {
    List<Given> ofClaim = given.computeIfAbsent(target.claimIndex, any -> new ArrayList<>());
    Given next = new Given(target.resultName(), candidate.device());
    List<Given> before = List.copyOf(ofClaim);
    for (ClaimRule rule : rules) {
      Optional<String> reason = answerOf(rule, before, next);
      if (reason.isPresent()) {
        return RuleKind.ADDED.violation(
            Violation.Verb.IS, "refused by the rule " + rule.name() + " (" + reason.get() + ")");
      }
    }
    ofClaim.add(next);
    return null;
  }

  private static Optional<String> answerOf(ClaimRule rule, List<Given> before, Given next) {
    Optional<String> reason;
    try {
      reason = rule.refuses(before, next);
    } catch (UnsupportedOperationException e) {
      throw new UnsupportedOperationException(
          "rule "
              + rule.name()
              + ": "
              + e
              + "; a rule cannot change the list of devices that it gets",
          e);
    }
    return Objects.requireNonNull(reason, () -> "rule " + rule.name() + " answered null");
  }

  @Override
  public void undo(PlannedRequest target, NodeDevice candidate) {
    List<Given> ofClaim = given.getOrDefault(target.claimIndex, List.of());
    ofClaim.remove(ofClaim.size() - 1);
  }
}
