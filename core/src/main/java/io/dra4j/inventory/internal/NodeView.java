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
 * What one node can use: its pools, in the order in which Kubernetes tries them, the devices in
 * them, and what of these is in use. Immutable and thread-safe.
 */
public final class NodeView {

  /** Looking at more devices takes longer than most searches among them. */
  private static final int MAX_COMPARED = 4_096;

  public final NodePools pools;
  private final PoolState[] states; // as the pools
  private final Object held; // the version of the holdings that the states are of

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
   * Returns what some claims see of the node.
   *
   * @param inventory the state of the inventory that the view is of
   * @param traits what the claims look at
   * @param budget how long the caller waits
   * @return the shape, or {@code null} if the node is like no other: because of shares, counters in
   *     use, devices that choose their nodes themselves, or more devices, or more about one, than
   *     is worth comparing
   * @throws BudgetExceededException if the caller does not wait so long
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
   * Returns whether all devices of the node are its own: no slice of its pools is about other nodes
   * too, or may come to be.
   *
   * @return whether what is allocated on other nodes makes no difference
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
   * Returns how many devices the node can use, if no others are held.
   *
   * @return the number of devices of usable pools
   */
  public int size() {
    return pools.offsets.size();
  }

  /**
   * Makes the candidate with an ordinal. Two calls make two equal candidates.
   *
   * @param ordinal its place in the order in which devices are tried, from 0 to less than {@link
   *     #size}
   * @return the device at this place
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
   * @param number the place of the pool among {@link #pools()}; their number for the end of all
   * @return the number of devices in the pools before
   */
  public int firstOf(int number) {
    return pools.offsets.first(number);
  }

  /**
   * Returns whether a device is taken: a claim holds it, or, where devices cannot be shared, a part
   * of it. What else keeps others away depends on the allocator: {@code Allocator.isInUse}.
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
   * @return whether {@link #isShared} holds for one
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
   * Returns what the shares of a device consume.
   *
   * @param candidate a device of this node
   * @return amounts in the order of {@link NodeDevice#capacityNames}, {@code null} for those of
   *     which nothing is consumed; {@code null} as a whole if there is no share. Not to be changed
   */
  public @Nullable QuantitySum @Nullable [] consumed(NodeDevice candidate) {
    return states[candidate.poolNumber()].consumed(candidate.index());
  }

  /**
   * Returns the same, where {@code id} and {@code driver/id} are one capacity, which a share of
   * another release of Kubernetes or of another spelling of the slice may have.
   *
   * @param candidate a device of this node
   * @return as {@link #consumed}
   */
  public @Nullable QuantitySum @Nullable [] consumedByEitherName(NodeDevice candidate) {
    return states[candidate.poolNumber()].consumedByEitherName(candidate.index());
  }

  /**
   * Returns the allocated devices of a pool that draw from its counters, those for other nodes
   * included.
   *
   * @param candidate a device of the pool
   * @return the devices: where any of them has compatibility groups, first those of slices about
   *     the node, by the name of the slice, then the others in the order in which their slices came
   */
  public List<Device> drawing(NodeDevice candidate) {
    return states[candidate.poolNumber()].drawing();
  }

  /**
   * Returns whether a device can be used from this node, by what the device itself says.
   *
   * @param candidate a device of this node
   * @param budget how long the caller waits
   * @return whether the node is one of those that the device names, if it names any
   * @throws NodeSelectorException if the node selector of the device cannot be parsed
   * @throws BudgetExceededException if the budget is used up before
   */
  public boolean reaches(NodeDevice candidate, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    return !candidate.published().perDeviceNodeSelection()
        || NodeMatcher.matches(candidate.device().nodeSelection(), pools.node, budget);
  }
}
