package io.dra4j.spi.publish;

import io.dra4j.model.ResourceSlice;
import java.util.List;

/**
 * What makes the published slices of a pool what they should be. {@link SlicePlanner} makes it.
 *
 * <p>Writes come first, deletions after all of them have succeeded: readers take the newest
 * generation of a pool, and what is left of an older one does not count. After a write that failed
 * the rest is not written; the next plan starts from what the server has then.
 *
 * @param slices the slices that the pool has afterwards, in their order; those that need not be
 *     written are the same objects as before
 * @param creates the slices to be created
 * @param updates the slices to be updated, with the metadata that they have
 * @param deletes the slices to be deleted, as they are published
 */
public record SlicePlan(
    List<ResourceSlice> slices,
    List<ResourceSlice> creates,
    List<ResourceSlice> updates,
    List<ResourceSlice> deletes) {

  /** Copies the lists. {@inheritDoc} */
  public SlicePlan {
    slices = List.copyOf(slices);
    creates = List.copyOf(creates);
    updates = List.copyOf(updates);
    deletes = List.copyOf(deletes);
  }

  /**
   * Returns whether the pool is published as it should be.
   *
   * @return whether nothing is to be written or deleted
   */
  public boolean isEmpty() {
    return creates.isEmpty() && updates.isEmpty() && deletes.isEmpty();
  }
}
