package io.dra4j.cel.internal.explain;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.cost.CostEstimator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Takes an expression apart where {@code &&} and {@code ||} join conditions, and finds the text of
 * each part. Looks through {@code cel.bind}, which most selectors of several conditions begin with.
 */
final class SelectorParts {

  private static final String AND = "_&&_";
  private static final String OR = "_||_";

  /** Deeper joins stay whole: nobody reads them part by part. */
  private static final int MAX_DEPTH = 16;

  /**
   * A part of an expression.
   *
   * @param tree what to evaluate to get its value: the part, in the bindings around it
   * @param from where it begins, in code points
   * @param text as it is written
   * @param join what joins its parts
   * @param parts in the order in which they are written
   */
  record Part(CelExpr tree, int from, String text, Join join, List<Part> parts) {}

  /** How parts are joined. */
  enum Join {
    NONE,
    ALL,
    ANY
  }

  private final int[] text; // code points, which is what positions count
  private final int[] brackets; // place of the other bracket of each bracket, else -1
  private final boolean[] literal; // of texts and comments
  private final boolean[] comment;
  private final Map<Long, Integer> positions;

  private SelectorParts(String expression, Map<Long, Integer> positions) {
    this.text = expression.codePoints().toArray();
    this.literal = new boolean[text.length];
    this.comment = new boolean[text.length];
    this.brackets = new int[text.length];
    this.positions = positions;
    markLiterals();
    matchBrackets();
  }

  static Part of(CheckedExpression checked) {
    SelectorParts parts =
        new SelectorParts(
            checked.source().getContent().toString(), checked.source().getPositionsMap());
    return parts.part(checked.expression(), 0, parts.text.length, UnaryOperator.identity(), 0);
  }

  private Part part(CelExpr expr, int from, int to, UnaryOperator<CelExpr> bindings, int depth) {
    Range range = trimmed(from, to);
    String written = new String(text, range.from, range.to - range.from);
    if (depth < MAX_DEPTH && isJoin(expr)) {
      List<Part> parts = parts(expr, range, bindings, depth);
      if (!parts.isEmpty()) {
        Join join = expr.call().function().equals(AND) ? Join.ALL : Join.ANY;
        return new Part(bindings.apply(expr), range.from, written, join, parts);
      }
    } else if (depth < MAX_DEPTH
        && expr.getKind() == Kind.COMPREHENSION
        && CostEstimator.isBinding(expr.comprehension())) {
      CelComprehension binding = expr.comprehension();
      Part bound =
          part(
              binding.result(),
              range.from,
              range.to,
              inner -> bindings.apply(withResult(expr, inner)),
              depth + 1);
      return bound.parts().isEmpty()
          ? new Part(bindings.apply(expr), range.from, written, Join.NONE, List.of())
          : new Part(bindings.apply(expr), range.from, written, bound.join(), bound.parts());
    }
    return new Part(bindings.apply(expr), range.from, written, Join.NONE, List.of());
  }

