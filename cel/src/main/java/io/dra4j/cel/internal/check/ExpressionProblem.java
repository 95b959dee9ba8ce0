package io.dra4j.cel.internal.check;

/**
 * Something that is wrong with an expression, with its place.
 *
 * @param message what is wrong, in the words of cel-go
 * @param line the line, from 1
 * @param column the column in the line, in characters from 1
 * @param length how many characters what is wrong has there; 0 at the end of the expression
 */
public record ExpressionProblem(String message, int line, int column, int length) {

  /**
   * Makes a problem that has no place.
   *
   * @param expression the expression, all of which it is about
   * @param message what is wrong
   */
  public static ExpressionProblem ofWhole(String expression, String message) {
    return new ExpressionProblem(message, 1, 1, expression.codePointCount(0, expression.length()));
  }
}
