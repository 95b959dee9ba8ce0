package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoceMtuTest {

  @ParameterizedTest
  @CsvSource({"1500, 1024", "9000, 4096", "65520, 4096", "4200, 4096", "4191, 2048", "352, 256"})
  void isTheLargestThatFits(int netdev, int expected) {
    assertThat(RoceMtu.of(OptionalInt.of(netdev))).hasValue(expected);
  }

  @Test
  void isNotKnownWhereNoneFits() {
    assertThat(RoceMtu.of(OptionalInt.of(351))).isEmpty();
    assertThat(RoceMtu.of(OptionalInt.empty())).isEmpty();
  }
}
