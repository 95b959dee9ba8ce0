package io.dra4j.allocation;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The optional behaviours of the allocator, each a feature gate of Kubernetes. A cluster's
 * scheduler has some of them on; to get its answers, switch on the same.
 */
public enum Feature {
  /** Requests may ask for devices that are in use (KEP-5018). */
  ADMIN_ACCESS("AdminAccess"),
  /** Devices on one counter set must share a compatibility group. */
  COMPATIBILITY_GROUPS("CompatibilityGroups"),
  /** Devices can be shared, and their capacity is consumed (KEP-5075). */
  CONSUMABLE_CAPACITY("ConsumableCapacity"),
  /** Constraints may use attributes that CEL computes. */
  DERIVED_ATTRIBUTES("DerivedAttributes"),
  /** Devices may have conditions that pods wait for (KEP-5007). */
  DEVICE_BINDING_AND_STATUS("DeviceBindingAndStatus"),
  /** Taints keep claims away that do not tolerate them (KEP-5055). */
  DEVICE_TAINTS("DeviceTaints"),
  /** Consumed capacity is rounded in thousandths where a range allows it. */
  FRACTIONAL_CAPACITY_RANGE("FractionalCapacityRange"),
  /** Constraints compare lists of values (KEP-5491). */
  LIST_TYPE_ATTRIBUTES("ListTypeAttributes"),
  /** Slices may say that the kubelet need not call their driver (KEP-5304). */
  OPTIONAL_NODE_OPERATIONS("OptionalNodeOperations"),
  /** Devices draw from shared counters (KEP-4815). */
  PARTITIONABLE_DEVICES("PartitionableDevices"),
  /** Requests may list alternatives (KEP-4816). */
  PRIORITIZED_LIST("PrioritizedList");

  private static final Set<Feature> ALL = Collections.unmodifiableSet(EnumSet.allOf(Feature.class));

  private final String gateName;

  Feature(String gateName) {
    this.gateName = gateName;
  }

  /**
   * The name of the feature in {@code structured.Features} of the reference, for example {@code
   * DeviceTaints}.
   *
   * @return the name
   */
  public String gateName() {
    return gateName;
  }

  /**
   * All features.
   *
   * @return the set of all
   */
  public static Set<Feature> all() {
    return ALL;
  }

  /**
   * The feature with a name.
   *
   * @param gateName see {@link #gateName()}; upper and lower case do not matter
   * @return the feature, or nothing if there is none of that name
   */
  public static Optional<Feature> byGateName(String gateName) {
    String wanted = gateName.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(feature -> feature.gateName.toLowerCase(Locale.ROOT).equals(wanted))
        .findFirst();
  }
}
