package io.dra4j.inventory.internal;

import io.dra4j.inventory.DeviceInventory;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the packages of this module that search an inventory access to its state. {@link
 * DeviceInventory} gives its state to this class alone, so that the state is not part of the public
 * API.
 */
public final class InventoryAccess {

  // Volatile: an inventory may reach a thread by a data race, before the write of this field does.
  private static volatile @Nullable Function<DeviceInventory, InventoryState> door;

  private InventoryAccess() {}

  /** For the static initializer of {@link DeviceInventory}. */
  public static void through(Function<DeviceInventory, InventoryState> stateOf) {
    door = stateOf;
  }

  /**
   * {@return the state of an inventory}
   *
   * @param inventory the inventory
   */
  public static InventoryState stateOf(DeviceInventory inventory) {
    Objects.requireNonNull(inventory, "inventory");
    return Objects.requireNonNull(door, "set by the class of the inventory").apply(inventory);
  }
}
