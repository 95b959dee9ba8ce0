package io.dra4j.cli.input;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.SkippedObject;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.validation.PlacementInspector;
import io.dra4j.manifest.validation.ValidationRule;
import io.dra4j.manifest.validation.ValidationRule.Severity;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the manifests of a command. Reports objects of other kinds, unknown and ignored fields, and
 * problems that the API server would reject. A strict reader refuses such input.
 */
public final class InputReader {

  /** The number of skipped objects that are reported one by one for each file. */
  private static final int MAX_REPORTED = 20;

  /** The rules without which the number of devices or their claim would be a guess. */
  private static final Set<ValidationRule> NO_ANSWER =
      EnumSet.of(
          ValidationRule.COUNT_POSITIVE,
          ValidationRule.POD_CLAIM_ONE_OF,
          ValidationRule.POD_CLAIM_UNIQUE);

  /** The remark about a workload of an unknown kind that creates pods with claims. */
  private static final String WITHOUT_PODS =
      "skipped, because dra4j does not read its kind: claims of its pods are placed only if the"
          + " input has the pods";

  private final Terminal terminal;
  private final ManifestReader reader;
  private final boolean strict;

  public InputReader(Terminal terminal, ManifestReader reader, boolean strict) {
    this.terminal = terminal;
    this.reader = reader;
    this.strict = strict;
  }

  /** Returns the objects of a file; {@code -} is standard input. */
  public List<Manifest> read(String file) throws ManifestException {
    return taken(
        file.equals("-")
            ? reader.readFile("standard input", terminal.in())
            : reader.readFile(Path.of(file)));
  }

  /** Returns the objects of a stream; messages use the given name for it. */
  public List<Manifest> read(String name, InputStream in) throws ManifestException {
    return taken(reader.readFile(name, in));
  }

  private List<Manifest> taken(ManifestFile content) throws ManifestException {
    List<Problem> taken = passedOver(content);
    List<Problem> refused = new ArrayList<>();
    for (ManifestFinding finding : content.findings()) {
      if (finding.rule().equals(PlacementInspector.RULE)) {
        taken.add(finding.problem());
        continue;
      }
      ValidationRule rule = ValidationRule.byId(finding.rule());
      if (rule == ValidationRule.WHOLE_LIST) {
        taken.add(finding.problem());
      } else if (rule.severity() == Severity.WARNING) {
        terminal.problem("warning: " + ObjectPlaces.line(finding.problem()));
      } else {
        (NO_ANSWER.contains(rule) ? refused : taken).add(unserved(finding.problem()));
      }
    }
    if (content.omitted() > 0) {
      taken.add(
          problem(
              Origin.ofFile(content.name()),
              "and " + CommandMessages.count(content.omitted(), "more problem")));
    }
    if (content.manifests().isEmpty() && content.skipped().isEmpty()) {
      taken.add(problem(Origin.ofFile(content.name()), "has no objects"));
    }
    if (strict) {
      refused.addAll(0, taken);
    } else {
      taken.forEach(problem -> terminal.problem("warning: " + ObjectPlaces.line(problem)));
    }
    if (!refused.isEmpty()) {
      throw new ManifestException(refused);
    }
    return content.manifests();
  }

  private static List<Problem> passedOver(ManifestFile content) {
    List<Problem> problems = new ArrayList<>(content.unknownFields());
    Map<String, Integer> others = new LinkedHashMap<>();
    int reported = 0;
    for (SkippedObject object : content.skipped()) {
      if (object.isInspected()) {
        continue;
      }
      if (!object.isMistaken() && !object.usesClaims()) {
        others.merge(object.kind() + " (" + object.apiVersion() + ")", 1, Integer::sum);
      } else if (++reported <= MAX_REPORTED) {
        problems.add(
            object.isMistaken()
                ? problem(object.origin(), "skipped: " + object.reason())
                : problem(object.origin(), object.displayName() + ": " + WITHOUT_PODS));
      }
    }
    Origin file = Origin.ofFile(content.name());
    if (reported > MAX_REPORTED) {
      problems.add(
          problem(
              file,
              "and " + CommandMessages.count(reported - MAX_REPORTED, "more object") + " skipped"));
    }
    if (!others.isEmpty()) {
      List<String> kinds = new ArrayList<>();
      others.forEach((kind, count) -> kinds.add(count + " " + kind));
      problems.add(
          problem(
              file, "skipped (kinds that dra4j does not read): " + CommandMessages.some(kinds)));
    }
    return problems;
  }

  /** Adds to a problem that the API server would reject the object, although the answer uses it. */
  private static Problem unserved(Problem found) {
    return new Problem(
        found.origin(),
        found.place(),
        found.object(),
        found.path(),
        found.message() + " (the API server refuses this)");
  }

  private static Problem problem(Origin origin, String message) {
    return new Problem(origin, SourcePosition.UNKNOWN, "", "", message);
  }
}
