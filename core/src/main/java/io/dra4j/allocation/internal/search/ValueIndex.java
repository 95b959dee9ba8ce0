package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The devices by the values that a constraint compares. Sets must not be changed. */
final class ValueIndex {

  /** With more values than this, distinguishing them costs more than it saves. */
  private static final int MAX_VALUES = 512;

  /** The maximum number of words, about 2 MB. */
  private static final int MAX_WORDS = 1 << 18;

  /** The number of devices added to the index that take one unit of a budget. */
  private static final int DEVICES_PER_UNIT = 4_096;

  /** A reference and, usually, an array of one number. */
  private static final int BYTES_OF_DEVICE = 24;

  /** An entry of the map, its key, and a set without its words. */
  private static final long BYTES_OF_VALUE = 112;

  private static final BitSet NONE = new BitSet(0);
  private static final int[] NO_VALUES = {};

  private final Map<Integer, BitSet> byValue = new HashMap<>();
  private final int[][] valuesOf; // by ordinal
  private int[] values = NO_VALUES;

  private ValueIndex(int devices) {
    this.valuesOf = new int[devices][];
    Arrays.fill(valuesOf, NO_VALUES);
  }

  /** {@return the index of devices, given as ordinals, for a target; null if it is too large} */
  static @Nullable ValueIndex of(
      SearchContext context, Constraint constraint, PlannedRequest target, BitSet among)
      throws RejectedException, BudgetExceededException {
    int devices = context.candidates().size();
    context.budget().spend(devices / DEVICES_PER_UNIT);
    ValueIndex index = new ValueIndex(devices);
    for (int i = among.nextSetBit(0); i >= 0; i = among.nextSetBit(i + 1)) {
      context.budget().spend(1);
      NodeDevice candidate = context.candidates().get(i);
      AttributeValueIds values = constraint.valuesOf(target, candidate);
      if (values != null) {
        if (!index.add(i, numbersOf(values, constraint, i), devices)) {
          return null;
        }
      }
    }
    index.values = index.byValue.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    return index;
  }

  /** If lists are not compared, a list equals nothing: it gets a value that no other device has. */
  private static int[] numbersOf(AttributeValueIds values, Constraint constraint, int ordinal) {
    return values.scalar || constraint.comparesLists()
        ? values.toArray()
        : new int[] {-1 - ordinal};
  }

  /** Adds a device, unless the index would be too large. */
  private boolean add(int ordinal, int[] numbers, int devices) {
    valuesOf[ordinal] = numbers;
    for (int number : numbers) {
      byValue.computeIfAbsent(number, any -> new BitSet(devices)).set(ordinal);
      int known = byValue.size();
      if (known > MAX_VALUES || (long) known * (devices >> 6) > MAX_WORDS) {
        return false;
      }
    }
    return true;
  }

  /** The approximate memory of the index in bytes. */
  long bytes() {
    return (long) BYTES_OF_DEVICE * valuesOf.length
        + byValue.size() * (BYTES_OF_VALUE + valuesOf.length / Byte.SIZE);
  }

  /** The numbers of all values, ascending. */
  int[] values() {
    return values;
  }

  /** Whether a device has a list while lists are not compared. */
  boolean hasIncomparable() {
    return values.length > 0 && values[0] < 0;
  }

  /** The devices that have a value. */
  BitSet with(int value) {
    return byValue.getOrDefault(value, NONE);
  }

  /** The numbers of the values of a device, ascending. */
  int[] valuesOf(int ordinal) {
    return valuesOf[ordinal];
  }

  /** Removes devices from a set that share no value with the placed devices. */
  void retainWith(AttributeValueIds common, boolean lists, BitSet set) {
    if (!lists && !common.scalar) {
      set.clear();
      return;
    }
    if (common.size() == 1) {
      set.and(with(common.first()));
      return;
    }
    BitSet any = new BitSet();
    common.ids().forEach(id -> any.or(with(id)));
    set.and(any);
  }
}
