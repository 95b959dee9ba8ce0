package io.dra4j.allocation;

import io.dra4j.inventory.internal.NodeSignature;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of some claims on nodes, by the signature of the nodes for these claims. Bounded in
 * bytes: results that are not cached are computed again. Thread-safe.
 *
 * @param <T> the type of the cached results; small
 */
final class SignatureCache<T> {

  /** The limit, counted as if signatures shared nothing, although most share pool descriptions. */
  private static final long MAX_BYTES = 64L << 20;

  private final Map<NodeSignature, T> known = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  /** The outcome of the claims on nodes with a signature, or null if it is not known. */
  @Nullable T get(NodeSignature shape) {
    return known.get(shape);
  }

  void put(NodeSignature shape, T value) {
    long size = shape.bytes();
    if (bytes.get() + size <= MAX_BYTES && known.putIfAbsent(shape, value) == null) {
      bytes.addAndGet(size);
    }
  }
}
