package io.dra4j.manifest.validation;

import io.dra4j.manifest.SkippedObject;
import io.dra4j.manifest.validation.ValidationRule.Severity;
import java.util.List;

/**
 * The result of a {@link Validation}.
 *
 * @param problems the errors and warnings, file after file, and in each file in the order of the
 *     text; if there are very many, the first ones
 * @param omitted the number of further problems
 * @param objects the number of checked objects of known kinds
 * @param skipped the objects of other kinds, which were not checked
 */
public record ValidationReport(
    List<ValidationProblem> problems, int omitted, int objects, List<SkippedObject> skipped) {

  /** Copies the lists. {@inheritDoc} */
  public ValidationReport {
    problems = List.copyOf(problems);
    skipped = List.copyOf(skipped);
  }

  /** {@return whether the API server would accept all objects: no error, and no problem omitted} */
  public boolean isValid() {
    return omitted == 0 && errors() == 0;
  }

  /** {@return the number of {@link #problems()} for which the API server would reject an object} */
  public int errors() {
    return (int) problems.stream().filter(one -> one.rule().severity() == Severity.ERROR).count();
  }
}
