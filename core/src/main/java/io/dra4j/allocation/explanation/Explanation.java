package io.dra4j.allocation.explanation;

import io.dra4j.common.Budget;
import io.dra4j.model.ResourceClaim;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

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
public interface Explanation {

  /**
   * Returns the node that does not take the claims.
   *
   * @return its name
   */
  String node();

  /**
   * Returns the claims that do not fit together.
   *
   * @return pending claims, in order
   */
  List<ResourceClaim> claims();

  /**
   * Returns the reasons, the most relevant one first. The last one may say that working out more
   * took too long.
   *
   * @return at least one reason
   */
  List<Reason> reasons();

  /**
   * Returns the reasons, the most relevant one first, that can be worked out in time. The last one
   * may say that working out more took too long.
   *
   * @param budget how long the caller waits, in the place of the timeout of the allocator
   * @return at least one reason
   */
  List<Reason> reasons(Budget budget);

  /**
   * Returns the texts of the reasons, the most relevant one first. Each is one sentence about one
   * request, constraint or pool, as {@link Reason#line} writes it.
   *
   * @return at least one line
   */
  default List<String> lines() {
    return reasons().stream().map(Reason::line).toList();
  }

  /**
   * Returns the most relevant reason.
   *
   * @return one line
   */
  default String summary() {
    return reasons().get(0).line();
  }

  /**
   * Returns the most relevant reason without the names of the claims in front, for readers who know
   * them.
   *
   * @return one line
   */
  default String statement() {
    return reasons().get(0).statementLine();
  }

  /**
   * Returns a smallest set of requirements that cannot be fulfilled together: claims reduced to it
   * do not fit, and reduced by any one more of it they do. Found by allocating again and again,
   * within the timeout of the allocator.
   *
   * @return requests, selectors and constraints, in the order of the claims; empty if they could
   *     not be found, of which {@link #findConflict} has the reason, or it is not for a lack of
   *     devices that the claims are refused
   */
  List<Requirement> conflict();

  /**
   * Looks for a smallest set of requirements that cannot be fulfilled together, as {@link
   * #conflict}.
   *
   * <p>Claims of more than 2,048 requests, selectors and constraints together are not taken apart:
   * that takes the square of their number.
   *
   * @param budget how long the caller waits, in the place of the timeout of the allocator
   * @return the set; nothing and not complete if the time was not enough, a policy could not decide
   *     whether the claims fit, or there are too many parts
   */
  PartialResult<Requirement> findConflict(Budget budget);

  /**
   * Reduces the claims to some of their requirements: other requests, selectors of requests and
   * constraints are left out, and claims without requests. Selectors of requests for all devices
   * stay, since without them more devices were wanted.
   *
   * @param kept what to keep, for example {@link #conflict}
   * @return the reduced claims, pending
   */
  List<ResourceClaim> reducedTo(Collection<Requirement> kept);

  /**
   * Returns what would help. Each suggestion was applied and run: with it the claims fit on the
   * node. Found within the timeout of the allocator.
   *
   * @return at most 5 suggestions, the least harmful first; {@link #findSuggestions} says whether
   *     all were tried
   */
  List<Suggestion> suggestions();

  /**
   * Looks for what would help, as {@link #suggestions}. Advisors are asked one after the other
   * until there are enough suggestions or the time is over; not at all about claims of more than
   * 2,048 requests, selectors and constraints together. An advisor that throws an unchecked
   * exception loses its own suggestions alone, and the gap says so.
   *
   * @param budget how long the caller waits, in the place of the timeout of the allocator
   * @return at most 5 suggestions, the least harmful first; not complete where the time was over
   *     before all ideas were tried, a policy could not decide on one, or there are too many parts
   */
  PartialResult<Suggestion> findSuggestions(Budget budget);

  /**
   * Returns the same explanation with one more advisor.
   *
   * @param advisor asked by {@link #suggestions}, after those of the allocator
   * @return the explanation
   */
  Explanation withAdvisor(Advisor advisor);

  /**
   * Returns the fault that keeps the claims from this node, where it is not a lack of devices: an
   * unusable pool, where a request is for all devices. kube-scheduler reports it as an error of the
   * node, and goes on to other nodes.
   *
   * @return which object is at fault, and what is wrong with it; empty if devices are lacking
   */
  Optional<String> fault();

  /**
   * Returns the pools of the node whose slices contradict each other. Where there are any,
   * Kubernetes reports an error of the node rather than a lack of devices.
   *
   * @return {@code driver/pool: reason} for each
   */
  List<String> invalidPools();
}
