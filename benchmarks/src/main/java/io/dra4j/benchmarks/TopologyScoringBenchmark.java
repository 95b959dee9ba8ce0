package io.dra4j.benchmarks;

import io.dra4j.manifest.ManifestException;
import io.dra4j.placement.internal.server.BestSetCache;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathMatrix;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Scoring sets of GPUs and NICs, and finding the best one; of made-up servers, and of one's own by
 * {@link #main}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TopologyScoringBenchmark {

  /**
   * GPUs and NICs by their place: so many roots of so many pairs, {@code azure} without roots, or a
   * file: ResourceSlices, a topology of NCCL or hwloc, or the directory of a captured host.
   */
  @Param({"8x1", "4x2", "azure", "16x1", "8x2"})
  public String server = "8x1";

  /** Of several nodes of ResourceSlices the one to look at; empty for the first. */
  @Param("")
  public String node = "";

  /** How many GPUs, and how many NICs. */
  @Param({"1", "2", "4", "8"})
  public int pairs = 4;

  private final TreeSetSolver solver = new TreeSetSolver();
  private final List<TopologyDevice> devices = new ArrayList<>();
  private @Nullable MeasuredServer measured;
  private long chosenGpus;
  private long chosenNics;
  private int next;

  /**
   * Prints a table of what the best sets of a server carry beside its first devices, and how long
   * choosing takes.
   *
   * @param args a file as for {@link #server}, and the name of a node if there are several
   */
  public static void main(String[] args) {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: TopologyScoringBenchmark FILE [NODE]");
      System.exit(2);
    }
    System.err.println("placement: measuring " + args[0] + ", about a minute");
    try {
      System.out.print(
          table(
              args[0],
              args.length > 1 ? args[1] : "",
              options ->
                  options
                      .forks(2)
                      .warmupIterations(3)
                      .warmupTime(TimeValue.milliseconds(300))
                      .measurementIterations(5)
                      .measurementTime(TimeValue.milliseconds(300))));
    } catch (IOException
        | ManifestException
        | OverlayException
        | RunnerException
        | IllegalArgumentException e) {
      System.err.println("placement: " + e.getMessage());
      System.exit(1);
    }
  }

  /** The table of a server, measured as the options say. */
  static String table(String server, String node, UnaryOperator<ChainedOptionsBuilder> options)
      throws IOException, ManifestException, OverlayException, RunnerException {
    MeasuredServer measured = MeasuredServer.of(server, node);
    int most = Math.min(measured.gpus.size(), measured.nics.size());
    List<Integer> sizes = List.of(1, 2, 4, 8, 16).stream().filter(size -> size <= most).toList();
    Collection<RunResult> results =
        new Runner(
                options
                    .apply(
                        new OptionsBuilder()
                            .include(
                                TopologyScoringBenchmark.class.getName()
                                    + ".(scoreSet|bestSet|rememberedBestSet)$")
                            .param("server", server)
                            .param("node", node)
                            .param(
                                "pairs", sizes.stream().map(String::valueOf).toArray(String[]::new))
                            .addProfiler(GCProfiler.class)
                            .shouldFailOnError(true)
                            .verbosity(VerboseMode.SILENT))
                    .build())
            .run();
    Map<String, Double> nanos = new TreeMap<>();
    Map<String, Double> bytes = new TreeMap<>();
    for (RunResult result : results) {
      String label = result.getParams().getBenchmark();
      String key =
          label.substring(label.lastIndexOf('.') + 1) + " " + result.getParams().getParam("pairs");
      nanos.put(key, least(result));
      bytes.put(
          key,
          Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"))
              .getScore());
    }
    StringBuilder text = new StringBuilder();
    text.append(
        """
        %d GPUs and %d NICs of %s; GB/s by the profile nccl, times the least of all iterations.
        Scored: the GB/s of one set. Found: the best set, searched for. Remembered: the same question \
        again. B: bytes that a search allocates.

        | Pairs | First devices | GB/s | Best devices | GB/s | Scored | Found | Remembered | B |
        |---|---|---|---|---|---|---|---|---|
        """
            .formatted(measured.gpus.size(), measured.nics.size(), server));
    TreeSetSolver solver = new TreeSetSolver();
    for (int size : sizes) {
      long first = -1L << (Long.SIZE - size);
      solve(solver, measured.chooser.shape, size);
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %.1f | %s | %.1f | %.1f ns | %.0f ns | %.1f ns | %.0f |%n",
              size,
              measured.names(first, first),
              measured.rate(first, first),
              measured.names(solver.gpus(), solver.nics()),
              measured.rate(solver.gpus(), solver.nics()),
              nanos.get("scoreSet " + size),
              nanos.get("bestSet " + size),
              nanos.get("rememberedBestSet " + size),
              bytes.get("bestSet " + size)));
    }
    return text.toString();
  }

  private static double least(RunResult result) {
    double least = Double.MAX_VALUE;
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        least = Math.min(least, iteration.getPrimaryResult().getScore());
      }
    }
    return least;
  }

  /**
   * Makes or reads the server, and chooses once.
   *
   * @throws IOException if a file cannot be read
   * @throws ManifestException if manifests cannot be read
   * @throws OverlayException if a topology cannot be read
   */
  @Setup
  public void make() throws IOException, ManifestException, OverlayException {
    MeasuredServer made = MeasuredServer.of(server, node);
    measured = made;
    devices.clear();
    devices.addAll(made.gpus);
    devices.addAll(made.nics);
    bestSet();
    chosenGpus = solver.gpus();
    chosenNics = solver.nics();
  }

  private MeasuredServer measured() {
    MeasuredServer made = measured;
    if (made == null) {
      throw new IllegalStateException("not set up");
    }
    return made;
  }

  private BestSetCache chooser() {
    return measured().chooser;
  }

  private HostTopology host() {
    return measured().host;
  }

  /**
   * B1: the class of the path between two devices.
   *
   * @return the class
   */
  @Benchmark
  public PathType classifyPair() {
    int pair = next;
    int size = devices.size();
    next = pair + 1 < size * size ? pair + 1 : 0;
    return host().path(pair % size, pair / size);
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
    ServerTree shape = chooser().shape;
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
    return solve(solver, chooser().shape, pairs);
  }

  private static boolean solve(TreeSetSolver solver, ServerTree shape, int pairs) {
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
    ServerTree shape = chooser().shape;
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
    ServerTree shape = chooser().shape;
    return shape.pairsWithin(shape.allGpus, shape.allNics & chosenNics, PathType.SWITCH);
  }
}
