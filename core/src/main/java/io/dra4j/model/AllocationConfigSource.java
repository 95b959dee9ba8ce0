package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * Where a configuration in an allocation comes from. An open enumeration: values that this version
 * does not know are kept.
 *
 * @param value the value as written in the manifest
 */
public record AllocationConfigSource(String value) {

  /** Refuses null. {@inheritDoc} */
  public AllocationConfigSource {
    Checks.value("AllocationConfigSource.value", value);
  }

  /** From the device class. */
  public static final AllocationConfigSource FROM_CLASS = new AllocationConfigSource("FromClass");

  /** From the claim; by convention it overrides that of the class. */
  public static final AllocationConfigSource FROM_CLAIM = new AllocationConfigSource("FromClaim");

  @Override
  public String toString() {
    return value;
  }
}
