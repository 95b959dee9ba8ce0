package io.dra4j.cel.internal.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Problems of an expression and their places, written as in cel-go's {@code common/error.go}. */
final class Problems {

  private static final int MAX_REPORTED = 100;
  private static final int MAX_LINE_LENGTH = 16_384;

  private final CelSource source;
  private final List<Problem> problems = new ArrayList<>();
  private final List<Problem> parsed = new ArrayList<>();
  private final Set<Problem> parsedNodes = new HashSet<>();

  private record Problem(CelSourceLocation place, String message) {}

  Problems(CelSource source) {
    this.source = source;
  }

  /** Adds a problem with a node. */
  @FormatMethod
  void add(CelExpr node, @FormatString String message, Object... arguments) {
    problems.add(new Problem(place(node), String.format(Locale.ROOT, message, arguments)));
  }

  /** Adds a problem that cel-go finds before it looks for others and before macros repeat it. */
  void addParsed(CelExpr node, String message) {
    Problem problem = new Problem(place(node), message);
    if (parsedNodes.add(problem)) {
      parsed.add(problem);
    }
  }

  private CelSourceLocation place(CelExpr node) {
    int offset = source.getPositionsMap().getOrDefault(node.id(), 0);
    if (isNegative(node) || (isZero(node) && isSigned(offset))) {
      // cel-java remembers the place of the digits, cel-go that of the sign.
      while (offset > 0 && source.getContent().get(offset) != '-') {
        offset--;
      }
    }
    return source.getOffsetLocation(offset).orElse(CelSourceLocation.NONE);
  }

  private static boolean isNegative(CelExpr node) {
    if (node.getKind() != Kind.CONSTANT) {
      return false;
    }
    return switch (node.constant().getKind()) {
      case INT64_VALUE -> node.constant().int64Value() < 0;
      case DOUBLE_VALUE -> Math.copySign(1, node.constant().doubleValue()) < 0; // -0.0, too
      default -> false;
    };
  }

  private static boolean isZero(CelExpr node) {
    return node.getKind() == Kind.CONSTANT
        && node.constant().getKind() == CelConstant.Kind.INT64_VALUE
        && node.constant().int64Value() == 0;
  }

  /**
   * Returns whether a sign before digits is theirs: not one of several, nor that of a subtraction.
   */
  private boolean isSigned(int offset) {
    String before = source.getContent().slice(0, offset).toString();
    int signs = 0;
    int end = before.length();
    for (; end > 0 && " \t\r\n\f-".indexOf(before.charAt(end - 1)) >= 0; end--) {
      signs += before.charAt(end - 1) == '-' ? 1 : 0;
    }
    return signs == (endsWithOperand(before.substring(0, end)) ? 2 : 1);
  }

  /** Returns whether something can be subtracted from what is before. */
  private static boolean endsWithOperand(String before) {
    int start = before.length();
    while (start > 0 && isOfWord(before.charAt(start - 1))) {
      start--;
    }
    return start < before.length()
        ? !before.substring(start).equals("in")
        : start > 0 && ")]}\"'`".indexOf(before.charAt(start - 1)) >= 0;
  }

  /** Adds a problem that cel-go's parser finds. */
  void addParsed(SyntaxErrors.SyntaxError error) {
    CelSourceLocation place = CelSourceLocation.of(error.line(), error.column());
    if (error.line() < 0) {
      place = CelSourceLocation.NONE;
    } else if (source.getContent().isEmpty()) {
      place = CelSourceLocation.of(1, -1); // as cel-go counts where nothing is
    }
    parsed.add(new Problem(place, error.message()));
  }

  /** Adds a problem that only the parser of cel-java finds. */
  void addParsed(CelIssue issue) {
    parsed.add(new Problem(issue.getSourceLocation(), issue.getMessage()));
  }

  /** Returns all problems in the order of the text, with their places. */
  List<ExpressionProblem> list() {
    return sorted(parsed.isEmpty() ? problems : parsed).stream().map(this::problemOf).toList();
  }

  private ExpressionProblem problemOf(Problem problem) {
    CelSourceLocation place = problem.place();
    String text = source.getContent().toString();
    if (place.getLine() < 1 || place.getColumn() < 0) {
      return ExpressionProblem.ofWhole(text, problem.message());
    }
    int offset = source.getLocationOffset(place.getLine(), place.getColumn()).orElse(0);
    int[] characters = text.codePoints().toArray();
    return new ExpressionProblem(
        problem.message(), place.getLine(), place.getColumn() + 1, length(characters, offset));
  }

  /** Returns the length of a name, a number, a text or an operator. */
  private static int length(int[] text, int from) {
    int end = Math.min(from, text.length);
    int first = end < text.length ? text[end] : -1;
    if (first == '"' || first == '\'') {
      for (end++; end < text.length && text[end] != first; end++) {
        end += text[end] == '\\' ? 1 : 0;
      }
      return Math.min(end + 1, text.length) - from;
    }
    end += first == '-' ? 1 : 0; // the sign of a number, or an operator
    while (end < text.length && isOfWord(text[end])) {
      end++;
    }
    if (end > from || first < 0) {
      return end - from;
    }
    boolean twice = from + 1 < text.length && (text[from + 1] == first || text[from + 1] == '=');
    return twice && "&|=!<>".indexOf(first) >= 0 ? 2 : 1;
  }

  private static boolean isOfWord(int character) {
    return Character.isLetterOrDigit(character) || character == '_';
  }

  boolean isEmpty() {
    return problems.isEmpty() && parsed.isEmpty();
  }

  /** Describes all problems: line, column, cause, and a caret below the place in the text. */
  @Override
  public String toString() {
    List<Problem> all = parsed.isEmpty() ? problems : parsed;
    int truncated = Math.max(0, all.size() - MAX_REPORTED);
    List<Problem> sorted = sorted(all.subList(0, all.size() - truncated));
    StringBuilder text = new StringBuilder();
    for (Problem problem : sorted) {
      text.append(text.length() == 0 ? "" : "\n");
      describe(problem, text);
    }
    if (truncated > 0) {
      text.append('\n').append(truncated).append(" more errors were truncated");
    }
    return text.toString();
  }

  private static List<Problem> sorted(List<Problem> some) {
    List<Problem> sorted = new ArrayList<>(some);
    sorted.sort(
        Comparator.comparingInt((Problem problem) -> problem.place().getLine())
            .thenComparingInt(problem -> problem.place().getColumn()));
    return sorted;
  }

  private void describe(Problem problem, StringBuilder text) {
    int line = problem.place().getLine();
    int column = problem.place().getColumn();
    text.append("ERROR: ")
        .append(source.getDescription())
        .append(':')
        .append(line)
        .append(':')
        .append(column + 1)
        .append(": ")
        .append(problem.message());
    boolean shown = line > 0 && !source.getContent().isEmpty();
    String snippet = shown ? source.getSnippet(line).orElse(null) : null;
    if (snippet == null || snippet.length() > MAX_LINE_LENGTH) {
      return;
    }
    text.append("\n | ").append(snippet.replace('\t', ' ')).append("\n | ");
    int at = Math.max(column, 0);
    int[] characters = snippet.codePoints().limit(at + 1L).toArray();
    for (int i = 0; i < column && i < characters.length; i++) {
      text.append(characters[i] < 0x80 ? '.' : '\uff0e');
    }
    boolean wide = at < characters.length && characters[at] >= 0x80;
    text.append(wide ? '\uff3e' : '^');
  }
}
