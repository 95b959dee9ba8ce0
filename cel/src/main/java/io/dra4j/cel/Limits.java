package io.dra4j.cel;

/**
 * How much an expression may use. Kubernetes stops an evaluation at a cost of 1,000,000; cel-java
 * counts no costs, so that what could take much time or memory is limited one by one, far above
 * what a selector needs.
 */
final class Limits {

  /** Bytes of an expression ({@code CELSelectorExpressionMaxLength} of the API). */
  static final int EXPRESSION_BYTES = 10 * 1024;

  /** Rounds of all loops of one evaluation together. */
  static final int ITERATIONS = 250_000;

  /** Elements of a list or bytes or characters of a text that an expression makes. */
  static final int SIZE = 250_000;

  private Limits() {}

  /** Refuses what would become too large. */
  static void checkSize(long size) {
    if (size > SIZE) {
      throw new EvaluationAborted(
          "the expression makes a value of " + size + " elements, more than " + SIZE);
    }
  }
}
