package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.BudgetExceededException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * How many steps searches take, so that none of what they pass over is lost unseen: {@link
 * PrunedSearchTest} says that the answers are right, however many. {@code -Dpruned.record=true}
 * records the numbers anew, which is right where a change means to pass over more.
 */
class PrunedStepsTest {

  private static final int CLUSTERS = 3_000;
  private static final int PER_LINE = 10;
  private static final int MAX_STEPS = 3_000;
  private static final int PATIENCE = 6;
  private static final int TRIES = 5; // one that gets no processor for long goes on without bounds
  private static final Path RECORDED =
      Path.of("src/test/resources/io/dra4j/allocation/pruned-steps.txt");

  private static String steps(RandomCluster random, long patience) throws Exception {
    SearchContext context =
        random.cluster.context(
            random.cluster.inventory(), random.features, random.compatibility, List.of());
    Position position = new Position("in a test");
    Search search = null;
    try {
      SearchPlan plan = new SearchPlan(context, random.claims, position);
      search = new Search(plan, position, patience).atMost(MAX_STEPS);
      return (search.run() ? "" : "-") + search.steps() + "c" + search.cuts();
    } catch (RejectedException e) {
      return "fault" + (search == null ? "" : search.steps());
    } catch (BudgetExceededException e) {
      return "endless";
    }
  }

  /** With bounds from the start, and after some failures. */
  private static String line(int from) throws Exception {
    List<String> all = new ArrayList<>();
    for (int i = from; i < from + PER_LINE; i++) {
      String atOnce = steps(new RandomCluster(i), 0);
      String later = steps(new RandomCluster(i), PATIENCE);
      all.add(atOnce.equals(later) ? atOnce : atOnce + "/" + later);
    }
    return from + ": " + String.join(" ", all);
  }

  private static List<String> recorded() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PrunedStepsTest.class.getResourceAsStream("pruned-steps.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  @Test
  void searchesTakeTheStepsThatTheyTook() throws Exception {
    if (Boolean.getBoolean("pruned.record")) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "# Steps of searches in random clusters, - where nothing fits, and c how often they");
      lines.add("# were cut short; with bounds from the start / after 6 failures.");
      for (int from = 0; from < CLUSTERS; from += PER_LINE) {
        lines.add(line(from));
      }
      Files.createDirectories(RECORDED.getParent());
      Files.write(RECORDED, lines, StandardCharsets.US_ASCII);
      return;
    }
    List<String> recorded = recorded();
    assertThat(recorded).hasSize(CLUSTERS / PER_LINE);
    for (int i = 0; i < recorded.size(); i++) {
      String line = line(i * PER_LINE);
      for (int tries = 1; tries < TRIES && !line.equals(recorded.get(i)); tries++) {
        line = line(i * PER_LINE);
      }
      assertThat(line).isEqualTo(recorded.get(i));
    }
  }
}
