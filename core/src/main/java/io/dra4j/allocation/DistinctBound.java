package io.dra4j.allocation;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether there are as many different values as a distinctAttribute constraint needs. Each device
 * takes at least one value that no other may have.
 */
final class DistinctBound {

  private final PlanOutline outline;
  private final @Nullable ValueIndex[][] indexes; // by constraint, then by target number
  private final BitSet union;

  DistinctBound(PlanOutline outline, @Nullable ValueIndex[][] indexes, int devices) {
    this.outline = outline;
    this.indexes = indexes;
    this.union = new BitSet(devices);
  }

  /** Whether the bound leaves room for a solution. */
  boolean allows(Outstanding outstanding) {
    for (int constraint = 0; constraint < outline.distinct.size(); constraint++) {
      if (!allows(outstanding, constraint)) {
        return false;
      }
    }
    return true;
  }

  private boolean allows(Outstanding outstanding, int constraint) {
    union.clear();
    int need = 0;
    ValueIndex index = null;
    for (int i = 0; i < outstanding.size(); i++) {
      Target target = outstanding.target(i);
      ValueIndex own = indexes[constraint][target.number];
      if (Arrays.binarySearch(outline.distinctOf(target), constraint) >= 0) {
        if (own == null || (index != null && index != own)) {
          return true; // too many values to count, or values of two kinds
        }
        index = own;
        need += outstanding.need(i);
        union.or(outstanding.set(i));
      }
    }
    if (index == null) {
      return true;
    }
    List<AttributeValues> placed = outline.distinct.get(constraint).placed();
    boolean lists = outline.distinct.get(constraint).constraint().comparesLists();
    for (int value : index.values()) {
      if (need <= 0) {
        break;
      }
      if (index.with(value).intersects(union) && !isAmong(placed, value, lists)) {
        need--;
      }
    }
    return need <= 0;
  }

  private static boolean isAmong(List<AttributeValues> placed, int value, boolean lists) {
    for (AttributeValues values : placed) {
      if ((lists || values.scalar) && values.contains(value)) {
        return true;
      }
    }
    return false;
  }
}
