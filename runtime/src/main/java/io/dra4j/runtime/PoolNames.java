package io.dra4j.runtime;

import io.dra4j.model.DeviceRequestAllocationResult;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Under which name a pool is known now. A process before this one may have given the node another
 * name: pools of claims in the store that their driver does not offer are former names of the pool
 * of the node. Thread-safe.
 */
final class PoolNames {

  private record Pool(String driver, String name) {}

  private final String node;
  private final Map<String, DriverSlot> slots;
  private final Set<Pool> stored = ConcurrentHashMap.newKeySet();

  /**
   * Makes the names of a runtime.
   *
   * @param node the name of the node
   * @param slots the drivers by name
   */
  PoolNames(String node, Map<String, DriverSlot> slots) {
    this.node = node;
    this.slots = Map.copyOf(slots);
  }

  /** Takes note of what a claim has that was in the store when this process began. */
  void found(DeviceRequestAllocationResult result) {
    if (!result.pool().equals(node)) {
      stored.add(new Pool(result.driver(), result.pool()));
    }
  }

  /** Takes note of what a claim has that an earlier process, or another one, prepared. */
  void found(StoredClaim claim) {
    claim.claim().claimed().devices().forEach(device -> found(device.result()));
  }

  /** The name of a pool now. */
  String now(String driver, String pool) {
    @Nullable DriverSlot slot = slots.get(driver);
    return slot != null && stored.contains(new Pool(driver, pool)) && !slot.hasOffered(pool)
        ? node
        : pool;
  }
}
