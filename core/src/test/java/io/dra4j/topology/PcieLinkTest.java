package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PcieLinkTest {

  // The usual figures for one direction, from the PCI Express Base Specification.
  @ParameterizedTest
  @CsvSource({
    "2500, 1, 1, 0.25, 2.5 GT/s x1",
    "5000, 8, 2, 4, 5 GT/s x8",
    "8000, 16, 3, 15.754, 8 GT/s x16",
    "16000, 16, 4, 31.508, 16 GT/s x16",
    "32000, 16, 5, 63.015, 32 GT/s x16",
    "64000, 16, 6, 121, 64 GT/s x16"
  })
  void carriesWhatItsGenerationCarries(
      int speed, int width, int generation, double gigabytes, String text) {
    PcieLink link = new PcieLink(speed, width);

    assertThat(link.generation()).isEqualTo(generation);
    assertThat(link.gigabytesPerSecond()).isCloseTo(gigabytes, within(0.001));
    assertThat(link).hasToString(text);
  }

  @Test
  void speedsAndWidthsThatDoNotExistAreRefused() {
    assertThatThrownBy(() -> new PcieLink(0, 16))
        .hasMessage("link speed: expected 1 to 1,024,000 MT/s, found 0");
    assertThatThrownBy(() -> new PcieLink(8_000, 255))
        .hasMessage("link width: expected 1 to 32 lanes, found 255");
  }

  @Test
  void ncclCountsThreeQuartersOfTheRawRate() {
    assertThat(new PcieLink(2_500, 16).ncclGigabytesPerSecond()).isEqualTo(3);
    assertThat(new PcieLink(8_000, 16).ncclGigabytesPerSecond()).isEqualTo(12);
    assertThat(new PcieLink(16_000, 16).ncclGigabytesPerSecond()).isEqualTo(24);
    assertThat(new PcieLink(32_000, 16).ncclGigabytesPerSecond()).isEqualTo(48);
    assertThat(new PcieLink(32_000, 8).ncclGigabytesPerSecond()).isEqualTo(24);
    assertThat(new PcieLink(64_000, 16).ncclGigabytesPerSecond()).isEqualTo(96);
  }
}
