package io.dra4j.allocation;

import io.dra4j.inventory.internal.NodeSignature;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of some claims on nodes, by what the claims see of them. Bounded in bytes: what is
 * not remembered is worked out again. Thread-safe.
 *
 * @param <T> what is remembered; small
 */
final class SignatureCache<T> {

  /** As if no two shapes shared the description of a pool, as most of a cluster do. */
  private static final long MAX_BYTES = 64L << 20;

  private final Map<NodeSignature, T> known = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  /** The outcome of the claims on nodes of a shape, or null if it is not known. */
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
