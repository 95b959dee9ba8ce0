package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.model.Device;
import io.dra4j.model.Node;
import io.dra4j.model.QuantitySum;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pools and devices that one node can use, in the order in which Kubernetes tries them, and the
 * devices among them that are in use. Immutable and thread-safe.
 */
public final class NodeView {

  /** Comparing more devices takes longer than most searches among them. */
  private static final int MAX_COMPARED = 4_096;

  public final NodePools pools;
  private final PoolState[] states; // in the order of the pools
  private final Object held; // the version of the holdings from which the states were computed

  public NodeView(NodePools pools, PoolState[] states, Object held) {
    this.pools = pools;
    this.states = states;
    this.held = held;
  }

  public boolean isOf(NodePools same, Object version) {
    return pools == same && held == version;
  }

  /**
   * Returns the node.
   *
   * @return the node
   */
  public Node node() {
    return pools.node;
  }

  /**
   * Returns the pools that the node can use.
   *
   * @return the pools, usable or not, in the order in which they are tried
   */
  public List<PoolView> pools() {
    return List.of(pools.pools);
  }

  /**
   * Returns the properties of the node that are relevant for some claims.
   *
   * @param inventory the state of the inventory of this view
   * @param traits the attributes that the claims read
   * @param budget the limit of the caller
   * @return the signature, or {@code null} if the node must not be compared with others: because of
   *     shares, counters in use, devices that select their nodes themselves, too many devices, or
   *     devices with too many values
   * @throws BudgetExceededException if the budget is used up
   */
  public @Nullable NodeSignature shape(
      InventoryState inventory, RelevantAttributes traits, Budget budget)
      throws BudgetExceededException {
    int devices = 0;
    for (PoolView pool : pools.pools) {
      devices += Math.min(pool.size(), MAX_COMPARED + 1);
      if (devices > MAX_COMPARED) {
        return null;
      }
    }
    PoolSignature[] shapes = new PoolSignature[states.length];
    BitSet[] taken = new BitSet[states.length];
    for (int i = 0; i < states.length; i++) {
      BitSet ofPool = states[i].onlyTaken();
      PoolSignature shape = pools.pools[i].shape(traits, inventory.caches(), budget);
      if (ofPool == null || shape.isUnique()) {
        return null;
      }
      taken[i] = ofPool;
      shapes[i] = shape;
    }
    return new NodeSignature(shapes, taken, pools.node.declaredFeatures());
  }

  /**
   * Returns whether all devices of the node belong to it alone: no slice of its pools applies, or
   * can come to apply, to other nodes.
   *
   * @return whether allocations on other nodes make no difference
   */
  public boolean isSelfContained() {
    for (PoolView pool : pools.pools) {
      if (!pool.namesOnlyOneNode()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the number of devices that the node could use if none were held.
   *
   * @return the number of devices of usable pools
   */
  public int size() {
    return pools.offsets.size();
  }

  /**
   * Creates the candidate with an ordinal. Two calls create two equal candidates.
   *
   * @param ordinal its position in the order in which devices are tried, from 0 to less than {@link
   *     #size}
   * @return the device at this position
   */
  public NodeDevice candidate(int ordinal) {
    int number = pools.offsets.partOf(ordinal);
    PoolView pool = pools.pools[number];
    int index = ordinal - pools.offsets.first(number);
    int slice = pool.sliceOf(index);
    return new NodeDevice(
        ordinal, pool, number, index, pool.slice(slice), index - pool.first(slice));
  }

  /**
   * Returns the ordinal of the first device of a pool.
   *
   * @param number the index of the pool among {@link #pools()}; the number of pools for the end of
   *     all
   * @return the number of devices in the pools before it
   */
  public int firstOf(int number) {
    return pools.offsets.first(number);
  }

  /**
   * Returns whether a device is taken: a claim holds it or, if the feature for shared devices is
   * off, a share of it. {@code Allocator.isInUse} has the other reasons that make a device
   * unavailable.
   *
   * @param candidate a device of this node
   * @return whether it is in use
   */
  public boolean isTaken(NodeDevice candidate) {
    return states[candidate.poolNumber()].isTaken(candidate.index());
  }

  /**
   * Returns whether a claim has a share of a device that can be shared.
   *
   * @param candidate a device of this node
   * @return whether there is a share
   */
  public boolean isShared(NodeDevice candidate) {
    return states[candidate.poolNumber()].isShared(candidate.index());
  }

  /**
   * Returns whether a claim has a share of any device of the node.
   *
   * @return whether {@link #isShared} is true for any device
   */
  public boolean hasShares() {
    for (PoolState state : states) {
      if (state.hasShares()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the amounts that the shares of a device consume.
   *
   * @param candidate a device of this node
   * @return amounts in the order of {@link NodeDevice#capacityNames}, {@code null} for capacities
   *     that no share consumes; {@code null} as a whole if there is no share. Must not be changed
   */
  public @Nullable QuantitySum @Nullable [] consumed(NodeDevice candidate) {
    return states[candidate.poolNumber()].consumed(candidate.index());
  }

  /**
   * Returns the amounts that the shares of a device consume, where {@code id} and {@code driver/id}
   * are one capacity. A share may have the other name if another release of Kubernetes allocated
   * it, or if the driver has changed the name in its slice.
   *
   * @param candidate a device of this node
   * @return amounts as from {@link #consumed}
   */
  public @Nullable QuantitySum @Nullable [] consumedByEitherName(NodeDevice candidate) {
    return states[candidate.poolNumber()].consumedByEitherName(candidate.index());
  }

  /**
   * Returns the allocated devices of a pool that draw from its counters, including devices for
   * other nodes.
   *
   * @param candidate a device of the pool
   * @return the devices. If any of them has compatibility groups: first the devices of slices that
   *     apply to the node, by the name of the slice, then the others in the order in which their
   *     slices were added
   */
  public List<Device> drawing(NodeDevice candidate) {
    return states[candidate.poolNumber()].drawing();
  }

  /**
   * Returns whether a device can be used from this node, according to the device itself.
   *
   * @param candidate a device of this node
   * @param budget the limit of the caller
   * @return whether the device names this node, or names no nodes
   * @throws NodeSelectorException if the node selector of the device cannot be parsed
   * @throws BudgetExceededException if the budget is used up before the end
   */
  public boolean reaches(NodeDevice candidate, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    return !candidate.published().perDeviceNodeSelection()
        || NodeMatcher.matches(candidate.device().nodeSelection(), pools.node, budget);
  }
}
