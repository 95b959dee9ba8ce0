package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The exact sum of many quantities, even if their magnitudes are far apart, like {@code
 * 1e2147483647} and {@code 1n}, whose sum written out would not fit into memory. {@link
 * Quantity#add} rejects such quantities.
 *
 * <p>Mutable, and for one thread at a time. A sum needs memory for the digits that were added, not
 * for the zeros between them.
 */
public final class QuantitySum implements Comparable<QuantitySum> {

  /** The number of digits in a block of amounts that are far apart. */
  private static final int BLOCK = 256;

  private static final BigInteger BLOCK_END = BigInteger.TEN.pow(BLOCK);
  private static final Quantity ZERO = Quantity.of(0);

  /** The additions between two checks of the sum's length, which may grow in many small steps. */
  private static final int ADDITIONS_PER_LOOK = 64;

  private static final int MAX_NEAR_DIGITS = 4_096;

  private Quantity near = ZERO; // the part that could be added directly, usually everything
  private int additions;

  /** The rest: digits from 10^(256n) on, by n. No block is 0 or as large as a unit of the next. */
  private @Nullable NavigableMap<Long, BigInteger> far;

  /** Creates the sum of no quantities, which is 0. */
  public QuantitySum() {}

  /**
   * {@return a new sum of one quantity}
   *
   * @param first the quantity
   */
  public static QuantitySum of(Quantity first) {
    QuantitySum sum = new QuantitySum();
    sum.near = Checks.value("first", first);
    return sum;
  }

  /** {@return an independent copy of this sum} */
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
   * Subtracts a quantity from this sum, which may become negative.
   *
   * @param amount the quantity
   */
  public void subtract(Quantity amount) {
    add(Checks.value("amount", amount).negate());
  }

  /**
   * Adds another sum to this sum.
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

  /** {@return 1, 0 or −1 if the sum is positive, zero or negative} */
  public int signum() {
    if (far == null) {
      return near.signum();
    }
    NavigableMap<Long, BigInteger> all = new TreeMap<>(far);
    put(all, near.toBigDecimal());
    return signum(all);
  }

  /**
   * {@return 1, 0 or −1 if the sum is more than, equal to or less than a quantity}
   *
   * @param quantity the quantity
   */
  public int compareTo(Quantity quantity) {
    return far == null
        ? Integer.signum(near.compareTo(quantity))
        : signumOfDifference(QuantitySum.of(quantity));
  }

  /**
   * {@return 1, 0 or −1 if this sum is more than, equal to or less than another one}
   *
   * @param sum the other sum
   */
  @Override
  public int compareTo(QuantitySum sum) {
    return far == null && sum.far == null
        ? Integer.signum(near.compareTo(sum.near))
        : signumOfDifference(sum);
  }

  /** Returns whether both are equal as numbers. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QuantitySum sum && compareTo(sum) == 0;
  }

  @Override
  public int hashCode() {
    return signum(); // sums are mutable and not used as keys; the hash codes of equal sums must
    // only agree
  }

  /** Returns the sum for messages, or a note that it cannot be written out. */
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

  /** The highest block decides, since all blocks below it are together less than 1 in it. */
  private static int signum(NavigableMap<Long, BigInteger> blocks) {
    return blocks.isEmpty() ? 0 : blocks.lastEntry().getValue().signum();
  }
}
