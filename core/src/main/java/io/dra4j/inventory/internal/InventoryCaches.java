package io.dra4j.inventory.internal;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;

/**
 * The bounded caches that all snapshots of an inventory share: the results of expressions for
 * devices, and the pools that nodes can use. Contains nothing that is part of the inventory itself.
 */
public final class InventoryCaches {

  /** The results of expressions: enough for a dozen selectors and a million devices. */
  private static final long MAX_BYTES_OF_ANSWERS = 64L << 20;

  /** The pools that nodes can use: enough for 100,000 nodes, each with a dozen pools. */
  private static final long MAX_BYTES_OF_VIEWS = 64L << 20;

  /** The shapes of pools for claims: enough for 8,000 pools of 16 devices that all differ. */
  private static final long MAX_BYTES_OF_SHAPES = 64L << 20;

  final BoundedCache answers = new BoundedCache(MAX_BYTES_OF_ANSWERS);
  public final BoundedCache views = new BoundedCache(MAX_BYTES_OF_VIEWS);

  private final Cache<PoolSignature, PoolSignature> shapes =
      CacheBuilder.newBuilder()
          .maximumWeight(MAX_BYTES_OF_SHAPES)
          .weigher((PoolSignature shape, PoolSignature same) -> shape.bytes())
          .build();

  // Weak keys are compared by identity; the values do not refer to them.
  private final Cache<CompiledSelector, EquivalentDevices> selectors =
      CacheBuilder.newBuilder().weakKeys().build();
  private final Cache<CompiledAttribute, Object> attributes =
      CacheBuilder.newBuilder().weakKeys().build();

  /** Returns the one instance that all pools of equal shape share. */
  PoolSignature shared(PoolSignature shape) {
    if (shape.isUnique()) {
      return shape;
    }
    PoolSignature earlier = shapes.asMap().putIfAbsent(shape, shape);
    return earlier == null ? shape : earlier;
  }

  public CachedSelector answersOf(CompiledSelector selector) {
    EquivalentDevices equivalents = selectors.getIfPresent(selector);
    if (equivalents == null) {
      EquivalentDevices made = new EquivalentDevices(selector.reads(), answers);
      EquivalentDevices earlier = selectors.asMap().putIfAbsent(selector, made);
      equivalents = earlier == null ? made : earlier;
    }
    return new CachedSelector(selector, equivalents, answers);
  }

  public CachedAttribute valuesOf(CompiledAttribute expression) {
    Object key = attributes.getIfPresent(expression);
    if (key == null) {
      Object made = new Object();
      Object earlier = attributes.asMap().putIfAbsent(expression, made);
      key = earlier == null ? made : earlier;
    }
    return new CachedAttribute(expression, key, answers);
  }
}
