package io.dra4j.cli;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.Place;
import io.dra4j.manifest.SkippedObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the manifests that a command is given, and tells what in them was passed over: objects of
 * other kinds, and fields that do not exist. A strict reader refuses such input.
 */
final class InputReader {

  /** So many objects with mistaken types are told one by one for each file. */
  private static final int TOLD = 20;

  private final Terminal terminal;
  private final ManifestReader reader;
  private final boolean strict;

  InputReader(Terminal terminal, ManifestReader reader, boolean strict) {
    this.terminal = terminal;
    this.reader = reader;
    this.strict = strict;
  }

  /** The objects of a file; {@code -} is standard input. */
  List<Manifest> read(String file) throws ManifestException {
    ManifestFile content =
        file.equals("-")
            ? reader.readFile("standard input", terminal.in())
            : reader.readFile(Path.of(file));
    List<Problem> passedOver = passedOver(content);
    if (strict && !passedOver.isEmpty()) {
      throw new ManifestException(passedOver);
    }
    passedOver.forEach(problem -> terminal.problem("warning: " + problem));
    if (content.manifests().isEmpty() && content.skipped().isEmpty()) {
      terminal.problem("warning: " + content.name() + ": has no objects");
    }
    return content.manifests();
  }

  private static List<Problem> passedOver(ManifestFile content) {
    List<Problem> problems = new ArrayList<>(content.unknownFields());
    Map<String, Integer> others = new LinkedHashMap<>();
    int mistaken = 0;
    for (SkippedObject object : content.skipped()) {
      if (!object.isMistaken()) {
        others.merge(object.kind() + " (" + object.apiVersion() + ")", 1, Integer::sum);
      } else if (++mistaken <= TOLD) {
        problems.add(problem(object.origin(), "skipped: " + object.reason()));
      }
    }
    Origin file = Origin.ofFile(content.name());
    if (mistaken > TOLD) {
      problems.add(problem(file, "and " + (mistaken - TOLD) + " more objects skipped"));
    }
    if (!others.isEmpty()) {
      List<String> kinds = new ArrayList<>();
      others.forEach((kind, count) -> kinds.add(count + " " + kind));
      problems.add(problem(file, "skipped, as kinds that are not read: " + Names.some(kinds)));
    }
    return problems;
  }

  private static Problem problem(Origin origin, String message) {
    return new Problem(origin, Place.UNKNOWN, "", "", message);
  }
}
