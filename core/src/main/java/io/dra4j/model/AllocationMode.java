package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * How many devices a request asks for. An open enumeration: values that this version does not know
 * are kept.
 *
 * @param value the value as written in the manifest
 */
public record AllocationMode(String value) {

  /** Refuses null. {@inheritDoc} */
  public AllocationMode {
    Checks.value("AllocationMode.value", value);
  }

  /** As many as {@code count} says; the default. */
  public static final AllocationMode EXACT_COUNT = new AllocationMode("ExactCount");

  /** All devices that match. */
  public static final AllocationMode ALL = new AllocationMode("All");

  @Override
  public String toString() {
    return value;
  }
}
