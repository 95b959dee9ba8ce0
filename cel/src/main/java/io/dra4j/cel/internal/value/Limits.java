package io.dra4j.cel.internal.value;

/**
 * How large expressions and the values that they make may be. Costs are counted as Kubernetes
 * counts them, but some only when a value is there, so that these limits must stop the largest
 * before.
 */
public final class Limits {

  /** The cost limit of an evaluation ({@code CELSelectorExpressionMaxCost} of the API). */
  public static final long COST = 1_000_000;

  /** Bytes of an expression ({@code CELSelectorExpressionMaxLength} of the API). */
  public static final int EXPRESSION_BYTES = 10 * 1024;

  /** Elements of a list or bytes or characters of a text that an expression makes. */
  public static final int SIZE = 250_000;

  /**
   * Characters of all texts that one evaluation makes and may keep. Only those that make more than
   * they read get there: the cost is limited to that of reading half as many.
   */
  static final long TEXTS = 20_000_000;

  /** Bytes of all lists, maps and values of Kubernetes that one evaluation makes and may keep. */
  static final long ROOM = 64L << 20;

  private Limits() {}

  /** Refuses what would become too large. */
  public static void checkSize(long size) {
    if (size > SIZE) {
      throw new EvaluationAborted(
          "the expression makes a value of " + size + " elements, more than " + SIZE);
    }
  }

  /** Refuses to go on when all texts together have become too large. */
  public static void checkTexts(long characters) {
    if (characters > TEXTS) {
      throw new EvaluationAborted(
          "the expression makes texts of " + characters + " characters, more than " + TEXTS);
    }
  }

  /** Fails if all lists, maps and values of Kubernetes together use too much memory. */
  public static void checkRoom(long bytes) {
    if (bytes > ROOM) {
      throw new EvaluationAborted(
          "the expression makes lists and maps of " + bytes + " bytes, more than " + ROOM);
    }
  }
}
