package io.dra4j.allocation.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.RandomCluster;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What is said of random clusters into which claims do not fit: reasons, the conflict, what would
 * help, and how often it was looked at the budget. {@code -Dexplanations.record=true} records it
 * anew, which is right where a change means to say something else: read what has changed.
 */
class RandomExplanationsTest {

  private static final int CLUSTERS = 400;
  private static final int TRIES = 5; // one that gets no processor for long looks more often
  private static final Path RECORDED =
      Path.of("src/test/resources/io/dra4j/allocation/explanation/explanations.txt");

  private static List<String> explained(long seed) {
    RandomCluster random = new RandomCluster(seed);
    AtomicInteger shares = new AtomicInteger();
    Allocator allocator =
        Allocator.builder()
            .selectors(random.cluster.words)
            .features(random.features)
            .compatibility(random.compatibility)
            .shareIds(() -> "share-" + shares.incrementAndGet())
            .build();
    DeviceInventory inventory = random.cluster.inventory();
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    AllocationOutcome outcome = allocator.allocate(inventory, "n", random.claims, budget);
    List<String> said = new ArrayList<>();
    if (outcome instanceof Rejected rejected) {
      said.add("fault: " + rejected.error());
    } else if (outcome instanceof Unallocatable unallocatable) {
      Explanation explanation = unallocatable.explanation();
      explanation.reasons(budget).forEach(refusal -> said.add("because: " + refusal.line()));
      explanation.reasons(budget).forEach(refusal -> said.add("in short: " + refusal.summary()));
      explanation
          .findConflict(budget)
          .found()
          .forEach(part -> said.add("conflict: " + part.claim() + ", " + part.text()));
      explanation
          .findSuggestions(budget)
          .found()
          .forEach(suggestion -> said.add("helps: " + suggestion.text()));
    }
    if (said.isEmpty()) {
      return said;
    }
    said.replaceAll(line -> "  " + line.replace("\n", "\n    "));
    said.add(0, "cluster " + seed + ", looks " + looks);
    return List.of(String.join("\n", said).split("\n"));
  }

  private static List<String> recorded() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            RandomExplanationsTest.class.getResourceAsStream("explanations.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Test
  void whatIsSaidIsWhatWasSaid() throws IOException {
    if (Boolean.getBoolean("explanations.record")) {
      List<String> said = new ArrayList<>();
      LongStream.range(0, CLUSTERS).forEach(seed -> said.addAll(explained(seed)));
      Files.write(RECORDED, said, StandardCharsets.UTF_8);
      return;
    }
    List<String> recorded = recorded();
    int from = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      List<String> said = explained(seed);
      int to = Math.min(recorded.size(), from + said.size());
      for (int tries = 1; tries < TRIES && !said.equals(recorded.subList(from, to)); tries++) {
        said = explained(seed);
        to = Math.min(recorded.size(), from + said.size());
      }
      assertThat(said).isEqualTo(recorded.subList(from, to));
      from = to;
    }
    assertThat(from).isEqualTo(recorded.size());
  }
}
