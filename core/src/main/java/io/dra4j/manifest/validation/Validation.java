package io.dra4j.manifest.validation;

import io.dra4j.manifest.InspectedFile;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.SkippedObject;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.model.ObjectKey;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A validation of files that form one cluster, one file after another. Not thread-safe. */
public final class Validation {

  private final ManifestReader reader;
  private final ManifestInspector rules;
  private final int maxProblems;
  private final List<ValidationProblem> problems = new ArrayList<>();
  private final List<SkippedObject> skipped = new ArrayList<>();
  private final Map<ObjectKey, Origin> known = new HashMap<>();
  private ClusterRules cluster = new ClusterRules();
  private int omitted;
  private int objects;

  Validation(ManifestReader reader, ManifestInspector rules, int maxProblems) {
    this.reader = reader;
    this.rules =
        (object, findings) -> {
          rules.inspect(object, findings);
          cluster.inspect(object, FieldCursor.of(object, findings));
        };
    this.maxProblems = maxProblems;
  }

  /**
   * Validates a file.
   *
   * @param file YAML or JSON; if it cannot be read, that is one of the problems
   */
  public void add(Path file) {
    add(reader.inspect(file, rules, maxProblems - problems.size()));
  }

  /**
   * Validates a stream, to its end.
   *
   * @param name the name of the input in messages
   * @param in YAML or JSON; if it cannot be read, that is one of the problems
   */
  public void add(String name, InputStream in) {
    add(reader.inspect(name, in, rules, maxProblems - problems.size()));
  }

  /** Begins another cluster; names may recur, and earlier objects do not refer to later ones. */
  public void startCluster() {
    known.clear();
    cluster.findings().forEach(finding -> problems.add(ValidationProblem.of(finding)));
    cluster = new ClusterRules();
  }

  /** {@return the problems so far; if there are very many, the first ones} */
  public ValidationReport report() {
    List<ValidationProblem> all = new ArrayList<>(problems);
    cluster.findings().forEach(finding -> all.add(ValidationProblem.of(finding)));
    int kept = Math.min(maxProblems, all.size());
    return new ValidationReport(
        all.subList(0, kept), omitted + all.size() - kept, objects, skipped);
  }

  private void add(InspectedFile file) {
    file.findings().forEach(finding -> problems.add(ValidationProblem.of(finding)));
    omitted += file.omitted();
    objects += file.objects().size();
    skipped.addAll(file.skipped());
    for (InspectedFile.Named object : file.objects()) {
      if (object.key().name().isEmpty()) {
        continue; // the server generates a name for each
      }
      Origin first = known.putIfAbsent(object.key(), object.origin());
      if (first != null && problems.size() < maxProblems) {
        problems.add(
            new ValidationProblem(
                ValidationRule.byId(ManifestFinding.DUPLICATE_OBJECT),
                object.origin(),
                SourcePosition.UNKNOWN,
                object.displayName(),
                "",
                "the same object is also in " + first,
                List.of()));
      } else if (first != null) {
        omitted++;
      }
    }
  }
}
