package io.dra4j.inventory.internal;

import io.dra4j.inventory.PoolId;
import io.dra4j.persistent.PersistentMap;

/**
 * The slices of a cluster.
 *
 * @param byName the slices by their names
 * @param pools the pools that they belong to
 * @param unbound the pools that have a slice which names no node
 */
public record SliceIndex(
    PersistentMap<String, PublishedSlice> byName,
    PersistentMap<PoolId, PoolSlices> pools,
    PersistentMap<PoolId, PoolSlices> unbound) {

  public static final SliceIndex EMPTY =
      new SliceIndex(PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty());
}
