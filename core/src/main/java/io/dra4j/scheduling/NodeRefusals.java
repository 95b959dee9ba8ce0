package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterExplanation;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Budget;
import io.dra4j.model.Node;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Why no node takes a pod. Knows how many nodes refused it for what; why each did is worked out
 * when it is asked for, from the inventory as it was when the pod was tried: inventories of one run
 * share what is the same, so that thousands of pods refused by thousands of nodes keep little.
 */
public final class NodeRefusals {

  private final Allocator allocator;
  private final List<Node> nodes;
  private final NodeFilter filter;
  private final DeviceInventory inventory;
  private final Map<Cause, Integer> counts;

  /**
   * The refusals of one pod.
   *
   * @param nodes the nodes of the run
   * @param inventory what was in use when the pod was tried
   */
  NodeRefusals(
      Allocator allocator,
      List<Node> nodes,
      NodeFilter filter,
      DeviceInventory inventory,
      Map<Cause, Integer> counts) {
    this.allocator = allocator;
    this.nodes = nodes;
    this.filter = filter;
    this.inventory = inventory;
    this.counts = Collections.unmodifiableMap(new EnumMap<>(counts));
  }

  /**
   * Returns how many nodes refused the pod, by what refused it.
   *
   * @return a count above 0 for each cause that there was
   */
  public Map<Cause, Integer> counts() {
    return counts;
  }

  /**
   * Returns how many nodes have no devices for the pod, although it may run there.
   *
   * @return the number of nodes
   */
  public int withoutDevices() {
    return counts.getOrDefault(Cause.DEVICES, 0);
  }

  /**
   * Tells whether the pod may run on a node, whatever devices that has.
   *
   * @param node the node
   * @return whether nothing but devices refuses the pod there
   */
  public boolean allows(Node node) {
    return filter.refusal(Objects.requireNonNull(node, "node: want a node, got null")) == null;
  }

  /**
   * Works out why some nodes have no devices for the pod.
   *
   * @param limit how many nodes to tell of, at most
   * @return the first of these nodes, in the order of the inventory
   */
  public List<NodeRefusal> first(int limit) {
    List<NodeRefusal> refusals = new ArrayList<>();
    for (Node node : nodes) {
      if (refusals.size() >= limit) {
        break;
      }
      if (filter.refusal(node) == null) {
        refusals.add(withoutDevices(node));
      }
    }
    return refusals;
  }

  /**
   * Works out why the nodes on which the pod may run have no devices for it, those with the same
   * reason together.
   *
   * @param budget how long the caller waits
   * @return the reasons, that of most nodes first
   */
  public ClusterExplanation explain(Budget budget) {
    Set<String> asked = new HashSet<>();
    for (Node node : nodes) {
      if (filter.refusal(node) == null) {
        asked.add(node.name());
      }
    }
    return allocator
        .allocate(inventory, filter.pending())
        .among(node -> asked.contains(node.name()))
        .explain(budget);
  }

  /**
   * Says in one line why no node takes the pod.
   *
   * @param devices why nodes have no devices for it, as {@link #explain} found out
   * @return what nodes lack, then how many are out of the question for another reason
   */
  public String summary(ClusterExplanation devices) {
    List<String> reasons = new ArrayList<>();
    if (!devices.groups().isEmpty()) {
      reasons.add(devices.summary());
    }
    counts.forEach(
        (cause, count) -> {
          if (cause != Cause.DEVICES) {
            reasons.add(count + (count == 1 ? " node: " : " nodes: ") + NodeFilter.describe(cause));
          }
        });
    return reasons.isEmpty() ? "there are no nodes" : String.join("; ", reasons);
  }

  /** For people: how many nodes refused the pod, by what refused it. */
  @Override
  public String toString() {
    List<String> reasons = new ArrayList<>();
    counts.forEach(
        (cause, count) ->
            reasons.add(
                count + (count == 1 ? " node: " : " nodes: ") + NodeFilter.describe(cause)));
    return reasons.isEmpty() ? "there are no nodes" : String.join("; ", reasons);
  }

  /**
   * Works out why a node does not take the pod.
   *
   * @param node the name of the node
   * @return what refused the pod, and why
   * @throws IllegalArgumentException if the run had no such node
   */
  public NodeRefusal on(String node) {
    for (Node each : nodes) {
      if (each.name().equals(node)) {
        Cause cause = filter.refusal(each);
        return cause == null
            ? withoutDevices(each)
            : new NodeRefusal(node, cause, List.of(NodeFilter.describe(cause)));
      }
    }
    throw new IllegalArgumentException("no node \"" + node + "\" in this run");
  }

  private NodeRefusal withoutDevices(Node node) {
    AllocationOutcome outcome = allocator.allocate(inventory, node.name(), filter.pending());
    List<String> lines =
        outcome instanceof Unallocatable unallocatable
            ? unallocatable.explanation().lines()
            : List.of("has no devices for it; why could not be found out" + gap(outcome));
    return new NodeRefusal(node.name(), Cause.DEVICES, lines);
  }

  private static String gap(AllocationOutcome outcome) {
    return outcome instanceof Undecided undecided ? ": " + undecided.reason() : "";
  }
}
