package io.dra4j.manifest.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines were seen from Go's {@code encoding/json} and {@code strconv}. */
class GoNumbersTest {

  @ParameterizedTest(name = "{0} is {1} in JSON")
  @CsvSource({
    "0, 0",
    "-0.0, -0",
    "1, 1",
    "1.50, 1.5",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "-1.5e300, -1.5e+300",
    "1e-6, 0.000001",
    "1e-7, 1e-7",
    "2e23, 2e+23",
    "2.0e-3, 0.002",
    "5e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "0.30000000000000004, 0.30000000000000004",
    "9007199254740993, 9007199254740992",
    "1.2345678901234567e-300, 1.2345678901234568e-300",
    "2.225073858507201e-308, 2.225073858507201e-308",
    "1.5e-323, 1.5e-323",
    "0.500000000000000000, 0.5"
  })
  void aNumberHasTheFewestDigitsThatGiveItBack(String text, String json) {
    assertThat(GoNumbers.json(Double.parseDouble(text))).isEqualTo(json);
    assertThat(GoNumbers.json(text)).isEqualTo(json);
  }

  @ParameterizedTest(name = "{0} is key {1}")
  @CsvSource({
    "0, 0",
    "1.5, 1.5",
    "100000, 100000",
    "1000000, 1e+06",
    "1234567, 1.234567e+06",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "16777217, 1.6777216e+07",
    "1e300, .inf",
    "-1e300, -.inf"
  })
  void aKeyIsRoundedToSinglePrecision(double value, String key) {
    assertThat(GoNumbers.key(value)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyNumberReadsBackAsItself(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        String json = GoNumbers.json(value);
        assertThat(Double.parseDouble(json)).isEqualTo(value);
        assertThat(GoNumbers.json(json)).isEqualTo(json);
      }
    }
  }
}
