package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.persistent.PersistentMap;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of an inventory, indexed for allocation. Immutable except for caches. {@link
 * InventoryEditor} creates the next one.
 *
 * @param caches the caches, shared with all inventories that were derived from the same one
 * @param nodes the entries of the nodes by name
 * @param order the nodes in the order in which they were added
 * @param slices the slices and their pools
 * @param classes the device classes by name
 * @param rules the device taint rules
 * @param claims the holdings of the claims by name
 * @param held the holdings of devices by pool
 * @param nextSequence the sequence number of the next object
 */
public record InventoryState(
    InventoryCaches caches,
    PersistentMap<String, NodeEntry> nodes,
    NodeOrder order,
    SliceIndex slices,
    PersistentMap<String, DeviceClass> classes,
    DeviceTaintRules rules,
    PersistentMap<ClaimKey, ClaimHoldings> claims,
    PersistentMap<PoolId, PoolHoldings> held,
    long nextSequence) {

  /** Returns the state of an inventory without any objects, with caches of its own. */
  public static InventoryState empty() {
    return new InventoryState(
        new InventoryCaches(),
        PersistentMap.empty(),
        new NodeOrder(),
        SliceIndex.EMPTY,
        PersistentMap.empty(),
        DeviceTaintRules.NONE,
        PersistentMap.empty(),
        PersistentMap.empty(),
        0);
  }

  /**
   * {@return the pools and devices that a node can use, or {@code null} if there is no such node}
   *
   * @param nodeName the name of the node
   * @param features the features that are on; they decide which slices count
   * @param budget the limit of the caller
   * @throws NodeSelectorException if the node selector of a slice cannot be parsed
   * @throws BudgetExceededException if the budget is used up before the pools are complete
   */
  public @Nullable NodeView view(String nodeName, Set<Feature> features, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(features, "features");
    Objects.requireNonNull(budget, "budget");
    NodeView view = viewOfParsed(nodeName, features, budget);
    if (view != null && view.pools.failure != null) {
      throw view.pools.failure;
    }
    return view;
  }

  /** Returns the view of a node without the slices whose node selectors cannot be parsed. */
  public @Nullable NodeView viewOfParsed(String nodeName, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    NodeEntry entry = nodes.get(nodeName);
    if (entry == null || entry.node == null) {
      return null;
    }
    NodePools pools = entry.pools;
    if (pools == null || !pools.holdFor(features, slices)) {
      pools = NodePools.gather(entry, entry.node, slices, features, budget);
      entry.pools = pools;
      caches.views.replaced(entry, pools.bytes());
    }
    NodeView view = entry.view;
    if (view == null || !view.isOf(pools, held.version())) {
      PoolState[] states = new PoolState[pools.pools.length];
      for (int i = 0; i < states.length; i++) {
        states[i] = pools.pools[i].state(held.get(pools.pools[i].id()), budget);
      }
      view = new NodeView(pools, states, held.version());
      entry.view = view;
    }
    return view;
  }

  /**
   * {@return the results of a selector for the devices of this inventory, for one thread} Cached
   * results are reused; the others are computed on demand.
   *
   * @param selector the selector
   */
  public CachedSelector answersOf(CompiledSelector selector) {
    return caches.answersOf(Objects.requireNonNull(selector, "selector"));
  }

  /**
   * {@return the values of an expression for the devices of this inventory, for one thread} Cached
   * values are reused; the others are computed on demand.
   *
   * @param expression the expression of a derived attribute
   */
  public CachedAttribute valuesOf(CompiledAttribute expression) {
    return caches.valuesOf(Objects.requireNonNull(expression, "expression"));
  }
}
