package io.dra4j.manifest.internal.read;

import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.TextCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places of problems in a file. Values do not store their places, since that would double
 * their memory; a file with problems is read once more instead. The paths of all problems form one
 * tree for each document, so that many problems take no longer than few.
 */
final class PlaceFinder {

  private static final String SHORTENED = "…";

  /** A step of the path of a problem; its place is known if the step was found in the text. */
  private static final class Step {
    private final @Nullable Step parent;
    private final Map<String, Step> further = new HashMap<>();
    private final List<String> shortened = new ArrayList<>(); // names whose start is known
    private SourcePosition ofName = SourcePosition.UNKNOWN;
    private SourcePosition ofValue = SourcePosition.UNKNOWN;

    Step(@Nullable Step parent) {
      this.parent = parent;
    }

    Step to(String name) {
      return further.computeIfAbsent(
          name,
          one -> {
            if (one.endsWith(SHORTENED)) {
              shortened.add(one);
            }
            return new Step(this);
          });
    }

    /** The step to a field of the text. */
    @Nullable Step through(String name) {
      Step step = further.get(name);
      for (int i = 0; step == null && i < shortened.size(); i++) {
        String start = shortened.get(i);
        if (name.startsWith(start.substring(0, start.length() - SHORTENED.length()))) {
          step = further.get(start);
        }
      }
      return step;
    }

    /** The place of the problem, or else of the nearest step above it. */
    SourcePosition place(boolean wantsName) {
      if (wantsName && ofName.isKnown()) {
        return ofName;
      }
      for (Step step = this; step != null; step = step.parent) {
        if (step.ofValue.isKnown()) {
          return step.ofValue;
        }
      }
      return SourcePosition.UNKNOWN;
    }
  }

  private final TextCursor cursor;
  private final Map<Integer, Step> documents = new HashMap<>();
  private int last;

  private PlaceFinder(TextCursor cursor) {
    this.cursor = cursor;
  }

  /** The same problems, with their places if these are found. */
  static List<Problem> locate(List<ManifestFinding> findings, TextCursor cursor)
      throws IOException {
    PlaceFinder finder = new PlaceFinder(cursor);
    List<Step> ends = new ArrayList<>();
    for (ManifestFinding finding : findings) {
      ends.add(finder.add(finding.problem()));
    }
    try {
      finder.run();
    } catch (DocumentException e) {
      // What comes after it was not read before either.
    }
    List<Problem> located = new ArrayList<>();
    for (int i = 0; i < findings.size(); i++) {
      Problem problem = findings.get(i).problem();
      SourcePosition place = ends.get(i).place(wantsName(findings.get(i)));
      located.add(
          problem.place().isKnown() || !place.isKnown() ? problem : Problems.at(problem, place));
    }
    return located;
  }

  /** Whether a finding is at the name of its field, as for unknown fields, or at the value. */
  private static boolean wantsName(ManifestFinding finding) {
    String path = finding.problem().path();
    return finding.rule().equals(ManifestFinding.UNKNOWN_FIELD)
        || (path.endsWith("]") && !Character.isDigit(path.charAt(path.lastIndexOf('[') + 1)));
  }

  private Step add(Problem problem) {
    Step step = documents.computeIfAbsent(problem.origin().document(), number -> new Step(null));
    if (problem.place().isKnown()) {
      return step;
    }
    last = Math.max(last, problem.origin().document());
    String item = problem.origin().item();
    for (String name : steps(item.isEmpty() ? problem.path() : item + "." + problem.path())) {
      step = step.to(name);
    }
    return step;
  }

  private static List<String> steps(String path) {
    List<String> steps = new ArrayList<>();
    int at = 0;
    while (at < path.length()) {
      int end;
      if (path.charAt(at) == '[') {
        end = endOfKey(path, at);
        steps.add(path.substring(at + 1, end));
        at = end + 1;
      } else {
        end = at;
        while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
          end++;
        }
        if (end > at) {
          steps.add(path.substring(at, end));
        }
        at = end;
      }
      if (at < path.length() && path.charAt(at) == '.') {
        at++;
      }
    }
    return steps;
  }

  /** The end of a key. A key may have brackets of its own; its end is followed by another step. */
  private static int endOfKey(String path, int start) {
    int end = path.indexOf(']', start);
    while (end >= 0 && end + 1 < path.length() && ".[".indexOf(path.charAt(end + 1)) < 0) {
      end = path.indexOf(']', end + 1);
    }
    return end < 0 ? path.length() : end;
  }

  /** Reads up to the last document with a wanted place. */
  private void run() throws IOException, DocumentException {
    for (int number = 1; number <= last && cursor.nextDocument(); number++) {
      value(documents.get(number));
    }
  }

  /** Goes past the value at the cursor. */
  private void value(@Nullable Step step) throws IOException, DocumentException {
    if (step == null) {
      cursor.skip();
      return;
    }
    step.ofValue = cursor.place();
    switch (cursor.kind()) {
      case OBJECT -> {
        cursor.enter();
        for (String name = cursor.name(); name != null; name = cursor.name()) {
          Step further = step.through(name);
          if (further != null) {
            further.ofName = cursor.place();
          }
          cursor.toValue();
          value(further);
        }
        cursor.leave();
      }
      case LIST -> {
        cursor.enter();
        for (int index = 0; cursor.hasElement(); index++) {
          value(step.further.isEmpty() ? null : step.further.get(Integer.toString(index)));
        }
        cursor.leave();
      }
      case SCALAR -> cursor.skip();
    }
  }
}
