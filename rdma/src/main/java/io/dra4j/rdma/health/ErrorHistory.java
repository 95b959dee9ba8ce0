package io.dra4j.rdma.health;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** How far a counter rose within a window: a few samples of it. Not thread-safe. */
final class ErrorHistory {

  /** So many samples are kept for a window, however often the counter is read. */
  private static final int SAMPLES = 16;

  private record Sample(Instant at, long value) {}

  private final Duration window;
  private final Deque<Sample> samples = new ArrayDeque<>();

  ErrorHistory(Duration window) {
    this.window = window;
  }

  /** Adds a reading, later than those before, and tells by how much the counter rose. */
  long add(Instant at, long value) {
    Sample last = samples.peekLast();
    if (last != null && value < last.value()) {
      samples.clear(); // somebody reset it: what it has now came after that
      samples.add(new Sample(at, 0));
    }
    Instant begin = at.minus(window);
    // The oldest one stays that is not within the window, so that what rose between two is seen.
    while (samples.size() > 1 && !second().at().isAfter(begin)) {
      samples.removeFirst();
    }
    long rise = samples.isEmpty() ? 0 : value - samples.getFirst().value();
    last = samples.peekLast();
    if (last == null || !last.at().plus(window.dividedBy(SAMPLES)).isAfter(at)) {
      samples.add(new Sample(at, value));
    }
    return rise;
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }
}
