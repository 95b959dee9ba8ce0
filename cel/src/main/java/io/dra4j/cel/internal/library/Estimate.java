package io.dra4j.cel.internal.library;

/**
 * A range of sizes or costs, unsigned and saturating, as {@code SizeEstimate} and {@code
 * CostEstimate} of {@code checker/cost.go} of cel-go.
 *
 * @param min the smallest
 * @param max the largest; {@link #MAX} where there is no bound
 */
public record Estimate(long min, long max) {

  /** The largest unsigned number. */
  public static final long MAX = -1;

  /** Nothing. */
  public static final Estimate ZERO = fixed(0);

  /** Exactly one. */
  public static final Estimate ONE = fixed(1);

  /** Anything. */
  public static final Estimate UNKNOWN = new Estimate(0, MAX);

  private static final double TWO_TO_63 = 0x1p63;
  private static final double TWO_TO_64 = 0x1p64;

  /** Returns the range of a single number. */
  public static Estimate fixed(long value) {
    return new Estimate(value, value);
  }

  /** Adds both ends. */
  public Estimate plus(Estimate other) {
    return new Estimate(add(min, other.min), add(max, other.max));
  }

  /** Multiplies both ends. */
  public Estimate times(Estimate other) {
    return new Estimate(multiply(min, other.min), multiply(max, other.max));
  }

  /** Rounds up. */
  public Estimate times(double factor) {
    return new Estimate(multiply(min, factor), multiply(max, factor));
  }

  /** Returns the smallest range with both in it. */
  public Estimate union(Estimate other) {
    return new Estimate(
        Long.compareUnsigned(min, other.min) <= 0 ? min : other.min,
        Long.compareUnsigned(max, other.max) >= 0 ? max : other.max);
  }

  static long add(long a, long b) {
    long sum = a + b;
    return Long.compareUnsigned(sum, a) < 0 ? MAX : sum;
  }

  private static long multiply(long a, long b) {
    return b != 0 && Long.compareUnsigned(a, Long.divideUnsigned(MAX, b)) > 0 ? MAX : a * b;
  }

  private static long multiply(long value, double factor) {
    return round(Math.ceil(toDouble(value) * factor));
  }

  /** Of a whole number that is not negative. */
  static long round(double value) {
    if (value >= TWO_TO_64) {
      return MAX;
    }
    return value < TWO_TO_63 ? (long) value : (long) (value - TWO_TO_63) + Long.MIN_VALUE;
  }

  static double toDouble(long unsigned) {
    // Halving keeps whether something is lost, so that rounding once is rounding the whole number.
    return unsigned >= 0 ? unsigned : 2.0 * ((unsigned >>> 1) | (unsigned & 1));
  }
}
