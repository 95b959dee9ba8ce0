package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.model.Node;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.scheduling.ExtendedResources.NodeClaims;
import io.dra4j.scheduling.NodeAnswers.Answer;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Rejected;
import io.dra4j.scheduling.PodOutcome.Undecided;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node for one pod: checks the nodes whose answer is not known, but only one of several
 * nodes that the claims cannot distinguish, and chooses the best one. Not thread-safe.
 */
final class NodeSearch {

  /**
   * The properties of a node that determine the devices of claims.
   *
   * @param ofDevices the extended resources that devices of claims provide
   * @param ofClaims the properties that the claims depend on
   * @param ofPolicy the properties that the policy depends on in addition; {@link #NOTHING} for
   *     none
   */
  private record Sight(Set<String> ofDevices, NodeSignature ofClaims, Object ofPolicy) {}

  private static final Object NOTHING = "";

  private final PendingPod pod;
  private final NodeFilter filter;
  private final Allocator allocator;
  private final DeviceInventory inventory;
  private final NodeClaims.Queries query;
  private final NodeAnswers answers;
  private final NodeChoice choice;
  private final @Nullable NodeAllocatableResources costs;

  /**
   * Creates a search; {@code query} finds devices for the pending claims of the pod, {@code costs}
   * are the resources of nodes that devices consume, {@code null} if they do not count.
   */
  @SuppressWarnings("ParameterNumber") // the fields of a search, made in one place
  NodeSearch(
      PendingPod pod,
      NodeFilter filter,
      Allocator allocator,
      DeviceInventory inventory,
      NodeClaims.Queries query,
      NodeAnswers answers,
      NodeChoice choice,
      @Nullable NodeAllocatableResources costs) {
    this.pod = pod;
    this.filter = filter;
    this.allocator = allocator;
    this.inventory = inventory;
    this.query = query;
    this.answers = answers;
    this.choice = choice;
    this.costs = costs;
  }

  /** The outcome of the pod; empty if no node accepts it. */
  Optional<PodOutcome> run() {
    PodOutcome ended = choice.comparesScores() ? amongAll() : inOrder();
    if (ended != null) {
      return Optional.of(ended);
    }
    choice.remember();
    NodeChoice.Best best = choice.best();
    return best == null ? Optional.empty() : Optional.ofNullable(placed(best));
  }

  /**
   * The number of candidate nodes that refuse the pod, by cause, after a search without a result.
   */
  Map<Cause, Integer> refused() {
    if (!filter.looksAtOthers()) {
      return answers.refused();
    }
    Map<Cause, Integer> refused = new EnumMap<>(Cause.class);
    for (int i : answers.all()) {
      Cause cause = filter.refusalBesideRules(answers.node(i));
      refused.merge(cause == null ? answers.causeOfDevices(i) : cause, 1, Integer::sum);
    }
    return refused;
  }

  /** Checks nodes in their order until there are enough. */
  private @Nullable PodOutcome inOrder() {
    for (int i = answers.nextOpen(0); i >= 0; i = answers.nextOpen(i + 1)) {
      Answer answer = answers.get(i);
      if (filter.isRefusedByOthers(answers.node(i))) {
        continue;
      } else if (answer == null) {
        PodOutcome ended = ask(i, choice.best() != null);
        if (ended instanceof Undecided && choice.best() != null) {
          return null; // a node was found
        } else if (ended != null) {
          return ended;
        }
        answer = answers.get(i);
      }
      if (answer != null && answer.fits()) {
        choice.take(answers.node(i).name(), answer);
        if (choice.isEnough()) {
          return null;
        }
      }
    }
    return null;
  }

  /** Checks all nodes whose answer is not known, and chooses the best of all nodes. */
  private @Nullable PodOutcome amongAll() {
    for (int i = answers.nextUnknown(0); i >= 0; i = answers.nextUnknown(i + 1)) {
      if (!filter.isRefusedByOthers(answers.node(i))) {
        PodOutcome ended = ask(i, false);
        boolean isPassedOver =
            ended instanceof Rejected fault && fault.fault().reason().mayPass() && fitsBefore(i);
        if (ended != null && !isPassedOver) {
          return ended;
        }
      }
    }
    if (!answers.areScored()) {
      for (int i = answers.nextOpen(0); i >= 0; i = answers.nextOpen(i + 1)) {
        takeIfFit(i);
      }
      return null;
    }
    for (BitSet equal : answers.bestFirst()) {
      for (int i = equal.nextSetBit(0); i >= 0; i = equal.nextSetBit(i + 1)) {
        if (takeIfFit(i)) {
          return null;
        }
      }
    }
    return null;
  }

