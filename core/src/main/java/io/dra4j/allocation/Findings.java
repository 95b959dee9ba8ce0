package io.dra4j.allocation;

import java.util.List;

/**
 * What was found within a time.
 *
 * @param <T> the type of what was looked for
 * @param found what was found; empty if there is nothing, or there was no time to find it
 * @param complete whether everything was looked at; false where the time was over before
 */
public record Findings<T>(List<T> found, boolean complete) {

  /** Copies the list. {@inheritDoc} */
  public Findings {
    found = List.copyOf(found);
  }
}
