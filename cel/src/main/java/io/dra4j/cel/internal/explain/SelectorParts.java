package io.dra4j.cel.internal.explain;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.cost.CostEstimator;
import io.dra4j.cel.internal.explain.SelectorTokens.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Splits an expression where {@code &&} and {@code ||} join conditions, and finds the text of each
 * part. Looks through {@code cel.bind}, which most selectors of several conditions begin with.
 *
 * <p>The tree has the place of each operator, but no brackets, which {@link SelectorTokens} has.
 * The operands of a join are on one level of brackets, so each part contains complete brackets.
 */
final class SelectorParts {

  private static final String AND = "_&&_";
  private static final String OR = "_||_";

  /** Deeper joins are not split: their parts are not useful to a reader. */
  private static final int MAX_DEPTH = 16;

  /**
   * A part of an expression.
   *
   * @param tree the expression that gives its value: the part, in the bindings around it
   * @param from the offset at which it begins, in code points
   * @param text the part as written
   * @param join the operator between its parts
   * @param parts its parts, in the order of the text
   */
  record Part(CelExpr tree, int from, String text, Join join, List<Part> parts) {}

  /** How parts are joined. */
  enum Join {
    NONE,
    ALL,
    ANY
  }

  private final SelectorTokens tokens;
  private final Map<Long, Integer> positions;

  private SelectorParts(String expression, Map<Long, Integer> positions) {
    this.tokens = new SelectorTokens(expression);
    this.positions = positions;
  }

  static Part of(CheckedExpression checked) {
    SelectorParts parts =
        new SelectorParts(
            checked.source().getContent().toString(), checked.source().getPositionsMap());
    return parts.part(checked.expression(), parts.tokens.all(), UnaryOperator.identity(), 0);
  }

  private Part part(CelExpr expr, Range written, UnaryOperator<CelExpr> bindings, int depth) {
    Range range = tokens.unwrapped(written);
    Join join = Join.NONE;
    List<Part> parts = List.of();
    if (depth < MAX_DEPTH && isJoin(expr)) {
      join = expr.call().function().equals(AND) ? Join.ALL : Join.ANY;
      parts = operands(expr, tokens.content(range), bindings, depth);
    } else if (depth < MAX_DEPTH && isBinding(expr)) {
      Part bound =
          part(
              expr.comprehension().result(),
              tokens.lastArgument(tokens.content(range)),
              inner -> bindings.apply(withResult(expr, inner)),
              depth + 1);
      join = bound.join();
      parts = bound.parts();
    }
    return new Part(bindings.apply(expr), tokens.place(range), tokens.text(range), join, parts);
  }

  private List<Part> operands(
      CelExpr join, Range range, UnaryOperator<CelExpr> bindings, int depth) {
    List<CelExpr> operands = new ArrayList<>();
    List<Integer> operators = new ArrayList<>();
    flatten(join, join.call().function(), operator(join), operands, operators);
    List<Part> parts = new ArrayList<>();
    int from = range.first();
    for (int i = 0; i < operands.size(); i++) {
      int to = i < operators.size() ? operators.get(i) : range.end();
      parts.add(part(operands.get(i), new Range(from, to), bindings, depth + 1));
      from = to + 1;
    }
    return parts;
  }

  /**
   * The parser balances long joins: neighbours of one kind on one level of brackets are one join.
   */
  private void flatten(
      CelExpr expr, String function, int level, List<CelExpr> operands, List<Integer> operators) {
    if (isJoin(expr)
        && expr.call().function().equals(function)
        && tokens.enclosing(operator(expr)) == tokens.enclosing(level)) {
      CelCall call = expr.call();
      flatten(call.args().get(0), function, level, operands, operators);
      operators.add(operator(expr));
      flatten(call.args().get(1), function, level, operands, operators);
    } else {
      operands.add(expr);
    }
  }

  /** Returns the token of the operator of a join; -1 if it is not written. */
  private int operator(CelExpr join) {
    return tokens.at(positions.getOrDefault(join.id(), -1));
  }

  private boolean isJoin(CelExpr expr) {
    return expr.getKind() == Kind.CALL
        && (expr.call().function().equals(AND) || expr.call().function().equals(OR))
        && operator(expr) >= 0;
  }

  private static boolean isBinding(CelExpr expr) {
    return expr.getKind() == Kind.COMPREHENSION && CostEstimator.isBinding(expr.comprehension());
  }

  private static CelExpr withResult(CelExpr expr, CelExpr result) {
    return expr.toBuilder()
        .setComprehension(expr.comprehension().toBuilder().setResult(result).build())
        .build();
  }
}
