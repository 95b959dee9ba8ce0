package io.dra4j.cli.cluster;

import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.common.Budget;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The option for the end of a whole run. */
final class RunTimeOption {

  @Option(
      names = "--run-timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = DurationConverter.class,
      description =
          "How long the whole run may take after the input is read. Pods without an answer are"
              + " undecided then. Default: ${DEFAULT-VALUE}.")
  private Duration time = Duration.ofMinutes(10);

  /** Starts the time of a run. */
  Budget start() {
    return Budget.of(time);
  }
}
