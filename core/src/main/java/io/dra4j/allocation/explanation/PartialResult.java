package io.dra4j.allocation.explanation;

import io.dra4j.common.PrintableText;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The results that were found, and whether they are complete.
 *
 * @param <T> the type of the results
 * @param found the results; empty if there are none, or if that is not known
 * @param gap the reason why not everything was checked, for example {@code no answer within 1000
 *     ms}; empty if everything was
 */
public record PartialResult<T>(List<T> found, Optional<String> gap) {

  /** Copies the list. {@inheritDoc} */
  public PartialResult {
    found = List.copyOf(Objects.requireNonNull(found, "found"));
    Objects.requireNonNull(gap, "gap");
  }

  /**
   * {@return a complete result}
   *
   * @param <T> the type of the results
   * @param found the results
   */
  public static <T> PartialResult<T> all(List<T> found) {
    return new PartialResult<>(found, Optional.empty());
  }

  /**
   * {@return an incomplete result}
   *
   * @param <T> the type of the results
   * @param found the results
   * @param gap the reason why there may be more, in a few words
   */
  public static <T> PartialResult<T> some(List<T> found, String gap) {
    return new PartialResult<>(found, Optional.of(Objects.requireNonNull(gap, "gap")));
  }

  /** A line for each result, and the reason why there may be more. */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n").setEmptyValue("nothing");
    found.forEach(one -> lines.add(PrintableText.of(one.toString())));
    gap.ifPresent(why -> lines.add("not everything was checked: " + PrintableText.of(why)));
    return lines.toString();
  }

  /** {@return whether everything was checked, so that there is no gap} */
  public boolean complete() {
    return gap.isEmpty();
  }
}
