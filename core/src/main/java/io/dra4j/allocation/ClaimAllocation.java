package io.dra4j.allocation;

import io.dra4j.common.PrintableText;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import java.util.Objects;

/**
 * The devices that one claim got.
 *
 * @param claim the claim, as it was given to the allocator
 * @param result what goes into its {@code status.allocation}
 */
public record ClaimAllocation(ResourceClaim claim, AllocationResult result) {

  /** Refuses null. {@inheritDoc} */
  public ClaimAllocation {
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(result, "result");
  }

  /** For people: {@code default/training: gpus: gpu.example.com/node-1/gpu-0}. */
  @Override
  public String toString() {
    return PrintableText.of(ClaimKey.of(claim) + ": " + result);
  }

  /**
   * The claim with its allocation, ready to be written back or to be counted as in use.
   *
   * @return the allocated claim
   */
  public ResourceClaim allocatedClaim() {
    return claim.withAllocation(result);
  }
}
