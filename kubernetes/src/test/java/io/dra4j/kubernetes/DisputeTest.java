package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DisputeTest {

  @Test
  void tenRepairsAreFreeAndTheNextOnesArePaidWithLongerPauses() {
    Dispute dispute = new Dispute();
    for (int i = 0; i < 10; i++) {
      assertThat(dispute.repair()).isFalse();
      assertThat(dispute.pause()).isZero();
    }
    assertThat(dispute.repair()).isTrue();
    assertThat(dispute.pause()).isGreaterThanOrEqualTo(Duration.ofMillis(800));
    assertThat(dispute.pause()).isZero();
    assertThat(dispute.repair()).isFalse();
    assertThat(dispute.pause()).isGreaterThanOrEqualTo(Duration.ofMillis(1600));
    dispute.end();
    assertThat(dispute.repair()).isFalse();
    assertThat(dispute.pause()).isZero();
  }
}
