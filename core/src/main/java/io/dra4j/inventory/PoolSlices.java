package io.dra4j.inventory;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Feature;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All slices of one pool, of whatever generation and for whatever node. Immutable, but for the
 * views that it keeps: nodes about which the same slices are share one.
 */
final class PoolSlices {

  /** Views of zones of a cluster; where there are more, nodes have views of their own. */
  private static final int MAX_VIEWS = 16;

  private static final PoolView[] NONE = {};

  final PoolId id;
  final PublishedSlice[] slices; // in the order in which they came
  private volatile PoolView[] views = NONE;

  private PoolSlices(PoolId id, PublishedSlice[] slices) {
    this.id = id;
    this.slices = slices;
  }

  static PoolSlices of(PublishedSlice slice) {
    return new PoolSlices(slice.poolId, new PublishedSlice[] {slice});
  }

  /** The pool with a slice that came later than the others, or in the place of one of them. */
  PoolSlices with(PublishedSlice slice) {
    for (int i = 0; i < slices.length; i++) {
      if (slices[i].sequence == slice.sequence) {
        PublishedSlice[] changed = slices.clone();
        changed[i] = slice;
        return new PoolSlices(id, changed);
      }
    }
    PublishedSlice[] more = Arrays.copyOf(slices, slices.length + 1);
    int i = slices.length;
    for (; i > 0 && slices[i - 1].sequence > slice.sequence; i--) {
      more[i] = slices[i - 1];
    }
    more[i] = slice;
    return new PoolSlices(id, more);
  }

  /** The pool without a slice, or null if nothing is left. */
  @Nullable PoolSlices without(PublishedSlice slice) {
    PublishedSlice[] left =
        Arrays.stream(slices)
            .filter(s -> s.sequence != slice.sequence)
            .toArray(PublishedSlice[]::new);
    return left.length == 0 ? null : new PoolSlices(id, left);
  }

  /** Whether a slice names no node, so that it may be about any. */
  boolean anyUnbound() {
    for (PublishedSlice slice : slices) {
      if (!slice.namesNode()) {
        return true;
      }
    }
    return false;
  }

  long newestGeneration() {
    long newest = Long.MIN_VALUE;
    for (PublishedSlice slice : slices) {
      newest = Math.max(newest, slice.published.pool().generation());
    }
    return newest;
  }

  /** How many slices of one generation there are, for whatever node. */
  int count(long generation, boolean withCompatibilityGroups) {
    int count = 0;
    for (PublishedSlice slice : slices) {
      if (isOf(slice, generation, withCompatibilityGroups)) {
        count++;
      }
    }
    return count;
  }

  static boolean isOf(PublishedSlice slice, long generation, boolean withCompatibilityGroups) {
    return slice.published.pool().generation() == generation
        && (withCompatibilityGroups || !slice.usesCompatibilityGroups);
  }

  /** The view of nodes about which exactly these slices are. */
  PoolView view(List<PublishedSlice> relevant, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    PoolView[] known = views;
    for (PoolView view : known) {
      if (view.isOf(relevant, features)) {
        return view;
      }
    }
    PoolView view = PoolView.of(this, relevant, features, budget);
    int kept = Math.min(known.length, MAX_VIEWS - 1);
    PoolView[] more = new PoolView[kept + 1];
    more[0] = view;
    System.arraycopy(known, 0, more, 1, kept);
    views = more; // a view that another thread adds meanwhile may be lost, and is made again
    return view;
  }
}
