package io.dra4j.spi;

import java.util.Objects;

/**
 * One change to the host that a driver is about to make, with the state that is needed to undo it.
 *
 * @param name the name of the change, for example {@code move gpu0rdma0}; shown to operators
 * @param undo the state before the change that is needed to undo it: a string in the driver's own
 *     format, normally JSON with a version; at most 1 MiB. It must not depend on the memory of this
 *     process.
 */
public record Step(String name, String undo) {

  /** Rejects null. {@inheritDoc} */
  public Step {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(undo, "undo");
  }
}
