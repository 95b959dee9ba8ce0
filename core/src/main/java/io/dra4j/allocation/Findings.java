package io.dra4j.allocation;

import java.util.List;
import java.util.Optional;

/**
 * What was found, and whether that is all there is.
 *
 * @param <T> the type of what was looked for
 * @param found what was found; empty if there is nothing, or it is not known whether there is
 * @param gap why not everything was looked at, for example {@code no answer within 1000 ms}; empty
 *     where it was
 */
public record Findings<T>(List<T> found, Optional<String> gap) {

  /** Copies the list. {@inheritDoc} */
  public Findings {
    found = List.copyOf(found);
  }

  /**
   * Makes findings of somebody who has looked at everything.
   *
   * @param <T> the type of what was looked for
   * @param found what was found
   * @return the findings
   */
  public static <T> Findings<T> all(List<T> found) {
    return new Findings<>(found, Optional.empty());
  }

  /**
   * Makes findings of somebody who has not looked at everything.
   *
   * @param <T> the type of what was looked for
   * @param found what was found
   * @param gap why there may be more, in a few words
   * @return the findings
   */
  public static <T> Findings<T> some(List<T> found, String gap) {
    return new Findings<>(found, Optional.of(gap));
  }

  /**
   * Tells whether everything was looked at.
   *
   * @return whether there is no gap
   */
  public boolean complete() {
    return gap.isEmpty();
  }
}
