package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bound for groups of requests that each need a value of their own: pairs of GPU and NIC need as
 * many PCIe roots with a free GPU and a free NIC as there are pairs. Assigns groups to values, each
 * of which has room for a number of equal groups. The estimate for groups of different kinds on one
 * value may be too high, but never too low.
 */
final class GroupBound {

  /** Practically unlimited: no claim has more devices. */
  private static final int MANY = 1_000_000;

  private static final int GROUPS_PER_UNIT = 16;

  /** Groups with equal demands on the same devices. */
  private static final class Kind {
    final int[] members; // indexes among the outstanding targets
    final boolean begun; // some devices are already placed, so that few values are left
    int count = 1;

    Kind(int[] members, boolean begun) {
      this.members = members;
      this.begun = begun;
    }
  }

  /** Devices of which a begun group must get some. */
  private record Claimed(BitSet set, int need) {}

  private final PlanOutline outline;
  private final RequestGroups groups;
  private final @Nullable ValueIndex[][] indexes; // by constraint, then by target number
  private final BitSet shareable;
  private final BitSet[] within;
  private final BitSet union;
  private final List<Kind> kinds = new ArrayList<>();
  private final List<Claimed> claimed = new ArrayList<>();
  private final int[] buffer;
  private final Budget budget;
  private final int units; // the cost of checking a group

  GroupBound(
      PlanOutline outline,
      RequestGroups groups,
      @Nullable ValueIndex[][] indexes,
      BitSet shareable,
      int devices,
      Budget budget) {
    this.outline = outline;
    this.groups = groups;
    this.indexes = indexes;
    this.shareable = shareable;
    this.within = new BitSet[outline.targets.size()];
    Arrays.setAll(within, i -> new BitSet());
    this.union = new BitSet(devices);
    this.budget = budget;
    this.units = 1 + devices / 4096;
    this.buffer = new int[outline.targets.size()];
  }

  /** Whether the bound allows a solution. */
  boolean allows(RemainingDemand outstanding) throws BudgetExceededException {
    kinds.clear();
    claimed.clear();
    for (int group = 0; group < groups.size(); group++) {
      BudgetTicks.spend(budget, group, GROUPS_PER_UNIT);
      addGroup(outstanding, group);
    }
    for (Kind kind : kinds) {
      if (kind.begun && !begin(outstanding, kind)) {
        return false;
      }
    }
    Kind only = null;
    for (Kind kind : kinds) {
      if (!kind.begun) {
        if (only != null) {
          return assign(outstanding);
        }
        only = kind;
      }
    }
    return only == null || hasRoomFor(outstanding, only);
  }

  private void addGroup(RemainingDemand outstanding, int group) {
    int constraint = groups.constraintOf(group);
    int size = 0;
    for (int i = 0; i < outstanding.size(); i++) {
      PlannedRequest target = outstanding.target(i);
      if (groups.of(target) == group) {
        if (indexes[constraint][target.number] == null) {
          return;
        }
        buffer[size++] = i;
      }
    }
    if (size == 0) {
      return;
    }
    boolean begun = !outline.constraints.get(constraint).held().isEmpty();
    for (Kind kind : kinds) {
      if (kind.begun == begun && areInterchangeable(outstanding, kind.members, size)) {
        kind.count++;
        return;
      }
    }
    kinds.add(new Kind(Arrays.copyOf(buffer, size), begun));
  }

