package io.dra4j.allocation.explanation;

import io.dra4j.allocation.ClaimRule;

/** What kept a device from a request, in the order in which it is looked at. */
public enum ExclusionCause {
  /** A selector of the request's class does not choose the device. */
  CLASS,
  /** A selector of the request does not choose the device. */
  SELECTOR,
  /** A selector or a derived attribute cannot be evaluated on the device. */
  FAULT,
  /** The device itself says that it is for other nodes. */
  NODE,
  /** A claim has the device, and it cannot be shared. */
  USAGE,
  /** The node or the scheduler lacks what the device needs (KEP-4815, KEP-5304). */
  NODE_SUPPORT,
  /** Devices that are in use on the same counter set are of other compatibility groups. */
  COMPATIBILITY_GROUPS,
  /** A shared counter that the device draws from is used up (KEP-4815). */
  COUNTERS,
  /** The device has a taint that the request does not tolerate (KEP-5055). */
  TAINTS,
  /** A constraint of the claim: the device lacks the attribute, or has another value. */
  CONSTRAINT,
  /** The device has less capacity than the request asks for, or less of it left (KEP-5075). */
  CAPACITY,
  /** A {@link ClaimRule} that was added to the allocator. */
  ADDED
}
