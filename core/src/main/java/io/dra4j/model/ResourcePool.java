package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;

/**
 * The pool of a slice, and its number of slices.
 *
 * @param name the pool's name, unique for its driver
 * @param generation the generation, which increases with each change of the pool. On a node, only
 *     the slices with the highest generation of all slices for the node count; older slices are
 *     ignored
 * @param resourceSliceCount the number of slices of this generation that make the pool complete
 */
public record ResourcePool(String name, long generation, long resourceSliceCount) {
  /** Rejects null. {@inheritDoc} */
  public ResourcePool {
    Checks.value("ResourcePool.name", name);
  }

  /** {@code node-1 (generation 2, 1 slice)}. */
  @Override
  public String toString() {
    return PrintableText.of(name)
        + " (generation %d, %d %s)"
            .formatted(
                generation, resourceSliceCount, resourceSliceCount == 1 ? "slice" : "slices");
  }
}
