package io.dra4j.kubernetes;

import java.time.Instant;
import java.util.List;

/**
 * How far one resource of a cluster is known.
 *
 * @param phase what is going on
 * @param resourceVersion the version of the newest change that is known; empty before the first
 *     list
 * @param since when the phase began
 * @param message why, for {@link Phase#RETRYING} and {@link Phase#DENIED}, which last until the
 *     resource is followed again; empty otherwise
 * @param unreadable the objects that could not be read, each with the reason; they are left out
 */
public record ResourceState(
    Phase phase, String resourceVersion, Instant since, String message, List<String> unreadable) {

  /** What is going on. */
  public enum Phase {
    /** The objects are listed. What was known before stays known. */
    LISTING,
    /** All objects are known, and changes arrive. */
    WATCHING,
    /** The API server does not answer or is overloaded. It is asked again after a pause. */
    RETRYING,
    /** The credentials may not read the resource. It is asked again after a pause. */
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

  /**
   * Whether all objects were listed once, or there are none to list.
   *
   * @return false until the first list is complete
   */
  public boolean isSynced() {
    return !resourceVersion.isEmpty() || phase == Phase.NOT_SERVED;
  }
}
