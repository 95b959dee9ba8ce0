package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.spi.RdmaDevice;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RoceMtuTest {

  @ParameterizedTest
  @CsvSource({
    "ALL_HEADERS, 1500, 1024",
    "ALL_HEADERS, 9000, 4096",
    "ALL_HEADERS, 65520, 4096",
    "ALL_HEADERS, 4200, 4096",
    "ALL_HEADERS, 4191, 2048",
    "ALL_HEADERS, 1119, 512",
    "ALL_HEADERS, 352, 256",
    "RXE, 1104, 1024",
    "RXE, 1119, 1024",
    "RXE, 1103, 512",
    "RXE, 4176, 4096",
    "RXE, 68, 256",
    "NO_HEADERS, 1500, 1024",
    "NO_HEADERS, 1024, 1024",
    "NO_HEADERS, 4096, 4096",
    "NO_HEADERS, 4095, 2048",
    "NO_HEADERS, 68, 256"
  })
  void isTheLargestThatFits(RoceMtu rule, int netdev, int expected) {
    assertThat(rule.payload(OptionalInt.of(netdev))).hasValue(expected);
  }

  @Test
  void isNotKnownWhereNoneFits() {
    assertThat(RoceMtu.ALL_HEADERS.payload(OptionalInt.of(351))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void isNotKnownWhereThatOfTheNetworkDeviceIsNot(RoceMtu rule) {
    assertThat(rule.payload(OptionalInt.empty())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "mlx5_core, ALL_HEADERS",
    "bnxt_en, ALL_HEADERS",
    ", ALL_HEADERS",
    "ice, NO_HEADERS",
    "idpf, NO_HEADERS",
    "mana, NO_HEADERS"
  })
  void followsFromTheDriver(@Nullable String driver, RoceMtu rule) {
    assertThat(RoceMtu.of(RdmaDevice.named("r").build(), driver)).isEqualTo(rule);
  }

  @Test
  void rxeIsNoWorkOfADriver() {
    assertThat(RoceMtu.of(RdmaDevice.named("rxe0").parent("eth0").build(), null))
        .isEqualTo(RoceMtu.RXE);
  }
}
