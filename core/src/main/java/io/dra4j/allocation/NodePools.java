package io.dra4j.allocation;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.Feature;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pools that a node can use, in the order in which they are tried, and the devices in them.
 * Does not depend on what is allocated.
 */
final class NodePools {

  private static final Comparator<Pool> BY_ID =
      Comparator.comparing((Pool pool) -> pool.id.driver()).thenComparing(pool -> pool.id.name());

  final Node node;
  final List<Pool> pools;
  final Candidate[] candidates;

  private NodePools(Node node, List<Pool> pools, Budget budget) throws BudgetExceededException {
    this.node = node;
    this.pools = pools;
    List<Candidate> all = new ArrayList<>();
    for (Pool pool : pools) {
      for (PublishedSlice published : pool.targetingNode) {
        for (int i = 0; i < published.slice.devices().size(); i++) {
          budget.spend(1);
          all.add(new Candidate(all.size(), pool, published, i));
        }
      }
    }
    this.candidates = all.toArray(new Candidate[0]);
  }

  /**
   * Finds the pools of a node.
   *
   * @throws RejectedException if a slice's node selector cannot be evaluated
   * @throws BudgetExceededException if that takes longer than the caller waits
   */
  static NodePools gather(SliceIndex slices, Node node, Set<Feature> features, Budget budget)
      throws RejectedException, BudgetExceededException {
    boolean partitionable = features.contains(Feature.PARTITIONABLE_DEVICES);
    boolean compatibilityGroups = features.contains(Feature.COMPATIBILITY_GROUPS);
    Map<PoolId, List<PublishedSlice>> newest = new LinkedHashMap<>();
    for (PublishedSlice published : slices.reaching(node.name())) {
      budget.spend(1);
      if (!partitionable
          && (published.slice.perDeviceNodeSelection() != null || published.hasCounters())) {
        continue;
      }
      // Without the feature nobody could keep incompatible devices apart, so their slices do not
      // exist, and their pool stays incomplete.
      if (!compatibilityGroups && published.usesCompatibilityGroups) {
        continue;
      }
      if (isAbout(published, node, budget)) {
        keepNewest(newest, published);
      }
    }
    List<Pool> plain = new ArrayList<>();
    List<Pool> binding = new ArrayList<>();
    for (Map.Entry<PoolId, List<PublishedSlice>> entry : newest.entrySet()) {
      budget.spend(1);
      PoolId id = entry.getKey();
      List<PublishedSlice> relevant = entry.getValue();
      long generation = relevant.get(0).slice.pool().generation();
      long expected = relevant.get(0).slice.pool().resourceSliceCount();
      List<PublishedSlice> all = relevant;
      if (relevant.size() != expected) {
        // The rest of the pool may be about other nodes, or the pool may already have moved on.
        if (slices.hasNewer(id, generation)) {
          continue;
        }
        all = slices.ofGeneration(id, generation, compatibilityGroups);
      }
      Pool pool =
          all.size() == expected
              ? Pool.complete(id, relevant, all, partitionable, budget)
              : Pool.incomplete(id);
      (pool.hasBindingConditions() ? binding : plain).add(pool);
    }
    plain.sort(BY_ID);
    binding.sort(BY_ID);
    plain.addAll(binding);
    return new NodePools(node, List.copyOf(plain), budget);
  }

  private static boolean isAbout(PublishedSlice published, Node node, Budget budget)
      throws RejectedException, BudgetExceededException {
    ResourceSlice slice = published.slice;
    try {
      if (slice.nodeSelection().isGiven()) {
        return NodeMatcher.matches(slice.nodeSelection(), node, budget);
      }
      if (published.perDeviceNodeSelection()) {
        for (Device device : slice.devices()) {
          budget.spend(1);
          if (NodeMatcher.matches(device.nodeSelection(), node, budget)) {
            return true;
          }
        }
      }
      return false; // nothing known is set: a slice of some later version
    } catch (RejectedException e) {
      throw e.at("ResourceSlice " + slice.metadata().name());
    }
  }

  private static void keepNewest(
      Map<PoolId, List<PublishedSlice>> newest, PublishedSlice published) {
    List<PublishedSlice> known = newest.get(published.poolId);
    long generation = published.slice.pool().generation();
    if (known == null || known.get(0).slice.pool().generation() < generation) {
      newest.put(published.poolId, new ArrayList<>(List.of(published)));
    } else if (known.get(0).slice.pool().generation() == generation) {
      known.add(published);
    }
  }
}
