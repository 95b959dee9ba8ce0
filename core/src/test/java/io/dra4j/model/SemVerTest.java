package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SemVerTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0",
        "1.2.3",
        "1.2.3-alpha",
        "1.2.3-alpha.1",
        "1.2.3-0.3.7",
        "1.0.0-x-y-z.4",
        "1.0.0+build.1",
        "1.0.0-rc.1+001",
        "18446744073709551615.0.0"
      })
  void everyVersionReadsBackAsWritten(String text) {
    assertThat(SemVer.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2",
        "v1.2.3",
        "01.2.3",
        "1.02.3",
        "1.2.03",
        "1.2.3-",
        "1.2.3-01",
        "1.2.3-a..b",
        "1.2.3+",
        "1.2.3+a_b",
        "1.2.x",
        "-1.2.3",
        "1.2.3 ",
        "18446744073709551616.0.0",
        "1.2.3.4"
      })
  void anythingElseIsRefusedWithTheTextInTheMessage(String text) {
    assertThat(SemVer.tryParse(text)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SemVer.parse(text))
        .withMessageContaining(text);
  }

  @Test
  void theOrderIsThatOfTheSpecification() {
    // semver.org, item 11
    List<String> ascending =
        List.of(
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "2.0.0");
    assertThat(Stream.of(ascending.toArray(String[]::new)).sorted().map(SemVer::parse).sorted())
        .extracting(SemVer::toString)
        .isEqualTo(ascending);
  }

  @Test
  void buildMetadataDoesNotCount() {
    assertThat(SemVer.parse("1.0.0+a")).isEqualByComparingTo(SemVer.parse("1.0.0+b"));
    assertThat(SemVer.parse("1.0.0+a")).isEqualTo(SemVer.parse("1.0.0+b"));
    assertThat(SemVer.parse("1.0.0+a")).hasSameHashCodeAs(SemVer.parse("1.0.0+b"));
  }

  @ParameterizedTest
  @CsvSource({
    "v1.2.3, 1.2.3",
    "1.2, 1.2.0",
    "v1, 1.0.0",
    "01.02.03, 1.2.3",
    "1.2.3-rc.1, 1.2.3-rc.1"
  })
  void lenientReadingMendsWhatItCan(String text, String version) {
    assertThat(SemVer.parseLenient(text)).hasToString(version);
  }
}
