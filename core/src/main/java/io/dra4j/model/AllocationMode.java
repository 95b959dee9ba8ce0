package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The way in which a request states its number of devices. An open enumeration: unknown values are
 * kept.
 *
 * @param value the value as written in the manifest
 */
public record AllocationMode(String value) {

  /** Rejects null. {@inheritDoc} */
  public AllocationMode {
    Checks.value("AllocationMode.value", value);
  }

  /** The number in {@code count}; the default. */
  public static final AllocationMode EXACT_COUNT = new AllocationMode("ExactCount");

  /** All devices that match. */
  public static final AllocationMode ALL = new AllocationMode("All");

  @Override
  public String toString() {
    return value;
  }
}
