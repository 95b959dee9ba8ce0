package io.dra4j.cel;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is wrong with an expression, with the place of each problem in its text. */
final class Problems {

  private final CelSource source;
  private final List<CelIssue> issues = new ArrayList<>();

  Problems(CelSource source) {
    this.source = source;
  }

  /** Adds a problem with the node that has this identifier. */
  @FormatMethod
  void add(long id, @FormatString String message, Object... arguments) {
    int offset = source.getPositionsMap().getOrDefault(id, 0);
    issues.add(
        CelIssue.formatError(
            id,
            source.getOffsetLocation(offset).orElse(CelSourceLocation.NONE),
            String.format(Locale.ROOT, message, arguments)));
  }

  boolean isEmpty() {
    return issues.isEmpty();
  }

  /** Describes all problems: line, column, cause, and a caret below the place in the text. */
  @Override
  public String toString() {
    return CelIssue.toDisplayString(issues, source);
  }
}
