package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import java.util.BitSet;

/**
 * The remaining demand of a search: targets, the number of devices that each still needs, and its
 * candidates. Filled again for each forward check; bounds may change the sets.
 */
final class RemainingDemand {

  private final PlannedRequest[] targets;
  private final int[] needs;
  private final BitSet[] sets;
  private int size;

  RemainingDemand(int targets) {
    this.targets = new PlannedRequest[targets];
    this.needs = new int[targets];
    this.sets = new BitSet[targets];
    for (int i = 0; i < targets; i++) {
      sets[i] = new BitSet();
    }
  }

  void clear() {
    size = 0;
  }

  /** Adds a target, and returns its set, which still has its former content. */
  BitSet add(PlannedRequest target, int need) {
    targets[size] = target;
    needs[size] = need;
    return sets[size++];
  }

  int size() {
    return size;
  }

  PlannedRequest target(int i) {
    return targets[i];
  }

  int need(int i) {
    return needs[i];
  }

  BitSet set(int i) {
    return sets[i];
  }

  /** Whether two targets need equally many of the same devices, and make as many unavailable. */
  boolean areInterchangeable(int i, int j) {
    return needs[i] == needs[j]
        && targets[i].adminAccess == targets[j].adminAccess
        && sets[i].equals(sets[j]);
  }

  /** Copies the content of another one. */
  void copyOf(RemainingDemand other) {
    clear();
    for (int i = 0; i < other.size; i++) {
      BitSet set = add(other.targets[i], other.needs[i]);
      set.clear();
      set.or(other.sets[i]);
    }
  }
}
