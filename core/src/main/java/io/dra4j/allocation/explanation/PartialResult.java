package io.dra4j.allocation.explanation;

import io.dra4j.common.PrintableText;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What was found, and whether that is all there is.
 *
 * @param <T> the type of what was looked for
 * @param found what was found; empty if there is nothing, or it is not known whether there is
 * @param gap why not everything was looked at, for example {@code no answer within 1000 ms}; empty
 *     where it was
 */
public record PartialResult<T>(List<T> found, Optional<String> gap) {

  /** Copies the list. {@inheritDoc} */
  public PartialResult {
    found = List.copyOf(Objects.requireNonNull(found, "found"));
    Objects.requireNonNull(gap, "gap");
  }

  /**
   * Makes a complete result.
   *
   * @param <T> the type of what was looked for
   * @param found what was found
   * @return the result
   */
  public static <T> PartialResult<T> all(List<T> found) {
    return new PartialResult<>(found, Optional.empty());
  }

  /**
   * Makes an incomplete result.
   *
   * @param <T> the type of what was looked for
   * @param found what was found
   * @param gap why there may be more, in a few words
   * @return the result
   */
  public static <T> PartialResult<T> some(List<T> found, String gap) {
    return new PartialResult<>(found, Optional.of(Objects.requireNonNull(gap, "gap")));
  }

  /** For people: what was found, a line for each, and why there may be more. */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n").setEmptyValue("nothing");
    found.forEach(one -> lines.add(PrintableText.of(one.toString())));
    gap.ifPresent(why -> lines.add("not everything was looked at: " + PrintableText.of(why)));
    return lines.toString();
  }

  /**
   * Returns whether everything was looked at.
   *
   * @return whether there is no gap
   */
  public boolean complete() {
    return gap.isEmpty();
  }
}
