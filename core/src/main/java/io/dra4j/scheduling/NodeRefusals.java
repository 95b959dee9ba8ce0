package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterExplanation;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.scheduling.ExtendedResources.NodeClaims;
import io.dra4j.scheduling.NodeReasons.MismatchFinder;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why no node accepts a pod. Stores the number of refusing nodes by cause. The reason
 * of each node is computed on demand, from the inventory of the time at which the pod was tried.
 * The inventories of one run share their equal parts, so that the refusals of thousands of pods by
 * thousands of nodes need little memory.
 */
public final class NodeRefusals {

  private final Allocator allocator;
  private final List<Node> nodes;
  private final @Nullable String onlyNode;
  private final NodeFilter filter;
  private final NodeClaims claims;
  private final @Nullable NodeAllocatableResources costs;
  private final DeviceInventory inventory;
  private final Map<Cause, Integer> counts;

  /**
   * Creates the refusals of one pod.
   *
   * @param nodes the nodes of the run
   * @param onlyNode the name of the only node to check; null for all nodes
   * @param claims the claims of the pod that need devices
   * @param costs the resources of nodes that devices consume; null if they do not count
   * @param inventory the inventory at the time at which the pod was tried
   */
  @SuppressWarnings("ParameterNumber") // the fields of refusals, made in one place
  NodeRefusals(
      Allocator allocator,
      List<Node> nodes,
      @Nullable String onlyNode,
      NodeFilter filter,
      NodeClaims claims,
      @Nullable NodeAllocatableResources costs,
      DeviceInventory inventory,
      Map<Cause, Integer> counts) {
    this.allocator = allocator;
    this.nodes = nodes;
    this.onlyNode = onlyNode;
    this.filter = filter;
    this.claims = claims;
    this.costs = costs;
    this.inventory = inventory;
    this.counts = Collections.unmodifiableMap(new EnumMap<>(counts));
  }

  /** {@return the number of nodes that refused the pod by cause, for each cause that occurred} */
  public Map<Cause, Integer> counts() {
    return counts;
  }

  /** {@return the number of nodes on which the pod may run but that have no devices for it} */
  public int withoutDevices() {
    return counts.getOrDefault(Cause.DEVICES, 0);
  }

  /**
   * {@return whether only devices can refuse the pod on a node}
   *
   * @param node the node
   */
  public boolean allows(Node node) {
    return finder().on(Objects.requireNonNull(node, "node")) == null;
  }

  /**
   * {@return the first nodes without devices for the pod, with reasons, in inventory order}
   *
   * @param limit the most nodes to list
   */
  public List<NodeRefusal> first(int limit) {
    List<NodeRefusal> refusals = new ArrayList<>();
    int wanted = Math.min(limit, withoutDevices());
    NodeClaims.Queries devices = devices();
    MismatchFinder mismatches = finder();
    for (Node node : nodes) {
      if (refusals.size() >= wanted) {
        break; // many other nodes may not be candidates
      }
      if (mismatches.on(node) == null) {
        refusals.add(withoutDevices(node, devices));
      }
    }
    return refusals;
  }

  /**
   * {@return the reasons why nodes have no devices for the pod, the reason of the most nodes first}
   *
   * @param budget the time of the caller
   */
  public ClusterExplanation explain(Budget budget) {
    Map<Set<String>, Set<String>> asked = new LinkedHashMap<>(); // by the resources of devices
    MismatchFinder mismatches = finder();
    int found = 0;
    for (Node node : nodes) {
      if (found >= withoutDevices()) {
        break;
      } else if (mismatches.on(node) == null) {
        asked.computeIfAbsent(claims.ofDevices(node), any -> new HashSet<>()).add(node.name());
        found++;
      }
    }
    NodeClaims.Queries devices = devices();
    List<ClusterExplanation.Group> groups = new ArrayList<>();
    List<String> fitting = new ArrayList<>();
    asked.forEach(
        (resources, names) -> {
          ClusterExplanation one =
              devices.of(resources).among(node -> names.contains(node.name())).explain(budget);
          groups.addAll(one.groups());
          fitting.addAll(one.fitting());
        });
    if (asked.size() > 1) {
      groups.sort(Comparator.comparingInt(group -> -group.nodes().size()));
    }
    return new ClusterExplanation(groups, fitting);
  }

