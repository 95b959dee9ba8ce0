package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceId;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device that can be tried on a node. Cached facts about the device are stored with its slice. A
 * candidate has only the position of the device in the order of the node, and is created for one
 * search.
 */
public final class NodeDevice implements PolicyDevice {

  private final int ordinal;
  private final PoolView pool;
  private final int poolNumber; // on the node
  private final int index; // in the pool
  private final int position; // in the slice
  private final PublishedSlice published;
  private final Device device;
  private @Nullable List<String> capacityNames;
  private @Nullable List<DeviceCapacity> capacities;

  NodeDevice(
      int ordinal,
      PoolView pool,
      int poolNumber,
      int index,
      PublishedSlice published,
      int position) {
    this.ordinal = ordinal;
    this.pool = pool;
    this.poolNumber = poolNumber;
    this.index = index;
    this.position = position;
    this.published = published;
    this.device = published.slice.devices().get(position);
  }

  /** {@return the position, from 0, in the order in which the devices of the node are tried} */
  public int ordinal() {
    return ordinal;
  }

  /** {@return the pool of this device, as the node sees it} */
  public PoolView pool() {
    return pool;
  }

  @Override
  public ResourceSlice slice() {
    return published.slice;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public DeviceId id() {
    return published.slice.idOf(device);
  }

  /** {@return the nodes from which this device can be used, as stated by its slice or itself} */
  public NodeSelection nodeSelection() {
    return published.perDeviceNodeSelection()
        ? device.nodeSelection()
        : published.slice.nodeSelection();
  }

  /** {@return the names of this device's capacities, in the order in which they are published} */
  public List<String> capacityNames() {
    if (capacityNames == null) {
      capacityNames = List.copyOf(device.capacity().keySet());
    }
    return capacityNames;
  }

  /** {@return this device's capacities, in the order of {@link #capacityNames}} */
  public List<DeviceCapacity> capacities() {
    if (capacities == null) {
      capacities = List.copyOf(device.capacity().values());
    }
    return capacities;
  }

  /** {@return whether this device draws from counters that it shares with others (KEP-4815)} */
  public boolean drawsFromCounters() {
    return !device.consumesCounters().isEmpty();
  }

  /**
   * {@return whether this device's capacities can reject a request for the whole device, even
   * without amounts: by a request policy, or a capacity below 0}
   *
   * @param budget the limit of the caller
   * @throws BudgetExceededException if the budget is used up
   */
  public boolean hasDemandingCapacities(Budget budget) throws BudgetExceededException {
    return published.peculiarities.hasDemandingCapacities(position, budget);
  }

  int poolNumber() {
    return poolNumber;
  }

  int index() {
    return index;
  }

  int position() {
    return position;
  }

  PublishedSlice published() {
    return published;
  }

  @Override
  public String toString() {
    return id().toString();
  }
}
