package io.dra4j.allocation.explanation;

import io.dra4j.allocation.ClaimRule;

/** The causes that exclude a device from a request, in the order in which they are checked. */
public enum ExclusionCause {
  /** A selector of the request's class does not choose the device. */
  CLASS,
  /** A selector of the request does not choose the device. */
  SELECTOR,
  /** A selector or a derived attribute cannot be evaluated on the device. */
  FAULT,
  /** The device itself is restricted to other nodes. */
  NODE,
  /** A claim has the device, and it cannot be shared. */
  USAGE,
  /** The node or the scheduler lacks a feature that the device needs (KEP-4815, KEP-5304). */
  NODE_SUPPORT,
  /** Devices in use on the same counter set belong to other compatibility groups. */
  COMPATIBILITY_GROUPS,
  /** A shared counter that the device draws from is used up (KEP-4815). */
  COUNTERS,
  /** The device has a taint that the request does not tolerate (KEP-5055). */
  TAINTS,
  /** A constraint of the claim: the device lacks the attribute, or has another value. */
  CONSTRAINT,
  /** The device has less capacity, or less remaining capacity, than requested (KEP-5075). */
  CAPACITY,
  /** A {@link ClaimRule} that was added to the allocator. */
  ADDED
}
