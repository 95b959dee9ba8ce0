package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.manifest.SourcePosition;
import java.io.ByteArrayInputStream;
import java.util.List;

/**
 * Validates any bytes. Whatever they are, there is an answer, its places are in the text, and it
 * agrees with the reader: what cannot be read is not valid, and what is valid stays so when it is
 * written in version v1. Jazzer finds the bytes; the entry point needs nothing of it.
 */
public final class ValidatorFuzzer {

  private static final ManifestValidator VALIDATOR =
      ManifestValidator.builder(new FewExpressions()).maxProblems(50).build();

  private ValidatorFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    ValidationReport report = validate(input);
    report.problems().forEach(problem -> check(problem, input));
    if (report.omitted() > 0 && report.problems().size() < 50) {
      throw new AssertionError("problems are left out: " + report);
    }
    List<Manifest> read;
    try {
      read = ManifestReader.builder().build().read("fuzz", new ByteArrayInputStream(input));
    } catch (ManifestException e) {
      if (report.isValid()) {
        throw new AssertionError("valid, but cannot be read", e);
      }
      return;
    }
    if (report.isValid() && report.skipped().isEmpty()) {
      String text = ManifestWriter.toJson(read);
      ValidationReport again = validate(text.getBytes(UTF_8));
      if (!again.isValid()) {
        throw new AssertionError("valid until it is written in v1: " + again.problems() + text);
      }
    }
  }

  private static ValidationReport validate(byte[] input) {
    Validation validation = VALIDATOR.start();
    validation.add("fuzz", new ByteArrayInputStream(input));
    return validation.report();
  }

  private static void check(ValidationProblem problem, byte[] input) {
    SourcePosition place = problem.place();
    int bytes = input.length + 1; // a line and a column are there for each byte at most, and an end
    if (place.line() < 0 || place.line() > bytes || place.column() > bytes + 1) {
      throw new AssertionError("is not in the text: " + problem);
    }
    if (problem.message().isEmpty()
        || problem.toString().chars().anyMatch(one -> Character.isISOControl(one))) {
      throw new AssertionError("cannot be printed: " + problem);
    }
  }
}
