package io.dra4j.allocation;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

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

  private final long maxBytes;
  private final Map<Part, Long> kept = new LinkedHashMap<>(); // parts are compared by identity
  private long bytes;

  SearchMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Notes that a part remembers something, or more than before, until it is told to forget: which
   * may be at once, if it is the oldest.
   */
  void keep(Part part, long size) {
    kept.merge(part, size, Long::sum);
    bytes += size;
    Iterator<Map.Entry<Part, Long>> oldestFirst = kept.entrySet().iterator();
    while (bytes > maxBytes && kept.size() > 1) {
      Map.Entry<Part, Long> oldest = oldestFirst.next();
      oldestFirst.remove();
      bytes -= oldest.getValue();
      oldest.getKey().forget();
    }
  }

  /** How much is remembered now. */
  long bytes() {
    return bytes;
  }
}
