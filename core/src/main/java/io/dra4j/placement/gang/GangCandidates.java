package io.dra4j.placement.gang;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.Node;
import io.dra4j.placement.internal.policy.ContentionScores;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.server.ServerModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The candidate nodes of a gang, with their servers, the rails of their NICs, and their distances
 * in the network. {@link GangPlanner} and {@link GangSearch} choose among them.
 */
final class GangCandidates {

  final Allocator allocator;
  final DeviceInventory inventory;
  final List<Node> nodes;
  final PolicyEngine engine;
  private final Rails rails;
  private final List<String> levels; // node labels, the widest first
  private final List<int[]> domains; // the finest level first
  private final ClusterQuery sights;

  GangCandidates(
      Allocator allocator,
      PolicyEngine engine,
      Rails rails,
      List<String> levels,
      DeviceInventory inventory,
      List<Node> nodes) {
    this.allocator = allocator;
    this.engine = engine;
    this.rails = rails;
    this.levels = levels;
    this.inventory = inventory;
    this.nodes = nodes;
    this.domains = domains(nodes, levels);
    this.sights = allocator.query(inventory, List.of());
  }

  /** Returns the scores of pods on these nodes when all pods run. */
  ContentionScores runningScores(DeviceInventory all) {
    return ContentionScores.of(allocator, engine, all);
  }

  /** The domain of each node at each level; empty for a level whose label no node has. */
  private static List<int[]> domains(List<Node> nodes, List<String> levels) {
    List<int[]> found = new ArrayList<>();
    for (int depth = levels.size(); depth > 0; depth--) {
      Map<List<String>, Integer> numbers = new HashMap<>();
      int[] domain = new int[nodes.size()];
      boolean any = false;
      for (int i = 0; i < domain.length; i++) {
        Map<String, String> labels = nodes.get(i).metadata().labels();
        boolean known = labels.containsKey(levels.get(depth - 1));
        any |= known;
        domain[i] =
            known
                ? numbers.computeIfAbsent(
                    values(labels, levels.subList(0, depth)), all -> numbers.size())
                : -1 - i;
      }
      found.add(any ? domain : new int[0]);
    }
    return found;
  }

  /** The values of some labels; empty for a missing label. */
  static List<String> values(Map<String, String> labels, List<String> keys) {
    return keys.stream().map(key -> labels.getOrDefault(key, "")).toList();
  }

  /** The position of a node among the nodes. */
  int number(String name) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalStateException("no node " + name);
  }

  NodeView view(int node, Budget budget) throws BudgetExceededException {
    String name = nodes.get(node).name();
    Optional<NodeSight> sight = AllocatorAccess.sight(sights.withBudget(budget), name);
    if (sight.isEmpty()) {
      budget.check();
      throw new IllegalStateException("no node " + name);
    }
    return sight.get().view();
  }

  ServerModel kind(int node, Budget budget) throws BudgetExceededException {
    return engine.kind(view(node, budget), budget);
  }

  /** The rail of each NIC of a node. */
  List<Optional<Object>> railsOf(int node, ServerModel kind, Budget budget)
      throws BudgetExceededException {
    List<Optional<Object>> found = new ArrayList<>();
    NodeView view = rails instanceof Rails.ByIndex ? null : view(node, budget);
    for (int nic = 0; nic < kind.nics(); nic++) {
      budget.spend(1);
      found.add(
          view == null
              ? Optional.of(kind.rails[nic])
              : RailReader.railOf(view.candidate(kind.nicOrdinals[nic]), rails));
    }
    return found;
  }

  /**
   * The domain of each node at each level of the network, the finest level first: equal numbers for
   * nodes of one domain, negative numbers for nodes in a domain of their own.
   */
  List<int[]> domains() {
    int[] apart = new int[nodes.size()];
    Arrays.setAll(apart, i -> -1 - i);
    return domains.stream().map(level -> level.length == 0 ? apart : level).toList();
  }

  /**
   * {@return the distance between some nodes: 0 for one node, 1 within a domain of the finest
   * level, and so on; the number of levels plus 1 if no domain holds all of them}
   */
  int distance(List<Integer> used) {
    if (used.size() < 2) {
      return 0;
    }
    List<int[]> all = domains();
    for (int level = 0; level < all.size(); level++) {
      int[] domain = all.get(level);
      if (used.stream().allMatch(node -> domain[node] == domain[used.get(0)])) {
        return level + 1;
      }
    }
    return all.size() + 1;
  }

  /** The label of the level that nodes at this distance have in common; empty if there is none. */
  String levelOf(int distance) {
    return distance == 0 || distance > levels.size() ? "" : levels.get(levels.size() - distance);
  }
}
