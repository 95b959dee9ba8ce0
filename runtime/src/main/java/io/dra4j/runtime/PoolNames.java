package io.dra4j.runtime;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The current names of pools. An earlier process may have given the node another name: a pool with
 * a former name of the node is the pool of the node, unless the driver offers another pool of that
 * name. Thread-safe.
 */
final class PoolNames {

  private final String node;
  private final Map<String, DriverSlot> slots;
  private volatile Set<String> formerNames = Set.of();

  /**
   * Creates the names of a runtime.
   *
   * @param node the name of the node
   * @param slots the drivers by name; the map must be complete before a name is requested
   */
  PoolNames(String node, Map<String, DriverSlot> slots) {
    this.node = node;
    this.slots = slots;
  }

  /** Sets the names that the node, and so its pool, had in earlier processes. */
  void formerNames(Set<String> names) {
    formerNames = Set.copyOf(names);
  }

  /** Returns the current name of a pool. */
  String now(String driver, String pool) {
    @Nullable DriverSlot slot = slots.get(driver);
    return slot != null && formerNames.contains(pool) && !slot.hasOffered(pool) ? node : pool;
  }
}
