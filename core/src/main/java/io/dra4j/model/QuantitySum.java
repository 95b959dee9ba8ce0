package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The exact sum of many quantities, however far they are apart: {@code 1e2147483647} and {@code 1n}
 * too, whose sum has more digits than a memory has room for. {@link Quantity#add} refuses those.
 *
 * <p>Mutable, and for one thread at a time. A sum takes room for the digits that were added, not
 * for the zeros between them.
 */
public final class QuantitySum implements Comparable<QuantitySum> {

  /** Digits in a block of the amounts that are far apart. */
  private static final int BLOCK = 256;

  private static final BigInteger BLOCK_END = BigInteger.TEN.pow(BLOCK);
  private static final Quantity ZERO = Quantity.of(0);

  /** After so many additions, the sum may have become long by many small steps. */
  private static final int ADDITIONS_PER_LOOK = 64;

  private static final int MAX_NEAR_DIGITS = 4_096;

  private Quantity near = ZERO; // what could be added directly, which is nearly everything
  private int additions;

  /** The rest: by n the digits from 10^(256n) on, no block being 0 or as large as the next. */
  private @Nullable NavigableMap<Long, BigInteger> far;

  /** Makes a sum of nothing. */
  public QuantitySum() {}

  /**
   * Makes a sum of one quantity.
   *
   * @param first the quantity
   * @return a new sum
   */
  public static QuantitySum of(Quantity first) {
    QuantitySum sum = new QuantitySum();
    sum.near = Checks.value("first", first);
    return sum;
  }

  /**
   * Makes a sum that goes its own way from here on.
   *
   * @return a new sum of the same amount
   */
  public QuantitySum copy() {
    QuantitySum copy = QuantitySum.of(near);
    copy.additions = additions;
    copy.far = far == null ? null : new TreeMap<>(far);
    return copy;
  }

  /**
   * Adds a quantity to this sum.
   *
   * @param amount the quantity
   */
  public void add(Quantity amount) {
    Checks.value("amount", amount);
    if (near.signum() == 0) {
      near = amount;
      return;
    }
    try {
      near = near.add(amount);
    } catch (ArithmeticException tooFarApart) {
      near = shiftAway(near, amount);
    }
    if (++additions % ADDITIONS_PER_LOOK == 0
        && near.toBigDecimal().precision() > MAX_NEAR_DIGITS) {
      near = shiftAway(near, ZERO);
    }
  }

  /**
   * Takes a quantity away from this sum, which may become negative.
   *
   * @param amount the quantity
   */
  public void subtract(Quantity amount) {
    add(Checks.value("amount", amount).negate());
  }

  /**
   * Adds everything that is in another sum.
   *
   * @param sum the other sum, which does not change
   */
  public void add(QuantitySum sum) {
    add(Checks.value("sum", sum).near);
    if (sum.far != null) {
      NavigableMap<Long, BigInteger> blocks = blocks();
      sum.far.forEach((at, block) -> put(blocks, at, block));
    }
  }

  /**
   * Returns whether the sum is positive, zero or negative.
   *
   * @return 1, 0 or −1
   */
  public int signum() {
    if (far == null) {
      return near.signum();
    }
    NavigableMap<Long, BigInteger> all = new TreeMap<>(far);
    put(all, near.toBigDecimal());
    return signum(all);
  }

  /**
   * Compares the sum with a quantity.
   *
   * @param quantity the quantity
   * @return 1, 0 or −1: the sum is more, equal or less
   */
  public int compareTo(Quantity quantity) {
    return far == null
        ? Integer.signum(near.compareTo(quantity))
        : signumOfDifference(QuantitySum.of(quantity));
  }

  /**
   * Compares this sum with another one.
   *
   * @param sum the other sum
   * @return 1, 0 or −1: this sum is more, equal or less
   */
  @Override
  public int compareTo(QuantitySum sum) {
    return far == null && sum.far == null
        ? Integer.signum(near.compareTo(sum.near))
        : signumOfDifference(sum);
  }

  /** Whether both are equal as numbers. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QuantitySum sum && compareTo(sum) == 0;
  }

  @Override
  public int hashCode() {
    return signum(); // sums change and are no keys; equal ones must merely agree
  }

  /** For messages: the sum, or that it cannot be written down. */
  @Override
  public String toString() {
    return far == null ? near.toString() : "a sum of amounts that are far apart";
  }

  private int signumOfDifference(QuantitySum other) {
    NavigableMap<Long, BigInteger> difference = far == null ? new TreeMap<>() : new TreeMap<>(far);
    put(difference, near.toBigDecimal());
    put(difference, other.near.toBigDecimal().negate());
    if (other.far != null) {
      other.far.forEach((at, block) -> put(difference, at, block.negate()));
    }
    return signum(difference);
  }

  private Quantity shiftAway(Quantity a, Quantity b) {
    NavigableMap<Long, BigInteger> blocks = blocks();
    put(blocks, a.toBigDecimal());
    put(blocks, b.toBigDecimal());
    return ZERO;
  }

  private NavigableMap<Long, BigInteger> blocks() {
    NavigableMap<Long, BigInteger> blocks = far;
    if (blocks == null) {
      blocks = new TreeMap<>();
      far = blocks;
    }
    return blocks;
  }

  private static void put(Map<Long, BigInteger> blocks, BigDecimal amount) {
    long exponent = -(long) amount.scale();
    BigInteger digits =
        amount
            .unscaledValue()
            .multiply(BigInteger.TEN.pow((int) Math.floorMod(exponent, (long) BLOCK)));
    for (long at = Math.floorDiv(exponent, (long) BLOCK); digits.signum() != 0; at++) {
      BigInteger[] quotientAndRest = digits.divideAndRemainder(BLOCK_END);
      put(blocks, at, quotientAndRest[1]);
      digits = quotientAndRest[0];
    }
  }

  private static void put(Map<Long, BigInteger> blocks, long at, BigInteger amount) {
    BigInteger carried = amount;
    for (long block = at; carried.signum() != 0; block++) {
      BigInteger[] carryAndRest =
          blocks.getOrDefault(block, BigInteger.ZERO).add(carried).divideAndRemainder(BLOCK_END);
      if (carryAndRest[1].signum() == 0) {
        blocks.remove(block);
      } else {
        blocks.put(block, carryAndRest[1]);
      }
      carried = carryAndRest[0];
    }
  }

  /** All blocks below one are together less than 1 in it, so that the highest one decides. */
  private static int signum(NavigableMap<Long, BigInteger> blocks) {
    return blocks.isEmpty() ? 0 : blocks.lastEntry().getValue().signum();
  }
}
