package io.dra4j.common;

import com.google.common.collect.ImmutableList;
import io.dra4j.internal.Checks;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The optional behaviours of the allocator. Most belong to Kubernetes, each behind feature gates of
 * kube-scheduler: to get a cluster's answers, switch on the features that its scheduler has on.
 * Features that only dra4j has ({@link #extensions()}) have no gate, and are off unless they are
 * named.
 *
 * <p>Source: {@code structured.Features}, {@code AllocatorFeatures} of Kubernetes' {@code
 * dynamicresources} plugin, and {@code feature.Features} of its plugins for the parts of the plugin
 * outside its allocator.
 */
public enum Feature {
  /** Requests may ask for devices that are in use (KEP-5018). */
  ADMIN_ACCESS("AdminAccess", "DRAAdminAccess"),
  /** Devices that draw from one counter set must share a compatibility group (KEP-5963). */
  COMPATIBILITY_GROUPS("CompatibilityGroups", "DRADeviceCompatibilityGroups"),
  /** Devices can be shared, and claims consume their capacity (KEP-5075). */
  CONSUMABLE_CAPACITY("ConsumableCapacity", "DRAConsumableCapacity"),
  /** Constraints may use attributes that expressions of the request compute (KEP-6080). */
  DERIVED_ATTRIBUTES("DerivedAttributes", "DRADerivedAttributes"),
  /** Devices may have conditions that pods wait for (KEP-5007), reported in status (KEP-4817). */
  DEVICE_BINDING_AND_STATUS(
      "DeviceBindingAndStatus", "DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
  /** Taints keep claims away that do not tolerate them (KEP-5055). */
  DEVICE_TAINTS("DeviceTaints", "DRADeviceTaints"),
  /** Consumed capacity is rounded in thousandths where a range allows it (KEP-5075). */
  FRACTIONAL_CAPACITY_RANGE("FractionalCapacityRange", "DRAFractionalCapacityRange"),
  /** Attributes may be lists, and constraints compare them as sets (KEP-5491). */
  LIST_TYPE_ATTRIBUTES("ListTypeAttributes", "DRAListTypeAttributes"),
  /**
   * Devices consume CPUs, memory or huge pages of their node, in addition to the requests of the
   * pod (KEP-5517). Affects the nodes on which a pod fits, not the devices.
   */
  NODE_ALLOCATABLE_RESOURCES("NodeAllocatableResources", "DRANodeAllocatableResources"),
  /** Slices may declare that the kubelet need not call their driver (KEP-5945). */
  OPTIONAL_NODE_OPERATIONS("OptionalNodeOperations", "DRAOptionalNodeOperations"),
  /** Devices draw from counters that they share with others (KEP-4815). */
  PARTITIONABLE_DEVICES("PartitionableDevices", "DRAPartitionableDevices"),
  /** Requests may list alternatives, the best first (KEP-4816). */
  PRIORITIZED_LIST("PrioritizedList", "DRAPrioritizedList");

  private static final Set<Feature> KUBERNETES = those(true);
  private static final Set<Feature> EXTENSIONS = those(false);

  private final String optionName;
  private final ImmutableList<String> gates;

  /** A feature without gates is an extension of dra4j. */
  Feature(String optionName, String... gates) {
    this.optionName = optionName;
    this.gates = ImmutableList.copyOf(gates);
  }

  /**
   * {@return the name of this feature on the command line and in messages, without spaces, for
   * example {@code DeviceTaints}} A feature of Kubernetes has the name of its field in {@code
   * structured.Features}. {@code NodeAllocatableResources} has no field there; its name is its gate
   * without the {@code DRA}.
   */
  public String optionName() {
    return optionName;
  }

  /**
   * {@return the names of the feature gates of kube-scheduler that must all be on for this feature,
   * for example {@code DRADeviceTaints}; none for a feature that only dra4j has}
   */
  public List<String> gates() {
    return gates;
  }

  /**
   * {@return all features of Kubernetes, which have gates, of all releases and for any defaults} An
   * allocator has these features on by default. Excludes the extensions of dra4j.
   */
  public static Set<Feature> kubernetes() {
    return KUBERNETES;
  }

  /**
   * {@return the features that dra4j has and Kubernetes does not, so that they have no gate} They
   * are off unless switched on by name, because they make answers differ from those of a cluster.
   */
  public static Set<Feature> extensions() {
    return EXTENSIONS;
  }

  /**
   * {@return the feature with a name or gate, or empty if there is none of that name}
   *
   * @param name its {@link #optionName()} or the first of its {@link #gates()} (others are gates
   *     that it depends on), in upper or lower case
   */
  public static Optional<Feature> byName(String name) {
    Checks.value("name", name);
    return Arrays.stream(values()).filter(feature -> feature.isNamed(name)).findFirst();
  }

  private boolean isNamed(String name) {
    return optionName.equalsIgnoreCase(name)
        || (!gates.isEmpty() && gates.get(0).equalsIgnoreCase(name));
  }

  private static Set<Feature> those(boolean gated) {
    return Arrays.stream(values())
        .filter(feature -> feature.gates.isEmpty() != gated)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(() -> EnumSet.noneOf(Feature.class)),
                Collections::unmodifiableSet));
  }
}
