package io.dra4j.cel;

import io.dra4j.common.PrintableText;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The API server's verdict on a selector when an object with it is created or updated: accepted,
 * over the cost limit, or rejected.
 */
public sealed interface CelAdmission {

  /**
   * The selector is accepted.
   *
   * @param maxCost the maximum cost of an evaluation in units of CEL, an unsigned number
   */
  record Accepted(long maxCost) implements CelAdmission {

    /** Returns the verdict for people: {@code accepted; costs at most 42}. */
    @Override
    public String toString() {
      return "accepted; costs at most " + Long.toUnsignedString(maxCost);
    }
  }

  /**
   * The selector compiles, but may cost more than the API server allows.
   *
   * @param maxCost the maximum cost of an evaluation in units of CEL, an unsigned number
   * @param limit the cost limit: {@link CelSelector#MAX_COST}
   * @param costliest the condition with the highest maximum cost
   * @param gap the reason why that condition is not known, so that {@code costliest} is the whole
   *     selector; empty if it is known
   */
  record OverLimit(long maxCost, long limit, Part costliest, Optional<String> gap)
      implements CelAdmission {

    /** Returns the verdict for people: the cost, the limit, and the costliest condition. */
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

    /** {@return the difference of the maximum cost and the limit, in units of CEL, unsigned} */
    public long excess() {
      return maxCost - limit;
    }
  }

  /**
   * The selector is not an expression that the API server accepts.
   *
   * @param problems the problems, at least one, in the order of the text
   */
  record Refused(List<CelProblem> problems) implements CelAdmission {

    /** Copies the list. {@inheritDoc} */
    public Refused {
      problems = List.copyOf(problems);
    }

    /** Returns the verdict for people: a line for each problem. */
    @Override
    public String toString() {
      StringJoiner lines = new StringJoiner("\n    ", "refused: ", "");
      problems.forEach(problem -> lines.add(problem.toString()));
      return lines.toString();
    }
  }

  /**
   * A condition of a selector: an operand of {@code &&} or {@code ||}, or the whole selector.
   *
   * @param text the condition as written
   * @param line the line in which it begins, from 1
   * @param column the column at which it begins, in characters (code points) from 1
   * @param maxCost the maximum cost of the condition alone, in units of CEL, an unsigned number
   */
  record Part(String text, int line, int column, long maxCost) {

    /** Returns a text such as {@code line 1, column 1: device.driver == "dra.net" (at most 4)}. */
    @Override
    public String toString() {
      return "line %d, column %d: %s (at most %s)"
          .formatted(line, column, PrintableText.of(text), Long.toUnsignedString(maxCost));
    }
  }
}
