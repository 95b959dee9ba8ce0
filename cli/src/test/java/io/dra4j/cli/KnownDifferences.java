package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.validation.ValidationProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The known differences, which {@code e2e/kube/differences.txt} lists and explains. */
final class KnownDifferences {

  private final Set<String> seen = new LinkedHashSet<>();
  private final Set<String> kinds = new LinkedHashSet<>();
  private final Set<String> partly = new LinkedHashSet<>();
  private final Set<String> fields = new LinkedHashSet<>();
  private final Set<String> renamed = new LinkedHashSet<>();
  private final Set<String> unknownRules = new LinkedHashSet<>();
  private final Map<String, Pattern> taken = new LinkedHashMap<>(); // by rule
  private final List<Pattern> refused = new ArrayList<>();

  private KnownDifferences() {}

  static KnownDifferences read(Path file) throws IOException {
    KnownDifferences read = new KnownDifferences();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#") || line.startsWith(" ")) {
        continue;
      }
      int colon = line.lastIndexOf(": ");
      if (colon < 0) {
        throw new IOException(file + ": a line without a reason: " + line);
      }
      String[] words = line.substring(0, colon).split(" ", 3);
      switch (words[0]) {
        case "kind" -> read.kinds.add(words[1] + " " + words[2]);
        case "partly" -> read.partly.add(words[1] + " " + words[2]);
        case "field" -> read.fields.add(words[1]);
        case "renamed" -> read.renamed.add(words[1]);
        case "rule" -> read.unknownRules.add(words[1]);
        case "taken" ->
            read.taken.merge(
                words[1],
                Pattern.compile(words.length < 3 ? "" : words[2]),
                (one, other) -> Pattern.compile(one + "|" + other));
        case "refused" -> read.refused.add(Pattern.compile(line.substring(8, colon)));
        default -> throw new IOException(file + ": no such difference: " + line);
      }
    }
    return read;
  }

  /** The fields of the server that have another name in 1.37. */
  Set<String> renamed() {
    return renamed;
  }

  /** The listed differences that did not occur. */
  Set<String> unseen() {
    Set<String> unseen = new LinkedHashSet<>();
    kinds.forEach(one -> unseen.add("kind " + one));
    fields.forEach(one -> unseen.add("field " + one));
    unknownRules.forEach(one -> unseen.add("rule " + one));
    taken.keySet().forEach(one -> unseen.add("taken " + one));
    refused.forEach(one -> unseen.add("refused " + one));
    unseen.removeAll(seen);
    return unseen;
  }

  /** Whether the server has the kind of an object in its version. */
  boolean isServed(JsonNode object) {
    String kind = kind(object);
    if (kinds.contains(kind)) {
      seen.add("kind " + kind);
    }
    return !kinds.contains(kind);
  }

  /** Whether dra4j has all the fields of the kind of an object that the server has. */
  boolean isKnownWhole(JsonNode object) {
    return !partly.contains(kind(object));
  }

  private static String kind(JsonNode object) {
    return object.get("apiVersion").asText() + " " + object.get("kind").asText();
  }

  /** The object without the fields that the server does not have. */
  ObjectNode served(ObjectNode object) {
    ObjectNode served = object.deepCopy();
    strip(served);
    return served;
  }

  private void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (String field : fields) {
        if (object.remove(field) != null) {
          seen.add("field " + field);
        }
      }
    }
    node.forEach(this::strip);
  }

  /** Compares the answers; returns the differences that are not allowed. */
  Optional<String> check(
      String rule,
      JsonNode object,
      List<ValidationProblem> problems,
      ApiServer.Answer answer,
      boolean comparesFields) {
    if (answer.accepts()) {
      return problems.stream()
          .filter(one -> !isTaken(one))
          .findFirst()
          .map(one -> "only dra4j refuses it: " + one);
    }
    if (problems.isEmpty()) {
      return refused.stream().anyMatch(one -> matches(one, answer.message()))
          ? Optional.empty()
          : Optional.of("only the server refuses it: " + answer.message());
    }
    if (!comparesFields || answer.fields().isEmpty()) {
      return Optional.empty();
    }
    boolean isSame =
        problems.stream()
            .filter(one -> one.rule().id().equals(rule))
            .anyMatch(one -> answer.fields().stream().anyMatch(field -> isNear(field, one.path())));
    return isSame
        ? Optional.empty()
        : Optional.of("the server refuses other fields: " + answer + " instead of " + problems);
  }

  private boolean isTaken(ValidationProblem problem) {
    String rule = problem.rule().id();
    if (unknownRules.contains(rule)) {
      seen.add("rule " + rule);
      return true;
    }
    Pattern pattern = taken.get(rule);
    if (pattern != null && pattern.matcher(problem.path() + ": " + problem.message()).find()) {
      seen.add("taken " + rule);
      return true;
    }
    return false;
  }

  private boolean matches(Pattern pattern, String message) {
    boolean matches = pattern.matcher(message).find();
    if (matches) {
      seen.add("refused " + pattern);
    }
    return matches;
  }

  /**
   * Whether one field is in the other, or in the object that has the other. The server has the
   * terms of v1 for all versions.
   */
  private static boolean isNear(String field, String path) {
    String one = terms(field);
    String other = terms(path);
    return one.startsWith(parent(other)) || other.startsWith(parent(one));
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('[')) + 1)
        .replaceFirst("[.\\[]$", "");
  }

  private static String terms(String path) {
    return path.replace(".exactly", "").replace(".basic", "").replace("\"", "");
  }
}
