package io.dra4j.allocation.internal.request;

import static io.dra4j.common.KubernetesVersion.V1_32;
import static io.dra4j.common.KubernetesVersion.V1_37;
import static io.dra4j.common.KubernetesVersion.V1_38;

import com.google.common.collect.Sets;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.KubernetesVersion;
import java.util.EnumSet;
import java.util.Set;

/**
 * The quirks of the reference allocator that {@link Compatibility#STRICT} fixes, and the releases
 * of Kubernetes that have them. Each is fixed where its constant is used. Quirks that are never
 * fixed have no constant; docs/architecture.md has the reasons.
 *
 * <p>Source of the releases: the packages {@code structured/internal} of {@code
 * k8s.io/dynamic-resource-allocation} v0.33.0 to v0.38.0-beta.0.
 */
public enum Quirk {
  /** A device allocated with admin access is in use for later requests of other claims. */
  ADMIN_ACCESS_BLOCKS_OTHERS,
  /** Admin access is refused where counters or capacity are used up, though it uses nothing. */
  ADMIN_ACCESS_IS_COUNTED,
  /** "All devices" is an error, not a misfit, where a constraint refuses one of them. */
  ALL_AND_A_CONSTRAINT,
  /** "All devices" is an error, not a misfit of the node, where a pool is unusable. */
  ALL_AND_AN_UNUSABLE_POOL,
  /** That error ends the search on all nodes, although the pools of other nodes may be usable. */
  UNUSABLE_POOL_ENDS_ALL_NODES(V1_32, V1_37),
  /** A selector that fails on a device ends the search, unless a fitting one is tried before it. */
  FAILING_SELECTOR_IS_FATAL,
  /** Selectors are evaluated on devices of a slice that are for other nodes. */
  SELECTORS_ON_OTHER_NODES,
  /** A counter that is overdrawn blocks devices that draw from other counters of the pool. */
  ALL_COUNTERS_OF_THE_POOL,
  /** A capacity is found by its literal name only, not with or without the driver's domain. */
  LITERAL_CAPACITY_NAMES(V1_32, V1_37),
  /** A request for a capacity by both its names is an error, not one for the larger amount. */
  CAPACITY_BY_BOTH_NAMES(V1_38, V1_38),
  /** An amount below zero is accepted if a policy rounds it up. */
  NEGATIVE_AMOUNTS_ARE_ROUNDED(V1_32, V1_37),
  /**
   * An amount that equals the policy's default does not count as the default in another notation.
   */
  DEFAULT_BY_ITS_TEXT,
  /** {@code adminAccess: false} is refused where the feature is off. */
  ADMIN_ACCESS_FALSE,
  /** An alternative whose class is missing is an error, even if another one fits. */
  CLASS_OF_AN_UNUSED_ALTERNATIVE,
  /** Without list attributes, a list satisfies a constraint as long as it is the only device. */
  LIST_FOR_ONE_DEVICE(V1_32, V1_37),
  /** A value that constraints cannot compare is an error, not a refusal of its device. */
  UNCOMPARABLE_VALUE_IS_FATAL(V1_38, V1_38),
  /** Versions that differ in build metadata alone are different to constraints. */
  VERSIONS_BY_THEIR_TEXT(V1_32, V1_37),
  /** A constraint that names a request which the claim does not have applies to the others only. */
  UNKNOWN_REQUEST_OF_A_CONSTRAINT,
  /** An amount that is not a multiple of 1m is an error if a range counts in thousandths. */
  FRACTION_OF_MILLI,
  /** A device of which a claim has a share is free for others once it can no longer be shared. */
  SHARES_OF_AN_EXCLUSIVE_DEVICE(V1_32, V1_37),
  /** Selectors are evaluated on such a device before it is found in use. */
  SELECTORS_ON_SHARED_DEVICES;

  private final KubernetesVersion first;
  private final KubernetesVersion last;

  Quirk() {
    this(V1_32, V1_38);
  }

  /** A quirk of a range of releases, both ends inclusive. */
  Quirk(KubernetesVersion first, KubernetesVersion last) {
    this.first = first;
    this.last = last;
  }

  private boolean isIn(KubernetesVersion release) {
    return release.compareTo(first) >= 0 && release.compareTo(last) <= 0;
  }

  /**
   * Returns the quirks that an allocator does not reproduce: all if it is strict, else the quirks
   * that its release does not have.
   */
  public static Set<Quirk> fixed(Compatibility compatibility, KubernetesVersion release) {
    EnumSet<Quirk> fixed = EnumSet.allOf(Quirk.class);
    if (compatibility == Compatibility.REFERENCE) {
      fixed.removeIf(quirk -> quirk.isIn(release));
    }
    return Sets.immutableEnumSet(fixed);
  }
}
