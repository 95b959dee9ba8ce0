package io.dra4j.spi.configuration;

import io.dra4j.common.PrintableText;
import java.util.Objects;

/**
 * A problem of a configuration.
 *
 * @param pointer the place, as a JSON pointer (RFC 6901), for example {@code
 *     /interface/addresses/0}; empty for the configuration as a whole
 * @param problem the problem, and the expected value
 */
public record ConfigurationProblem(String pointer, String problem) {

  /** Rejects null. {@inheritDoc} */
  public ConfigurationProblem {
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(problem, "problem");
  }

  /** {@return pointer and problem for messages, on one line and without control characters} */
  @Override
  public String toString() {
    return PrintableText.of((pointer.isEmpty() ? "configuration" : pointer) + ": " + problem);
  }
}
