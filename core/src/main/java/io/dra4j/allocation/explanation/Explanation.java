package io.dra4j.allocation.explanation;

import io.dra4j.common.Budget;
import io.dra4j.model.ResourceClaim;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The reasons why claims do not fit on a node, for the author of the claims. Each method computes
 * its result when it is called, within the timeout of the allocator, so an explanation that is not
 * read costs nothing.
 *
 * <p>Holds four references (32 bytes): to the allocator, the inventory, the node and the list of
 * claims, which is the caller's list if it is immutable. Explanations of all nodes share these
 * objects. If devices are not lacking, the explanation also holds the outcome or the policy's
 * reason.
 */
public interface Explanation {

  /** {@return the name of the node on which the claims do not fit} */
  String node();

  /** {@return the pending claims that do not fit together, in order} */
  List<ResourceClaim> claims();

  /**
   * {@return at least one reason, the most relevant one first} The last one may state that more
   * reasons could not be found in time.
   */
  List<Reason> reasons();

  /**
   * {@return at least one reason found within a budget, the most relevant one first} The last one
   * may state that more reasons could not be found in time.
   *
   * @param budget the limit of the caller, instead of the timeout of the allocator
   */
  List<Reason> reasons(Budget budget);

  /**
   * {@return at least one reason as a string, the most relevant one first} Each is one sentence
   * about one request, constraint or pool, as returned by {@link Reason#line}.
   */
  default List<String> lines() {
    return reasons().stream().map(Reason::line).toList();
  }

  /** {@return the most relevant reason in one line} */
  default String summary() {
    return reasons().get(0).line();
  }

  /** {@return the most relevant reason in one line, without the leading names of the claims} */
  default String statement() {
    return reasons().get(0).statementLine();
  }

  /**
   * {@return a minimal set of requests, selectors and constraints that cannot be fulfilled
   * together, in the order of the claims} Claims reduced to this set do not fit, and without any
   * one of its elements they fit. Found by repeated allocations, within the timeout of the
   * allocator. Empty if the set could not be found, for a reason that {@link #findConflict} has, or
   * if the claims are refused although devices are not lacking.
   */
  List<Requirement> conflict();

  /**
   * Searches a minimal set of requirements that cannot be fulfilled together, like {@link
   * #conflict}, within a budget.
   *
   * <p>Claims with more than 2,048 requests, selectors and constraints together are not analysed,
   * because the cost grows with the square of their number.
   *
   * @param budget the limit of the caller, instead of the timeout of the allocator
   * @return the set; empty and not complete if the budget was used up, a policy could not decide
   *     whether the claims fit, or there are too many parts
   */
  PartialResult<Requirement> findConflict(Budget budget);

  /**
   * {@return the pending claims reduced to some of their requirements} Removes all other requests,
   * selectors and constraints, and claims without requests. Keeps the selectors of requests for all
   * devices, which would need more devices without them.
   *
   * @param kept the requirements to keep, for example {@link #conflict}
   */
  List<ResourceClaim> reducedTo(Collection<Requirement> kept);

  /**
   * {@return at most 5 changes with which the claims fit on the node, the least harmful first} Each
   * was tried, within the timeout of the allocator; {@link #findSuggestions} states whether all
   * ideas were tried.
   */
  List<Suggestion> suggestions();

  /**
   * Searches changes with which the claims fit, like {@link #suggestions}, within a budget.
   * Advisors are asked one after the other until there are enough suggestions or the budget is used
   * up. They are not asked about claims with more than 2,048 requests, selectors and constraints
   * together. If an advisor throws an unchecked exception, only its own suggestions are lost, and
   * the gap reports it.
   *
   * @param budget the limit of the caller, instead of the timeout of the allocator
   * @return at most 5 suggestions, the least harmful first; not complete if the budget was used up
   *     before all ideas were tried, a policy could not decide on one, or there are too many parts
   */
  PartialResult<Suggestion> findSuggestions(Budget budget);

  /**
   * {@return this explanation with one more advisor}
   *
   * @param advisor the advisor; {@link #suggestions} asks it after the advisors of the allocator
   */
  Explanation withAdvisor(Advisor advisor);

  /**
   * {@return the object and the error that keeps the claims from this node although devices are not
   * lacking: an unusable pool if a request is for all devices; empty if devices are lacking}
   * kube-scheduler reports it as an error of the node, and continues with other nodes.
   */
  Optional<String> fault();

  /**
   * {@return the pools whose slices contradict each other, each as {@code driver/pool: reason}} If
   * there are any, Kubernetes reports an error of the node instead of a lack of devices.
   */
  List<String> invalidPools();
}
