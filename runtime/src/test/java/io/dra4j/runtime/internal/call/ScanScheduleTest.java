package io.dra4j.runtime.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScanScheduleTest {

  private static final long MILLI = 1_000_000;

  private final ScanSchedule schedule =
      new ScanSchedule(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(1), 0);

  @Test
  void theFirstScanIsDueAtOnce() {
    assertThat(schedule.nanosUntilDue(0)).isLessThanOrEqualTo(0);
  }

  @Test
  void withoutChangesTheHostIsReadAfterThePeriod() {
    schedule.scanning(0);

    assertThat(schedule.nanosUntilDue(0)).isEqualTo(60_000 * MILLI);
  }

  @Test
  void aChangeIsReadWhenNothingHasChangedForAWhile() {
    schedule.scanning(0);
    schedule.changed(5_000 * MILLI);
    schedule.changed(5_040 * MILLI);

    assertThat(schedule.nanosUntilDue(5_040 * MILLI)).isEqualTo(50 * MILLI);
  }

  @Test
  void aHostThatNeverRestsIsReadAllTheSame() {
    schedule.scanning(0);
    for (int i = 0; i <= 50; i++) {
      schedule.changed((5_000 + 10 * i) * MILLI);
    }

    assertThat(schedule.nanosUntilDue(5_500 * MILLI)).isLessThanOrEqualTo(0);
  }

  @Test
  void twoScansHaveAPauseBetweenThem() {
    schedule.scanning(0);
    schedule.changed(10 * MILLI);

    assertThat(schedule.nanosUntilDue(100 * MILLI)).isEqualTo(900 * MILLI);
  }

  @Test
  void whatChangesDuringAScanIsForTheNextOne() {
    schedule.scanning(0);
    schedule.changed(2_000 * MILLI);
    schedule.scanning(2_100 * MILLI);
    schedule.changed(2_101 * MILLI);

    assertThat(schedule.nanosUntilDue(2_200 * MILLI)).isEqualTo(900 * MILLI);
  }

  @Test
  void theCounterMayOverflow() {
    long late = Long.MAX_VALUE - 10 * MILLI;
    ScanSchedule other =
        new ScanSchedule(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(1), late);
    other.scanning(late);
    other.changed(late + 20 * MILLI);

    assertThat(other.nanosUntilDue(late + 20 * MILLI)).isEqualTo(980 * MILLI);
  }
}
