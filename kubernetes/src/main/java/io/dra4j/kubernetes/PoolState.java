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
 * The state of one pool between the rounds of a {@link SlicePublisher}: what the API server does
 * not take, and when the pool is written again. Belongs to the publishing thread.
 */
final class PoolState {

  /** A slice from which the server has dropped fields, and the slice as it was asked for. */
  private record Dropped(ResourceSlice written, ResourceSlice asked) {}

  private final Backoff backoff = new Backoff();
  private final Dispute dispute = new Dispute();
  private final Set<String> refused = new HashSet<>(); // devices
  private final Map<String, Dropped> dropped = new HashMap<>(); // by the name of the slice
  private boolean isSettled; // was published as it is offered
  private boolean isPaused;
  private long resume; // System.nanoTime()

  /** Another offer: what was refused and dropped may be taken now, and the pause ends. */
  void offerChanged() {
    refused.clear();
    dropped.clear();
    isSettled = false;
    isPaused = false;
  }

  /** How long the pool is not written from now on; zero or less if it may be written. */
  long pauseLeft(long now) {
    return isPaused ? resume - now : 0;
  }

  private void pause(Duration pause) {
    isPaused = !pause.isZero();
    resume = System.nanoTime() + pause.toNanos();
  }

  /** The pool is as it is offered; after too many repairs there is a pause. */
  void published() {
    isSettled = true;
    backoff.reset();
    pause(dispute.pause());
  }

  /** A write failed, and is repeated after a pause. */
  void failed() {
    pause(backoff.pause());
  }

  /** Whether what is written now repairs what others have done. */
  boolean isSettled() {
    return isSettled;
  }

  /** Notes that others have changed the pool; returns whether a dispute begins with that. */
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

  /** Leaves out devices; returns whether one of them was not left out before. */
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

  /** The slice was written; what the server dropped before does not count any more. */
  void written(ResourceSlice slice) {
    dropped.remove(slice.metadata().name());
  }

  /**
   * Notes that the server has dropped fields.
   *
   * @param answers the slices that were written, as the server has them
   * @param plan what would be written again because of the fields
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
   * The slice with the fields that the server dropped, so that it is not written again for their
   * sake. A slice that others have changed since is as it is.
   */
  ResourceSlice withDropped(ResourceSlice published) {
    Dropped known = dropped.get(published.metadata().name());
    return known != null && known.written().equals(published) ? known.asked() : published;
  }
}
