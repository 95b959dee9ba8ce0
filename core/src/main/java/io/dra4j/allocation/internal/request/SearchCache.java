package io.dra4j.allocation.internal.request;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Bounds what one search remembers of devices, in bytes: answers that can be worked out again are
 * forgotten, the oldest first, where requests with many alternatives would fill the memory with
 * them.
 */
public final class SearchCache {

  /** Enough for 32 requests on 100,000 devices. */
  public static final long MAX_BYTES = 32L << 20;

  /** What one part of a search remembers. */
  final class Share {

    private final Runnable forget;
    private long kept;

    private Share(Runnable forget) {
      this.forget = forget;
    }

    /**
     * Notes that the part remembers something, or more than before, until it is asked to forget:
     * which may be at once, if it is the oldest.
     */
    void keep(long size) {
      if (kept == 0) {
        oldestFirst.add(this);
      }
      kept += size;
      bytes += size;
      while (bytes > maxBytes && oldestFirst.size() > 1) {
        forgetOldest();
      }
    }
  }

  private final long maxBytes;
  private final Queue<Share> oldestFirst = new ArrayDeque<>(); // those that remember something
  private long bytes;
  private long forGood;

  public SearchCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Makes the share of a part, of nothing yet.
   *
   * @param forget drops everything that can be worked out again
   */
  Share share(Runnable forget) {
    return new Share(forget);
  }

  /**
   * Notes what is kept as long as the search lasts, at the cost of what can be forgotten.
   *
   * @return false if it would be more than half of all; it must not be kept then
   */
  public boolean keepForGood(long size) {
    if (size > maxBytes / 2 - forGood) {
      return false;
    }
    forGood += size;
    bytes += size;
    while (bytes > maxBytes && !oldestFirst.isEmpty()) {
      forgetOldest();
    }
    return true;
  }

  private void forgetOldest() {
    Share oldest = oldestFirst.remove();
    bytes -= oldest.kept;
    oldest.kept = 0;
    oldest.forget.run();
  }

  /** How much is remembered now. */
  long bytes() {
    return bytes;
  }
}
