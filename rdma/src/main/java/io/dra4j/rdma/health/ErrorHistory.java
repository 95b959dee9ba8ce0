package io.dra4j.rdma.health;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** How far a counter rose within a window: a few samples of it. Not thread-safe. */
final class ErrorHistory {

  /** So many samples are kept for a window, however often the counter is read. */
  private static final int SAMPLES = 16;

  /** A moment, how much time had passed since the first reading, and how many errors had come. */
  private record Sample(Instant at, Duration elapsed, long errors) {}

  private final Duration window;

  /** Begins with the last one that is not within the window, so that what rose between is seen. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  private @Nullable Sample last;
  private long lastValue;

  ErrorHistory(Duration window) {
    this.window = window;
  }

  /**
   * Adds a reading, of 64 bits without a sign, and says by how much the counter rose, {@link
   * Long#MAX_VALUE} at most. A counter that fell was reset: what it has now came after that. Where
   * the clock was set back, no time has passed.
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
    long rise = now.errors() - samples.getFirst().errors(); // right even if the sum ran over
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
