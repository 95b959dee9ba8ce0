package io.dra4j.benchmarks;

import io.dra4j.cel.CelDevice;
import io.dra4j.cel.CelSelector;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.ManifestException;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/**
 * What {@code oracle bench-cel-pairs} of {@code go/} measures: selectors on devices with costs
 * counted, per pair, and their compilation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CelBenchmark {

  private static final int MIXED = SelectorsAndDevices.MIXED;
  private static final int DEVICES = SelectorsAndDevices.DEVICES;

  /** The selectors and devices. */
  @Param("")
  public String file = "";

  private final CelSelectors selectors = CelSelectors.create();
  private List<String> mixedTexts = List.of();
  private final List<CelSelector> mixed = new ArrayList<>();
  private final List<CelSelector> general = new ArrayList<>();
  private final List<CelSelector> missing = new ArrayList<>();
  private final List<String> drivers = new ArrayList<>();
  private final List<Device> devices = new ArrayList<>();
  private final CelDevice[] prepared = new CelDevice[DEVICES];
  private int compilations;

  /**
   * Reads and compiles.
   *
   * @throws IOException if the file cannot be read
   * @throws ManifestException if a device is none
   * @throws SelectorException if a selector does not compile
   */
  @Setup
  public void read() throws IOException, ManifestException, SelectorException {
    SelectorsAndDevices input = SelectorsAndDevices.read(file);
    mixedTexts = input.mixed();
    for (String expression : mixedTexts) {
      mixed.add(selectors.compileSelector(expression));
    }
    for (String expression : input.general()) {
      general.add(selectors.compileSelector(expression));
    }
    missing.add(selectors.compileSelector(input.missing()));
    for (ResourceSlice slice : input.slices()) {
      for (Device device : slice.devices()) {
        drivers.add(slice.driver());
        devices.add(device);
        prepared[devices.size() - 1] = selectors.prepare(slice.driver(), device);
      }
    }
  }

  /**
   * Eight selectors in turn, each on all devices, which are prepared.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(MIXED * DEVICES)
  public int mixed() {
    return test(mixed);
  }

  /**
   * The same with devices as they come.
   *
   * @return how many match
   * @throws SelectorException if one fails
   */
  @Benchmark
  @OperationsPerInvocation(MIXED * DEVICES)
  public int mixedUnprepared() throws SelectorException {
    int matches = 0;
    for (int i = 0; i < MIXED; i++) {
      CelSelector selector = mixed.get(i);
      for (int j = 0; j < DEVICES; j++) {
        if (selector.matches(drivers.get(j), devices.get(j))) {
          matches++;
        }
      }
    }
    return matches;
  }

  /**
   * A selector that fails because it reads what the devices do not have.
   *
   * @return how many match: none
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int missing() {
    return test(missing);
  }

  /**
   * A text split at colons.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int split() {
    return test(general.subList(0, 1));
  }

  /**
   * A regular expression.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int regex() {
    return test(general.subList(1, 2));
  }

  /**
   * A loop within a loop.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int loops() {
    return test(general.subList(2, 3));
  }

  /**
   * Compilation with check and estimate of the cost. A comment makes each expression a new one.
   *
   * @return the selectors
   * @throws SelectorException if one does not compile
   */
  @Benchmark
  @OperationsPerInvocation(MIXED)
  public List<CelSelector> compile() throws SelectorException {
    List<CelSelector> compiled = new ArrayList<>();
    for (String expression : mixedTexts) {
      compiled.add(selectors.compileSelector(expression + " // " + compilations++));
    }
    return compiled;
  }

  private int test(List<CelSelector> some) {
    int matches = 0;
    for (int i = 0; i < some.size(); i++) {
      CelSelector selector = some.get(i);
      for (CelDevice device : prepared) {
        if (selector.test(device) == CelSelector.Answer.YES) {
          matches++;
        }
      }
    }
    return matches;
  }
}
