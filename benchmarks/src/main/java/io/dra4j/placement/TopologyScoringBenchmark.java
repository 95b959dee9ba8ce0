package io.dra4j.placement;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathMatrix;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
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

/** Scoring sets of GPUs and NICs, and finding the best one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TopologyScoringBenchmark {

  /** GPUs and NICs by their place: so many roots of so many pairs, or {@code azure} without. */
  @Param({"8x1", "4x2", "azure", "16x1", "8x2"})
  public String server = "8x1";

  /** How many GPUs, and how many NICs. */
  @Param({"1", "2", "4", "8"})
  public int pairs = 4;

  private final SetSolver solver = new SetSolver();
  private final List<TopologyDevice> devices = new ArrayList<>();
  private @Nullable HostTopology host;
  private @Nullable Chooser chooser;
  private long chosenGpus;
  private long chosenNics;
  private int next;

  /** Makes the server, and chooses once. */
  @Setup
  public void make() {
    int size = server.startsWith("16") || server.equals("8x2") ? 16 : 8;
    int perRoot = server.endsWith("2") ? 2 : 1;
    devices.clear();
    for (int i = 0; i < 2 * size; i++) {
      int place = i % size;
      boolean gpu = i < size;
      boolean azure = server.equals("azure");
      int root = azure ? i : place / perRoot;
      devices.add(
          TopologyDevice.of(
              new PciAddress(root, 2 + i, 0, 0),
              gpu ? DeviceKind.GPU : DeviceKind.NIC,
              new Location(
                  "pci%04x:00".formatted(root),
                  azure
                      ? List.of()
                      : List.of(new PciAddress(root, 1, 0, 0), new PciAddress(root, 1, i % 32, 1)),
                  OptionalInt.of(place * 2 / size))));
    }
    HostTopology made =
        HostTopology.builder()
            .devices(devices)
            .numaNodes(
                List.of(
                    new NumaNode(0, "", OptionalInt.empty(), List.of()),
                    new NumaNode(1, "", OptionalInt.empty(), List.of())))
            .build();
    host = made;
    int[] gpus = new int[size];
    int[] nics = new int[size];
    for (int i = 0; i < size; i++) {
      gpus[i] = i;
      nics[i] = size + i;
    }
    LinkModel model = LinkModel.nccl();
    ClassRates rates =
        ClassRates.of(
            type -> Math.round(model.gigabytesPerSecond(type, null, null, 0, null) * 1_000));
    PathTree tree = PathTree.of(made, devices).orElseThrow();
    chooser = new Chooser(new ServerShape(tree, gpus, nics, rates, 22_000, null, null));
    bestSet();
    chosenGpus = solver.gpus();
    chosenNics = solver.nics();
  }

  private Chooser chooser() {
    Chooser made = chooser;
    if (made == null) {
      throw new IllegalStateException("not set up");
    }
    return made;
  }

  private HostTopology host() {
    HostTopology made = host;
    if (made == null) {
      throw new IllegalStateException("not set up");
    }
    return made;
  }

  /**
   * B1: the class of the path between two devices.
   *
   * @return the class
   */
  @Benchmark
  public PathType classifyPair() {
    int pair = next++;
    int size = devices.size();
    return host().path(pair % size, pair / size % size);
  }

  /**
   * B2: the classes of all paths.
   *
   * @return the matrix
   */
  @Benchmark
  public PathMatrix buildPathMatrix() {
    return host().matrix(devices);
  }

  /**
   * B3: the value of a set and the potential of what it leaves.
   *
   * @return both
   */
  @Benchmark
  public long scoreSet() {
    ServerShape shape = chooser().shape;
    return shape.value(chosenGpus, chosenNics, shape.allNics)
        + shape.potential(shape.allGpus & ~chosenGpus, shape.allNics & ~chosenNics);
  }

  /**
   * B4 and B5: the best set of a free server.
   *
   * @return whether there is one
   */
  @Benchmark
  public boolean bestSet() {
    ServerShape shape = chooser().shape;
    return solver.solve(
        shape,
        Objective.BEST,
        shape.allGpus,
        shape.allNics,
        shape.allGpus,
        shape.allNics,
        pairs,
        pairs,
        null);
  }

  /**
   * B6: the best set, remembered.
   *
   * @return the set
   */
  @Benchmark
  public Object rememberedBestSet() {
    ServerShape shape = chooser().shape;
    return chooser()
        .best(
            solver,
            Objective.BEST,
            shape.allGpus,
            shape.allNics,
            shape.allGpus,
            shape.allNics,
            pairs,
            pairs,
            null);
  }

  /**
   * B8: the proof that there are not so many pairs on one switch, as a bound.
   *
   * @return how many there are
   */
  @Benchmark
  public int infeasiblePairs() {
    ServerShape shape = chooser().shape;
    return shape.pairsWithin(shape.allGpus, shape.allNics & chosenNics, PathType.SWITCH);
  }
}
