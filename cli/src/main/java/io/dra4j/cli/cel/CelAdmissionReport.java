package io.dra4j.cli.cel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cel.CelAdmission;
import io.dra4j.cel.CelAdmission.Accepted;
import io.dra4j.cel.CelAdmission.OverLimit;
import io.dra4j.cel.CelAdmission.Refused;
import io.dra4j.cel.CelLint;
import io.dra4j.cel.CelSelector;
import io.dra4j.cli.terminal.JsonTree;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes the API server's verdict on a selector, for {@code dra4j cel --admission}.
 *
 * @param said the verdict
 * @param lints allowed but probably mistaken parts of the selector
 */
record CelAdmissionReport(CelAdmission said, List<CelLint> lints) {

  /** Returns the report, at least one line; the first line has the verdict. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (said instanceof Accepted accepted) {
      lines.add(
          "accepted: costs at most %s of %d"
              .formatted(Long.toUnsignedString(accepted.maxCost()), CelSelector.MAX_COST));
    } else if (said instanceof OverLimit over) {
      CelAdmission.Part part = over.costliest();
      lines.add(
          "over the limit: costs at most %s, %s more than %d"
              .formatted(
                  Long.toUnsignedString(over.maxCost()),
                  Long.toUnsignedString(over.excess()),
                  over.limit()));
      lines.add(
          "  %d:%d: most of it, %s: %s"
              .formatted(
                  part.line(),
                  part.column(),
                  Long.toUnsignedString(part.maxCost()),
                  part.text().replaceAll("\\s*\\R\\s*", " ")));
      over.gap().ifPresent(gap -> lines.add("  " + gap));
    } else if (said instanceof Refused refused) {
      lines.add("refused");
      refused.problems().forEach(problem -> lines.add("  " + problem));
    }
    lints.forEach(lint -> lines.add("  lint: " + lint.message()));
    return lines;
  }

  ObjectNode json() {
    ObjectNode json = JsonTree.NODES.objectNode();
    if (said instanceof Accepted accepted) {
      json.put("verdict", "accepted").put("maxCost", unsigned(accepted.maxCost()));
    } else if (said instanceof OverLimit over) {
      CelAdmission.Part part = over.costliest();
      json.put("verdict", "overLimit")
          .put("maxCost", unsigned(over.maxCost()))
          .put("limit", over.limit())
          .put("excess", unsigned(over.excess()));
      json.putObject("costliest")
          .put("text", part.text())
          .put("line", part.line())
          .put("column", part.column())
          .put("maxCost", unsigned(part.maxCost()));
      over.gap().ifPresent(gap -> json.put("costliestGap", gap));
    } else if (said instanceof Refused refused) {
      ArrayNode problems = json.put("verdict", "refused").putArray("problems");
      refused
          .problems()
          .forEach(
              problem ->
                  problems
                      .addObject()
                      .put("line", problem.line())
                      .put("column", problem.column())
                      .put("length", problem.length())
                      .put("message", problem.message()));
    }
    ArrayNode notes = json.putArray("lints");
    lints.forEach(
        lint ->
            notes
                .addObject()
                .put("kind", lint.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("message", lint.message()));
    return json;
  }

  private static BigInteger unsigned(long cost) {
    return new BigInteger(Long.toUnsignedString(cost));
  }
}
