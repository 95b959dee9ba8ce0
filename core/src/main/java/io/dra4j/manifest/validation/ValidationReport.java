package io.dra4j.manifest.validation;

import io.dra4j.manifest.SkippedObject;
import io.dra4j.manifest.validation.ValidationRule.Severity;
import java.util.List;

/**
 * What a {@link Validation} found.
 *
 * @param problems what is wrong, errors and warnings, file after file and in each in the order of
 *     the text; of very many the first
 * @param omitted how many problems are left out
 * @param objects how many objects of known kinds were looked at
 * @param skipped objects of other kinds, about which nothing is said
 */
public record ValidationReport(
    List<ValidationProblem> problems, int omitted, int objects, List<SkippedObject> skipped) {

  /** Copies the lists. {@inheritDoc} */
  public ValidationReport {
    problems = List.copyOf(problems);
    skipped = List.copyOf(skipped);
  }

  /**
   * Returns whether the API server would take all objects.
   *
   * @return whether no problem is an error, and none was left out
   */
  public boolean isValid() {
    return omitted == 0 && errors() == 0;
  }

  /**
   * Counts the problems for which the API server would refuse an object.
   *
   * @return the number of errors among {@link #problems()}
   */
  public int errors() {
    return (int) problems.stream().filter(one -> one.rule().severity() == Severity.ERROR).count();
  }
}
