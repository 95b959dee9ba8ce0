package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.input.ObjectPlaces;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.SkippedObject;
import io.dra4j.manifest.validation.ValidationProblem;
import io.dra4j.manifest.validation.ValidationReport;
import io.dra4j.manifest.validation.ValidationRule;
import io.dra4j.manifest.validation.ValidationRule.Severity;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes the answer of {@code dra4j validate} as text, JSON or SARIF. */
final class ValidationReportWriter {

  private static final String SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  /** Rules with messages of several lines; in others, a line break belongs to the found value. */
  private static final Set<ValidationRule> EXPRESSIONS =
      EnumSet.of(ValidationRule.SELECTOR_EXPRESSION, ValidationRule.DERIVED_ATTRIBUTE_EXPRESSION);

  private final ValidationReport report;
  private final List<String> files;

  ValidationReportWriter(ValidationReport report, List<String> files) {
    this.report = report;
    this.files = files;
  }

  /** Returns a line for each problem, and a summary. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (ValidationProblem problem : report.problems()) {
      boolean isWarning = problem.rule().severity() == Severity.WARNING;
      lines.add((isWarning ? "warning: " : "") + text(problem));
    }
    if (report.omitted() > 0) {
      lines.add(
          "and %s more; --max-problems shows them"
              .formatted(CommandMessages.count(report.omitted(), "problem")));
    }
    if (!report.skipped().isEmpty()) {
      lines.add(
          "not checked (kinds that dra4j does not read): " + CommandMessages.some(skippedKinds()));
    }
    lines.add(
        "%s in %s: %s"
            .formatted(
                CommandMessages.count(report.objects(), "object"),
                CommandMessages.count(files.size(), "file"),
                verdict()));
    return lines;
  }

  /** Returns a problem. The place in a CEL expression follows in separate lines. */
  private static String text(ValidationProblem problem) {
    int end = EXPRESSIONS.contains(problem.rule()) ? problem.message().indexOf('\n') : -1;
    return end < 0
        ? line(problem)
        : line(problem.withMessage(problem.message().substring(0, end)))
            + problem.message().substring(end);
  }

  private static String line(ValidationProblem problem) {
    return ObjectPlaces.line(
            new Problem(
                problem.origin(),
                problem.place(),
                problem.object(),
                problem.path(),
                problem.message()))
        + " ["
        + problem.rule().id()
        + "]";
  }

  private String verdict() {
    int warnings = report.problems().size() - report.errors();
    if (report.omitted() > 0) {
      return "%s or more"
          .formatted(CommandMessages.count(report.problems().size() + report.omitted(), "problem"));
    }
    String also = warnings == 0 ? "" : ", " + CommandMessages.count(warnings, "warning");
    return (report.isValid() ? "valid" : CommandMessages.count(report.errors(), "error")) + also;
  }

  private List<String> skippedKinds() {
    Map<String, Integer> kinds = new LinkedHashMap<>();
    for (SkippedObject object : report.skipped()) {
      kinds.merge(object.kind() + " (" + object.apiVersion() + ")", 1, Integer::sum);
    }
    List<String> named = new ArrayList<>();
    kinds.forEach((kind, count) -> named.add(count + " " + kind));
    return named;
  }

  /** Returns the report as one object. */
  ObjectNode json() {
    ObjectNode answer = JsonTree.NODES.objectNode();
    answer.put("valid", report.isValid());
    answer.put("objects", report.objects());
    answer.put("errors", report.errors());
    answer.put("warnings", report.problems().size() - report.errors());
    answer.put("omitted", report.omitted());
    ArrayNode problems = answer.putArray("problems");
    for (ValidationProblem problem : report.problems()) {
      ObjectNode node = problems.addObject();
      node.put("rule", problem.rule().id());
      node.put("severity", name(problem.rule().severity()));
      node.put("file", problem.origin().file());
      node.put("document", problem.origin().document());
      node.put("item", problem.origin().item());
      if (problem.place().isKnown()) {
        node.put("line", problem.place().line());
        node.put("column", problem.place().column());
      }
      node.put("object", problem.object());
      node.put("path", problem.path());
      node.put("message", problem.message());
      ArrayNode near = node.putArray("near");
      problem.near().forEach(near::add);
    }
    ArrayNode skipped = answer.putArray("skipped");
    for (SkippedObject object : report.skipped()) {
      ObjectNode node = skipped.addObject();
      node.put("file", object.origin().file());
      node.put("document", object.origin().document());
      node.put("item", object.origin().item());
      node.put("apiVersion", object.apiVersion());
      node.put("kind", object.kind());
    }
    return answer;
  }

  /** Returns the report as a SARIF 2.1.0 log. */
  ObjectNode sarif() {
    ObjectNode log = JsonTree.NODES.objectNode();
    log.put("$schema", SARIF_SCHEMA);
    log.put("version", "2.1.0");
    ObjectNode run = log.putArray("runs").addObject();
    run.put("columnKind", "unicodeCodePoints");
    ObjectNode driver = run.putObject("tool").putObject("driver");
    driver.put("name", "dra4j");
    ArrayNode rules = driver.putArray("rules");
    for (ValidationRule rule : ValidationRule.values()) {
      ObjectNode node = rules.addObject();
      node.put("id", rule.id());
      node.putObject("shortDescription").put("text", rule.says());
      node.putObject("defaultConfiguration").put("level", name(rule.severity()));
    }
    ArrayNode results = run.putArray("results");
    report.problems().forEach(problem -> addResult(problem, results));
    if (report.omitted() > 0) {
      run.putObject("properties").put("omitted", report.omitted());
    }
    return log;
  }

  private static void addResult(ValidationProblem problem, ArrayNode results) {
    ObjectNode result = results.addObject();
    result.put("ruleId", problem.rule().id());
    result.put("level", name(problem.rule().severity()));
    List<String> text =
        new ArrayList<>(List.of(problem.object(), problem.path(), problem.message()));
    text.removeIf(String::isEmpty);
    result.putObject("message").put("text", String.join(": ", text));
    ObjectNode location = result.putArray("locations").addObject();
    ObjectNode physical = location.putObject("physicalLocation");
    physical.putObject("artifactLocation").put("uri", uri(problem.origin().file()));
    if (problem.place().isKnown()) {
      physical
          .putObject("region")
          .put("startLine", problem.place().line())
          .put("startColumn", problem.place().column());
    }
    if (!problem.path().isEmpty()) {
      location
          .putArray("logicalLocations")
          .addObject()
          .put("fullyQualifiedName", problem.path())
          .put("kind", "member");
    }
  }

  private static String uri(String file) {
    try {
      Path path = Path.of(file);
      return path.isAbsolute()
          ? path.toUri().toString()
          : new URI(null, null, file, null).getRawPath();
    } catch (URISyntaxException e) {
      return file;
    }
  }

  private static String name(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }
}
