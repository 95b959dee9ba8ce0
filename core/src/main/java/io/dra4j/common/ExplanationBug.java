package io.dra4j.common;

import java.util.Arrays;
import java.util.Objects;

/**
 * The sentence that replaces an explanation, or a part of it, whose code throws an unchecked
 * exception. The explained answer itself is not affected.
 */
public final class ExplanationBug {

  private static final String REPORTS = "https://github.com/dra4j/dra4j/issues";

  private ExplanationBug() {}

  /**
   * {@return one sentence with the exception, the place where it was thrown, and the address for
   * reports; without full stop, for example {@code the explanation has a bug and is not complete:
   * java.lang.NullPointerException at com.example.Advice.propose(Advice.java:12); please report it
   * at ...}}
   *
   * @param bug the exception that the code of an explanation threw
   */
  public static String sentence(RuntimeException bug) {
    Objects.requireNonNull(bug, "bug");
    String place =
        Arrays.stream(bug.getStackTrace())
            .filter(frame -> !frame.getClassName().startsWith("java."))
            .findFirst()
            .map(
                frame ->
                    " at %s.%s(%s:%d)"
                        .formatted(
                            frame.getClassName(),
                            frame.getMethodName(),
                            frame.getFileName(),
                            frame.getLineNumber()))
            .orElse("");
    return "the explanation has a bug and is not complete: %s%s; please report it at %s"
        .formatted(bug.getClass().getName(), place, REPORTS);
  }
}
