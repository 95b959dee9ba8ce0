package io.dra4j.common;

import static io.dra4j.common.Feature.ADMIN_ACCESS;
import static io.dra4j.common.Feature.COMPATIBILITY_GROUPS;
import static io.dra4j.common.Feature.CONSUMABLE_CAPACITY;
import static io.dra4j.common.Feature.DERIVED_ATTRIBUTES;
import static io.dra4j.common.Feature.DEVICE_BINDING_AND_STATUS;
import static io.dra4j.common.Feature.DEVICE_TAINTS;
import static io.dra4j.common.Feature.FRACTIONAL_CAPACITY_RANGE;
import static io.dra4j.common.Feature.LIST_TYPE_ATTRIBUTES;
import static io.dra4j.common.Feature.NODE_ALLOCATABLE_RESOURCES;
import static io.dra4j.common.Feature.OPTIONAL_NODE_OPERATIONS;
import static io.dra4j.common.Feature.PARTITIONABLE_DEVICES;
import static io.dra4j.common.Feature.PRIORITIZED_LIST;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.dra4j.internal.Checks;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A minor release of Kubernetes, and the features that its scheduler has when it allocates devices.
 * Use it where "all features on" does not fit a cluster:
 *
 * <pre>{@code Allocator.builder().features(KubernetesVersion.V1_34.features())}</pre>
 *
 * <p>The features decide which fields of objects count. Release 1.38 searches devices in the way of
 * Kubernetes 1.38, all other releases in the way of 1.37. Defects of older schedulers are not
 * reproduced.
 *
 * <p>Source: the stages of the feature gates in {@code pkg/features/kube_features.go} (in 1.32
 * {@code versioned_kube_features.go}) of {@code k8s.io/kubernetes} v1.32.0, v1.33.0, v1.34.0,
 * v1.35.0, v1.36.0, v1.37.0 and v1.38.0-beta.0, and which of them the scheduler passes on to its
 * allocator in {@code pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go} there.
 */
public enum KubernetesVersion {
  /** Kubernetes 1.32, where DynamicResourceAllocation itself is off unless switched on. */
  V1_32(Set.of(), Set.of(ADMIN_ACCESS)),
  /** Kubernetes 1.33, where DynamicResourceAllocation itself is off unless switched on. */
  V1_33(Set.of(), Set.of(ADMIN_ACCESS, DEVICE_TAINTS, PARTITIONABLE_DEVICES, PRIORITIZED_LIST)),
  /** Kubernetes 1.34, the first with DynamicResourceAllocation on. */
  V1_34(
      Set.of(ADMIN_ACCESS, PRIORITIZED_LIST),
      Set.of(CONSUMABLE_CAPACITY, DEVICE_BINDING_AND_STATUS, DEVICE_TAINTS, PARTITIONABLE_DEVICES)),
  /** Kubernetes 1.35, with the features of 1.34. */
  V1_35(V1_34.on, V1_34.off),
  /**
   * Kubernetes 1.36. It also has the gate {@code DRAListTypeAttributes}, but its scheduler never
   * passes the gate to its allocator (also not in v1.36.3), so lists are never compared. Its gate
   * {@code DRANodeAllocatableResources} applies to another field of devices, which 1.37 no longer
   * has.
   */
  V1_36(
      Set.of(
          ADMIN_ACCESS,
          CONSUMABLE_CAPACITY,
          DEVICE_BINDING_AND_STATUS,
          DEVICE_TAINTS,
          PARTITIONABLE_DEVICES,
          PRIORITIZED_LIST),
      Set.of()),
  /** Kubernetes 1.37. */
  V1_37(
      Sets.union(V1_36.on, Set.of(FRACTIONAL_CAPACITY_RANGE)),
      Set.of(
          COMPATIBILITY_GROUPS,
          DERIVED_ATTRIBUTES,
          LIST_TYPE_ATTRIBUTES,
          NODE_ALLOCATABLE_RESOURCES,
          OPTIONAL_NODE_OPERATIONS)),
  /** Kubernetes 1.38, with the features of 1.37. */
  V1_38(V1_37.on, V1_37.off);

  /** The release that applies unless another one is chosen. */
  public static final KubernetesVersion DEFAULT = V1_37;

  /** 1.34, v1.34.2 or v1.34.2+vendor.7, as {@code kubectl version} prints it. */
  private static final Pattern TEXT =
      Pattern.compile("v?(\\d{1,3}\\.\\d{1,3})(?:\\.\\d{1,9}(?:[-+.]\\S{0,200})?)?");

  private final ImmutableSet<Feature> on;
  private final ImmutableSet<Feature> off;

  KubernetesVersion(Set<Feature> on, Set<Feature> off) {
    this.on = Sets.immutableEnumSet(on);
    this.off = Sets.immutableEnumSet(off);
  }

  /** {@return the scheduler's features on by default, if DynamicResourceAllocation itself is on} */
  public Set<Feature> features() {
    return on;
  }

  /** {@return the features that this release's scheduler can have on: by default, or by a gate} */
  public Set<Feature> availableFeatures() {
    return Sets.immutableEnumSet(Sets.union(on, off));
  }

  /**
   * {@return the minor release of a version; empty if it is not a version, or not listed here}
   *
   * @param text for example {@code 1.34}, {@code v1.34.2} or {@code v1.34.2-gke.1}
   */
  public static Optional<KubernetesVersion> parse(String text) {
    Matcher matcher = TEXT.matcher(Checks.value("text", text));
    return matcher.matches()
        ? Arrays.stream(values()).filter(v -> v.toString().equals(matcher.group(1))).findFirst()
        : Optional.empty();
  }

  /** {@return the names of all releases listed here, for messages: {@code 1.32, 1.33, ...}} */
  public static String known() {
    return Arrays.stream(values()).map(Object::toString).collect(Collectors.joining(", "));
  }

  /** Returns major and minor number, for example {@code 1.34}. */
  @Override
  public String toString() {
    return name().substring(1).replace('_', '.');
  }
}
