package io.dra4j.allocation;

import io.dra4j.allocation.ClaimRule.Given;
import io.dra4j.inventory.Candidate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules that were added to the allocator; each sees the devices of one claim at a time. */
final class AddedRules implements Rule {

  private final List<ClaimRule> rules;
  private final Map<Integer, List<Given>> given = new HashMap<>(); // by claim, in order

  AddedRules(SearchContext context) {
    this.rules = context.rules();
  }

  @Override
  public @Nullable Objection tryPlace(Target target, Candidate candidate) {
    List<Given> ofClaim = given.computeIfAbsent(target.claimIndex, any -> new ArrayList<>());
    Given next = new Given(target.resultName(), candidate.device());
    List<Given> before = List.copyOf(ofClaim);
    for (ClaimRule rule : rules) {
      Optional<String> reason =
          Objects.requireNonNull(
              rule.refuses(before, next),
              () -> "rule " + rule.name() + ": want an optional reason, got null");
      if (reason.isPresent()) {
        return new Objection(
            RefusingRule.ADDED,
            Objection.Verb.IS,
            "refused by the rule " + rule.name() + " (" + reason.get() + ")");
      }
    }
    ofClaim.add(next);
    return null;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    List<Given> ofClaim = given.getOrDefault(target.claimIndex, List.of());
    ofClaim.remove(ofClaim.size() - 1);
  }
}
