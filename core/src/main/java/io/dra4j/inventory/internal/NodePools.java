package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.Device;
import io.dra4j.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pools that a node can use, in the order in which they are tried. Does not depend on
 * allocations. Immutable. Valid as long as the slices that name the node, their pools, and the
 * pools of slices that name no node do not change.
 */
public final class NodePools {

  private static final Comparator<PoolView> BY_ID = Comparator.comparing(PoolView::id);

  final Node node;
  final Set<Feature> features;
  public final PoolView[] pools;
  final Offsets offsets; // of the devices of the pools
  final @Nullable public NodeSelectorException
      failure; // of a slice whose node selector cannot be parsed
  private final PoolSlices[] sources; // the pools of the slices that name the node
  private final Object unbound; // the version of the pools of the other slices
  private final long bytes;

  private NodePools(Gathering gathering, PoolView[] pools) {
    this.node = gathering.node;
    this.features = gathering.features;
    this.pools = pools;
    this.failure = gathering.failure;
    this.sources = gathering.sources.values().toArray(new PoolSlices[0]);
    this.unbound = gathering.index.unbound().version();
    this.bytes = 100 + 16L * pools.length + 8L * sources.length + gathering.bytesOfViews;
    this.offsets = Offsets.of(pools, PoolView::size);
  }

  /** Returns whether these are still the pools of the node, whose entry has not changed. */
  public boolean holdFor(Set<Feature> wanted, SliceIndex slices) {
    if (!features.equals(wanted) || unbound != slices.unbound().version()) {
      return false;
    }
    for (PoolSlices source : sources) {
      if (slices.pools().get(source.id) != source) {
        return false;
      }
    }
    return true;
  }

  /** {@return the approximate memory of the pools in bytes, with the views created for them} */
  public long bytes() {
    return bytes;
  }

  /**
   * Finds the pools of a node.
   *
   * @throws BudgetExceededException if the budget is used up
   */
  public static NodePools gather(
      NodeEntry entry, Node node, SliceIndex slices, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    return new Gathering(node, slices, features, budget).gather(entry);
  }

  private static final class Gathering {

    private final Node node;
    private final SliceIndex index;
    private final Set<Feature> features;
    private final Budget budget;
    private final boolean partitionable;
    private final boolean compatibilityGroups;
    private final Map<PoolId, List<PublishedSlice>> newest = new LinkedHashMap<>();
    private final Map<PoolId, PoolSlices> sources = new LinkedHashMap<>();
    private @Nullable NodeSelectorException failure;
    private long failedAt = Long.MAX_VALUE;
    private long bytesOfViews; // of the created ones

    Gathering(Node node, SliceIndex index, Set<Feature> features, Budget budget) {
      this.node = node;
      this.index = index;
      this.features = features;
      this.budget = budget;
      this.partitionable = features.contains(Feature.PARTITIONABLE_DEVICES);
      this.compatibilityGroups = features.contains(Feature.COMPATIBILITY_GROUPS);
    }

    NodePools gather(NodeEntry entry) throws BudgetExceededException {
      // First the slices that name the node, then the slices that name none: the reference's order.
      addNaming(entry);
      addUnbound();
      return new NodePools(this, views());
    }

    private void addNaming(NodeEntry entry) throws BudgetExceededException {
      for (PublishedSlice slice : entry.slices) {
        if (sources.containsKey(slice.poolId)) {
          addIfRelevant(slice);
          continue;
        }
        PoolSlices source = index.pools().get(slice.poolId);
        if (source != null) {
          sources.put(slice.poolId, source);
          addIfRelevant(slice);
        }
      }
    }

    private void addUnbound() throws BudgetExceededException {
      List<PoolSlices> unbound = new ArrayList<>();
      index.unbound().forEach(unbound::add);
      for (PoolSlices pool : unbound) {
        for (PublishedSlice slice : pool.slices) {
          if (!slice.namesNode()) {
            addIfRelevant(slice);
          }
        }
      }
    }

    /** The views of the pools, in the order in which they are tried. */
    private PoolView[] views() throws BudgetExceededException {
      List<PoolView> plain = new ArrayList<>();
      List<PoolView> binding = new ArrayList<>();
      for (Map.Entry<PoolId, List<PublishedSlice>> entryOfPool : newest.entrySet()) {
        PoolSlices named = sources.get(entryOfPool.getKey());
        PoolSlices pool = named == null ? index.pools().get(entryOfPool.getKey()) : named;
        if (pool != null) {
          budget.spend(pool.slices.length);
          PoolView view = pool.knownView(entryOfPool.getValue(), features);
          if (view == null) {
            view = pool.newView(entryOfPool.getValue(), features, budget);
            bytesOfViews += view.bytes();
          }
          if (!view.obsolete()) {
            (view.hasBindingConditions() ? binding : plain).add(view);
          }
        }
      }
      BudgetedSort.sort(plain, BY_ID, budget);
      BudgetedSort.sort(binding, BY_ID, budget);
      plain.addAll(binding);
      return plain.toArray(new PoolView[0]);
    }

    private void addIfRelevant(PublishedSlice slice) throws BudgetExceededException {
      budget.spend(1);
      if (!partitionable
          && (slice.published.perDeviceNodeSelection() != null || slice.hasCounters())) {
        return;
      }
      // Without the feature nothing keeps incompatible devices apart. So their slices are ignored,
      // and their pool stays incomplete.
      if (!compatibilityGroups && slice.usesCompatibilityGroups) {
        return;
      }
      try {
        if (isAbout(slice, node, budget)) {
          keepNewest(slice);
        }
      } catch (NodeSelectorException e) {
        if (slice.sequence < failedAt) { // the reference would reach this slice first
          failure = e;
          failedAt = slice.sequence;
        }
      }
    }

    private void keepNewest(PublishedSlice slice) {
      List<PublishedSlice> known = newest.get(slice.poolId);
      long generation = slice.published.pool().generation();
      if (known == null || known.get(0).published.pool().generation() < generation) {
        List<PublishedSlice> first = new ArrayList<>(1);
        first.add(slice);
        newest.put(slice.poolId, first);
      } else if (known.get(0).published.pool().generation() == generation) {
        known.add(slice);
      }
    }
  }

  /**
   * Returns whether a slice applies to a node.
   *
   * @throws NodeSelectorException if the node selector of the slice cannot be parsed
   * @throws BudgetExceededException if the budget is used up
   */
  public static boolean isAbout(PublishedSlice slice, Node node, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    try {
      if (slice.published.nodeSelection().isGiven()) {
        return NodeMatcher.matches(slice.published.nodeSelection(), node, budget);
      }
      if (slice.perDeviceNodeSelection()) {
        for (Device device : slice.published.devices()) {
          budget.spend(1);
          if (NodeMatcher.matches(device.nodeSelection(), node, budget)) {
            return true;
          }
        }
      }
      return false; // no known field is set: a slice of a later version
    } catch (NodeSelectorException e) {
      throw new NodeSelectorException(
          "ResourceSlice " + slice.published.metadata().name() + ": " + e.getMessage());
    }
  }
}
