package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The source of a configuration in an allocation. An open enumeration: unknown values are kept.
 *
 * @param value the value as written in the manifest
 */
public record AllocationConfigSource(String value) {

  /** Rejects null. {@inheritDoc} */
  public AllocationConfigSource {
    Checks.value("AllocationConfigSource.value", value);
  }

  /** From the device class. */
  public static final AllocationConfigSource FROM_CLASS = new AllocationConfigSource("FromClass");

  /** From the claim; by convention it overrides the configuration of the class. */
  public static final AllocationConfigSource FROM_CLAIM = new AllocationConfigSource("FromClaim");

  @Override
  public String toString() {
    return value;
  }
}
