package io.dra4j.inventory.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of the caches of many objects together. When the total exceeds the bound, all
 * caches are cleared. Users of a cleared part can continue to use it; cleared results are computed
 * again on demand. Keeps none of the objects alive. Thread-safe.
 */
public final class BoundedCache {

  /** An object with a cache in a field of its own. */
  interface Part {
    void forget();
  }

  /** A key that represents a part, by identity, as long as the part is reachable. */
  private static final class Key extends WeakReference<Part> {
    private final int hash;

    Key(Part part, ReferenceQueue<Part> collected) {
      super(part, collected);
      this.hash = System.identityHashCode(part);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Part part = get();
      return part != null && other instanceof Key key && key.refersTo(part);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final Map<Key, Long> parts = new ConcurrentHashMap<>();
  private final ReferenceQueue<Part> collected = new ReferenceQueue<>();

  BoundedCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Records that the cache of a part has grown. Call it after the change. */
  void grown(Part part, long by) {
    parts.merge(new Key(part, collected), by, Long::sum);
    added(by);
  }

  /** Records a new size of the cache of a part. Call it after the change. */
  public void replaced(Part part, long size) {
    Long before = parts.put(new Key(part, collected), size);
    added(before == null ? size : size - before);
  }

  private void added(long by) {
    long now = bytes.addAndGet(by);
    dropCollected();
    if (now > maxBytes && bytes.get() > maxBytes) {
      forget();
    }
  }

  /** Drops parts that are unreachable, as they take no memory. */
  @SuppressWarnings("SuspiciousMethodCalls") // the queue gives back the keys
  private void dropCollected() {
    for (Reference<? extends Part> key = collected.poll(); key != null; key = collected.poll()) {
      subtract(parts.remove(key));
    }
  }

  private void subtract(@Nullable Long size) {
    if (size != null) {
      bytes.addAndGet(-size);
    }
  }

  /** Clears the caches of all parts. */
  public void forget() {
    for (Key key : List.copyOf(parts.keySet())) {
      subtract(parts.remove(key)); // before the part is cleared, so that everything is counted
      Part part = key.get();
      if (part != null) {
        part.forget();
      }
    }
  }

  /** Returns the approximate size of all caches in bytes. */
  public long bytes() {
    dropCollected();
    return bytes.get();
  }

  /** The number of parts with a cache that is not empty. */
  int parts() {
    dropCollected();
    return parts.size();
  }
}
