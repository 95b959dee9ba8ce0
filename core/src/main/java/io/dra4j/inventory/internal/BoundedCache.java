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
 * Bounds what many objects remember together to save work. Once that is more than the bound, all of
 * them forget, and begin anew: users of a forgotten part go on with it, and what is asked for again
 * is found again. Keeps none of the objects alive. Thread-safe.
 */
public final class BoundedCache {

  /** What remembers something in a field of its own. */
  interface Part {
    void forget();
  }

  /** Stands for a part, by identity, for as long as it is reachable. */
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

  /** Notes that a part remembers more; to be called once it does. */
  void grown(Part part, long by) {
    parts.merge(new Key(part, collected), by, Long::sum);
    added(by);
  }

  /** Notes what a part remembers, instead of what it did; to be called once it does. */
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

  /** What is unreachable takes no memory. */
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

  /** Makes all parts forget. */
  public void forget() {
    for (Key key : List.copyOf(parts.keySet())) {
      subtract(parts.remove(key)); // before the part forgets, so that nothing goes uncounted
      Part part = key.get();
      if (part != null) {
        part.forget();
      }
    }
  }

  /** About how much is remembered. */
  public long bytes() {
    dropCollected();
    return bytes.get();
  }

  /** How many parts remember something. */
  int parts() {
    dropCollected();
    return parts.size();
  }
}
