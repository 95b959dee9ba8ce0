package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.CapacityDemand;
import io.dra4j.allocation.internal.request.PlannedRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shares that one search has placed, by device: their number, and the consumption of each. */
public final class Shares {

  private static final int[] NONE = {};

  private final IdentityHashMap<CapacityDemand, Integer> consumptions = new IdentityHashMap<>();
  private final int[] @Nullable [] loads; // by ordinal, numbers of consumptions, ascending
  private final BitSet loaded = new BitSet();

  public Shares(int devices) {
    this.loads = new int[devices][];
  }

  void add(PlannedRequest target, int ordinal) {
    int[] before = loadOf(ordinal);
    int[] after = Arrays.copyOf(before, before.length + 1);
    after[before.length] = numberOf(target);
    Arrays.sort(after);
    loads[ordinal] = after;
    loaded.set(ordinal);
  }

  void remove(PlannedRequest target, int ordinal) {
    int[] before = loadOf(ordinal);
    int[] after = new int[before.length - 1];
    int place = Arrays.binarySearch(before, numberOf(target));
    System.arraycopy(before, 0, after, 0, place);
    System.arraycopy(before, place + 1, after, place, after.length - place);
    loads[ordinal] = after;
    loaded.set(ordinal, after.length > 0);
  }

  private int numberOf(PlannedRequest target) {
    return consumptions.computeIfAbsent(target.consumption, any -> consumptions.size());
  }

  private int[] loadOf(int ordinal) {
    int[] load = loads[ordinal];
    return load == null ? NONE : load;
  }

  /** Whether the shares of two devices have equal consumption. */
  boolean areInterchangeable(int ordinal, int other) {
    return Arrays.equals(loadOf(ordinal), loadOf(other));
  }

  /** Adds the shares to a position's description; interchangeable devices may be in any order. */
  void addTo(NogoodStore store, InterchangeableDevices interchangeable, boolean exact) {
    List<int[]> all = new ArrayList<>(0);
    for (int i = loaded.nextSetBit(0); i >= 0; i = loaded.nextSetBit(i + 1)) {
      int[] load = loadOf(i);
      int[] words = new int[load.length + 2];
      words[0] = exact ? i : interchangeable.numberOf(i);
      words[1] = load.length;
      System.arraycopy(load, 0, words, 2, load.length);
      all.add(words);
    }
    all.sort(Arrays::compare);
    for (int[] words : all) {
      for (int word : words) {
        store.add(word);
      }
    }
  }
}
