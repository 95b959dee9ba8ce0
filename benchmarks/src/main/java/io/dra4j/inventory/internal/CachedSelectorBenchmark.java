package io.dra4j.inventory.internal;

import io.dra4j.benchmarks.SelectorsAndDevices;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PoolId;
import io.dra4j.manifest.ManifestException;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the inventory remembers of selectors, in the package of its classes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CachedSelectorBenchmark {

  /** The selectors and devices. */
  @Param("")
  public String file = "";

  private final List<CachedSelector> answers = new ArrayList<>();
  private final NodeDevice[] candidates = new NodeDevice[SelectorsAndDevices.DEVICES];

  /**
   * Reads and evaluates once.
   *
   * @throws IOException if the file cannot be read
   * @throws ManifestException if a device is none
   * @throws SelectorException if a selector does not compile or fails
   * @throws BudgetExceededException never
   */
  @Setup
  public void read()
      throws IOException, ManifestException, SelectorException, BudgetExceededException {
    InventoryCaches memory = new InventoryCaches();
    SelectorsAndDevices input = SelectorsAndDevices.read(file);
    CelSelectors selectors = CelSelectors.create();
    for (String expression : input.mixed()) {
      answers.add(memory.answersOf(selectors.compileSelector(expression)));
    }
    int place = 0;
    for (int i = 0; i < input.slices().size(); i++) {
      ResourceSlice slice = input.slices().get(i);
      PoolId id = new PoolId(slice.driver(), "pool");
      PublishedSlice published = new PublishedSlice(i, id, slice, DeviceTaintRules.NONE, null);
      PoolView pool =
          PoolView.of(
              PoolSlices.of(published.poolId, List.of(published)),
              List.of(published),
              Set.of(),
              Budget.unlimited());
      for (int position = 0; position < slice.devices().size(); position++) {
        candidates[place] = new NodeDevice(place, pool, 0, position, published, position);
        place++;
      }
    }
    bits();
  }

  /**
   * Eight selectors in turn, each asked of all devices once more.
   *
   * @return how many match
   * @throws SelectorException if one fails
   * @throws BudgetExceededException never
   */
  @Benchmark
  @OperationsPerInvocation(SelectorsAndDevices.MIXED * SelectorsAndDevices.DEVICES)
  public int bits() throws SelectorException, BudgetExceededException {
    int matches = 0;
    for (int i = 0; i < SelectorsAndDevices.MIXED; i++) {
      CachedSelector selector = answers.get(i);
      for (NodeDevice candidate : candidates) {
        if (selector.matches(candidate, Budget.unlimited())) {
          matches++;
        }
      }
    }
    return matches;
  }
}
