package io.dra4j.allocation;

/**
 * Whether an {@link Allocator} reproduces the quirks of the reference allocator of Kubernetes.
 * Section "Strict answers" of docs/architecture.md lists the differences.
 */
public enum Compatibility {

  /** Exactly the answers of Kubernetes, device for device, with all its quirks. The default. */
  REFERENCE,

  /**
   * The answers that the API documents: quirks are fixed if every answer is still a valid
   * allocation. Claims may get devices that Kubernetes would refuse, and do not get devices that
   * Kubernetes would allocate twice.
   */
  STRICT
}
