package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QuantitySumTest {

  private static final Quantity HUGEST = Quantity.parse("1e2147483646");

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  /** Against {@link BigDecimal}, which writes every zero out. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aSumIsExact(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    QuantitySum sum = new QuantitySum();
    BigDecimal expected = BigDecimal.ZERO;
    List<Quantity> added = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (!added.isEmpty() && random.nextInt(3) == 0) {
        Quantity gone = added.remove(random.nextInt(added.size()));
        sum.subtract(gone);
        expected = expected.subtract(gone.toBigDecimal());
      } else {
        Quantity amount = quantity(random);
        added.add(amount);
        sum.add(amount);
        expected = expected.add(amount.toBigDecimal());
      }
      Quantity other = quantity(random);
      assertThat(sum.signum()).isEqualTo(expected.signum());
      assertThat(sum.compareTo(other)).isEqualTo(expected.compareTo(other.toBigDecimal()));
    }
    for (Quantity amount : added) {
      sum.subtract(amount);
    }
    assertThat(sum.signum()).isZero();
    assertThat(sum.compareTo(Quantity.of(0))).isZero();
  }

  private static Quantity quantity(SplittableRandom random) {
    int exponent = random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(30);
    long digits = random.nextLong(1, random.nextBoolean() ? 10 : 1_000_000_000_000L);
    return Quantity.parse((random.nextInt(5) == 0 ? "-" : "") + digits + "e" + exponent);
  }

  @Test
  void sumsThatNoMemoryCouldHoldAreCompared() {
    QuantitySum more = QuantitySum.of(HUGEST);
    more.add(Quantity.parse("1n"));
    assertThat(more.compareTo(HUGEST)).isPositive();
    assertThat(more.compareTo(QuantitySum.of(HUGEST))).isPositive();
    assertThat(QuantitySum.of(HUGEST).compareTo(more)).isNegative();
    assertThat(more)
        .isNotEqualTo(QuantitySum.of(HUGEST))
        .hasToString("a sum of amounts that are far apart");
    more.subtract(HUGEST);
    assertThat(more.compareTo(Quantity.parse("1n"))).isZero();
    more.subtract(Quantity.parse("2n"));
    assertThat(more.signum()).isNegative();
  }

  @Test
  void aCopyGoesItsOwnWay() {
    QuantitySum first = QuantitySum.of(HUGEST);
    first.add(Quantity.of(1));
    QuantitySum copy = first.copy();
    copy.subtract(HUGEST);
    copy.add(Quantity.of(1));
    assertThat(copy.compareTo(Quantity.of(2))).isZero();
    first.subtract(HUGEST);
    assertThat(first.compareTo(Quantity.of(1))).isZero();
  }

  @Test
  void sumsAreAddedToSums() {
    QuantitySum sum = QuantitySum.of(HUGEST);
    sum.add(Quantity.of(1));
    QuantitySum twice = sum.copy();
    twice.add(sum);
    twice.subtract(HUGEST);
    twice.subtract(HUGEST);
    assertThat(twice.compareTo(Quantity.of(2))).isZero();
    QuantitySum near = QuantitySum.of(Quantity.of(3));
    near.add(QuantitySum.of(Quantity.of(4)));
    assertThat(near).isEqualTo(QuantitySum.of(Quantity.of(7))).hasToString("7");
    assertThat(near.hashCode()).isEqualTo(QuantitySum.of(Quantity.of(7)).hashCode());
  }

  @Test
  void manySmallStepsDoNotMakeOneLongNumber() {
    QuantitySum sum = new QuantitySum();
    for (int i = 0; i < 200; i++) {
      sum.add(Quantity.parse("1e" + (i * 1_900)));
    }
    assertThat(sum.compareTo(Quantity.parse("1e" + (199 * 1_900)))).isPositive();
    for (int i = 0; i < 199; i++) {
      sum.subtract(Quantity.parse("1e" + (i * 1_900)));
    }
    assertThat(sum.compareTo(Quantity.parse("1e" + (199 * 1_900)))).isZero();
  }
}
