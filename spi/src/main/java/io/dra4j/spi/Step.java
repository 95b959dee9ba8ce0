package io.dra4j.spi;

import java.util.Objects;

/**
 * One change to the host that a driver is about to make, with all that it takes to undo it.
 *
 * @param name what is done, for example {@code move gpu0rdma0}; seen by operators
 * @param undo what undoing it needs, as it was before the change: text in a form of the driver's
 *     own, normally JSON with a version; at most 1 MiB. It must do without anything that the
 *     process knows.
 */
public record Step(String name, String undo) {

  /** Refuses null. {@inheritDoc} */
  public Step {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(undo, "undo");
  }
}
