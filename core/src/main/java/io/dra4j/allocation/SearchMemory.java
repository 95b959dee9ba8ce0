package io.dra4j.allocation;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bounds what one search remembers of devices, in bytes: answers that can be worked out again are
 * forgotten, the oldest first, where requests with many alternatives would fill the memory with
 * them.
 */
final class SearchMemory {

  /** Enough for 32 requests on 100,000 devices. */
  static final long MAX_BYTES = 32L << 20;

  /** Something that can be forgotten. */
  interface Part {
    /** Drops everything that can be worked out again. */
    void forget();
  }

  private record Kept(Part part, long bytes) {}

  private final long maxBytes;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private long bytes;

  SearchMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Notes that a part remembers something from now on, until it is told to forget. */
  void keep(Part part, long size) {
    kept.add(new Kept(part, size));
    bytes += size;
    while (bytes > maxBytes && kept.size() > 1) {
      Kept oldest = kept.remove();
      bytes -= oldest.bytes;
      oldest.part.forget();
    }
  }

  /** How much is remembered now. */
  long bytes() {
    return bytes;
  }
}
