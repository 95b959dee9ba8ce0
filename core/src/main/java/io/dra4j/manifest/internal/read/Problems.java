package io.dra4j.manifest.internal.read;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.SourcePosition;
import java.util.ArrayList;
import java.util.List;

/** Collects the first problems of a file with their rules, and the number of the others. */
public final class Problems {

  /** The message about a template instead of a manifest. */
  static final String TEMPLATE =
      "a template, such as one of Helm: render it first, for example with helm template";

  private static final int KEPT_PER_OBJECT = 20;
  private static final int KEPT_PER_FILE = 200;
  private static final int SHOWN_LENGTH = 500;

  private final int perObject;
  private final int perFile;
  private final List<ManifestFinding> kept = new ArrayList<>();
  private Origin current = Origin.ofFile("");
  private int inCurrent;
  private int omitted;

  /** Creates a collection that keeps as many problems as a person would read. */
  public Problems() {
    this(KEPT_PER_OBJECT, KEPT_PER_FILE);
  }

  /** Creates a collection that keeps the first problems of each object and of the file. */
  public Problems(int perObject, int perFile) {
    this.perObject = perObject;
    this.perFile = perFile;
  }

  public void add(String rule, Origin origin, String object, String path, String message) {
    add(rule, origin, SourcePosition.UNKNOWN, object, path, message);
  }

  public void add(
      String rule,
      Origin origin,
      SourcePosition place,
      String object,
      String path,
      String message) {
    add(rule, new Problem(origin, place, object, path, message), List.of());
  }

  void add(String rule, Problem problem, List<String> near) {
    if (!problem.origin().equals(current)) {
      current = problem.origin();
      inCurrent = 0;
    }
    if (inCurrent < perObject && kept.size() < perFile) {
      inCurrent++;
      kept.add(
          new ManifestFinding(
              rule,
              new Problem(
                  problem.origin(),
                  problem.place(),
                  shorten(problem.object()),
                  shorten(problem.path()),
                  sentence(problem.message())),
              near));
    } else {
      omitted++;
    }
  }

  /** Whether a text looks like a template of Helm or Jinja. */
  static boolean isTemplate(String text) {
    return isBetween("{{", text, "}}") || isBetween("{%", text, "%}");
  }

  private static boolean isBetween(String open, String text, String close) {
    int begin = text.indexOf(open);
    return begin >= 0 && text.indexOf(close, begin) > 0;
  }

  /** The message, with a hint if it quotes a template: YAML can read a template in quotes. */
  private static String sentence(String message) {
    return isTemplate(message) ? shorten(message) + "; " + TEMPLATE : shorten(message);
  }

  /** Shortens a message, so that long values from a file do not make it unreadable. */
  private static String shorten(String part) {
    return PrintableText.abbreviate(part, SHOWN_LENGTH);
  }

  /** The number of kept problems; later ones can be removed again. */
  int size() {
    return kept.size();
  }

  void truncate(int size) {
    kept.subList(size, kept.size()).clear();
  }

  /** The kept problems, with their rules. */
  List<ManifestFinding> findings() {
    return List.copyOf(kept);
  }

  /** The number of problems that were not kept. */
  int omitted() {
    return omitted;
  }

  boolean isEmpty() {
    return kept.isEmpty() && omitted == 0;
  }

  /** The kept problems; a last one counts the others. */
  public List<Problem> list(String file) {
    return list(file, kept.stream().map(ManifestFinding::problem).toList());
  }

  /** The kept problems with their found places; a last one counts the others. */
  List<Problem> list(String file, List<Problem> located) {
    List<Problem> all = new ArrayList<>(located);
    if (omitted > 0) {
      all.add(ofFile(file, "and " + omitted + (omitted == 1 ? " more problem" : " more problems")));
    }
    return all;
  }

  /** A problem of a whole file. */
  public static Problem ofFile(String file, String message) {
    return new Problem(Origin.ofFile(file), SourcePosition.UNKNOWN, "", "", message);
  }

  /** The same problem at a place. */
  static Problem at(Problem problem, SourcePosition place) {
    return new Problem(
        problem.origin(), place, problem.object(), problem.path(), problem.message());
  }
}
