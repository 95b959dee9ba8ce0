package io.dra4j.runtime.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

  private final AtomicLong now = new AtomicLong();
  private final RetrySchedule<String> retries = new RetrySchedule<>(now::get);

  @Test
  void eachFailureDoublesThePauseUpToFiveMinutes() {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      retries.failed("x");
      long before = now.get();
      while (!retries.isDue("x")) {
        now.addAndGet(Duration.ofSeconds(1).toNanos());
      }
      seconds.add(Duration.ofNanos(now.get() - before).toSeconds());
    }
    assertThat(seconds).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
  }

  @Test
  void aBusyHostDoesNotMakeItTryEachSecond() {
    int tries = 0;
    for (int second = 0; second < 12; second++) { // a discovery each second
      if (retries.isDue("x")) {
        tries++;
        retries.failed("x");
      }
      now.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertThat(tries).isEqualTo(4);
  }

  @Test
  void othersAreDueAndAllAreAfterAReset() {
    retries.failed("x");
    assertThat(retries.isDue("y")).isTrue();
    assertThat(retries.isDue("x")).isFalse();
    retries.reset();
    assertThat(retries.isDue("x")).isTrue();
  }

  @Test
  void whatIsDoneBeginsAnew() {
    retries.failed("x");
    retries.failed("x");
    retries.keepOnly(Set.of());
    retries.failed("x");
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(retries.isDue("x")).isTrue();
  }
}
