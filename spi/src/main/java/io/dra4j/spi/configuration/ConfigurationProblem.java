package io.dra4j.spi.configuration;

import io.dra4j.common.PrintableText;
import java.util.Objects;

/**
 * Something wrong with a configuration.
 *
 * @param pointer where, as a JSON pointer (RFC 6901), for example {@code /interface/addresses/0};
 *     empty for the configuration as a whole
 * @param problem what is wrong, and what is expected
 */
public record ConfigurationProblem(String pointer, String problem) {

  /** Refuses null. {@inheritDoc} */
  public ConfigurationProblem {
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(problem, "problem");
  }

  /**
   * The form for messages.
   *
   * @return pointer and problem, on one line and without control characters, which a claim may have
   */
  @Override
  public String toString() {
    return PrintableText.of((pointer.isEmpty() ? "configuration" : pointer) + ": " + problem);
  }
}
