package io.dra4j.selector;

import io.dra4j.internal.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * The reason why a selector matches a device or does not: the parts of the expression with their
 * verdicts on the device, the parts that decide, and hints about likely mistakes.
 *
 * @param expression the whole expression, with its parts
 * @param hints the likely mistakes, the most likely one first. Each is a sentence that names the
 *     device's own attributes and the expression to write instead. If the device matches, only the
 *     deciding parts get hints, and only if the author is likely to have meant something else
 */
public record SelectorExplanation(Clause expression, List<String> hints) {

  /** The maximum number of characters of a summary. */
  private static final int MAX_SUMMARY = 1_000;

  /** Copies the list. {@inheritDoc} */
  public SelectorExplanation {
    Checks.value("SelectorExplanation.expression", expression);
    hints = Checks.list("SelectorExplanation.hints", hints);
  }

  /** The result of an expression, or of a part of it, for a device. */
  public enum Verdict {
    /** It is true. */
    TRUE("true"),
    /** It is false. */
    FALSE("false"),
    /** It has no value on this device, for example because the device lacks an attribute. */
    ERROR("error"),
    /** Kubernetes does not accept the expression, so it has no result for any device. */
    REFUSED("refused");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    /** {@return the verdict: {@code true}, {@code false}, {@code error} or {@code refused}} */
    public String text() {
      return text;
    }
  }

  /**
   * A part of an expression.
   *
   * @param text the part as it is written in the expression
   * @param verdict the result for the device
   * @param error the reason why it has no value or is refused; empty otherwise
   * @param decides whether the verdict of the whole expression depends on it: the first false part
   *     of a conjunction, the first true part of a disjunction, or all parts if there is no such
   *     part
   * @param readings the values that it reads from the device, in the order of the expression
   * @param parts its operands of {@code &&} or {@code ||}, in the order of the expression; empty if
   *     it is one condition
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
     * {@return this clause with other readings}
     *
     * @param read the values that it reads from the device, in the order of the expression
     */
    public Clause withReadings(List<Reading> read) {
      return new Clause(text, verdict, error, decides, read, parts);
    }

    /**
     * {@return this clause with other parts}
     *
     * @param madeOf the parts, in the order of the expression
     */
    public Clause withParts(List<Clause> madeOf) {
      return new Clause(text, verdict, error, decides, readings, madeOf);
    }

    /**
     * {@return this clause, marked as deciding or not}
     *
     * @param decisive whether the verdict of the whole expression depends on it
     */
    public Clause deciding(boolean decisive) {
      return new Clause(text, verdict, error, decisive, readings, parts);
    }

    /**
     * {@return a clause of which only the verdict is known, marked as deciding}
     *
     * @param text the clause as it is written
     * @param verdict the result for the device
     * @param error the reason why it has no value or is refused; empty otherwise
     */
    public static Clause of(String text, Verdict verdict, String error) {
      return new Clause(text, verdict, error, true, List.of(), List.of());
    }
  }

  /**
   * A value that a clause reads from a device.
   *
   * @param name as CEL writes it, for example {@code device.attributes["gpu.nvidia.com"].model}
   * @param value as CEL writes it, for example {@code "H100"} or {@code semver("1.2.3")}; {@code
   *     not there} if the device does not have it
   */
  public record Reading(String name, String value) {

    /** Rejects null. {@inheritDoc} */
    public Reading {
      Checks.value("Reading.name", name);
      Checks.value("Reading.value", value);
    }
  }

  /**
   * {@return the explanation of a selector of which only the answer is known: one clause, no hints}
   *
   * @param text the selector; empty if it is not known
   * @param verdict the result for the device
   * @param error the reason why it has no value; empty otherwise
   */
  public static SelectorExplanation of(String text, Verdict verdict, String error) {
    return new SelectorExplanation(Clause.of(text, verdict, error), List.of());
  }

  /**
   * {@return the deciding reason in one line of at most 1,000 characters, the end left out: the
   * likeliest mistake if there is one and the device does not match, else the first condition that
   * decides; for example {@code false: "memory" is a capacity, no attribute, of this device: write
   * device.capacity["gpu.nvidia.com"].memory}}
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
   * {@return the whole explanation: the summary, the other hints, and a line for each clause with
   * its readings, indented by its depth and, if it decides, marked with an asterisk}
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
