package io.dra4j.allocation;

/**
 * Whose answers an {@link Allocator} gives where the reference allocator of Kubernetes is odd. What
 * differs is listed in docs/architecture.md, "Strict answers".
 */
public enum Compatibility {

  /** Exactly those of Kubernetes, device for device, with all its quirks. The default. */
  REFERENCE,

  /**
   * Those that the API promises: quirks are fixed wherever that is sound, which means that every
   * answer is still a valid allocation. Claims may get devices that Kubernetes would refuse them,
   * and are refused those that it would give away twice.
   */
  STRICT
}
