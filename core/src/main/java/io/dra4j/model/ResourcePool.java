package io.dra4j.model;

/**
 * Which pool a slice belongs to, and how many slices make it up.
 *
 * @param name the pool's name, unique for its driver
 * @param generation counts up with each change of the pool; only slices of the highest count
 * @param resourceSliceCount how many slices of this generation make the pool complete
 */
public record ResourcePool(String name, long generation, long resourceSliceCount) {}
