package io.dra4j.runtime;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Under which name a pool is known now. A process before this one may have given the node another
 * name: a pool with a former name of the node is the pool of the node, unless the driver offers
 * another pool of that name. Thread-safe.
 */
final class PoolNames {

  private final String node;
  private final Map<String, DriverSlot> slots;
  private volatile Set<String> formerNames = Set.of();

  /**
   * Makes the names of a runtime.
   *
   * @param node the name of the node
   * @param slots the drivers by name; all are there before a name is asked for
   */
  PoolNames(String node, Map<String, DriverSlot> slots) {
    this.node = node;
    this.slots = slots;
  }

  /** The names that the node had in earlier processes, and so its pool. */
  void formerNames(Set<String> names) {
    formerNames = Set.copyOf(names);
  }

  /** The name of a pool now. */
  String now(String driver, String pool) {
    @Nullable DriverSlot slot = slots.get(driver);
    return slot != null && formerNames.contains(pool) && !slot.hasOffered(pool) ? node : pool;
  }
}
