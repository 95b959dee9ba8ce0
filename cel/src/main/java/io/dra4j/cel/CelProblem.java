package io.dra4j.cel;

/**
 * Something that is wrong with an expression, and where.
 *
 * @param message what is wrong, in the words of Kubernetes
 * @param line the line of the expression, from 1
 * @param column the column in the line, in characters (code points) from 1
 * @param length how many characters it is about; 0 where the expression ends too early
 */
public record CelProblem(String message, int line, int column, int length) {

  /**
   * Returns the problem in one line.
   *
   * @return for example {@code 1:17: undefined field 'nope'}
   */
  @Override
  public String toString() {
    return line + ":" + column + ": " + message;
  }
}
