package io.dra4j.benchmarks;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.SlicePut;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a scheduler pays that keeps an inventory: a driver changes a slice, then a claim comes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-Xmx6g")
public class SliceChangeBenchmark {

  private static final int GPUS_PER_SERVER = 16;

  /** From one server to the next: a prime number, so that no two changes are near each other. */
  private static final int STRIDE = 7919;

  /** How many servers the cluster has. */
  @Param({"10000", "100000"})
  public int nodes;

  private final Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
  private final List<ResourceClaim> claim = List.of(Servers.claim("claim"));
  private List<ResourceSlice> slices = List.of();
  private DeviceInventory inventory = DeviceInventory.empty();
  private int server;
  private long pages;

  /** Makes the cluster. */
  @Setup
  public void make() {
    ClusterSnapshot cluster = new Servers(GPUS_PER_SERVER).cluster(nodes);
    slices = cluster.resourceSlices();
    inventory = DeviceInventory.of(cluster);
  }

  /**
   * One slice changed, in a value that selectors read and that was never there before, then one
   * claim on its node. Making the changed slice is included.
   *
   * @return the outcome
   */
  @Benchmark
  public AllocationOutcome changeAndClaim() {
    server = (server + STRIDE) % nodes;
    ResourceSlice changed = Servers.withRetiredPages(slices.get(server), ++pages % 1_000_000_000);
    inventory = inventory.apply(List.of(new SlicePut(changed)));
    AllocationOutcome outcome = allocator.allocate(inventory, Servers.name(server), claim);
    if (!(outcome instanceof AllocationOutcome.Allocated)) {
      throw new IllegalStateException(outcome.toString());
    }
    return outcome;
  }
}
