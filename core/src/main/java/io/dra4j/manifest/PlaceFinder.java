package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds where in a file its problems are. Values do not remember where they were read, as that
 * would double their memory; a file with problems is gone through once more instead.
 */
final class PlaceFinder {

  /** A problem on its way to its place. */
  private static final class Target {
    private final Problem problem;
    private final List<String> steps;
    private final boolean wantsName;
    private Place place = Place.UNKNOWN;

    Target(Problem problem) {
      this.problem = problem;
      String item = problem.origin().item();
      String path = item.isEmpty() ? problem.path() : item + "." + problem.path();
      this.steps = steps(path);
      // Of an unknown field the name is wrong, else the value.
      this.wantsName = problem.message().startsWith("unknown field");
    }

    private static List<String> steps(String path) {
      List<String> steps = new ArrayList<>();
      int at = 0;
      while (at < path.length()) {
        if (path.charAt(at) == '[') {
          int end = path.indexOf(']', at);
          end = end < 0 ? path.length() : end;
          steps.add(path.substring(at + 1, end));
          at = end + 1;
        } else {
          int end = at;
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

    boolean goesThrough(int depth, String name) {
      if (depth >= steps.size()) {
        return false;
      }
      String step = steps.get(depth);
      return step.equals(name)
          || (step.endsWith("…") && name.startsWith(step.substring(0, step.length() - 1)));
    }
  }

  private final TextCursor cursor;
  private final List<Target> targets;

  private PlaceFinder(TextCursor cursor, List<Target> targets) {
    this.cursor = cursor;
    this.targets = targets;
  }

  /** The same problems with their places, as far as they can be found. */
  static List<Problem> locate(List<Problem> problems, TextCursor cursor) throws IOException {
    List<Target> targets = problems.stream().map(Target::new).toList();
    try {
      new PlaceFinder(cursor, targets).run();
    } catch (DocumentException e) {
      // What comes after it was not read before either.
    }
    return targets.stream()
        .map(
            target ->
                target.place.isKnown() && !target.problem.place().isKnown()
                    ? target.problem.at(target.place)
                    : target.problem)
        .toList();
  }

  /** Goes on to the last document in which a place is looked for. */
  private void run() throws IOException, DocumentException {
    List<Target> wanted =
        targets.stream().filter(target -> !target.problem.place().isKnown()).toList();
    int last =
        wanted.stream().mapToInt(target -> target.problem.origin().document()).max().orElse(0);
    for (int number = 1; number <= last && cursor.nextDocument(); number++) {
      int document = number;
      value(
          wanted.stream().filter(target -> target.problem.origin().document() == document).toList(),
          0);
    }
  }

  /** Goes past the value at the cursor. */
  private void value(List<Target> through, int depth) throws IOException, DocumentException {
    if (through.isEmpty()) {
      cursor.skip();
      return;
    }
    Place place = cursor.place();
    for (Target target : through) {
      if (!target.wantsName || depth < target.steps.size() || !target.place.isKnown()) {
        target.place = place;
      }
    }
    switch (cursor.kind()) {
      case OBJECT -> {
        cursor.enter();
        for (String name = cursor.name(); name != null; name = cursor.name()) {
          List<Target> further = further(through, depth, name);
          Place at = cursor.place();
          further.forEach(target -> target.place = at);
          cursor.toValue();
          value(further, depth + 1);
        }
        cursor.leave();
      }
      case LIST -> {
        cursor.enter();
        for (int index = 0; cursor.hasElement(); index++) {
          value(further(through, depth, Integer.toString(index)), depth + 1);
        }
        cursor.leave();
      }
      case SCALAR -> cursor.skip();
    }
  }

  private static List<Target> further(List<Target> through, int depth, @Nullable String name) {
    List<Target> further = new ArrayList<>();
    for (Target target : through) {
      if (name != null && target.goesThrough(depth, name)) {
        further.add(target);
      }
    }
    return further;
  }
}
