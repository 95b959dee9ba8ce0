package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.QuantitySum;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in use among the devices of a pool, by their indexes in a view of it. Immutable, and made
 * once for all nodes that share the view, because it is asked for each device in each search.
 */
public final class PoolState {

  /** Nothing is in use. */
  static final PoolState UNUSED = new PoolState();

  final @Nullable PoolHoldings holdings;
  private final BitSet taken = new BitSet(0);
  private final BitSet shared = new BitSet(0);
  private final Map<Integer, @Nullable QuantitySum[]> consumed = new HashMap<>(0);
  private final Map<Integer, @Nullable QuantitySum[]> consumedByEitherName = new HashMap<>(0);
  private final String driver;
  private final List<Device> drawing;

  private PoolState() {
    this.holdings = null;
    this.driver = "";
    this.drawing = List.of();
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
    this.driver = view.id().driver();
    int index = 0;
    for (int number = 0; number < view.slices(); number++) {
      for (Device device : view.slice(number).published.devices()) {
        budget.spend(1);
        DeviceHoldings held = holdings.of(device.name());
        if (held != null) {
          add(index, device, held, sharing, budget);
        }
        index++;
      }
    }
    // Devices for other nodes draw from the same counters.
    this.drawing =
        view.counterSets().isEmpty()
            ? List.of()
            : view.pool().drawing(view.allSlices(), holdings, budget);
  }

  private void add(int index, Device device, DeviceHoldings held, boolean sharing, Budget budget)
      throws BudgetExceededException {
    budget.spend(1);
    if (held.isWhole() || !sharing) {
      taken.set(index);
    }
    if (sharing && held.isShared()) {
      shared.set(index);
      @Nullable QuantitySum[] sums = new QuantitySum[device.capacity().size()];
      @Nullable QuantitySum[] byEitherName = new QuantitySum[sums.length];
      int i = 0;
      for (String capacity : device.capacity().keySet()) {
        budget.spend(1);
        sums[i] = held.consumed(capacity);
        byEitherName[i++] = held.consumed(QualifiedName.of(driver, capacity), driver);
      }
      consumed.put(index, sums);
      consumedByEitherName.put(index, byEitherName);
    }
  }

  /** The devices that are in use, or null if more than that counts: shares, and counters. */
  @Nullable BitSet onlyTaken() {
    return shared.isEmpty() && drawing.isEmpty() ? taken : null;
  }

  boolean isTaken(int index) {
    return taken.get(index);
  }

  boolean isShared(int index) {
    return shared.get(index);
  }

  boolean hasShares() {
    return !shared.isEmpty();
  }

  /** What existing shares of the device consume, in the order of its capacities, or null. */
  @Nullable QuantitySum @Nullable [] consumed(int index) {
    return isShared(index) ? consumed.get(index) : null; // mostly not, and without a look-up
  }

  /** The same, where {@code id} and {@code driver/id} are one capacity. */
  @Nullable QuantitySum @Nullable [] consumedByEitherName(int index) {
    return isShared(index) ? consumedByEitherName.get(index) : null;
  }

  /** The allocated devices that draw from the counters of the pool, for whatever node. */
  public List<Device> drawing() {
    return drawing;
  }
}
