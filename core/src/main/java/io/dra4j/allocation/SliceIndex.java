package io.dra4j.allocation;

import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The slices of a cluster, by the node they are on and by the pool they belong to. */
final class SliceIndex {

  private final Map<String, List<PublishedSlice>> onNode = new HashMap<>();
  private final List<PublishedSlice> shared = new ArrayList<>();
  private final Map<PoolId, List<PublishedSlice>> inPool = new HashMap<>();
  private final int size;
  private final int devices;

  SliceIndex(List<ResourceSlice> slices) {
    this.size = slices.size();
    int firstDevice = 0;
    for (int i = 0; i < slices.size(); i++) {
      ResourceSlice slice = slices.get(i);
      PoolId poolId = new PoolId(slice.driver(), slice.pool().name());
      PublishedSlice published = new PublishedSlice(i, firstDevice, slice, poolId);
      firstDevice += slice.devices().size();
      inPool.computeIfAbsent(poolId, id -> new ArrayList<>()).add(published);
      String nodeName = slice.nodeSelection().nodeName();
      if (nodeName == null || nodeName.isEmpty()) {
        shared.add(published);
      } else {
        onNode.computeIfAbsent(nodeName, name -> new ArrayList<>()).add(published);
      }
    }
    this.devices = firstDevice;
  }

  int size() {
    return size;
  }

  /** How many devices all slices have together. */
  int devices() {
    return devices;
  }

  /** The slices that may be about a node: first those that name it, then those that name none. */
  Iterable<PublishedSlice> reaching(String nodeName) {
    List<PublishedSlice> reaching = new ArrayList<>(onNode.getOrDefault(nodeName, List.of()));
    reaching.addAll(shared);
    return reaching;
  }

  /** Whether a slice of a later generation of the pool exists, for whatever node. */
  boolean hasNewer(PoolId id, long generation) {
    return inPool.getOrDefault(id, List.of()).stream()
        .anyMatch(published -> published.slice.pool().generation() > generation);
  }

  /** All slices of one generation of the pool, for whatever node. */
  List<PublishedSlice> ofGeneration(PoolId id, long generation, boolean withCompatibilityGroups) {
    return inPool.getOrDefault(id, List.of()).stream()
        .filter(published -> published.slice.pool().generation() == generation)
        .filter(published -> withCompatibilityGroups || !published.usesCompatibilityGroups)
        .toList();
  }
}
