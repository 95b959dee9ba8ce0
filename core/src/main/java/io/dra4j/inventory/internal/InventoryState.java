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
 * What an inventory consists of, indexed for allocation. Immutable, but for what is remembered to
 * save work. {@link InventoryEditor} makes the next one.
 *
 * @param caches shared by all inventories that come of one
 * @param nodes what there is under the name of each node
 * @param order the nodes in the order in which they came
 * @param slices the slices and their pools
 * @param classes the device classes by name
 * @param rules the device taint rules
 * @param claims what the claims of each name hold
 * @param held which devices of each pool are held
 * @param nextSequence the number of the object that comes next
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
   * Returns what a node can use, for those who choose devices.
   *
   * @param nodeName the name of the node
   * @param features what is on; decides which slices count
   * @param budget how long the caller waits
   * @return the node's pools, or {@code null} if there is no such node
   * @throws NodeSelectorException if the node selector of a slice cannot be parsed: what the node
   *     can use is unknown then
   * @throws BudgetExceededException if the budget is used up before the pools are put together
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
   * Returns what a selector says of the devices of this inventory, where it was asked before, and
   * asks it about the others.
   *
   * @param selector the selector
   * @return its answers, for one thread
   */
  public CachedSelector answersOf(CompiledSelector selector) {
    return caches.answersOf(Objects.requireNonNull(selector, "selector"));
  }

  /**
   * Returns the values that an expression gives for the devices of this inventory, where it was
   * asked before, and asks it about the others.
   *
   * @param expression the expression of a derived attribute
   * @return its values, for one thread
   */
  public CachedAttribute valuesOf(CompiledAttribute expression) {
    return caches.valuesOf(Objects.requireNonNull(expression, "expression"));
  }
}
