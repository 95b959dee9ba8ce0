package io.dra4j.cel.internal.cost;

import io.dra4j.cel.internal.library.Estimate;
import org.jspecify.annotations.Nullable;

/**
 * The size of a value, and of its elements at any depth, as {@code SizeEstimate} of {@code
 * common/cost/cost.go} of cel-go 0.33.
 *
 * @param bounds of the value itself
 * @param key of the keys of a map, if known
 * @param element of the elements of a list or the values of a map, if known
 */
record NestedSize(Estimate bounds, @Nullable NestedSize key, @Nullable NestedSize element) {

  static final NestedSize ONE = of(Estimate.ONE);
  static final NestedSize UNKNOWN = of(Estimate.UNKNOWN);

  /** Makes the size of what holds nothing that is known. */
  static NestedSize of(Estimate bounds) {
    return new NestedSize(bounds, null, null);
  }

  /** Makes the size of a list; what may hold elements holds some of unknown size at worst. */
  static @Nullable NestedSize ofList(@Nullable Estimate length, @Nullable NestedSize element) {
    if (length == null) {
      return element == null ? null : new NestedSize(Estimate.UNKNOWN, null, element);
    }
    return new NestedSize(length, null, element == null && length.max() != 0 ? UNKNOWN : element);
  }

  /** Makes the size of a map. */
  static @Nullable NestedSize ofMap(
      @Nullable Estimate length, @Nullable NestedSize key, @Nullable NestedSize value) {
    if (length == null && key == null && value == null) {
      return null;
    }
    Estimate bounds = length == null ? Estimate.UNKNOWN : length;
    return bounds.max() == 0
        ? new NestedSize(bounds, key, value)
        : new NestedSize(bounds, key == null ? UNKNOWN : key, value == null ? UNKNOWN : value);
  }

  /** Returns the smallest range that contains both, also for their elements. */
  NestedSize union(NestedSize other) {
    return new NestedSize(
        bounds.union(other.bounds), join(key, other.key), join(element, other.element));
  }

  /** Returns the same of what may be unknown. */
  static @Nullable NestedSize join(@Nullable NestedSize a, @Nullable NestedSize b) {
    return a == null ? b : b == null ? a : a.union(b);
  }

  NestedSize withBounds(Estimate other) {
    return new NestedSize(other, key, element);
  }

  boolean holdsKnown() {
    return key != null || element != null;
  }

  boolean isUnknown() {
    return equals(UNKNOWN);
  }
}
