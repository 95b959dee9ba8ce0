package io.dra4j.benchmarks;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.gang.GangOptions;
import io.dra4j.placement.internal.gang.GangSolver;
import io.dra4j.placement.internal.server.PathRates;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * B10: plans for gangs over servers of four roots of 2+2, of which aligned pairs are in use at
 * random, 32 to a rack.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class GangBenchmark {

  /** How many servers. */
  @Param({"32", "256", "1024", "10000"})
  public int nodes = 256;

  /** How many pods. */
  @Param({"2", "8"})
  public int pods = 8;

  /** How many GPUs, and how many NICs, each pod wants. */
  @Param({"1", "2", "4", "8"})
  public int pairs = 4;

  private final List<GangOptions.@Nullable State> servers = new ArrayList<>();
  private final int[] racks = new int[10_000];
  private GangSolver remembering = new GangSolver();
  private GangOptions.@Nullable State taken;

  /** Makes the servers. */
  @Setup
  public void make() {
    List<TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      int root = i % 8 / 2;
      devices.add(
          TopologyDevice.of(
              new PciAddress(root, 2 + i, 0, 0),
              i < 8 ? DeviceKind.GPU : DeviceKind.NIC,
              new Location(
                  "pci%04x:00".formatted(root),
                  List.of(new PciAddress(root, 1, 0, 0), new PciAddress(root, 1, i, 1)),
                  OptionalInt.of(root / 2))));
    }
    HostTopology host =
        HostTopology.builder()
            .devices(devices)
            .numaNodes(
                List.of(
                    new NumaNode(0, "", OptionalInt.empty(), List.of()),
                    new NumaNode(1, "", OptionalInt.empty(), List.of())))
            .build();
    LinkModel model = LinkModel.nccl();
    ServerTree shape =
        new ServerTree(
            PathTree.of(host, devices).orElseThrow(),
            IntStream.range(0, 8).toArray(),
            IntStream.range(8, 16).toArray(),
            PathRates.of(
                type -> Math.round(model.gigabytesPerSecond(type, null, null, 0, null) * 1_000)),
            22_000,
            null,
            null);
    GangOptions.Rails rails = new GangOptions.Rails(IntStream.range(0, 8).toArray());
    SplittableRandom random = new SplittableRandom(1);
    servers.clear();
    remembering = new GangSolver();
    for (int i = 0; i < nodes; i++) {
      long free = shape.allGpus;
      int busy = random.nextInt(9);
      for (int pair = 0; pair < busy; pair++) {
        free &= ~ServerTree.bit(random.nextInt(8));
      }
      long nics = shape.allNics & (free | (random.nextInt(4) == 0 ? 0 : -1));
      nics = random.nextInt(4) == 0 ? nics : free;
      servers.add(new GangOptions.State(shape, free, nics, free, nics, rails, 1, null));
      racks[i] = i / 32;
    }
    taken = servers.get(0);
  }

  private GangSolver.@Nullable Plan plan(GangSolver solver) throws BudgetExceededException {
    return solver.solve(
        servers,
        List.of(racks),
        new GangSolver.Demand(List.of(new GangSolver.Demand.Kind(pairs, pairs, pods))),
        Budget.unlimited());
  }

  /**
   * Plans without any memory of the servers.
   *
   * @return the plan
   * @throws BudgetExceededException never
   */
  @Benchmark
  public Object cold() throws BudgetExceededException {
    return String.valueOf(plan(new GangSolver()) != null);
  }

  /**
   * Plans with what is remembered of the states of servers, after something about one has changed.
   *
   * @return the plan
   * @throws BudgetExceededException never
   */
  @Benchmark
  public Object changed() throws BudgetExceededException {
    servers.set(0, servers.get(0) == null ? taken : null);
    return String.valueOf(plan(remembering) != null);
  }

  /**
   * Plans again what was planned last.
   *
   * @return the plan
   * @throws BudgetExceededException never
   */
  @Benchmark
  public Object memoised() throws BudgetExceededException {
    return String.valueOf(plan(remembering) != null);
  }
}
