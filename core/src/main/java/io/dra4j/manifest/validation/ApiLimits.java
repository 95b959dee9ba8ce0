package io.dra4j.manifest.validation;

import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.SliceLimits;

/**
 * The limits of the API server; {@link SliceLimits} has the limits of slices.
 *
 * <p>Source: the constants of {@code k8s.io/api/resource/v1}, Kubernetes 1.37.
 */
final class ApiLimits {

  static final int DEVICES = SliceLimits.MAX_DEVICES;
  static final int ADVANCED_DEVICES = SliceLimits.MAX_ADVANCED_DEVICES;
  static final int DEVICE_ENTRIES = SliceLimits.MAX_ATTRIBUTES_AND_CAPACITIES;
  static final int ATTRIBUTE_VALUES = SliceLimits.MAX_ATTRIBUTE_VALUES;
  static final int ATTRIBUTE_BYTES = SliceLimits.MAX_TEXT_BYTES;
  static final int COUNTER_SETS = SliceLimits.MAX_COUNTER_SETS;
  static final int COUNTERS = SliceLimits.MAX_COUNTERS;
  static final int CONSUMED_SETS = SliceLimits.MAX_CONSUMED_COUNTER_SETS;
  static final int COMPATIBILITY_GROUPS = SliceLimits.MAX_COMPATIBILITY_GROUPS;
  static final int TAINTS = SliceLimits.MAX_TAINTS;
  static final int BINDING_CONDITIONS = SliceLimits.MAX_BINDING_CONDITIONS;
  static final int RESULTS = 32;
  static final int REQUESTS = 32;
  static final int CONSTRAINTS = 32;
  static final int CONFIG = 32;
  static final int SELECTORS = 32;
  static final int ALTERNATIVES = 8;
  static final int DERIVED_ATTRIBUTES = 32;
  static final int VALID_VALUES = 10;
  static final int EXPRESSION_BYTES = 10 * 1024;
  static final long EXPRESSION_COST = 1_000_000;
  static final int PARAMETERS_BYTES = 10 * 1024;
  static final int CONSUMERS = ResourceClaimStatus.MAX_CONSUMERS;
  static final int CONDITIONS = 8;
  static final int ADDRESSES = 16;
  static final int INTERFACE_BYTES = 256;
  static final int HARDWARE_ADDRESS_BYTES = 128;

  private ApiLimits() {}
}
