package io.dra4j.allocation.internal.request;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Bounds the caches of one search in bytes. Results that can be computed again are dropped, the
 * oldest first, so that requests with many alternatives do not fill the memory.
 */
public final class SearchCache {

  /** Enough for 32 requests on 100,000 devices. */
  public static final long MAX_BYTES = 32L << 20;

  /** The cache of one part of a search. */
  final class Share {

    private final Runnable forget;
    private long kept;

    private Share(Runnable forget) {
      this.forget = forget;
    }

    /** Records that the part's cache has grown; the oldest part may have to drop it at once. */
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
  private final Queue<Share> oldestFirst = new ArrayDeque<>(); // the shares that are not empty
  private long bytes;
  private long forGood;

  public SearchCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Creates a part's empty share; {@code forget} drops everything that can be computed again. */
  Share share(Runnable forget) {
    return new Share(forget);
  }

  /**
   * Records memory that is needed until the search ends, at the cost of caches that can be dropped.
   *
   * @return false if it would exceed half of the limit; it must not be kept then
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

  /** The number of bytes in use now. */
  long bytes() {
    return bytes;
  }
}
