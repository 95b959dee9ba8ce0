package io.dra4j.cel.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoTimeTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "+0, PT0S",
    "1h, PT1H",
    "1h2m3.5s, PT1H2M3.5S",
    "-1.5h, PT-1H-30M",
    ".5s, PT0.5S",
    "1.s, PT1S",
    "1us, PT0.000001S",
    "1µs, PT0.000001S",
    "1μs, PT0.000001S",
    "1ns2ms, PT0.002000001S",
    "0.100000000000000000000h, PT6M",
    "9223372036854775807ns, PT2562047H47M16.854775807S",
    "-9223372036854775808ns, PT-2562047H-47M-16.854775808S",
  })
  void aDurationIsReadAsInGo(String text, Duration duration) {
    assertThat(GoTime.duration(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-92233720368547758081s",
        "92233720368547758080ns",
        "-",
        "1",
        "s",
        ".s",
        "1x",
        "1h ",
        " 1h",
        "1h-2m",
        "--1h",
        "1d",
        "1H",
        "1e3s",
        "3000000h",
        "9223372036854775808ns",
        "99999999999999999999ns",
        "1..5s"
      })
  void whatIsNoDurationInGoIsNone(String text) {
    assertThat(GoTime.duration(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T10:20:30Z, 2026-11-21T10:20:30Z",
    "2026-11-21T10:20:30.5Z, 2026-11-21T10:20:30.5Z",
    "'2026-11-21T10:20:30,5Z', 2026-11-21T10:20:30.5Z",
    "2026-11-21T1:20:30Z, 2026-11-21T01:20:30Z",
    "2026-11-21T10:20:30.1234567899Z, 2026-11-21T10:20:30.123456789Z",
    "2026-11-21T10:20:30+01:30, 2026-11-21T08:50:30Z",
    "2026-11-21T10:20:30-24:60, 2026-11-22T11:20:30Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999999Z",
    "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
  })
  void aTimestampIsReadAsInGo(String text, Instant instant) {
    assertThat(GoTime.timestamp(text)).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-21",
        "2026-11-21T10:20:30",
        "2026-11-21t10:20:30z",
        "2026-11-21 10:20:30Z",
        "2026-1-21T10:20:30Z",
        "2026-11-21T24:00:00Z",
        "2026-11-21T10:60:30Z",
        "2026-11-21T10:20:60Z",
        "2026-11-21T10:20:30.Z",
        "2026-11-21T10:20:30+25:00",
        "2026-11-21T10:20:30+0100",
        "2025-02-29T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "10000-01-01T00:00:00Z"
      })
  void whatIsNoTimestampInGoIsNone(String text) {
    assertThat(GoTime.timestamp(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"})
  void whatGoReadsOutsideOfTheRangeIsATimeButNoTimestamp(String text) {
    Instant instant = GoTime.timestamp(text);
    assertThat(instant).isNotNull();
    assertThat(GoTime.isTimestamp(Objects.requireNonNull(instant).getEpochSecond())).isFalse();
  }
}
