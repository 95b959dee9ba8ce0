package io.dra4j.allocation;

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

  private NodePools(Node node, List<Pool> pools) {
    this.node = node;
    this.pools = pools;
    List<Candidate> all = new ArrayList<>();
    for (Pool pool : pools) {
      for (PublishedSlice published : pool.targetingNode) {
        for (int i = 0; i < published.slice.devices().size(); i++) {
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
   */
  static NodePools gather(SliceIndex slices, Node node, Set<Feature> features)
      throws RejectedException {
    boolean partitionable = features.contains(Feature.PARTITIONABLE_DEVICES);
    boolean compatibilityGroups = features.contains(Feature.COMPATIBILITY_GROUPS);
    Map<PoolId, List<PublishedSlice>> newest = new LinkedHashMap<>();
    for (PublishedSlice published : slices.reaching(node.name())) {
      if (!partitionable
          && (published.slice.perDeviceNodeSelection() != null || published.hasCounters())) {
        continue;
      }
      // Without the feature nobody could keep incompatible devices apart, so their slices do not
      // exist, and their pool stays incomplete.
      if (!compatibilityGroups && published.usesCompatibilityGroups) {
        continue;
      }
      if (isAbout(published, node)) {
        keepNewest(newest, published);
      }
    }
    List<Pool> plain = new ArrayList<>();
    List<Pool> binding = new ArrayList<>();
    newest.forEach(
        (id, relevant) -> {
          long generation = relevant.get(0).slice.pool().generation();
          long expected = relevant.get(0).slice.pool().resourceSliceCount();
          List<PublishedSlice> all = relevant;
          if (relevant.size() != expected) {
            // The rest of the pool may be about other nodes, or the pool may already have moved on.
            if (slices.hasNewer(id, generation)) {
              return;
            }
            all = slices.ofGeneration(id, generation, compatibilityGroups);
          }
          Pool pool =
              all.size() == expected
                  ? Pool.complete(id, relevant, all, partitionable)
                  : Pool.incomplete(id);
          (pool.hasBindingConditions() ? binding : plain).add(pool);
        });
    plain.sort(BY_ID);
    binding.sort(BY_ID);
    plain.addAll(binding);
    return new NodePools(node, List.copyOf(plain));
  }

  private static boolean isAbout(PublishedSlice published, Node node) throws RejectedException {
    ResourceSlice slice = published.slice;
    try {
      if (slice.nodeSelection().isGiven()) {
        return NodeMatcher.matches(slice.nodeSelection(), node);
      }
      if (published.perDeviceNodeSelection()) {
        for (Device device : slice.devices()) {
          if (NodeMatcher.matches(device.nodeSelection(), node)) {
            return true;
          }
        }
      }
      return false; // nothing known is set: a slice of some later version
    } catch (RejectedException e) {
      throw new RejectedException("ResourceSlice " + slice.metadata().name() + ": " + e.error());
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
