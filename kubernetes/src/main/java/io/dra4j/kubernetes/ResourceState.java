package io.dra4j.kubernetes;

import java.time.Instant;
import java.util.List;

/**
 * The state of one followed resource of a cluster.
 *
 * @param phase the current phase
 * @param resourceVersion the version of the newest known change; empty before the first list
 * @param since the time at which the phase began
 * @param message the reason for {@link Phase#RETRYING} and {@link Phase#DENIED}, which last until
 *     the resource is followed again; otherwise empty
 * @param unreadable the objects that could not be read, each with the reason; the inventory lacks
 *     them
 */
public record ResourceState(
    Phase phase, String resourceVersion, Instant since, String message, List<String> unreadable) {

  /** The phases of following a resource. */
  public enum Phase {
    /** The objects are being listed. Objects that were known before stay. */
    LISTING,
    /** All objects are known, and changes arrive. */
    WATCHING,
    /** The API server does not respond or is overloaded. It is retried after a pause. */
    RETRYING,
    /** The credentials may not read the resource. It is retried after a pause. */
    DENIED,
    /** The cluster does not serve the resource. */
    NOT_SERVED,
    /** The inventory is closed. */
    CLOSED
  }

  /** Copies the list. {@inheritDoc} */
  public ResourceState {
    unreadable = List.copyOf(unreadable);
  }

  /** {@return whether all objects have been listed once, or there are none to list} */
  public boolean isSynced() {
    return !resourceVersion.isEmpty() || phase == Phase.NOT_SERVED;
  }
}
