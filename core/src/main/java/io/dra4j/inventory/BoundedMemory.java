package io.dra4j.inventory;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what many objects remember together to save work. Once that is more than the bound, all of
 * them forget, and begin anew: whoever works with what was forgotten goes on with it, and what is
 * asked for again is found again. Thread-safe.
 */
final class BoundedMemory {

  /** What remembers something in a field of its own. */
  interface Part {
    void forget();
  }

  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final Queue<Part> parts = new ConcurrentLinkedQueue<>();

  BoundedMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Notes that a part remembers more; to be called once it does. */
  void grown(Part part, long by) {
    parts.add(part);
    if (bytes.addAndGet(by) > maxBytes) {
      forget();
    }
  }

  /** Makes all parts forget. */
  void forget() {
    bytes.set(0);
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      part.forget();
    }
  }

  /** About how much is remembered. */
  long bytes() {
    return bytes.get();
  }
}
