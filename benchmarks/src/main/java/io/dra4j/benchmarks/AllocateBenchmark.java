package io.dra4j.benchmarks;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What {@code oracle bench} of {@code go/} measures: all pending claims of a snapshot on each node
 * by itself, and reading the snapshot.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AllocateBenchmark {

  private static final int COPIES = 64;

  /** The snapshot to measure. */
  @Param("")
  public String file = "";

  /** How to choose: as Kubernetes does, which scores nothing, or a policy by its name. */
  @Param("kubernetes")
  public String policy = "kubernetes";

  private @Nullable ClusterSnapshot cluster;
  private @Nullable DeviceInventory inventory;
  private @Nullable Allocator allocator;
  private List<Node> nodes = List.of();
  private List<ResourceClaim> pending = List.of();
  private final List<List<ResourceClaim>> copies = new ArrayList<>();
  private int next;
  private @Nullable ClusterQuery query;
  private int passes;

  /**
   * Reads the snapshot and allocates once on every node, so that whatever is kept is there.
   *
   * @throws ManifestException if the snapshot cannot be read
   */
  @Setup
  public void read() throws ManifestException {
    ClusterSnapshot read = Manifests.readSnapshot(Path.of(file));
    cluster = read;
    inventory = DeviceInventory.of(read);
    allocator =
        Allocator.builder()
            .selectors(CelSelectors.create())
            .policy(
                policy.equals("kubernetes")
                    ? AllocationPolicy.firstFit()
                    : PlacementPolicy.of(policy))
            .build();
    nodes = read.nodes();
    pending = read.pendingClaims();
    for (int i = 0; i < COPIES; i++) {
      copies.add(pending.stream().map(claim -> claim.toBuilder().build()).toList());
    }
    for (Node ignored : nodes) {
      allocateOnOneNode();
    }
  }

  /**
   * One allocation on one node, the nodes in turn; the reference's {@code
   * allNodesWarm.perAllocate}. As the reference has an allocator for the claims, there is one query
   * for all nodes. The next pass has other claims with equal requests.
   *
   * @return the outcome
   */
  @Benchmark
  public AllocationOutcome allocateOnOneNode() {
    next++;
    if (query == null || next >= nodes.size()) {
      next = 0;
      passes = (passes + 1) % COPIES;
      query =
          Objects.requireNonNull(allocator)
              .query(Objects.requireNonNull(inventory), copies.get(passes));
    }
    return query.on(nodes.get(next).name());
  }

  /**
   * The first node of the cluster that has devices.
   *
   * @return the node, or none
   */
  @Benchmark
  public Optional<ClusterQuery.OnNode> firstFit() {
    return Objects.requireNonNull(allocator)
        .query(Objects.requireNonNull(inventory), pending)
        .first();
  }

  /**
   * All nodes of the cluster that have devices.
   *
   * @param blackhole takes them
   */
  @Benchmark
  public void allThatFit(Blackhole blackhole) {
    Objects.requireNonNull(allocator)
        .query(Objects.requireNonNull(inventory), pending)
        .fitting()
        .forEach(blackhole::consume);
  }

  /**
   * An inventory of its own and a pass over all nodes: what a caller pays who keeps nothing.
   *
   * @param blackhole takes the outcomes
   */
  @Benchmark
  public void newInventoryAndAllNodes(Blackhole blackhole) {
    ClusterQuery ofAll =
        Objects.requireNonNull(allocator)
            .query(DeviceInventory.of(Objects.requireNonNull(cluster)), pending);
    for (Node node : nodes) {
      blackhole.consume(ofAll.on(node.name()));
    }
  }

  /**
   * Reading the snapshot.
   *
   * @return the objects
   * @throws ManifestException if the snapshot cannot be read
   */
  @Benchmark
  public ClusterSnapshot readSnapshot() throws ManifestException {
    return Manifests.readSnapshot(Path.of(file));
  }
}
