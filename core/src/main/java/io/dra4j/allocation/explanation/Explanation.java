package io.dra4j.allocation.explanation;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.explain.ClaimRelaxation;
import io.dra4j.common.Budget;
import io.dra4j.common.ExplanationBug;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why claims do not fit on a node, for the person who wrote them. Worked out each time it is asked
 * for, within the timeout of the allocator: a scheduler that merely goes on to the next node pays
 * nothing for it.
 *
 * <p>Keeps four references (32 bytes), to the allocator, the inventory, the node and the list of
 * claims, which is the caller's own if it is immutable. Explanations of any number of nodes share
 * all of them. Where it was not for a lack of devices, it keeps the outcome or the policy's reason
 * besides.
 */
public final class Explanation {

  private final Allocator allocator;
  private final DeviceInventory inventory;
  private final Node node;
  private final List<ResourceClaim> claims;
  private final @Nullable Reason given; // not to be worked out

  public Explanation(
      Allocator allocator, DeviceInventory inventory, Node node, List<ResourceClaim> claims) {
    this(allocator, inventory, node, claims, null);
  }

  /**
   * Makes an explanation.
   *
   * @param given the reason if it is known already; null if the devices have to be looked at
   */
  public Explanation(
      Allocator allocator,
      DeviceInventory inventory,
      Node node,
      List<ResourceClaim> claims,
      @Nullable Reason given) {
    this.given = given;
    this.allocator = allocator;
    this.inventory = inventory;
    this.node = node;
    this.claims = claims;
  }

  /**
   * Returns the node that does not take the claims.
   *
   * @return its name
   */
  public String node() {
    return node.name();
  }

  /**
   * Returns the claims that do not fit together.
   *
   * @return pending claims, in order
   */
  public List<ResourceClaim> claims() {
    return claims;
  }

  /** Whether the devices have to be looked at, since nothing else is known to be the reason. */
  public boolean isAboutDevices() {
    return given == null;
  }

  /**
   * The reasons, the most telling one first. The last one may say that working out more took too
   * long.
   *
   * @return at least one reason
   */
  public List<Reason> refusals() {
    return refusals(allocator.patience());
  }

  /**
   * The reasons, the most telling one first, as far as they can be worked out in time. The last one
   * may say that working out more took too long.
   *
   * @param budget how long the caller waits, in the place of the timeout of the allocator
   * @return at least one reason
   */
  public List<Reason> refusals(Budget budget) {
    return given != null ? List.of(given) : allocator.refusals(inventory, node, claims, budget);
  }

  /**
   * The texts of the reasons, the most telling one first. Each is one sentence about one request,
   * constraint or pool, as {@link Reason#line} writes it.
   *
   * @return at least one line
   */
  public List<String> lines() {
    return refusals().stream().map(Reason::line).toList();
  }

  /**
   * The most telling reason.
   *
   * @return one line
   */
  public String summary() {
    return refusals().get(0).line();
  }

  /**
   * A smallest set of requirements that cannot be fulfilled together: claims reduced to it do not
   * fit, and reduced by any one more of it they do. Found by allocating again and again, within the
   * timeout of the allocator.
   *
   * @return requests, selectors and constraints, in the order of the claims; empty if they could
   *     not be found, which {@link #findConflict} tells, or it is not for a lack of devices that
   *     the claims are refused
   */
  public List<Requirement> conflict() {
    return findConflict(allocator.patience()).found();
  }

  /**
   * Looks for a smallest set of requirements that cannot be fulfilled together, as {@link
   * #conflict}.
   *
   * <p>Claims of more than {@value AdvisorContext#MAX_PARTS} requests, selectors and constraints
   * together are not taken apart: that takes the square of their number.
   *
   * @param budget how long the caller waits, in the place of the timeout of the allocator
   * @return the set; nothing and not complete if the time was not enough, a policy could not tell
   *     whether the claims fit, or there are too many parts
   */
  public PartialResult<Requirement> findConflict(Budget budget) {
    if (given instanceof Reason.Undecided undecided) {
      return PartialResult.some(List.of(), undecided.reason());
    } else if (given != null) {
      return PartialResult.all(List.of());
    }
    if (AdvisorContext.hasTooManyParts(claims)) {
      return PartialResult.some(List.of(), AdvisorContext.TOO_MANY_PARTS);
    }
    try {
      return problem(List.of(), budget).conflict();
    } catch (RuntimeException e) {
      return PartialResult.some(List.of(), ExplanationBug.sentence(e));
    }
  }

