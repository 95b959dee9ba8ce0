package io.dra4j.runtime;

import java.util.List;

/**
 * What bringing attachments in line with the sandboxes of a container runtime came to. Each entry
 * is the unique id of a claim and the id of a sandbox.
 *
 * @param kept attachments whose sandbox is still there
 * @param attached claims that were not attached to their sandbox, and are now
 * @param detached attachments whose sandbox is gone
 * @param failures what could not be attached or detached; detaching is tried again by itself
 */
public record Synchronization(
    List<Entry> kept, List<Entry> attached, List<Entry> detached, List<ClaimException> failures) {

  /**
   * A claim in a sandbox.
   *
   * @param uid the unique id of the claim
   * @param sandboxId the id of the sandbox
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