  /** Finds devices for the claims of the pod. */
  private NodeClaims.Queries devices() {
    return claims.queries(each -> allocator.query(inventory, each));
  }

  /**
   * {@return why no node accepts the pod, in one line: nodes without devices, then the others}
   *
   * @param devices the result of {@link #explain}
   */
  public String summary(ClusterExplanation devices) {
    return text(devices.groups().isEmpty() ? "" : devices.summary());
  }

  /**
   * {@return the same reasons as {@link #summary}, without the names of the claims before the full
   * reason of a single node}
   *
   * @param devices the result of {@link #explain}
   */
  public String statement(ClusterExplanation devices) {
    return text(devices.groups().isEmpty() ? "" : devices.statement());
  }

  /** {@return for readers, the number of nodes without devices and the reasons of the others} */
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
      parts.addAll(ofName); // if the pod is bound, the reason of its own node is more specific
    }
    if (parts.isEmpty()) {
      return nodes.isEmpty() && onlyNode != null
          ? "no node \"" + onlyNode + "\" in the inventory"
          : "there are no nodes";
    }
    return String.join("; ", parts);
  }

  /**
   * {@return the reasons why nodes refused the pod, apart from devices: a few short sentences for
   * each cause that occurred, except {@link Cause#DEVICES}; large numbers of nodes are only
   * counted}
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
   * Finds the reason why a node refuses the pod, with devices or without. The resources that
   * devices consume are computed again if they refused the pod on any node.
   */
  private MismatchFinder finder() {
    NodeAllocatableResources ofDevices = costs;
    if (ofDevices == null || !counts.containsKey(Cause.NODE_RESOURCES)) {
      return filter::mismatch;
    }
    NodeClaims.Queries query = devices();
    return node -> {
      NodeMismatch mismatch = filter.mismatch(node);
      return mismatch == null && query.of(node).on(node.name()) instanceof Allocated allocated
          ? ofDevices.mismatch(node, ofDevices.of(allocated.allocations()))
          : mismatch;
    };
  }

  private static boolean isBesideRules(Cause cause) {
    return cause.compareTo(Cause.NODE_AFFINITY) > 0 && cause != Cause.DEVICES;
  }

  /**
   * {@return the reasons of the nodes that refused the pod, apart from devices, in the order of
   * their causes; for each cause, the reason of the most nodes first} Groups nodes with the same
   * reason. If there are very many different reasons of a cause, the rest of them is one reason.
   */
  public List<NodeReason> reasons() {
    return List.copyOf(NodeReasons.of(nodes, finder()));
  }

  /**
   * {@return the cause and the reasons of the refusal of a node}
   *
   * @param node the name of the node
   * @throws IllegalArgumentException if the run had no such node
   */
  public NodeRefusal on(String node) {
    for (Node each : nodes) {
      if (each.name().equals(node)) {
        List<NodeReason> reasons = NodeReasons.of(List.of(each), finder());
        return reasons.isEmpty()
            ? withoutDevices(each, devices())
            : new NodeRefusal(node, reasons.get(0).cause(), List.of(reasons.get(0).text()));
      }
    }
    throw new IllegalArgumentException("no node \"" + node + "\" in this run");
  }

  private NodeRefusal withoutDevices(Node node, NodeClaims.Queries devices) {
    AllocationOutcome outcome = devices.of(node).on(node.name());
    List<String> lines =
        outcome instanceof Unallocatable unallocatable
            ? unallocatable.explanation().lines()
            : List.of("has no devices for it; the reason could not be determined" + gap(outcome));
    return new NodeRefusal(node.name(), Cause.DEVICES, lines);
  }

  private static String gap(AllocationOutcome outcome) {
    return outcome instanceof Undecided undecided ? ": " + undecided.reason() : "";
  }
}
