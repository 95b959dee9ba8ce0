package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterExplanation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.scheduling.NodeReasons.MismatchFinder;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why no node takes a pod. Knows how many nodes refused it for what; why each did is worked out
 * when it is asked for, from the inventory as it was when the pod was tried: inventories of one run
 * share what is the same, so that thousands of pods refused by thousands of nodes keep little.
 */
public final class NodeRefusals {

  private final Allocator allocator;
  private final List<Node> nodes;
  private final @Nullable String onlyNode;
  private final NodeFilter filter;
  private final @Nullable NodeAllocatableResources costs;
  private final DeviceInventory inventory;
  private final Map<Cause, Integer> counts;

  /**
   * The refusals of one pod.
   *
   * @param nodes the nodes of the run
   * @param onlyNode the name of the only node that was to be looked at; null for all nodes
   * @param costs what devices cost of nodes; null if that does not count
   * @param inventory what was in use when the pod was tried
   */
  NodeRefusals(
      Allocator allocator,
      List<Node> nodes,
      @Nullable String onlyNode,
      NodeFilter filter,
      @Nullable NodeAllocatableResources costs,
      DeviceInventory inventory,
      Map<Cause, Integer> counts) {
    this.allocator = allocator;
    this.nodes = nodes;
    this.onlyNode = onlyNode;
    this.filter = filter;
    this.costs = costs;
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
   * Returns whether the pod may run on a node, whatever devices that has.
   *
   * @param node the node
   * @return whether nothing but devices refuses the pod there
   */
  public boolean allows(Node node) {
    return finder().on(Objects.requireNonNull(node, "node")) == null;
  }

  /**
   * Works out why some nodes have no devices for the pod.
   *
   * @param limit how many nodes to list, at most
   * @return the first of these nodes, in the order of the inventory
   */
  public List<NodeRefusal> first(int limit) {
    List<NodeRefusal> refusals = new ArrayList<>();
    int wanted = Math.min(limit, withoutDevices());
    ClusterQuery devices = allocator.query(inventory, filter.pending());
    MismatchFinder mismatches = finder();
    for (Node node : nodes) {
      if (refusals.size() >= wanted) {
        break; // there may be many others that are out of the question
      }
      if (mismatches.on(node) == null) {
        refusals.add(withoutDevices(node, devices));
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
    MismatchFinder mismatches = finder();
    for (Node node : nodes) {
      if (asked.size() >= withoutDevices()) {
        break;
      } else if (mismatches.on(node) == null) {
        asked.add(node.name());
      }
    }
    return allocator
        .query(inventory, filter.pending())
        .among(node -> asked.contains(node.name()))
        .explain(budget);
  }

  /**
   * Says in one line why no node takes the pod.
   *
   * @param devices why nodes have no devices for it, as {@link #explain} found out
   * @return what nodes lack, then why others are out of the question
   */
  public String summary(ClusterExplanation devices) {
    return text(devices.groups().isEmpty() ? "" : devices.summary());
  }

  /**
   * Says what {@link #summary} says, without the names of the claims in front of the full reason of
   * a single node.
   *
   * @param devices why nodes have no devices for it, as {@link #explain} found out
   * @return what nodes lack, then why others are out of the question
   */
  public String statement(ClusterExplanation devices) {
    return text(devices.groups().isEmpty() ? "" : devices.statement());
  }

  /** For people: how many nodes have no devices for the pod, and why others refused it. */
  @Override
  public String toString() {
    return text(
        withoutDevices() == 0
            ? ""
            : withoutDevices()
                + (withoutDevices() == 1 ? " node: " : " nodes: ")
                + "the node has no devices for the pod's claims");
  }

  private String text(String ofDevices) {
    List<String> parts = new ArrayList<>();
    if (!ofDevices.isEmpty()) {
      parts.add(ofDevices);
    }
    Map<Cause, List<String>> sentences = new EnumMap<>(Cause.class);
    sentences.putAll(sentences());
    List<String> ofName = sentences.remove(Cause.NODE_NAME);
    sentences.values().forEach(parts::addAll);
    if (ofName != null) {
      parts.addAll(ofName); // where the pod is bound, its own node says more
    }
    if (parts.isEmpty()) {
      return nodes.isEmpty() && onlyNode != null
          ? "no node \"" + onlyNode + "\" in the inventory"
          : "there are no nodes";
    }
    return String.join("; ", parts);
  }

  /**
   * Says why nodes refused the pod whatever devices they have, those with the same reason together.
   *
   * @return a few short sentences for each cause that there was but {@link Cause#DEVICES}; nodes
   *     that are many are counted
   */
  public Map<Cause, List<String>> sentences() {
    Map<Cause, List<String>> sentences = new EnumMap<>(Cause.class);
    sentences.putAll(filter.rules().sentences(nodes));
    if (counts.keySet().stream().anyMatch(NodeRefusals::isBesideRules)) {
      MismatchFinder mismatches = finder();
      for (NodeReason reason :
          NodeReasons.of(nodes, node -> filter.rules().allows(node) ? mismatches.on(node) : null)) {
        sentences.computeIfAbsent(reason.cause(), any -> new ArrayList<>()).add(reason.text());
      }
    }
    return Collections.unmodifiableMap(sentences);
  }

  /**
   * Finds what refuses the pod on a node, with devices or without. What devices cost is worked out
   * again, where it refused the pod anywhere.
   */
  private MismatchFinder finder() {
    NodeAllocatableResources ofDevices = costs;
    if (ofDevices == null || !counts.containsKey(Cause.NODE_RESOURCES)) {
      return filter::mismatch;
    }
    ClusterQuery query = allocator.query(inventory, filter.pending());
    return node -> {
      NodeMismatch mismatch = filter.mismatch(node);
      return mismatch == null && query.on(node.name()) instanceof Allocated allocated
          ? ofDevices.mismatch(node, ofDevices.of(allocated.allocations()))
          : mismatch;
    };
  }

  private static boolean isBesideRules(Cause cause) {
    return cause.compareTo(Cause.NODE_AFFINITY) > 0 && cause != Cause.DEVICES;
  }

  /**
   * Finds the nodes that refused the pod whatever devices they have, those with the same reason
   * together. Very different reasons are one.
   *
   * @return the reasons, in the order of their causes, of each cause that of most nodes first
   */
  public List<NodeReason> reasons() {
    return List.copyOf(NodeReasons.of(nodes, finder()));
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
        List<NodeReason> reasons = NodeReasons.of(List.of(each), finder());
        return reasons.isEmpty()
            ? withoutDevices(each, allocator.query(inventory, filter.pending()))
            : new NodeRefusal(node, reasons.get(0).cause(), List.of(reasons.get(0).text()));
      }
    }
    throw new IllegalArgumentException("no node \"" + node + "\" in this run");
  }

  private NodeRefusal withoutDevices(Node node, ClusterQuery devices) {
    AllocationOutcome outcome = devices.on(node.name());
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
