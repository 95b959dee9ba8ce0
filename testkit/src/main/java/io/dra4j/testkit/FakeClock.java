package io.dra4j.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until a test moves it, in either direction. Thread-safe.
 *
 * <pre>{@code
 * FakeClock clock = FakeClock.at(Instant.parse("2026-01-01T00:00:00Z"));
 * Host host = Host.captured(root).withClock(clock);
 * clock.advance(Duration.ofHours(-1));        // as NTP would
 * }</pre>
 */
public final class FakeClock extends Clock {

  private final AtomicReference<Instant> now;
  private final ZoneId zone;

  private FakeClock(AtomicReference<Instant> now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  /**
   * {@return a clock that shows a time in UTC}
   *
   * @param instant the time
   */
  public static FakeClock at(Instant instant) {
    return new FakeClock(new AtomicReference<>(instant), ZoneOffset.UTC);
  }

  /**
   * Moves the clock.
   *
   * @param step the amount; negative to move it back
   */
  public void advance(Duration step) {
    now.updateAndGet(before -> before.plus(step));
  }

  /**
   * Sets the clock.
   *
   * @param instant the time that it shows from now on
   */
  public void set(Instant instant) {
    now.set(instant);
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get());
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  /** Returns this clock in another zone; both move together. {@inheritDoc} */
  @Override
  public Clock withZone(ZoneId other) {
    return new FakeClock(now, other);
  }
}
