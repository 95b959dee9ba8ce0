package io.dra4j.cli.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.cli.GoReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the answers of {@code dra4j cel} and of the reference for pairs of expression and
 * device: whether the expression compiles, its greatest cost and whether that is refused, whether
 * it can be evaluated, the result and the cost of the evaluation, with the texts of all errors.
 *
 * @param go the reference
 */
record CelComparison(GoReference go) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Enough runs to see that the order of a Go map matters; each of eight entries may come first.
   */
  private static final int REPETITIONS = 400;

  /** The limit of expressions that the API server accepts. */
  private static final int LONGEST_VALUE = 2_000;

  private static final int CANDIDATES_AT_A_TIME = 100;

  private static final List<String> FIELDS =
      List.of("compileError", "maxCost", "overLimit", "evalError", "match", "actualCost");

  /**
   * A pair that is answered differently.
   *
   * @param pair the pair
   * @param environment {@code stored} or {@code new}
   * @param field what differs first
   * @param expected the answer of the reference
   * @param actual the answer of dra4j
   */
  record Difference(
      CelPair pair, String environment, String field, JsonNode expected, JsonNode actual) {

    /**
     * Whether it is about a timestamp that dra4j does not have, as docs/design/selectors.md says:
     * one that is more than 980 million years from today.
     */
    boolean isOfFarTimestamp() {
      return actual.path("evalError").asText().startsWith("timestamp out of range: ");
    }

    @Override
    public String toString() {
      return "%s (%s)%n  %s%n  reference: %s%n  dra4j:     %s"
          .formatted(field, environment, pair.line(), expected, actual);
    }
  }

  /**
   * The pairs that are answered differently. If the reference returns a result that is not boolean,
   * the equality of the expression with it is compared as well.
   */
  List<Difference> differences(List<CelPair> pairs, String environment)
      throws IOException, InterruptedException {
    List<JsonNode> expected = go.cel(lines(pairs), environment);
    List<Difference> differences = new ArrayList<>(differences(pairs, expected, environment));
    List<CelPair> results = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      String value = expected.get(i).path("value").asText();
      if (!value.isEmpty() && value.length() <= LONGEST_VALUE) {
        results.add(pairs.get(i).equalTo(value));
      }
    }
    differences.addAll(differences(results, go.cel(lines(results), environment), environment));
    return differences;
  }

  private static List<String> lines(List<CelPair> pairs) {
    return pairs.stream().map(CelPair::line).toList();
  }

  private List<Difference> differences(
      List<CelPair> pairs, List<JsonNode> expected, String environment) throws IOException {
    List<String> lines = lines(pairs);
    List<JsonNode> actual = answers(lines, environment);
    List<Difference> differences = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      Optional<String> field = differing(expected.get(i), actual.get(i));
      if (field.isPresent()) {
        differences.add(
            new Difference(pairs.get(i), environment, field.get(), expected.get(i), actual.get(i)));
      }
    }
    return differences;
  }

  /**
   * Whether a difference persists in repeated runs of the reference. It goes through Go maps in
   * random order, which may show in results and costs.
   */
  boolean isSteady(Difference difference) throws IOException, InterruptedException {
    List<String> lines = Collections.nCopies(REPETITIONS, difference.pair().line());
    Set<JsonNode> answers = new LinkedHashSet<>(go.cel(lines, difference.environment()));
    for (JsonNode answer : answers) {
      if (differing(answer, difference.actual()).isEmpty()) {
        return false;
      }
    }
    // Answers that vary in the reference are not compared.
    JsonNode first = answers.iterator().next();
    return answers.stream().allMatch(answer -> differing(first, answer).isEmpty());
  }

  /** The difference made small: the same field still differs. */
  Difference shrink(Difference difference) throws IOException, InterruptedException {
    Difference smallest = difference;
    boolean shorter = false;
    while (true) {
      CelPair pair = smallest.pair();
      Optional<Difference> next = firstLike(difference, shorter ? pair.shorter() : pair.smaller());
      if (next.isPresent()) {
        smallest = next.get();
      } else if (shorter) {
        return smallest;
      } else {
        shorter = true;
      }
    }
  }

  /** One of the smallest pairs that differ in the same field, steadily. */
  private Optional<Difference> firstLike(Difference difference, List<CelPair> pairs)
      throws IOException, InterruptedException {
    Map<String, CelPair> bySize = new LinkedHashMap<>();
    pairs.stream()
        .sorted(Comparator.comparingInt(CelPair::size))
        .forEach(pair -> bySize.putIfAbsent(pair.line(), pair));
    List<CelPair> candidates = List.copyOf(bySize.values());
    for (int from = 0; from < candidates.size(); from += CANDIDATES_AT_A_TIME) {
      List<CelPair> some =
          candidates.subList(from, Math.min(candidates.size(), from + CANDIDATES_AT_A_TIME));
      for (Difference found : differences(some, difference.environment())) {
        if (found.field().equals(difference.field()) && isSteady(found)) {
          return Optional.of(found);
        }
      }
    }
    return Optional.empty();
  }

  private static List<JsonNode> answers(List<String> lines, String environment) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("cel", "--kubernetes", GoReference.RELEASE.toString(), "--env", environment));
    if (environment.equals("new")) {
      command.add("--features=all");
    }
    Cli cli = Cli.runWith(String.join("\n", lines), command.toArray(new String[0]));
    List<JsonNode> answers = new ArrayList<>();
    for (String line : cli.out().lines().toList()) {
      answers.add(JSON.readTree(line));
    }
    if (answers.size() != lines.size()) {
      throw new IOException(
          "dra4j answers %d of %d lines: %s".formatted(answers.size(), lines.size(), cli.err()));
    }
    return answers;
  }

  /**
   * Go writes messages with one or two blanks between fields, by the hash of the program, formats
   * with the address of their function, and numbers unknown types in the order in which its checker
   * finds them.
   */
  private static String text(JsonNode answer, String field) {
    String text =
        answer
            .path(field)
            .asText()
            .replaceAll("_var\\d+", "_var")
            .replaceAll("\\{(\\w+) 0x[0-9a-f]+ \\d+\\}", "$1");
    return text.contains("non-optional value") || text.contains("(*dynamicpb.Message)")
        ? text.replace("  ", " ")
        : text;
  }

  private static Optional<String> differing(JsonNode expected, JsonNode actual) {
    if (expected.has("panic")) {
      return Optional.empty(); // nothing to agree with
    }
    for (String field : FIELDS) {
      if (!text(expected, field).equals(text(actual, field))) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }
}
