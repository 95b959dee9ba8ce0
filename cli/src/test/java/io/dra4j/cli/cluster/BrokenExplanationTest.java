package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An explanation that throws an exception does not prevent the answer. */
class BrokenExplanationTest {

  private static final Path CLAIM =
      Path.of("src/test/resources/io/dra4j/cli/explain/conditions-in-brackets.yaml");
  private static final String BUG =
      "the explanation has a bug and is not complete: java.lang.IllegalStateException at"
          + " io.dra4j.cli.cluster.BrokenExplanationTest";

  private final CelSelectors selectors = CelSelectors.create();
  private int searches;

  /** Makes an allocator whose first search ends well, and each further one with an exception. */
  private Allocator searchingOnce() {
    return Allocator.builder()
        .selectors(selectors)
        .observer(
            statistics -> {
              if (searches++ > 0) {
                throw new IllegalStateException("searched again");
              }
            })
        .build();
  }

  private static ClusterInput input() throws Exception {
    return ClusterInput.of(ManifestReader.builder().build().read(CLAIM));
  }

  @Test
  void aPodThatIsOnNoNodeSaysSoWithoutReasons() throws Exception {
    ClusterInput input = input();
    PodOutcome outcome =
        ClusterRun.builder(searchingOnce())
            .build()
            .place(input.queue(), DeviceInventory.of(input.snapshot()))
            .pods()
            .get(0);

    assertThat(PodReasons.of(outcome))
        .singleElement()
        .asString()
        .startsWith("is on no node; " + BUG);
  }

  @Test
  void theCodeOfExplainIsThatOfTheAnswer() throws Exception {
    StringWriter problems = new StringWriter();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintWriter(new StringWriter()),
            new PrintWriter(problems),
            () -> false);
    ExplainRun run =
        new ExplainRun(terminal, searchingOnce(), selectors, Duration.ofMinutes(1), null, null);

    assertThat(run.run(input(), Budget.unlimited())).isEqualTo(ExitCode.DOES_NOT_FIT);
    assertThat(run.report().orElseThrow().pods())
        .singleElement()
        .satisfies(
            pod -> {
              assertThat(pod.fits()).isFalse();
              assertThat(pod.summary()).startsWith(BUG);
            });
  }
}
