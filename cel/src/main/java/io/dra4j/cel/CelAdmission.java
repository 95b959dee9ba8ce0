package io.dra4j.cel;

import io.dra4j.common.PrintableText;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What the API server of Kubernetes says of a selector before it takes the object that has it:
 * accepted, over the limit of its cost, or refused.
 */
public sealed interface CelAdmission {

  /**
   * The selector is taken.
   *
   * @param maxCost what an evaluation costs at most in units of CEL, an unsigned number
   */
  record Accepted(long maxCost) implements CelAdmission {

    /** For people: {@code accepted; costs at most 42}. */
    @Override
    public String toString() {
      return "accepted; costs at most " + Long.toUnsignedString(maxCost);
    }
  }

  /**
   * The selector compiles, but may cost more than the API server allows.
   *
   * @param maxCost what an evaluation costs at most in units of CEL, an unsigned number
   * @param limit what it may cost: {@link CelSelector#MAX_COST}
   * @param costliest the condition that may cost most
   * @param gap why it is not known which condition that is, so that {@code costliest} is the whole
   *     selector; empty where it is known
   */
  record OverLimit(long maxCost, long limit, Part costliest, Optional<String> gap)
      implements CelAdmission {

    /** For people: the cost, the limit, and the condition that may cost most. */
    @Override
    public String toString() {
      return "over the limit; may cost "
          + Long.toUnsignedString(maxCost)
          + ", allowed is "
          + Long.toUnsignedString(limit)
          + "; the costliest condition: "
          + costliest
          + gap.map(why -> "; " + why).orElse("");
    }

    /**
     * Returns by how much it may cost too much.
     *
     * @return the difference in units of CEL, an unsigned number
     */
    public long excess() {
      return maxCost - limit;
    }
  }

  /**
   * The selector is no expression that the API server takes.
   *
   * @param problems what is wrong, at least one, in the order of the text
   */
  record Refused(List<CelProblem> problems) implements CelAdmission {

    /** Copies the list. {@inheritDoc} */
    public Refused {
      problems = List.copyOf(problems);
    }

    /** For people: a line for each problem. */
    @Override
    public String toString() {
      StringJoiner lines = new StringJoiner("\n    ", "refused: ", "");
      problems.forEach(problem -> lines.add(problem.toString()));
      return lines.toString();
    }
  }

  /**
   * A condition of a selector: what {@code &&} and {@code ||} join, or the whole.
   *
   * @param text as it is written
   * @param line the line in which it begins, from 1
   * @param column the column at which it begins, in characters (code points) from 1
   * @param maxCost what it costs at most by itself, in units of CEL, an unsigned number
   */
  record Part(String text, int line, int column, long maxCost) {

    /** For people: {@code line 1, column 1: device.driver == "dra.net" (at most 4)}. */
    @Override
    public String toString() {
      return "line %d, column %d: %s (at most %s)"
          .formatted(line, column, PrintableText.of(text), Long.toUnsignedString(maxCost));
    }
  }
}
