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
 * The devices of a pool that are in use, by their indexes in a view of the pool. Immutable. Created
 * once for all nodes that share the view, because each search reads it for each device.
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
   * Computes the state from the holdings of each device of the pool.
   *
   * @param sharing whether devices can be shared; otherwise every share is the whole device
   * @throws BudgetExceededException if the budget is used up
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

  /** The devices that are in use; null if shares or counters count in addition. */
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

  /** The amounts that shares of the device consume, in the order of its capacities, or null. */
  @Nullable QuantitySum @Nullable [] consumed(int index) {
    return isShared(index) ? consumed.get(index) : null; // usually false, without a look-up
  }

  /** The amounts of {@link #consumed}, with {@code id} and {@code driver/id} as one capacity. */
  @Nullable QuantitySum @Nullable [] consumedByEitherName(int index) {
    return isShared(index) ? consumedByEitherName.get(index) : null;
  }

  /** Returns the allocated devices that draw from the counters of the pool, for any node. */
  public List<Device> drawing() {
    return drawing;
  }
}
