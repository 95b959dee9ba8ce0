package io.dra4j.cli.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.GoReference;
import io.dra4j.cli.cel.CelComparison.Difference;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random selectors on random devices, answered by dra4j and by the released Go code. {@code
 * -Dcel-differential=N} sets how many pairs, {@code -Dcel-differential.seed=S} which. Differences
 * are shown as pairs that have been made as small as possible. {@code -Dcel-corpus=DIRECTORY} also
 * compares the selectors that a fuzzer stored there.
 */
@Tag("exhaustive")
class CelDifferentialTest {

  private static final int PAIRS = Integer.getInteger("cel-differential", 500);
  private static final long SEED = Long.getLong("cel-differential.seed", 1);
  private static final int PAIRS_AT_A_TIME = 5_000;
  private static final int SHOWN = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;
  private static Optional<GoReference> reference = Optional.empty();

  @BeforeAll
  static void buildTheReference() throws IOException, InterruptedException {
    reference = GoReference.build(directory);
  }

  /** The pair with a number, of those that begin with a seed. */
  static CelPair pair(CelGenerator generator, long seed, int number) {
    return generator.pair(seed * 1_000_000_007L + number);
  }

  private static CelComparison comparison() {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    return new CelComparison(reference.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stored", "new"})
  void theReferenceAgreesOnRandomSelectors(String environment)
      throws IOException, InterruptedException {
    CelComparison comparison = comparison();
    CelGenerator generator = new CelGenerator(CelGrammar.read());
    List<Difference> differences = new ArrayList<>();
    for (int from = 0; from < PAIRS; from += PAIRS_AT_A_TIME) {
      List<CelPair> pairs = new ArrayList<>();
      for (int i = from; i < Math.min(PAIRS, from + PAIRS_AT_A_TIME); i++) {
        pairs.add(pair(generator, SEED, i));
      }
      differences.addAll(comparison.differences(pairs, environment));
    }
    report("%d pairs, seed %d".formatted(PAIRS, SEED), environment, comparison, differences);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stored", "new"})
  void theReferenceAgreesOnItsOwnExamples(String environment)
      throws IOException, InterruptedException {
    CelComparison comparison = comparison();
    List<CelPair> pairs = new ArrayList<>();
    for (String line :
        Files.readAllLines(GoReference.SOURCES.resolve("testdata/selectors.jsonl"))) {
      JsonNode json = JSON.readTree(line);
      pairs.add(
          new CelPair(
              CelExpression.of(json.path("expression").asText()),
              json.path("driver").asText(),
              (ObjectNode) json.path("device")));
    }
    List<Difference> differences = comparison.differences(pairs, environment);
    report(pairs.size() + " examples", environment, comparison, differences);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stored", "new"})
  void theReferenceAgreesOnTheExpressionsOfATable(String environment)
      throws IOException, InterruptedException {
    CelComparison comparison = comparison();
    List<CelPair> pairs = table();
    List<Difference> differences = comparison.differences(pairs, environment);
    report(pairs.size() + " expressions of a table", environment, comparison, differences);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stored", "new"})
  @EnabledIfSystemProperty(named = "cel-corpus", matches = ".+")
  void theReferenceAgreesOnTheCorpusOfTheFuzzer(String environment)
      throws IOException, InterruptedException {
    CelComparison comparison = comparison();
    List<CelPair> pairs = corpus(Path.of(System.getProperty("cel-corpus", "")));
    List<Difference> differences = comparison.differences(pairs, environment);
    report(pairs.size() + " selectors of a fuzzer", environment, comparison, differences);
  }

  private static List<CelPair> corpus(Path directory) throws IOException {
    ObjectNode device = JSON.createObjectNode();
    ObjectNode attributes = device.putObject("attributes");
    attributes.putObject("a").put("string", "text");
    attributes.putObject("n").put("int", 3);
    attributes.putObject("b").put("bool", true);
    device.putObject("capacity").putObject("memory").put("value", "80Gi");
    List<CelPair> pairs = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        pairs.add(new CelPair(CelExpression.of(text), "d", device));
      }
    }
    return pairs;
  }

  private static List<CelPair> table() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            CelDifferentialTest.class.getResourceAsStream("cel-expressions.txt"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> new CelPair(CelExpression.of(line), "d", JSON.createObjectNode()))
          .toList();
    }
  }

  private static void report(
      String what, String environment, CelComparison comparison, List<Difference> found)
      throws IOException, InterruptedException {
    int unsteady = 0;
    int far = 0;
    List<Difference> differences = new ArrayList<>();
    for (Difference difference : found) {
      if (difference.isOfFarTimestamp()) {
        far++;
      } else if (comparison.isSteady(difference)) {
        differences.add(difference);
      } else {
        unsteady++;
      }
    }
    System.out.printf(
        "differential: cel, %s, environment %s: %d differences %s; %d where the reference differs"
            + " from itself, %d of timestamps that only Go has%n",
        what, environment, differences.size(), byField(differences), unsteady, far);
    differences.sort(Comparator.comparingInt(difference -> difference.pair().size()));
    Map<String, Difference> shown = new TreeMap<>();
    for (Difference difference : differences.subList(0, Math.min(SHOWN, differences.size()))) {
      Difference small = comparison.shrink(difference);
      shown.put(small.field() + small.pair().expression().text(), small);
    }
    assertThat(shown.values()).as("differences of %s", what).isEmpty();
  }

  private static Map<String, Integer> byField(List<Difference> differences) {
    Map<String, Integer> fields = new TreeMap<>();
    differences.forEach(difference -> fields.merge(difference.field(), 1, Integer::sum));
    return fields;
  }
}
