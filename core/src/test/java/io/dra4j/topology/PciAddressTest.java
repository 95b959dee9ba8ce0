package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PciAddressTest {

  @ParameterizedTest
  @ValueSource(strings = {"0000:8f:00.0", "ffff:ff:1f.7", "10000:01:00.0", "7fffffff:00:00.0"})
  void isWrittenAsItWasRead(String text) {
    assertThat(PciAddress.parse(text)).hasToString(text);
  }

  @Test
  void upperCaseMeansTheSame() {
    assertThat(PciAddress.parse("0000:8F:0A.1")).isEqualTo(new PciAddress(0, 0x8f, 0x0a, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8f:00.0",
        "0000:8f:00",
        "0000:8f:00.8",
        "0000:8f:20.0",
        "0000-8f-00-0",
        "000g:8f:00.0",
        "0000:8f:00.0 ",
        "80000000:00:00.0",
        "0000:8f:00:0",
        "٠000:8f:00.0",
        "123456789:00:00.0"
      })
  void otherTextIsNoAddress(String text) {
    assertThat(PciAddress.tryParse(text)).isEmpty();
    assertThatThrownBy(() -> PciAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a PCI address");
  }

  @Test
  void areOrderedByTheirNumbers() {
    List<PciAddress> sorted =
        List.of(
            PciAddress.parse("0000:02:00.0"),
            PciAddress.parse("0000:02:00.1"),
            PciAddress.parse("0000:10:00.0"),
            PciAddress.parse("0001:00:00.0"),
            PciAddress.parse("10000:00:00.0"));

    assertThat(sorted.stream().sorted().toList()).isEqualTo(sorted);
  }

  @Test
  void functionsOfOneCardShareItsNumber() {
    assertThat(PciAddress.parse("0001:02:03.0").card())
        .isEqualTo(PciAddress.parse("0001:02:03.7").card())
        .isNotEqualTo(PciAddress.parse("0001:02:04.0").card())
        .isNotEqualTo(PciAddress.parse("0002:02:03.0").card());
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new PciAddress(0, 256, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bus 256");
  }
}
