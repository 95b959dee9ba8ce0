package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  /** Text, canonical text, whole units, thousandths, exact integer; as Kubernetes answers. */
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0|0|0|0|0",
        "1|1|1|1000|1",
        "-1|-1|-1|-1000|-1",
        "+5|+5|5|5000|5",
        "1000|1k|1000|1000000|1000",
        "1024|1024|1024|1024000|1024",
        "1Ki|1Ki|1024|1024000|1024",
        "1024Mi|1Gi|1073741824|1073741824000|1073741824",
        "1.5Gi|1536Mi|1610612736|1610612736000|",
        "0.5|500m|1|500|",
        "500m|500m|1|500|",
        "1500m|1500m|2|1500|",
        "1e3|1e3|1000|1000000|1000",
        "1e-3|1e-3|1|1|",
        "1.0|1|1|1000|",
        "100|100|100|100000|100",
        "12345678|12345678|12345678|12345678000|12345678",
        "1k|1k|1000|1000000|1000",
        "1M|1M|1000000|1000000000|1000000",
        "1Mi|1Mi|1048576|1048576000|1048576",
        "1n|1n|1|1|",
        "1u|1u|1|1|",
        "0.1n|1n|1|1|",
        "1.0000000001|1000000001n|2|1001|",
        "-0.5|-500m|-1|-500|",
        "-1500m|-1500m|-2|-1500|",
        "9223372036854775807|9223372036854775807|9223372036854775807|-1000|",
        "9223372036854775808|9223372036854775808|-9223372036854775808|0|",
        "-9223372036854775808|-9223372036854775808|0|0|",
        "8Ei|9223372036854775807|9223372036854775807|-1000|",
        "7.5Ei|7680Pi|8646911284551352320|-4611686018427387904|",
        "1E|1E|1000000000000000000|0|1000000000000000000",
        "10E|10E|0|0|",
        ".5|500m|1|500|",
        "5.|5.|5|5000|5",
        ".|0|0|0|0",
        "-|0|0|0|0",
        "+|0|0|0|0",
        "Gi|0|0|0|0",
        "e3|0|0|0|0",
        "0Ki|0|0|0|0",
        "0m|0|0|0|",
        "00012|00012|12|12000|12",
        "1.50Ki|1536|1536|1536000|",
        "3.3Ki|3379200m|3380|3379200|",
        "0.001Ki|1024m|2|1024|",
        "1Ti|1Ti|1099511627776|1099511627776000|1099511627776",
        "1Pi|1Pi|1125899906842624|1125899906842624000|",
        "1Ei|1Ei|1152921504606846976|-9223372036854775808|",
        "1T|1T|1000000000000|1000000000000000|1000000000000",
        "1P|1P|1000000000000000|1000000000000000000|1000000000000000",
        "999999999999999999|999999999999999999|999999999999999999|3875820019684211736|999999999999999999",
        "1.234567891234|1234567892n|2|1235|",
      })
  void readsAsKubernetesReadsIt(
      String text, String canonical, long value, long milli, @Nullable Long integer) {
    Quantity quantity = Quantity.parse(text);
    assertThat(quantity).hasToString(canonical);
    assertThat(quantity.value()).isEqualTo(value);
    assertThat(quantity.milliValue()).isEqualTo(milli);
    assertThat(quantity.asInteger().isPresent() ? (Long) quantity.asInteger().getAsLong() : null)
        .isEqualTo(integer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 1",
        "1 ",
        "1K",
        "1Gi2",
        "0x10",
        "1_000",
        "1,5",
        "1e",
        "1ee3",
        "٣",
        "1e99999999999999999999"
      })
  void anythingElseIsRefusedWithTheTextInTheMessage(String text) {
    assertThat(Quantity.tryParse(text)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantity.parse(text))
        .withMessageContaining(text);
  }

  /** As the original answers, where it answers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1e2147483647|10e2147483646|Infinity",
        "-1E+2147483647|-10e2147483646|-Infinity",
        "1.5e2147483647|1.5e2147483647|Infinity",
        "12e2147483646|12e2147483646|Infinity",
        "1.5e-2147483648|150e2147483646|Infinity",
        "123456789012345678e2147483629|1234567890123456780e2147483628|Infinity",
        "12345678901234567890e1001|1234567890123456789e1002|Infinity",
        "12345678901234567890e285|12345678901234567890e285|Infinity",
        "1e4294967296|1e4294967296|1",
        "1e4294967297|10|10",
        "1e-4294967295|10|10",
        "1e9223372036854775807|100e-3|0.1",
        "0.00000000000000000000e2147483647|0|NaN",
        "1e-100000|1e-9|1e-9",
        "-1e-2147483647|-1e-9|-1e-9",
      })
  void hugeExponentsAreReadAtOnce(String text, String canonical, Double approximate) {
    Quantity quantity = Quantity.parse(text);
    assertThat(quantity).hasToString(canonical);
    assertThat(quantity.asApproximateDouble()).isEqualTo(approximate);
  }

  @Test
  void textsAreReadUpToALength() {
    assertThat(Quantity.parse("1".repeat(10_000)).signum()).isEqualTo(1);
    assertThat(Quantity.parse("0." + "0".repeat(5_000) + "1e6000"))
        .isEqualTo(Quantity.parse("1e999"));
    assertThat(Quantity.parse("1" + "0".repeat(9_000))).isEqualTo(Quantity.parse("1e9000"));
    assertThat(Quantity.tryParse("1".repeat(100_000))).isEmpty();
  }

  @Test
  void numbersOfAnySizeAreComparedAtOnce() {
    Quantity huge = Quantity.parse("1e2147483647");
    List<Quantity> ascending =
        Stream.of("-12345678901234567890e2147483600", "-1", "1n", "1Ki", "12345678901234567890")
            .map(Quantity::parse)
            .toList();
    for (Quantity other : ascending) {
      assertThat(huge).isGreaterThan(other);
      assertThat(other).isLessThan(huge);
      assertThat(huge.negate()).isLessThan(Quantity.parse("1n"));
    }
    assertThat(ascending).isSorted();
    assertThat(huge).isEqualTo(Quantity.parse("10e2147483646"));
    assertThat(huge).hasSameHashCodeAs(Quantity.parse("10e2147483646"));
    assertThat(Quantity.parse("100e2147483646"))
        .isEqualTo(Quantity.parse("10e2147483647"))
        .hasSameHashCodeAs(Quantity.parse("10e2147483647"));
    assertThat(huge.value()).isZero();
    assertThat(huge.milliValue()).isZero();
    assertThat(huge.milliExact()).isEmpty();
    assertThat(huge.asInteger()).isEmpty();
  }

  @Test
  void numbersTooFarApartAreNotAdded() {
    Quantity huge = Quantity.parse("1e3000");
    assertThat(huge.add(huge)).isEqualTo(Quantity.parse("2e3000"));
    assertThat(huge.add(Quantity.parse("1e1000")).subtract(huge))
        .isEqualTo(Quantity.parse("1e1000"));
    assertThat(huge.add(Quantity.of(0))).isEqualTo(huge);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> huge.add(Quantity.of(1)))
        .withMessage("quantities too far apart to be added: 1e3000 and 1");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Quantity.of(1).subtract(huge));
  }

  @Test
  void aNumberBeyondTheSuffixesKeepsItsMagnitude() {
    // Kubernetes writes 10^21 as "1", for want of a suffix; that loses data and is not followed.
    assertThat(Quantity.parse("1000000000000000000000")).hasToString("1000E");
  }

  @Test
  void equalityIsThatOfTheNumber() {
    assertThat(Quantity.parse("1Gi")).isEqualTo(Quantity.parse("1024Mi"));
    assertThat(Quantity.parse("1Gi")).hasSameHashCodeAs(Quantity.parse("1073741824"));
    assertThat(Quantity.parse("1")).isNotEqualTo(Quantity.parse("1001m"));
  }

  @Test
  void aProductIsExactAndInTheFormatOfItsFirstFactor() {
    assertThat(Quantity.parse("1Gi").multiply(Quantity.parse("1.5"))).hasToString("1536Mi");
    assertThat(Quantity.parse("3n").multiply(Quantity.parse("5n")).milliValue()).isEqualTo(1);
    assertThat(Quantity.parse("3n").multiply(Quantity.parse("5n")))
        .isLessThan(Quantity.parse("1n"))
        .isGreaterThan(Quantity.of(0));
    Quantity high = Quantity.parse("1e2147483647");
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> high.multiply(high));
  }

  @Test
  void aSumKeepsTheFormatOfItsFirstOperand() {
    assertThat(Quantity.parse("1Gi").add(Quantity.parse("1G"))).hasToString("2073741824");
    assertThat(Quantity.parse("1Gi").add(Quantity.parse("1Mi"))).hasToString("1025Mi");
    assertThat(Quantity.of(0).add(Quantity.parse("1Mi"))).hasToString("1Mi");
    assertThat(Quantity.parse("1").subtract(Quantity.parse("1500m"))).hasToString("-500m");
  }

  @Test
  void exactThousandthsAreThereOnlyWhereTheNumberHasThem() {
    assertThat(Quantity.parse("1500m").milliExact()).hasValue(1500);
    assertThat(Quantity.parse("1500001u").milliExact()).isEmpty();
    assertThat(Quantity.parse("8E").milliExact()).isEmpty();
  }

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void arithmeticIsExact(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BigDecimal a = number(random);
    BigDecimal b = number(random);
    Quantity x = Quantity.parse(a.toPlainString());
    Quantity y = Quantity.parse(b.toPlainString());
    assertThat(x.compareTo(y)).isEqualTo(a.compareTo(b));
    assertThat(x.add(y)).isEqualTo(Quantity.parse(a.add(b).toPlainString()));
    assertThat(x.subtract(y)).isEqualTo(Quantity.parse(a.subtract(b).toPlainString()));
    assertThat(x.add(y).subtract(y)).isEqualTo(x);
    assertThat(x.negate().signum()).isEqualTo(-a.signum());
    assertThat(Quantity.parse(x.toString())).isEqualTo(x);
  }

  private static BigDecimal number(SplittableRandom random) {
    long digits = random.nextLong() >> random.nextInt(8, 60);
    return BigDecimal.valueOf(digits, random.nextInt(0, 7));
  }

  @Test
  void allZerosAreEqualAndHashAlike() {
    for (String zero : new String[] {"0.0", "0Ki", "0e400", "0m", "-0", "0.000000000000"}) {
      assertThat(Quantity.parse(zero)).isEqualTo(Quantity.of(0)).hasSameHashCodeAs(Quantity.of(0));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "9223372036854775807|9223372036854775807",
        "-9223372036854775808|-9223372036854775808",
        "9223372036854775808|",
        "1.000000000000000000e18|1000000000000000000",
        "0.000000000000000001e18|1",
        "9223372036854775807000E-3|",
        "9223372036854775807.000|",
        "9223372036854775807Ki|",
        "1234567890123456789e1|",
        "1000m|",
        "1k|1000"
      })
  void since138NineteenWrittenDigitsAreAnInteger(String text, @Nullable Long integer) {
    OptionalLong held = Quantity.parse(text).heldSince138().asInteger();
    assertThat(held.isPresent() ? (Long) held.getAsLong() : null).isEqualTo(integer);
  }

  @Test
  void since138TwentyNineDigitsAreKeptAndTheRestRoundsAwayFromZero() {
    Quantity read = Quantity.parse("-123456789012345678901234567890123");
    Quantity held = read.heldSince138();
    assertThat(held).isEqualTo(Quantity.parse("-123456789012345678901234567900000"));
    assertThat(held.heldSince138()).isSameAs(held);
    assertThat(read).isNotEqualTo(held);
    assertThat(new Quantity.Written(read)).isNotEqualTo(new Quantity.Written(held));
  }

  @Test
  void since138SumsAreRoundedWhereDigitsAreFarApart() {
    Quantity far = Quantity.parse("1e2147483647");
    Quantity sum = far.addSince138(Quantity.of(1));
    assertThat(sum).isGreaterThan(far);
    assertThat(sum.addSince138(far.negate())).isEqualTo(Quantity.parse("1e2147483618"));
    assertThat(
            Quantity.parse("9223372036854775806")
                .heldSince138()
                .addSince138(Quantity.of(1))
                .asInteger())
        .hasValue(Long.MAX_VALUE);
  }
}
