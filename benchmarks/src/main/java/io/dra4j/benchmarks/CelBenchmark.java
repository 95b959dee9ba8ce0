package io.dra4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SelectorException;
import java.io.ByteArrayInputStream;
import java.io.File;
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

  private static final int DEVICES = 64;
  private static final int MIXED = 8;
  private static final int GENERAL = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The selectors and devices, which the reference reads, too. */
  @Param("")
  public String file = "";

  private final CelSelectors selectors = CelSelectors.create();
  private final List<String> mixedText = new ArrayList<>();
  private final List<CompiledSelector> mixed = new ArrayList<>();
  private final List<CompiledSelector> general = new ArrayList<>();
  private final List<CompiledSelector> missing = new ArrayList<>();
  private final List<String> drivers = new ArrayList<>();
  private final List<Device> devices = new ArrayList<>();
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
    JsonNode all = JSON.readTree(new File(file));
    for (JsonNode expression : all.path("mixed")) {
      mixedText.add(expression.asText());
      mixed.add(selectors.compileSelector(expression.asText()));
    }
    for (JsonNode expression : all.path("general")) {
      general.add(selectors.compileSelector(expression.asText()));
    }
    missing.add(selectors.compileSelector(all.path("missing").asText()));
    for (JsonNode line : all.path("devices")) {
      drivers.add(line.path("driver").asText());
      devices.add(device(line));
    }
    if (mixed.size() != MIXED || general.size() != GENERAL || devices.size() != DEVICES) {
      throw new IOException(file + ": another number of selectors or devices than expected");
    }
  }

  /**
   * Eight selectors in turn, each on all devices.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(MIXED * DEVICES)
  public int mixed() {
    return matches(mixed);
  }

  /**
   * A selector that fails because it reads what the devices do not have.
   *
   * @return how many match: none
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int missing() {
    return matches(missing);
  }

  /**
   * A text split at colons.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int split() {
    return matches(general.subList(0, 1));
  }

  /**
   * A regular expression.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int regex() {
    return matches(general.subList(1, 2));
  }

  /**
   * A loop within a loop.
   *
   * @return how many match
   */
  @Benchmark
  @OperationsPerInvocation(DEVICES)
  public int loops() {
    return matches(general.subList(2, GENERAL));
  }

  /**
   * Compilation with check and estimate of the cost. A comment makes each expression a new one.
   *
   * @return the last selector
   * @throws SelectorException if one does not compile
   */
  @Benchmark
  @OperationsPerInvocation(MIXED)
  public List<CompiledSelector> compile() throws SelectorException {
    List<CompiledSelector> compiled = new ArrayList<>();
    for (String expression : mixedText) {
      compiled.add(selectors.compileSelector(expression + " // " + compilations++));
    }
    return compiled;
  }

  private int matches(List<CompiledSelector> some) {
    int matches = 0;
    for (int i = 0; i < some.size(); i++) {
      CompiledSelector selector = some.get(i);
      for (int j = 0; j < DEVICES; j++) {
        try {
          if (selector.matches(drivers.get(j), devices.get(j))) {
            matches++;
          }
        } catch (SelectorException e) {
          matches--;
        }
      }
    }
    return matches;
  }

  private static Device device(JsonNode line) throws IOException, ManifestException {
    ObjectNode slice = JSON.createObjectNode();
    slice.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceSlice");
    slice.putObject("metadata").put("name", "devices");
    ObjectNode spec = slice.putObject("spec").put("driver", line.path("driver").asText());
    spec.putObject("pool").put("name", "pool").put("generation", 1).put("resourceSliceCount", 1);
    ObjectNode device = spec.putArray("devices").addObject().put("name", "device");
    device.setAll((ObjectNode) line.path("device"));
    byte[] text = JSON.writeValueAsBytes(slice);
    ResourceSlice read =
        (ResourceSlice)
            ManifestReader.create()
                .read(line.path("driver").asText(), new ByteArrayInputStream(text))
                .get(0)
                .object();
    return read.devices().get(0);
  }
}
