package io.dra4j.runtime;

import java.util.List;

/**
 * The result of synchronizing attachments with the sandboxes of a container runtime. Each entry is
 * the UID of a claim and the ID of a sandbox.
 *
 * @param kept attachments whose sandbox still exists
 * @param attached claims that were attached to their sandbox by this call
 * @param detached attachments whose sandbox no longer exists
 * @param failures the failures to attach or detach; the runtime retries detaching
 */
public record Synchronization(
    List<Entry> kept, List<Entry> attached, List<Entry> detached, List<ClaimException> failures) {

  /**
   * A claim and a sandbox.
   *
   * @param uid the UID of the claim
   * @param sandboxId the ID of the sandbox
   */
  public record Entry(String uid, String sandboxId) {}

  /** Copies the lists. {@inheritDoc} */
  public Synchronization {
    kept = List.copyOf(kept);
    attached = List.copyOf(attached);
    detached = List.copyOf(detached);
    failures = List.copyOf(failures);
  }
}
