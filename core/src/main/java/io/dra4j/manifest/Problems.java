package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one file: the first problems, and how many others there are. */
final class Problems {

  private static final int KEPT_PER_OBJECT = 20;
  private static final int KEPT_PER_FILE = 200;
  private static final int SHOWN_LENGTH = 500;

  private final List<Problem> kept = new ArrayList<>();
  private Origin current = Origin.ofFile("");
  private int inCurrent;
  private int omitted;

  void add(Origin origin, String object, String path, String message) {
    add(origin, Place.UNKNOWN, object, path, message);
  }

  void add(Origin origin, Place place, String object, String path, String message) {
    if (!origin.equals(current)) {
      current = origin;
      inCurrent = 0;
    }
    if (inCurrent < KEPT_PER_OBJECT && kept.size() < KEPT_PER_FILE) {
      inCurrent++;
      kept.add(new Problem(origin, place, shorten(object), shorten(path), shorten(message)));
    } else {
      omitted++;
    }
  }

  /** Whatever a file quotes back at us, a problem stays readable. */
  private static String shorten(String part) {
    return part.length() <= SHOWN_LENGTH
        ? part
        : part.substring(0, part.offsetByCodePoints(0, SHOWN_LENGTH / 2)) + "…";
  }

  /** How many are kept; what comes after them can be forgotten again. */
  int size() {
    return kept.size();
  }

  void truncate(int size) {
    kept.subList(size, kept.size()).clear();
  }

  /** The problems kept; a last one tells of the others. */
  List<Problem> list(String file) {
    List<Problem> all = new ArrayList<>(kept);
    if (omitted > 0) {
      all.add(Problem.ofFile(file, "and " + omitted + " more problems"));
    }
    return all;
  }
}
