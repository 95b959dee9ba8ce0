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

  /** {@return the node} */
  public Node node() {
    return pools.node;
  }

  /** {@return the pools of the node, usable or not, in the order in which they are tried} */
  public List<PoolView> pools() {
    return List.of(pools.pools);
  }

  /**
   * {@return the properties of the node that are relevant for some claims; {@code null} if the node
   * must not be compared with others: because of shares, counters in use, devices that select their
   * nodes themselves, too many devices, or devices with too many values}
   *
   * @param inventory the state of the inventory of this view
   * @param traits the attributes that the claims read
   * @param budget the limit of the caller
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

  /** {@return the number of devices of usable pools that the node could use if none were held} */
  public int size() {
    return pools.offsets.size();
  }

  /**
   * {@return the candidate with an ordinal; two calls create two equal candidates}
   *
   * @param ordinal its position in the order of devices, from 0 to less than {@link #size}
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
   * {@return the ordinal of a pool's first device: the number of devices in the pools before it}
   *
   * @param number the index of the pool in {@link #pools()}; the number of pools for the end of all
   */
  public int firstOf(int number) {
    return pools.offsets.first(number);
  }

  /**
   * {@return whether a claim holds a device or, if the feature for shared devices is off, a share
   * of it} {@code Allocator.isInUse} has the other reasons that make a device unavailable.
   *
   * @param candidate a device of this node
   */
  public boolean isTaken(NodeDevice candidate) {
    return states[candidate.poolNumber()].isTaken(candidate.index());
  }

  /**
   * {@return whether a claim has a share of a device that can be shared}
   *
   * @param candidate a device of this node
   */
  public boolean isShared(NodeDevice candidate) {
    return states[candidate.poolNumber()].isShared(candidate.index());
  }

  /** {@return whether a claim has a share of any device of the node, as in {@link #isShared}} */
  public boolean hasShares() {
    for (PoolState state : states) {
      if (state.hasShares()) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return the amounts that a device's shares consume, by {@link NodeDevice#capacityNames}:
   * {@code null} for unused capacities, and as a whole without shares} Must not be changed.
   *
   * @param candidate a device of this node
   */
  public @Nullable QuantitySum @Nullable [] consumed(NodeDevice candidate) {
    return states[candidate.poolNumber()].consumed(candidate.index());
  }

  /**
   * {@return the amounts as from {@link #consumed}, where {@code id} and {@code driver/id} are one
   * capacity} A share may have the other name if another release of Kubernetes allocated it, or if
   * the driver has changed the name in its slice.
   *
   * @param candidate a device of this node
   */
  public @Nullable QuantitySum @Nullable [] consumedByEitherName(NodeDevice candidate) {
    return states[candidate.poolNumber()].consumedByEitherName(candidate.index());
  }

  /**
   * {@return the allocated devices of a pool that draw from its counters, including devices for
   * other nodes} If any of them has compatibility groups: first the devices of slices that apply to
   * the node, by the name of the slice, then the others in the order in which their slices were
   * added.
   *
   * @param candidate a device of the pool
   */
  public List<Device> drawing(NodeDevice candidate) {
    return states[candidate.poolNumber()].drawing();
  }

  /**
   * {@return whether a device itself allows use from this node: it names the node, or no nodes}
   *
   * @param candidate a device of this node
   * @param budget the limit of the caller
   * @throws NodeSelectorException if the node selector of the device cannot be parsed
   * @throws BudgetExceededException if the budget is used up before the end
   */
  public boolean reaches(NodeDevice candidate, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    return !candidate.published().perDeviceNodeSelection()
        || NodeMatcher.matches(candidate.device().nodeSelection(), pools.node, budget);
  }
}
