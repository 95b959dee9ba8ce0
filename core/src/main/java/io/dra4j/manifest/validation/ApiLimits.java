package io.dra4j.manifest.validation;

/**
 * How much the API server takes of what.
 *
 * <p>Source: the constants of {@code k8s.io/api/resource/v1}, Kubernetes 1.37.
 */
final class ApiLimits {

  static final int DEVICES = 128;
  static final int ADVANCED_DEVICES = 64;
  static final int DEVICE_ENTRIES = 32;
  static final int ATTRIBUTE_VALUES = 48;
  static final int ATTRIBUTE_BYTES = 64;
  static final int COUNTER_SETS = 8;
  static final int COUNTERS = 32;
  static final int CONSUMED_SETS = 2;
  static final int COMPATIBILITY_GROUPS = 2;
  static final int TAINTS = 16;
  static final int BINDING_CONDITIONS = 4;
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
  static final int CONSUMERS = 256;
  static final int CONDITIONS = 8;
  static final int ADDRESSES = 16;
  static final int INTERFACE_BYTES = 256;
  static final int HARDWARE_ADDRESS_BYTES = 128;

  private ApiLimits() {}
}