  /** Returns no part if the places of the parts are not known. */
  private List<Part> parts(CelExpr join, Range range, UnaryOperator<CelExpr> bindings, int depth) {
    List<CelExpr> operands = new ArrayList<>();
    List<Integer> operators = new ArrayList<>();
    flatten(join, join.call().function(), operands, operators);
    operators.sort(null);
    if (operators.size() != operands.size() - 1
        || operators.get(0) < range.from
        || operators.get(operators.size() - 1) + 2 > range.to) {
      return List.of();
    }
    int from = Math.max(range.from, borderBefore(operators.get(0)));
    int end = Math.min(range.to, borderAfter(operators.get(0)));
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      int to = i < operators.size() ? operators.get(i) : end;
      parts.add(part(operands.get(i), from, to, bindings, depth + 1));
      from = to + 2;
    }
    return parts;
  }

  /** The parser balances long joins: neighbours of one kind are one join. */
  private void flatten(
      CelExpr expr, String function, List<CelExpr> operands, List<Integer> operators) {
    if (isJoin(expr)
        && expr.call().function().equals(function)
        && positions.containsKey(expr.id())) {
      CelCall call = expr.call();
      flatten(call.args().get(0), function, operands, operators);
      operators.add(positions.get(expr.id()));
      flatten(call.args().get(1), function, operands, operators);
    } else {
      operands.add(expr);
    }
  }

  private static boolean isJoin(CelExpr expr) {
    return expr.getKind() == Kind.CALL
        && (expr.call().function().equals(AND) || expr.call().function().equals(OR));
  }

  private static CelExpr withResult(CelExpr expr, CelExpr result) {
    return expr.toBuilder()
        .setComprehension(expr.comprehension().toBuilder().setResult(result).build())
        .build();
  }

  private record Range(int from, int to) {}

  /** Leaves out spaces, comments and brackets around a whole. */
  private Range trimmed(int from, int to) {
    int start = from;
    int end = to;
    while (true) {
      while (start < end && (Character.isWhitespace(text[start]) || comment[start])) {
        start++;
      }
      while (start < end && (Character.isWhitespace(text[end - 1]) || comment[end - 1])) {
        end--;
      }
      if (start >= end || text[start] != '(' || brackets[start] != end - 1) {
        return new Range(start, end);
      }
      start++;
      end--;
    }
  }

  /** Returns where what an operator is in begins: behind a bracket or a comma. */
  private int borderBefore(int operator) {
    for (int i = operator - 1; i >= 0; i--) {
      if (!literal[i]) {
        if (isClosing(text[i]) && brackets[i] >= 0) {
          i = brackets[i];
        } else if (isOpening(text[i]) || text[i] == ',') {
          return i + 1;
        }
      }
    }
    return 0;
  }

  private int borderAfter(int operator) {
    for (int i = operator; i < text.length; i++) {
      if (!literal[i]) {
        if (isOpening(text[i]) && brackets[i] >= 0) {
          i = brackets[i];
        } else if (isClosing(text[i]) || text[i] == ',') {
          return i;
        }
      }
    }
    return text.length;
  }

  private static boolean isOpening(int character) {
    return character == '(' || character == '[' || character == '{';
  }

  private static boolean isClosing(int character) {
    return character == ')' || character == ']' || character == '}';
  }

  private void matchBrackets() {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < text.length; i++) {
      brackets[i] = -1;
      if (literal[i]) {
        continue;
      }
      if (isOpening(text[i])) {
        open.push(i);
      } else if (isClosing(text[i]) && !open.isEmpty()) {
        int other = open.pop();
        brackets[i] = other;
        brackets[other] = i;
      }
    }
  }

  /** Marks the characters of texts, bytes and comments, whose brackets join nothing. */
  private void markLiterals() {
    int i = 0;
    while (i < text.length) {
      int end;
      boolean isComment = text[i] == '/' && at(i + 1) == '/';
      if (isComment) {
        end = lineEnd(i);
      } else if (text[i] == '"' || text[i] == '\'') {
        end = quoteEnd(i);
      } else {
        i++;
        continue;
      }
      while (i < end) {
        comment[i] = isComment;
        literal[i++] = true;
      }
    }
  }

  private int lineEnd(int from) {
    int i = from;
    while (i < text.length && text[i] != '\n') {
      i++;
    }
    return i;
  }

  private int quoteEnd(int from) {
    int quote = text[from];
    boolean triple = at(from + 1) == quote && at(from + 2) == quote;
    boolean raw = isRaw(from);
    int i = from + (triple ? 3 : 1);
    while (i < text.length) {
      if (text[i] == '\\' && !raw) {
        i += 2;
      } else if (text[i] == quote && (!triple || (at(i + 1) == quote && at(i + 2) == quote))) {
        return Math.min(text.length, i + (triple ? 3 : 1));
      } else {
        i++;
      }
    }
    return text.length;
  }

  /** A prefix of at most two letters says that a text is raw; the letter of a name does not. */
  private boolean isRaw(int quote) {
    int start = quote;
    while (start > 0 && Character.isLetterOrDigit(text[start - 1])) {
      start--;
    }
    String prefix = new String(text, start, quote - start);
    return prefix.length() <= 2 && (prefix.indexOf('r') >= 0 || prefix.indexOf('R') >= 0);
  }

  private int at(int index) {
    return index < text.length ? text[index] : -1;
  }
}
