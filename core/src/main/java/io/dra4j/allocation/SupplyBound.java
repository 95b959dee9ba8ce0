package io.dra4j.allocation;

import java.util.BitSet;

/**
 * Whether there are enough devices for any few of the targets together (Hall's condition). Targets
 * with the same devices count as one. Says nothing of devices that several may have.
 */
final class SupplyBound {

  /** All subsets of so many kinds of targets are looked at; of more, only each and all. */
  private static final int MAX_KINDS = 5;

  private final BitSet shareable;
  private final BitSet[] sets;
  private final int[] needs;
  private final BitSet union;
  private int kinds;

  SupplyBound(BitSet shareable, int targets, int devices) {
    this.shareable = shareable;
    this.sets = new BitSet[targets];
    this.needs = new int[targets];
    this.union = new BitSet(devices);
  }

  /** Whether the bound leaves room for a solution. */
  boolean allows(Outstanding outstanding) {
    kinds = 0;
    for (int i = 0; i < outstanding.size(); i++) {
      BitSet set = outstanding.set(i);
      if (!outstanding.target(i).adminAccess && !set.intersects(shareable)) {
        add(set, outstanding.need(i));
      }
    }
    if (kinds > MAX_KINDS) {
      for (int kind = 0; kind < kinds; kind++) {
        if (sets[kind].cardinality() < needs[kind]) {
          return false;
        }
      }
      return suffices(-1);
    }
    for (int subset = 1; subset < 1 << kinds; subset++) {
      if (!suffices(subset)) {
        return false;
      }
    }
    return true;
  }

  private void add(BitSet set, int need) {
    for (int kind = 0; kind < kinds; kind++) {
      if (sets[kind].equals(set)) {
        needs[kind] += need;
        return;
      }
    }
    sets[kinds] = set;
    needs[kinds++] = need;
  }

  /** Whether the kinds whose bits are set have enough devices together. */
  private boolean suffices(int subset) {
    union.clear();
    int need = 0;
    for (int kind = 0; kind < kinds; kind++) {
      if ((subset >> kind & 1) != 0 || subset < 0) {
        union.or(sets[kind]);
        need += needs[kind];
      }
    }
    return union.cardinality() >= need;
  }
}
