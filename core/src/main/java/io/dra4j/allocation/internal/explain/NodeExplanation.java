package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.common.Budget;
import io.dra4j.common.ExplanationBug;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The explanation of one outcome, which calls the allocator on demand. */
public final class NodeExplanation implements Explanation {

  private final ExplanationSource source;
  private final DeviceInventory inventory;
  private final Node node;
  private final List<ResourceClaim> claims;
  private final @Nullable Reason given; // already known

  public NodeExplanation(
      ExplanationSource source, DeviceInventory inventory, Node node, List<ResourceClaim> claims) {
    this(source, inventory, node, claims, null);
  }

  /**
   * Creates an explanation.
   *
   * @param given the reason if it is already known; null if the devices have to be checked
   */
  public NodeExplanation(
      ExplanationSource source,
      DeviceInventory inventory,
      Node node,
      List<ResourceClaim> claims,
      @Nullable Reason given) {
    this.given = given;
    this.source = source;
    this.inventory = inventory;
    this.node = node;
    this.claims = claims;
  }

  @Override
  public String node() {
    return node.name();
  }

  @Override
  public List<ResourceClaim> claims() {
    return claims;
  }

  /** Returns whether the devices have to be checked, because no other reason is known. */
  public boolean isAboutDevices() {
    return given == null;
  }

  @Override
  public List<Reason> reasons() {
    return reasons(source.newBudget());
  }

  @Override
  public List<Reason> reasons(Budget budget) {
    return given != null ? List.of(given) : source.reasons(inventory, node, claims, budget);
  }

  @Override
  public List<Requirement> conflict() {
    return findConflict(source.newBudget()).found();
  }

  @Override
  public PartialResult<Requirement> findConflict(Budget budget) {
    if (given instanceof Reason.Undecided undecided) {
      return PartialResult.some(List.of(), undecided.reason());
    } else if (given != null) {
      return PartialResult.all(List.of());
    }
    if (AdvisorRun.hasTooManyParts(claims)) {
      return PartialResult.some(List.of(), AdvisorRun.TOO_MANY_PARTS);
    }
    try {
      return problem(List.of(), budget).conflict();
    } catch (RuntimeException e) {
      return PartialResult.some(List.of(), ExplanationBug.sentence(e));
    }
  }

  @Override
  public List<ResourceClaim> reducedTo(Collection<Requirement> kept) {
    Set<Requirement> leftOut = new HashSet<>(ClaimRelaxation.requirementsOf(claims));
    leftOut.removeAll(Set.copyOf(kept));
    return ClaimRelaxation.without(claims, leftOut);
  }

  @Override
  public List<Suggestion> suggestions() {
    return findSuggestions(source.newBudget()).found();
  }

  @Override
  public PartialResult<Suggestion> findSuggestions(Budget budget) {
    if (given instanceof Reason.Undecided undecided) { // the claims may fit unchanged
      return PartialResult.some(List.of(), undecided.reason());
    } else if (AdvisorRun.hasTooManyParts(claims)) {
      return PartialResult.some(List.of(), AdvisorRun.TOO_MANY_PARTS);
    }
    AdvisorRun problem = problem(reasons(budget), budget);
    List<Suggestion> helpful = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (Advisor advisor : source.advisors()) {
      if (problem.isOver()) {
        break;
      }
      try {
        ask(advisor, problem, texts, helpful);
      } catch (RuntimeException e) {
        problem.markIncomplete(ExplanationBug.sentence(e));
      }
      if (helpful.size() == AdvisorRun.MAX_SUGGESTIONS) {
        return PartialResult.all(helpful);
      }
    }
    return problem.resultOf(helpful);
  }

  private static void ask(
      Advisor advisor, AdvisorRun problem, Set<String> texts, List<Suggestion> helpful) {
    for (Suggestion idea : advisor.propose(problem)) {
      if (problem.isOver() || helpful.size() == AdvisorRun.MAX_SUGGESTIONS) {
        break;
      }
      if (texts.add(idea.text()) && problem.fits(idea.inventory(), idea.claims())) {
        helpful.add(idea);
        problem.recordSuccess();
      }
    }
  }

  @Override
  public Explanation withAdvisor(Advisor advisor) {
    return new NodeExplanation(source.withAdvisor(advisor), inventory, node, claims, given);
  }

  private AdvisorRun problem(List<Reason> reasons, Budget budget) {
    return new AdvisorRun(source, inventory, node.name(), claims, reasons, budget);
  }

  @Override
  public Optional<String> fault() {
    return given instanceof Reason.Fault fault ? Optional.of(fault.error()) : Optional.empty();
  }

  @Override
  public List<String> invalidPools() {
    return source.invalidPools(inventory, node);
  }

  /** All lines, one below the other. */
  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
