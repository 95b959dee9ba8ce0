package io.dra4j.benchmarks;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.HoldOutcome;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** 200 claims of four GPUs, which fill 50 servers of 16: each is tried on the nodes in turn. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ClaimSequenceBenchmark {

  private static final int CLAIMS = 200;
  private static final int NODES = 50;
  private static final int GPUS_PER_SERVER = 16;

  private final Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
  private final List<ResourceClaim> claims = new ArrayList<>();
  private DeviceInventory inventory = DeviceInventory.empty();

  /** Makes the cluster and places the claims for the first time. */
  @Setup
  public void make() {
    inventory = DeviceInventory.of(new Servers(GPUS_PER_SERVER).cluster(NODES));
    for (int i = 0; i < CLAIMS; i++) {
      claims.add(Servers.claim("claim-" + i));
    }
    claims.forEach(this::place);
  }

  /**
   * All claims released, one after the other, and placed again, one after the other.
   *
   * @return the inventory in which they hold their devices again
   */
  @Benchmark
  public DeviceInventory releaseAndPlace() {
    for (ResourceClaim claim : claims) {
      inventory = inventory.apply(List.of(new ClaimRemoved(ClaimKey.of(claim))));
    }
    claims.forEach(this::place);
    return inventory;
  }

  private void place(ResourceClaim claim) {
    ClusterQuery query = allocator.query(inventory, List.of(claim));
    for (int i = 0; i < NODES; i++) {
      AllocationOutcome outcome = query.on(Servers.name(i));
      if (outcome instanceof Allocated allocated) {
        List<ResourceClaim> placed =
            allocated.allocations().stream().map(ClaimAllocation::allocatedClaim).toList();
        inventory =
            inventory
                .hold(placed)
                .fold(
                    HoldOutcome.Held::inventory,
                    inUse -> {
                      throw new IllegalStateException(inUse.reason());
                    });
        return;
      }
    }
    throw new IllegalStateException(claim.displayName() + ": no room");
  }
}
