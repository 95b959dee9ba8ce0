package io.dra4j.kubernetes;

import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.publish.SlicePlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of one pool between the rounds of a {@link SlicePublisher}: the devices and fields that
 * the API server does not accept, and the time of the next write. Used by the publishing thread
 * only.
 */
final class PoolState {

  /** A slice from which the server has dropped fields, and the slice as it was sent. */
  private record Dropped(ResourceSlice written, ResourceSlice asked) {}

  private final Backoff backoff = new Backoff();
  private final Dispute dispute = new Dispute();
  private final Set<String> refused = new HashSet<>(); // devices
  private final Map<String, Dropped> dropped = new HashMap<>(); // by the name of the slice
  private boolean isSettled; // was published as offered
  private boolean isPaused;
  private long resume; // System.nanoTime()

  /** Records another offer: refused devices and dropped fields are tried again, without a pause. */
  void offerChanged() {
    refused.clear();
    dropped.clear();
    isSettled = false;
    isPaused = false;
  }

  /** The time until the pool may be written; zero or less if it may be written now. */
  long pauseLeft(long now) {
    return isPaused ? resume - now : 0;
  }

  private void pause(Duration pause) {
    isPaused = !pause.isZero();
    resume = System.nanoTime() + pause.toNanos();
  }

  /** Records that the pool is published as offered; after too many repairs there is a pause. */
  void published() {
    isSettled = true;
    backoff.reset();
    pause(dispute.pause());
  }

  /** Records a failed write, which is retried after a pause. */
  void failed() {
    pause(backoff.pause());
  }

  /** Whether a write now repairs a change of another writer. */
  boolean isSettled() {
    return isSettled;
  }

  /** Records that others have changed the pool. Returns whether a dispute begins with that. */
  boolean contested() {
    return dispute.repair();
  }

  boolean isDisputed() {
    return dispute.isOpen();
  }

  /** The devices that the server refuses. */
  Set<String> refused() {
    return Set.copyOf(refused);
  }

  /** Excludes devices. Returns whether one of them was not excluded before. */
  boolean refuse(List<String> devices) {
    boolean isNew = refused.addAll(devices);
    if (isNew) {
      backoff.reset();
    }
    return isNew;
  }

  boolean hasDropped() {
    return !dropped.isEmpty();
  }

  /** Records that a slice was written; fields dropped from it before no longer count. */
  void written(ResourceSlice slice) {
    dropped.remove(slice.metadata().name());
  }

  /**
   * Records that the server dropped fields: {@code answers} are the written slices as it returned
   * them, {@code plan} has the slices that would be rewritten because of the fields.
   */
  void fieldsDropped(List<ResourceSlice> answers, SlicePlan plan) {
    Map<String, ResourceSlice> asked = new HashMap<>();
    plan.slices().forEach(slice -> asked.put(slice.metadata().name(), slice));
    for (ResourceSlice answer : answers) {
      ResourceSlice slice = asked.get(answer.metadata().name());
      if (slice != null) {
        ResourceSlice whole =
            slice.toBuilder()
                .metadata(answer.metadata())
                .pool(
                    answer.pool().name(),
                    answer.pool().generation(),
                    answer.pool().resourceSliceCount())
                .build();
        dropped.put(answer.metadata().name(), new Dropped(answer, whole));
      }
    }
  }

  /**
   * Returns the slice with the fields that the server dropped, so that they do not cause a rewrite.
   * A slice that others have changed since is returned unchanged.
   */
  ResourceSlice withDropped(ResourceSlice published) {
    Dropped known = dropped.get(published.metadata().name());
    return known != null && known.written().equals(published) ? known.asked() : published;
  }
}
