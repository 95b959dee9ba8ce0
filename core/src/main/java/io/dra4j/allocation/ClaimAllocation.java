package io.dra4j.allocation;

import io.dra4j.common.PrintableText;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import java.util.Objects;

/**
 * The devices that were allocated to one claim.
 *
 * @param claim the claim as passed to the allocator
 * @param result the value for its {@code status.allocation}
 */
public record ClaimAllocation(ResourceClaim claim, AllocationResult result) {

  /** Rejects null. {@inheritDoc} */
  public ClaimAllocation {
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(result, "result");
  }

  /** The claim and its devices: {@code default/training: gpus: gpu.example.com/node-1/gpu-0}. */
  @Override
  public String toString() {
    return PrintableText.of(ClaimKey.of(claim) + ": " + result);
  }

  /** {@return the claim with its allocation, to write to the cluster or to add to an inventory} */
  public ResourceClaim allocatedClaim() {
    return claim.withAllocation(result);
  }
}
