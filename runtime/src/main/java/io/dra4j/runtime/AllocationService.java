package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/** Allocates claims on this host without a cluster. Thread-safe. */
public interface AllocationService {

  /**
   * Allocates a claim on this host, from the devices that the drivers offer and that no other claim
   * of this store holds. The allocation is in the store when this method returns. A repeated call
   * for the same claim returns the same devices. A claim without a UID gets one that is derived
   * from its namespace and name.
   *
   * @param claim a claim without an allocation
   * @return the devices, or the reason why there are none
   * @throws ClaimException if the store cannot be written
   * @throws IllegalStateException if the runtime has no {@link RuntimeOptions#selectors}, or is not
   *     running
   */
  AllocationOutcome allocate(ResourceClaim claim) throws ClaimException;

  /** {@return the claims allocated on this host; empty for a runtime that does not allocate} */
  List<ResourceClaim> allocated();

  /**
   * Unprepares a claim and releases its devices, so that {@link #allocate} can use them again.
   *
   * @param uid the UID of the claim
   * @throws ClaimException if it cannot be unprepared; its devices stay allocated
   * @throws IllegalStateException if the runtime is not running
   */
  void release(String uid) throws ClaimException;
}