  private boolean areInterchangeable(RemainingDemand outstanding, int[] members, int size) {
    if (members.length != size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (indexOf(outstanding, members[i]) != indexOf(outstanding, buffer[i])
          || !outstanding.areInterchangeable(members[i], buffer[i])) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("NullAway") // groups without index are not added
  private ValueIndex indexOf(RemainingDemand outstanding, int i) {
    PlannedRequest target = outstanding.target(i);
    return indexes[groups.constraintOf(groups.of(target))][target.number];
  }

  /** Claims the devices of a group that has begun, if its value is certain. */
  private boolean begin(RemainingDemand outstanding, Kind kind) throws BudgetExceededException {
    int possible = 0;
    int last = 0;
    for (int value : indexOf(outstanding, kind.members[0]).values()) {
      if (indexOf(outstanding, kind.members[0])
              .with(value)
              .intersects(outstanding.set(kind.members[0]))
          && roomIn(outstanding, kind, value) > 0) {
        possible++;
        last = value;
      }
    }
    if (possible == 1) {
      narrow(outstanding, kind, last);
      for (int member : kind.members) {
        if (isExclusive(outstanding, member)) {
          claimed.add(
              new Claimed((BitSet) within[member].clone(), kind.count * outstanding.need(member)));
        }
      }
    }
    return possible > 0;
  }

  private boolean hasRoomFor(RemainingDemand outstanding, Kind kind)
      throws BudgetExceededException {
    int left = kind.count;
    for (int value : indexOf(outstanding, kind.members[0]).values()) {
      left -= roomIn(outstanding, kind, value);
      if (left <= 0) {
        return true;
      }
    }
    return false;
  }

  private boolean assign(RemainingDemand outstanding) throws BudgetExceededException {
    List<Kind> open = new ArrayList<>();
    Map<Integer, Integer> columns = new HashMap<>();
    for (Kind kind : kinds) {
      if (!kind.begun) {
        open.add(kind);
        for (int value : indexOf(outstanding, kind.members[0]).values()) {
          columns.putIfAbsent(value, columns.size());
        }
      }
    }
    int[] supply = new int[open.size()];
    int[][] room = new int[open.size()][columns.size()];
    int[] total = new int[columns.size()];
    for (int row = 0; row < supply.length; row++) {
      supply[row] = open.get(row).count;
    }
    for (Map.Entry<Integer, Integer> entry : columns.entrySet()) {
      int column = entry.getValue();
      for (int row = 0; row < supply.length; row++) {
        room[row][column] = roomIn(outstanding, open.get(row), entry.getKey());
      }
      total[column] = roomInAll(outstanding, open, room, column);
    }
    return new TransportationProblem(room, total).canCarry(supply);
  }

  /** An upper bound of the number of groups of any kind with one value, after {@link #roomIn}. */
  private int roomInAll(RemainingDemand outstanding, List<Kind> open, int[][] room, int column) {
    union.clear();
    int fewest = MANY;
    for (int row = 0; row < open.size(); row++) {
      if (room[row][column] == 0) {
        continue;
      }
      if (room[row][column] >= MANY) {
        return MANY;
      }
      int need = 0;
      for (int member : open.get(row).members) {
        if (isExclusive(outstanding, member)) {
          need += outstanding.need(member);
          union.or(within[member]);
        }
      }
      fewest = Math.min(fewest, need);
    }
    return union.cardinality() / fewest;
  }

  /** Sets {@link #within} to the group's devices that have the value. */
  private void narrow(RemainingDemand outstanding, Kind kind, int value) {
    for (int member : kind.members) {
      within[member].clear();
      within[member].or(outstanding.set(member));
      within[member].and(indexOf(outstanding, member).with(value));
    }
  }

  /** An upper bound of the number of groups of a kind with one value. */
  private int roomIn(RemainingDemand outstanding, Kind kind, int value)
      throws BudgetExceededException {
    budget.spend(units);
    narrow(outstanding, kind, value);
    int room = MANY;
    int needOfAll = 0;
    union.clear();
    for (int i = 0; i < kind.members.length; i++) {
      int member = kind.members[i];
      BitSet set = within[member];
      int devices = set.cardinality();
      int need = outstanding.need(member);
      if (devices < need) {
        return 0;
      }
      if (!isExclusive(outstanding, member)) {
        continue;
      }
      needOfAll += need;
      union.or(set);
      for (int j = 0; j < kind.members.length; j++) {
        if (j != i
            && isExclusive(outstanding, kind.members[j])
            && within[kind.members[j]].equals(set)) {
          need += outstanding.need(kind.members[j]);
        }
      }
      for (Claimed other : claimed) {
        if (isWithin(other.set, set)) {
          devices -= other.need;
        }
      }
      room = Math.min(room, Math.max(0, devices) / need);
    }
    return needOfAll == 0 ? room : Math.min(room, union.cardinality() / needOfAll);
  }

  /** Whether no other member gets the devices that a member gets. */
  private boolean isExclusive(RemainingDemand outstanding, int member) {
    return !outstanding.target(member).adminAccess && !within[member].intersects(shareable);
  }

  private static boolean isWithin(BitSet inner, BitSet outer) {
    for (int i = inner.nextSetBit(0); i >= 0; i = inner.nextSetBit(i + 1)) {
      if (!outer.get(i)) {
        return false;
      }
    }
    return true;
  }
}
