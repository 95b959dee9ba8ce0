package io.dra4j.rdma.health;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The rise of a counter within a window, computed from a few samples. Not thread-safe. */
final class ErrorHistory {

  /** The number of samples per window, however often the counter is read. */
  private static final int SAMPLES = 16;

  /** The time of a reading, the time since the first reading, and the errors so far. */
  private record Sample(Instant at, Duration elapsed, long errors) {}

  private final Duration window;

  /** Begins with the last sample before the window, to include the rise after that sample. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  private @Nullable Sample last;
  private long lastValue;

  ErrorHistory(Duration window) {
    this.window = window;
  }

  /**
   * Adds a reading, an unsigned 64-bit number, and returns the rise of the counter, at most {@link
   * Long#MAX_VALUE}. A counter that fell was reset: all its errors came after the reset. If the
   * clock was set back, no time has passed.
   */
  long add(Instant at, long value) {
    Sample before = last;
    Sample now;
    if (before == null) {
      now = new Sample(at, Duration.ZERO, 0);
    } else {
      Duration passed = Duration.between(before.at(), at);
      now =
          new Sample(
              at,
              passed.isNegative() ? before.elapsed() : before.elapsed().plus(passed),
              before.errors()
                  + (Long.compareUnsigned(value, lastValue) < 0 ? value : value - lastValue));
    }
    last = now;
    lastValue = value;
    while (samples.size() > 1 && passed(second(), now).compareTo(window) >= 0) {
      samples.removeFirst();
    }
    Sample kept = samples.peekLast();
    if (kept == null || passed(kept, now).compareTo(window.dividedBy(SAMPLES)) >= 0) {
      samples.add(now);
    }
    long rise =
        now.errors() - samples.getFirst().errors(); // correct even after an overflow of the sum
    return rise < 0 ? Long.MAX_VALUE : rise;
  }

  private static Duration passed(Sample from, Sample to) {
    return to.elapsed().minus(from.elapsed());
  }

  private Sample second() {
    Iterator<Sample> all = samples.iterator();
    all.next();
    return all.next();
  }
}
