package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/** Allocates claims on this host alone, where there is no cluster. Thread-safe. */
public interface AllocationService {

  /**
   * Allocates a claim on this host, from what the drivers offer and other claims of this store do
   * not hold. What is allocated is in the store when this returns. The same claim again gets the
   * same devices. A claim without unique id gets one that follows from its namespace and name.
   *
   * @param claim a claim without allocation
   * @return the devices, or why there are none
   * @throws ClaimException if the store cannot be written
   * @throws IllegalStateException if the runtime has no {@link RuntimeOptions#selectors}, or does
   *     not run
   */
  AllocationOutcome allocate(ResourceClaim claim) throws ClaimException;

  /**
   * The claims that were allocated on this host.
   *
   * @return claims with allocation; empty for a runtime that does not allocate
   */
  List<ResourceClaim> allocated();

  /**
   * Unprepares a claim and gives its devices back to {@link #allocate}.
   *
   * @param uid the unique id of the claim
   * @throws ClaimException if it cannot be unprepared; its devices stay allocated
   * @throws IllegalStateException if the runtime does not run
   */
  void release(String uid) throws ClaimException;
}
