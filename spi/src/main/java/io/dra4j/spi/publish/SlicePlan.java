package io.dra4j.spi.publish;

import io.dra4j.model.ResourceSlice;
import java.util.List;

/**
 * The requests that bring the published slices of a pool to the desired state. Created by {@link
 * SlicePlanner}.
 *
 * <p>Slices must be deleted only after all writes have succeeded: readers use the newest generation
 * of a pool and ignore slices of older ones. After a failed write, no further slices must be
 * written; the next plan starts from the slices on the server.
 *
 * @param slices the slices of the pool afterwards, in order; slices that need no write are the same
 *     objects as before
 * @param creates the slices to create
 * @param updates the slices to update, with their present metadata
 * @param deletes the slices to delete, as published
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

  /** {@return whether the pool is published as desired: there is nothing to write or delete} */
  public boolean isEmpty() {
    return creates.isEmpty() && updates.isEmpty() && deletes.isEmpty();
  }
}
