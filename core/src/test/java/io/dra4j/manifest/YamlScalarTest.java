package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kubernetes makes of plain scalars; each line was seen from {@code sigs.k8s.io/yaml}. */
class YamlScalarTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "y|true",
        "Yes|true",
        "on|true",
        "TRUE|true",
        "n|false",
        "NO|false",
        "Off|false",
        "yEs|\"yEs\"",
        "''|null",
        "~|null",
        "Null|null",
        "nULL|\"nULL\"",
        "0|0",
        "-1|-1",
        "+1|1",
        "12_000|12000",
        "0x1F|31",
        "-0x1f|-31",
        "0o17|15",
        "017|15",
        "0b101|5",
        "-0b1|-1",
        "08|8",
        "09.5|9.5",
        "1__0|10",
        "9223372036854775807|9223372036854775807",
        "18446744073709551615|18446744073709551615",
        "18446744073709551616|18446744073709552000",
        "1.0|1",
        "1.50|1.5",
        ".5|0.5",
        "1.|1",
        "1e3|1000",
        "1E-2|0.01",
        "-0.0|0",
        "1e|\"1e\"",
        "2026-01-02|\"2026-01-02\"",
        "12:30:45|\"12:30:45\"",
        "1Gi|\"1Gi\"",
        "500m|\"500m\"",
        "1.2.3|\"1.2.3\"",
        "0000:8f:00.0|\"0000:8f:00.0\"",
        "-|\"-\"",
        ".|\".\"",
        "+|\"+\"",
        "<<x|\"<<x\"",
        "0x|\"0x\"",
        "0xg|\"0xg\"",
      })
  void plainScalar(String text, String json) {
    assertThat(JsonText.write(YamlScalar.resolve(text))).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {".inf", "-.Inf", ".nan", "1e999"})
  void whatJsonCannotHoldIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> YamlScalar.resolve(text));
  }
}
