package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.Compatibility;

/**
 * The oddities of the reference allocator that {@link Compatibility#STRICT} fixes, each where its
 * name is used. Those that it leaves as they are have no name here; docs/architecture.md says why.
 */
public enum Quirk {
  /** A device taken with admin access is in use for later requests of other claims. */
  ADMIN_ACCESS_BLOCKS_OTHERS,
  /** Admin access is refused where counters or capacity are used up, though it uses nothing. */
  ADMIN_ACCESS_IS_COUNTED,
  /** "All devices" is an error, not a misfit, where a constraint refuses one of them. */
  ALL_AND_A_CONSTRAINT,
  /** "All devices" is an error for the pod, not a misfit of the node, where a pool is unusable. */
  ALL_AND_AN_UNUSABLE_POOL,
  /** A selector that fails on one device ends everything, if it is tried before one that fits. */
  FAILING_SELECTOR_IS_FATAL,
  /** Selectors are evaluated on devices of a slice that are for other nodes. */
  SELECTORS_ON_OTHER_NODES,
  /** A counter that is overdrawn blocks devices that draw from other counters of the pool. */
  ALL_COUNTERS_OF_THE_POOL,
  /** A capacity is found by its literal name only, not with or without the driver's domain. */
  LITERAL_CAPACITY_NAMES,
  /** An amount that equals the policy's default is another one if it is written differently. */
  DEFAULT_BY_ITS_TEXT,
  /** {@code adminAccess: false} is refused where the feature is off. */
  ADMIN_ACCESS_FALSE,
  /** An alternative whose class is missing is an error, even if another one fits. */
  CLASS_OF_AN_UNUSED_ALTERNATIVE,
  /** Without list attributes, a list satisfies a constraint as long as it is the only device. */
  LIST_FOR_ONE_DEVICE,
  /** A constraint that names a request which the claim does not have is about the others only. */
  UNKNOWN_REQUEST_OF_A_CONSTRAINT,
  /** An amount that is no multiple of 1m is an error where a range counts in thousandths. */
  FRACTION_OF_MILLI,
  /** A device of which a claim has a share is free for others once it can be shared no longer. */
  SHARES_OF_AN_EXCLUSIVE_DEVICE;

  boolean isFixedBy(Compatibility compatibility) {
    return compatibility == Compatibility.STRICT;
  }
}
