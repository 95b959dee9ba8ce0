package io.dra4j.inventory;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.QuantitySum;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in use among the devices of a pool, by their indexes in a view of it. Immutable, and made
 * once for all nodes that share the view, because it is asked for each device in each search.
 */
final class PoolState {

  /** Nothing is in use. */
  static final PoolState UNUSED = new PoolState();

  final @Nullable PoolHoldings holdings;
  private final BitSet taken = new BitSet(0);
  private final BitSet shared = new BitSet(0);
  private final Map<Integer, @Nullable QuantitySum[]> consumed = new HashMap<>(0);
  private final List<Device> drawing = new ArrayList<>(0);

  private PoolState() {
    this.holdings = null;
  }

  /**
   * Looks at each device of the pool.
   *
   * @param sharing whether devices can be shared; otherwise every share is the whole device
   * @throws BudgetExceededException if the caller does not wait so long
   */
  PoolState(PoolView view, PoolHoldings holdings, boolean sharing, Budget budget)
      throws BudgetExceededException {
    this.holdings = holdings;
    int index = 0;
    for (int number = 0; number < view.slices(); number++) {
      for (Device device : view.slice(number).published.devices()) {
        budget.spend(1);
        DeviceHoldings held = holdings.of(device.name());
        if (held != null) {
          add(index, device, held, sharing);
        }
        index++;
      }
    }
    if (!view.counterSets().isEmpty()) {
      // Devices for other nodes draw from the same counters.
      for (PublishedSlice slice : view.allSlices()) {
        budget.spend(slice.size());
        addDrawing(slice, holdings);
      }
    }
  }

  private void add(int index, Device device, DeviceHoldings held, boolean sharing) {
    if (held.isWhole() || !sharing) {
      taken.set(index);
    }
    if (sharing && held.isShared()) {
      shared.set(index);
      consumed.put(
          index,
          device.capacity().keySet().stream().map(held::consumed).toArray(QuantitySum[]::new));
    }
  }

  private void addDrawing(PublishedSlice slice, PoolHoldings held) {
    for (Device device : slice.published.devices()) {
      if (!device.consumesCounters().isEmpty() && held.of(device.name()) != null) {
        drawing.add(device);
      }
    }
  }

  boolean isTaken(int index) {
    return taken.get(index);
  }

  boolean isShared(int index) {
    return shared.get(index);
  }

  /** What existing shares of the device consume, in the order of its capacities, or null. */
  @Nullable QuantitySum @Nullable [] consumed(int index) {
    return consumed.get(index);
  }

  /** The allocated devices that draw from the counters of the pool, for whatever node. */
  List<Device> drawing() {
    return drawing;
  }
}
