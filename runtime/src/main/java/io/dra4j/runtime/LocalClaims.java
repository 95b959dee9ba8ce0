package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The claims that this host allocates. Calls do not overlap with other calls of the runtime for the
 * same claim. {@link LocalAllocation} selects the devices. Thread-safe.
 */
final class LocalClaims implements AllocationService {

  private final @Nullable LocalAllocation allocation;
  private final CallRunner runner;
  private final ClaimLocks locks;
  private final Claims claims;
  private final OfferedPools pools;

  /** Creates the claims of a runtime; {@code allocation} is null if it does not allocate. */
  LocalClaims(
      @Nullable LocalAllocation allocation,
      CallRunner runner,
      ClaimLocks locks,
      Claims claims,
      OfferedPools pools) {
    this.allocation = allocation;
    this.runner = runner;
    this.locks = locks;
    this.claims = claims;
    this.pools = pools;
  }

  /** Restores the allocations of the store. */
  void restore() throws StoreException {
    LocalAllocation local = allocation;
    if (local != null) {
      local.restore();
    }
  }

  @Override
  public AllocationOutcome allocate(ResourceClaim claim) throws ClaimException {
    Objects.requireNonNull(claim, "claim");
    LocalAllocation local = allocation;
    if (local == null) {
      throw new IllegalStateException(
          "this runtime does not allocate: set selectors(…) in its options");
    }
    return runner.runHere(
        () -> {
          locks.checkNotStandingBy(claim.displayName());
          try {
            return local.allocate(claim, pools.slices());
          } catch (StoreException e) {
            throw ClaimException.ofStore(claim.displayName(), e);
          }
        });
  }

  @Override
  public List<ResourceClaim> allocated() {
    LocalAllocation local = allocation;
    return local == null ? List.of() : local.allocated();
  }

  @Override
  public void release(String uid) throws ClaimException {
    LocalAllocation local = allocation;
    claims.unprepare(
        Objects.requireNonNull(uid, "uid"),
        () -> {
          try {
            if (local != null) {
              local.release(uid);
            }
            return uid;
          } catch (StoreException e) {
            throw ClaimException.ofStore(uid, e);
          }
        });
  }
}