  private boolean fitsBefore(int place) {
    for (int i = answers.nextOpen(0); i >= 0 && i < place; i = answers.nextOpen(i + 1)) {
      if (answers.get(i) != null && !filter.isRefusedByOthers(answers.node(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean takeIfFit(int place) {
    Answer answer = answers.get(place);
    if (answer == null || !answer.fits() || filter.isRefusedByOthers(answers.node(place))) {
      return false;
    }
    choice.take(answers.node(place).name(), answer);
    return true;
  }

  /**
   * Determines the answer of a node. After a fault, returns the outcome that ends the search, or
   * {@code null}; {@code hasNode} is whether a fault that other nodes need not have may be skipped.
   */
  private @Nullable PodOutcome ask(int place, boolean hasNode) {
    String node = answers.node(place).name();
    Cause cause = filter.refusalOfNodeAlone(answers.node(place));
    if (cause != null) {
      answers.refuse(place, cause);
      return null;
    }
    Object sight = sight(place);
    Answer known = sight == null ? null : answers.ofSight(sight);
    if (known != null) {
      answers.put(place, known);
      return null;
    }
    AllocationOutcome outcome = query.of(answers.node(place)).on(node);
    if (outcome instanceof AllocationOutcome.Rejected fault) {
      return hasNode && fault.reason().mayPass() ? null : new Rejected(pod, node, fault);
    } else if (outcome instanceof AllocationOutcome.Undecided limit) {
      return new Undecided(pod, node, limit.reason());
    }
    if (costs != null && outcome instanceof Allocated allocated) {
      NodeAllocatableResources.Cost cost = costs.of(allocated.allocations());
      if (cost.fault() != null) {
        return new Rejected(pod, node, cost.fault());
      }
      NodeMismatch mismatch = costs.mismatch(answers.node(place), cost);
      if (mismatch != null) {
        answers.refuse(place, mismatch.cause());
        return null;
      }
    }
    Answer answer = choice.answer(pod, node, outcome);
    answers.put(place, answer);
    if (sight != null) {
      answers.putSight(sight, answer);
    }
    return null;
  }

  /** Properties that determine the devices on a node; {@code null} if it is unlike all others. */
  private @Nullable Object sight(int place) {
    Node node = answers.node(place);
    if (costs != null) {
      return null; // nodes with equal devices may have different amounts left
    }
    AllocationPolicy policy = allocator.policy();
    boolean isKnown = policy == AllocationPolicy.firstFit() || policy instanceof PlacementPolicy;
    NodeSight sight =
        isKnown ? AllocatorAccess.sight(query.of(node), node.name()).orElse(null) : null;
    NodeSignature shape = sight == null ? null : sight.shape().orElse(null);
    if (sight == null || shape == null) {
      return null;
    } else if (!(policy instanceof PlacementPolicy)) {
      return new Sight(query.ofDevices(node), shape, NOTHING);
    }
    try {
      Object known = answers.policySight(place);
      if (known == null) {
        known =
            PolicyEngine.of(policy).sight(allocator, inventory, sight.view(), Budget.unlimited());
        answers.putPolicySight(place, known);
      }
      return new Sight(query.ofDevices(node), shape, known);
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }

  /** The devices of the chosen node; they are searched again if only its answer is known. */
  private @Nullable PodOutcome placed(NodeChoice.Best best) {
    Placed asked = choice.asked(best.node());
    if (asked != null) {
      return asked;
    }
    Node node = inventory.node(best.node()).orElseThrow();
    AllocationOutcome outcome = query.of(node).on(best.node());
    if (outcome instanceof Allocated allocated) {
      return new Placed(pod, best.node(), allocated.allocations(), allocated.score());
    } else if (outcome instanceof AllocationOutcome.Rejected fault) {
      return new Rejected(pod, best.node(), fault);
    }
    return outcome instanceof AllocationOutcome.Undecided limit
        ? new Undecided(pod, best.node(), limit.reason())
        : null;
  }
}
