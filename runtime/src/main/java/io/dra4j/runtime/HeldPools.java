package io.dra4j.runtime;

import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.publish.DevicePool;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The pools of devices that claims have: their nodes, counter sets and other fields, but not their
 * devices. If the driver does not offer such a pool after a restart, it is published from here;
 * there is no other source for the nodes from which its devices can be used. It has only pools that
 * a driver of this host has offered. Thread-safe.
 */
final class HeldPools {

  /** A pool of a driver. */
  record Id(String driver, String pool) {}

  private final PoolNames names;
  private final Map<Id, DevicePool> pools = new ConcurrentHashMap<>();

  /** Creates the record of held pools of a runtime with the current names of pools. */
  HeldPools(PoolNames names) {
    this.names = names;
  }

  /** Shows the pools of a store that another process has. */
  void show(Map<Id, DevicePool> stored) {
    Map<Id, DevicePool> now = new HashMap<>();
    stored.forEach(
        (id, pool) ->
            now.putIfAbsent(new Id(id.driver(), names.now(id.driver(), id.pool())), pool));
    now.putAll(stored); // a pool with this current name wins over one that had the name
    pools.putAll(now);
    pools.keySet().retainAll(now.keySet());
  }

  /** Takes over the pools of a store, and removes pools without devices of claims. */
  void open(ClaimStore store, List<StoredClaim> claims) throws StoreException {
    Set<Id> held = new HashSet<>();
    claims.forEach(claim -> held.addAll(poolsOf(claim.driver(), claim.claim().claimed())));
    Map<Id, DevicePool> stored = store.heldPools();
    for (Id id : Set.copyOf(stored.keySet())) {
      if (!held.contains(id)) {
        store.deletePool(id);
        stored.remove(id);
      }
    }
    show(stored);
  }

  /** Stores the pools of a claim that is about to be prepared, as its driver offers them now. */
  void remember(ClaimStore store, DriverSlot slot, ClaimedDevices claimed) throws StoreException {
    Map<String, DevicePool> offered = slot.pools();
    for (Id id : poolsOf(slot.name(), claimed)) {
      DevicePool pool = offered.get(id.pool());
      if (pool != null && (!slot.isOfNode(id.pool()) || !pool.counters().isEmpty())) {
        DevicePool empty = pool.toBuilder().devices(List.of()).build();
        if (!empty.equals(pools.get(id))) {
          store.putPool(id, empty);
          pools.put(id, empty);
        }
      }
    }
  }

  private static Set<Id> poolsOf(String driver, ClaimedDevices claimed) {
    Set<Id> ids = new LinkedHashSet<>();
    for (ClaimedDevice device : claimed.devices()) {
      ids.add(new Id(driver, device.result().pool()));
    }
    return ids;
  }

  /** A pool without its devices, as it was when a claim with one of them was prepared. */
  @Nullable DevicePool find(String driver, String pool) {
    return pools.get(new Id(driver, pool));
  }
}
