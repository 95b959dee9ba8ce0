package io.dra4j.cel.internal.check;

/**
 * A problem of an expression, with its place.
 *
 * @param message the problem, in the words of cel-go
 * @param line the line, from 1
 * @param column the column in the line, in characters from 1
 * @param length the number of characters with the problem; 0 at the end of the expression
 */
public record ExpressionProblem(String message, int line, int column, int length) {

  /**
   * Creates a problem of an expression as a whole.
   *
   * @param expression the expression
   * @param message the problem
   */
  public static ExpressionProblem ofWhole(String expression, String message) {
    return new ExpressionProblem(message, 1, 1, expression.codePointCount(0, expression.length()));
  }
}
