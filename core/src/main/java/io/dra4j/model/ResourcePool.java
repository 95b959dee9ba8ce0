package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * Which pool a slice belongs to, and how many slices make it up.
 *
 * @param name the pool's name, unique for its driver
 * @param generation counts up with each change of the pool. On a node those slices count that have
 *     the highest generation of all that are for the node; others are left over and count as absent
 * @param resourceSliceCount how many slices of this generation make the pool complete
 */
public record ResourcePool(String name, long generation, long resourceSliceCount) {
  /** Refuses null. {@inheritDoc} */
  public ResourcePool {
    Checks.value("ResourcePool.name", name);
  }
}
