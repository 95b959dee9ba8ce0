package io.dra4j.cel;

/**
 * A problem of an expression, with its place.
 *
 * @param message the problem, in the words of Kubernetes
 * @param line the line of the expression, from 1
 * @param column the column in the line, in characters (code points) from 1
 * @param length the number of characters with the problem; 0 if the expression ends too early
 */
public record CelProblem(String message, int line, int column, int length) {

  /** {@return the problem in one line, for example {@code 1:17: undefined field 'nope'}} */
  @Override
  public String toString() {
    return line + ":" + column + ": " + message;
  }
}
