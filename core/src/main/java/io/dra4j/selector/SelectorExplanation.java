package io.dra4j.selector;

import io.dra4j.internal.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a selector takes a device or does not: the parts of the expression with what each says of the
 * device, the parts that decide, and what the author may have meant.
 *
 * @param expression the whole expression, with its parts
 * @param hints what looks like a mistake, the most likely one first; each a sentence that names the
 *     device's own attributes and what to write instead; where the device matches, only of what
 *     decides that and only where something else is likely to be meant
 */
public record SelectorExplanation(Clause expression, List<String> hints) {

  /** Characters that a line for people has at most. */
  private static final int MAX_SUMMARY = 1_000;

  /** Copies the list. {@inheritDoc} */
  public SelectorExplanation {
    Checks.value("SelectorExplanation.expression", expression);
    hints = Checks.list("SelectorExplanation.hints", hints);
  }

  /** What an expression, or a part of it, says of a device. */
  public enum Verdict {
    /** It is true. */
    TRUE("true"),
    /** It is false. */
    FALSE("false"),
    /** It has no value on this device, for example because it reads what the device lacks. */
    ERROR("error"),
    /** It is no expression that Kubernetes takes, so that it says nothing of any device. */
    REFUSED("refused");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    /**
     * Returns the verdict in one word.
     *
     * @return {@code true}, {@code false}, {@code error} or {@code refused}
     */
    public String text() {
      return text;
    }
  }

  /**
   * A part of an expression.
   *
   * @param text as it is written in the expression
   * @param verdict what it says of the device
   * @param error why it has no value or is refused; empty otherwise
   * @param decides whether the verdict of the whole expression would be open without it: the first
   *     false part of a conjunction, the first true part of a disjunction, all parts if none of
   *     these is there
   * @param readings what it reads of the device, in the order in which it is written
   * @param parts what it is made of with {@code &&} or {@code ||}, in the order in which they are
   *     written; empty if it is one condition
   */
  public record Clause(
      String text,
      Verdict verdict,
      String error,
      boolean decides,
      List<Reading> readings,
      List<Clause> parts) {

    /** Copies the lists. {@inheritDoc} */
    public Clause {
      Checks.value("Clause.text", text);
      Checks.value("Clause.verdict", verdict);
      Checks.value("Clause.error", error);
      readings = Checks.list("Clause.readings", readings);
      parts = Checks.list("Clause.parts", parts);
    }

    /**
     * Returns the clause with what it reads.
     *
     * @param read what it reads of the device, in the order in which it is written
     * @return a clause that is the same otherwise
     */
    public Clause withReadings(List<Reading> read) {
      return new Clause(text, verdict, error, decides, read, parts);
    }

    /**
     * Returns the clause with what it is made of.
     *
     * @param madeOf the parts, in the order in which they are written
     * @return a clause that is the same otherwise
     */
    public Clause withParts(List<Clause> madeOf) {
      return new Clause(text, verdict, error, decides, readings, madeOf);
    }

    /**
     * Returns the clause, said to decide or not.
     *
     * @param decisive whether the verdict of the whole would be open without it
     * @return a clause that is the same otherwise
     */
    public Clause deciding(boolean decisive) {
      return new Clause(text, verdict, error, decisive, readings, parts);
    }

    /**
     * Makes a clause of which only the verdict is known.
     *
     * @param text as it is written
     * @param verdict what it says of the device
     * @param error why it has no value or is refused; empty otherwise
     * @return the clause, which decides
     */
    public static Clause of(String text, Verdict verdict, String error) {
      return new Clause(text, verdict, error, true, List.of(), List.of());
    }
  }

  /**
   * Something that a clause reads of a device.
   *
   * @param name as CEL writes it, for example {@code device.attributes["gpu.nvidia.com"].model}
   * @param value as CEL writes it, for example {@code "H100"} or {@code semver("1.2.3")}; {@code
   *     not there} if the device does not have it
   */
  public record Reading(String name, String value) {

    /** Refuses null. {@inheritDoc} */
    public Reading {
      Checks.value("Reading.name", name);
      Checks.value("Reading.value", value);
    }
  }

  /**
   * Makes the explanation of a selector of which nothing is known but its answer.
   *
   * @param text the selector, where it is known
   * @param verdict what it says of the device
   * @param error why it has no value; empty otherwise
   * @return an explanation of one clause without hints
   */
  public static SelectorExplanation of(String text, Verdict verdict, String error) {
    return new SelectorExplanation(Clause.of(text, verdict, error), List.of());
  }

  /**
   * Says in one line what decides: the likeliest mistake if there is one and the device does not
   * match, else the first condition that decides.
   *
   * @return for example {@code false: "memory" is a capacity, no attribute, of this device: write
   *     device.capacity["gpu.nvidia.com"].memory}; at most 1,000 characters, the end left out
   */
  public String summary() {
    String line = summaryOfAnyLength();
    return line.codePointCount(0, line.length()) <= MAX_SUMMARY
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MAX_SUMMARY - 1)) + "…";
  }

  private boolean hasMistake() {
    return !hints.isEmpty() && expression.verdict() != Verdict.TRUE;
  }

  private String summaryOfAnyLength() {
    String verdict = expression.verdict().text();
    if (hasMistake()) {
      return verdict + ": " + hints.get(0);
    }
    Clause condition = deciding(expression);
    if (!condition.error().isEmpty()) {
      return verdict + ": " + condition.error().lines().findFirst().orElse("");
    }
    StringBuilder line = new StringBuilder(verdict).append(": ").append(oneLine(condition.text()));
    String before = ", where ";
    for (Reading reading : condition.readings()) {
      line.append(before).append(reading.name()).append(" is ").append(reading.value());
      before = " and ";
    }
    return line.toString();
  }

  private static Clause deciding(Clause clause) {
    Clause current = clause;
    while (!current.parts().isEmpty()) {
      current =
          current.parts().stream()
              .filter(Clause::decides)
              .findFirst()
              .orElse(current.parts().get(0));
    }
    return current;
  }

  /**
   * Says everything: the summary, the other hints, and a line for each clause with what it reads.
   *
   * @return at least one line; clauses are indented by their depth, those that decide are marked
   *     with an asterisk
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(summary());
    hints.stream().skip(hasMistake() ? 1 : 0).forEach(hint -> lines.add("also: " + hint));
    add(expression, "  ", lines);
    return lines;
  }

  private static void add(Clause clause, String indent, List<String> lines) {
    lines.add(
        "%s%s %-7s %s"
            .formatted(
                indent,
                clause.decides() ? "*" : " ",
                clause.verdict().text(),
                oneLine(clause.text())));
    String deeper = indent + "  ";
    if (clause.parts().isEmpty()) {
      for (Reading reading : clause.readings()) {
        lines.add(deeper + "          " + reading.name() + " = " + reading.value());
      }
      clause.error().lines().forEach(line -> lines.add(deeper + "          " + line));
    }
    clause.parts().forEach(part -> add(part, deeper, lines));
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