  /**
   * Reduces the claims to some of their requirements: other requests, selectors of requests and
   * constraints are left out, and claims without requests. Selectors of requests for all devices
   * stay, since without them more devices were wanted.
   *
   * @param kept what to keep, for example {@link #conflict}
   * @return the reduced claims, pending
   */
  public List<ResourceClaim> reducedTo(Collection<Requirement> kept) {
    Set<Requirement> leftOut = new HashSet<>(ClaimRelaxation.requirementsOf(claims));
    leftOut.removeAll(Set.copyOf(kept));
    return ClaimRelaxation.without(claims, leftOut);
  }

  /**
   * What would help. Each suggestion was applied and run: with it the claims fit on the node. Found
   * within the timeout of the allocator.
   *
   * @return at most 5 suggestions, the least harmful first; {@link #findSuggestions} tells whether
   *     all were tried
   */
  public List<Suggestion> suggestions() {
    return findSuggestions(allocator.patience()).found();
  }

  /**
   * Looks for what would help, as {@link #suggestions}. Advisors are asked one after the other
   * until there are enough suggestions or the time is over; not at all about claims of more than
   * {@value AdvisorContext#MAX_PARTS} requests, selectors and constraints together. An advisor that
   * throws an unchecked exception costs its own suggestions, which the gap says.
   *
   * @param budget how long the caller waits, in the place of the timeout of the allocator
   * @return at most 5 suggestions, the least harmful first; not complete where the time was over
   *     before all ideas were tried, a policy could not tell of one, or there are too many parts
   */
  public PartialResult<Suggestion> findSuggestions(Budget budget) {
    if (given instanceof Reason.Undecided undecided) { // perhaps the claims fit as they are
      return PartialResult.some(List.of(), undecided.reason());
    } else if (AdvisorContext.hasTooManyParts(claims)) {
      return PartialResult.some(List.of(), AdvisorContext.TOO_MANY_PARTS);
    }
    AdvisorContext problem = problem(refusals(budget), budget);
    List<Suggestion> helpful = new ArrayList<>();
    Set<String> said = new HashSet<>();
    for (Advisor advisor : allocator.advisors()) {
      if (problem.isOver()) {
        break;
      }
      try {
        ask(advisor, problem, said, helpful);
      } catch (RuntimeException e) {
        problem.leftOpen(ExplanationBug.sentence(e));
      }
      if (helpful.size() == AdvisorContext.MAX_SUGGESTIONS) {
        return PartialResult.all(helpful);
      }
    }
    return problem.findings(helpful);
  }

  private static void ask(
      Advisor advisor, AdvisorContext problem, Set<String> said, List<Suggestion> helpful) {
    for (Suggestion idea : advisor.propose(problem)) {
      if (problem.isOver() || helpful.size() == AdvisorContext.MAX_SUGGESTIONS) {
        break;
      }
      if (said.add(idea.text()) && problem.fits(idea.inventory(), idea.claims())) {
        helpful.add(idea);
        problem.noteHelp();
      }
    }
  }

  /**
   * Returns the same explanation, with somebody more to ask what would help.
   *
   * @param advisor asked by {@link #suggestions}, after those of the allocator
   * @return the explanation
   */
  public Explanation advisedBy(Advisor advisor) {
    return new Explanation(allocator.advisedBy(advisor), inventory, node, claims, given);
  }

  private AdvisorContext problem(List<Reason> refusals, Budget budget) {
    return new AdvisorContext(allocator, inventory, node.name(), claims, refusals, budget);
  }

  /**
   * The pools of the node whose slices contradict each other. Where there are any, Kubernetes
   * reports an error of the node rather than a lack of devices.
   *
   * @return {@code driver/pool: reason} for each
   */
  public List<String> invalidPools() {
    return allocator.invalidPools(inventory, node);
  }

  /** All lines, one below the other. */
  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
