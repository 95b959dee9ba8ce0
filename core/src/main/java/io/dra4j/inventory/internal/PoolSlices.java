package io.dra4j.inventory.internal;

import com.google.common.collect.ImmutableMap;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All slices of one pool, of any generation and for any node. Immutable except for cached views and
 * the data that views share. Nodes to which the same slices apply share one view.
 */
public final class PoolSlices {

  /** The number of cached views, enough for a cluster's zones; other nodes have their own views. */
  private static final int MAX_VIEWS = 16;

  private static final PoolView[] NONE = {};

  final PoolId id;
  public final PublishedSlice[] slices; // in the order in which they were added
  private final int unbound; // the number of slices that name no node
  private volatile PoolView[] views = NONE;
  private volatile @Nullable Boolean ofOneNode; // computed on demand
  private volatile @Nullable Counters counters; // the last one created
  private volatile @Nullable Drawing drawing; // the last one created

  /** The counter sets of some slices. */
  private record Counters(List<PublishedSlice> of, ImmutableMap<String, CounterSet> sets) {}

  /**
   * The held devices of some slices that draw from counters.
   *
   * @param of the slices in the order in which they were added
   * @param bySlice the devices by slice, only for slices with such devices
   * @param grouped whether any of these slices has compatibility groups, whose state depends on the
   *     order of the devices
   */
  private record Drawing(
      List<PublishedSlice> of,
      PoolHoldings held,
      List<Device> devices,
      Map<PublishedSlice, List<Device>> bySlice,
      boolean grouped) {

    static Drawing of(List<PublishedSlice> slices, PoolHoldings held, Budget budget)
        throws BudgetExceededException {
      Map<PublishedSlice, List<Device>> bySlice = new HashMap<>(0);
      List<Device> devices = new ArrayList<>(0);
      boolean grouped = false;
      for (PublishedSlice slice : slices) {
        List<Device> ofSlice = drawing(slice, held, budget);
        if (!ofSlice.isEmpty()) {
          bySlice.put(slice, ofSlice);
          devices.addAll(ofSlice);
          grouped |= slice.usesCompatibilityGroups;
        }
      }
      return new Drawing(slices, held, List.copyOf(devices), bySlice, grouped);
    }

    private static List<Device> drawing(PublishedSlice slice, PoolHoldings held, Budget budget)
        throws BudgetExceededException {
      budget.spend(slice.size());
      List<Device> devices = new ArrayList<>(0);
      for (Device device : slice.published.devices()) {
        if (!device.consumesCounters().isEmpty() && held.of(device.name()) != null) {
          devices.add(device);
        }
      }
      return devices;
    }

    /** The devices in the order of their slices; in any order if the order makes no difference. */
    List<Device> in(List<PublishedSlice> order, Budget budget) throws BudgetExceededException {
      if (!grouped || bySlice.size() == 1) {
        return devices;
      }
      List<Device> ordered = new ArrayList<>(devices.size());
      for (PublishedSlice slice : order) {
        budget.spend(1);
        ordered.addAll(bySlice.getOrDefault(slice, List.of()));
      }
      return List.copyOf(ordered);
    }
  }

  private PoolSlices(PoolId id, PublishedSlice[] slices, int unbound) {
    this.id = id;
    this.slices = slices;
    this.unbound = unbound;
  }

  /** Creates a pool from at least one slice, in the order in which they were added. */
  static PoolSlices of(PoolId id, List<PublishedSlice> slices) {
    int unbound = 0;
    for (PublishedSlice slice : slices) {
      unbound += unbound(slice);
    }
    return new PoolSlices(id, slices.toArray(PublishedSlice[]::new), unbound);
  }

  /** The pool with one more slice. */
  PoolSlices with(PublishedSlice slice) {
    return new PoolSlices(id, PublishedSlice.with(slices, slice), unbound + unbound(slice));
  }

  /** The pool with some slices replaced by slices for the same nodes. */
  PoolSlices withAll(List<PublishedSlice> others) {
    return new PoolSlices(id, PublishedSlice.withAll(slices, others), unbound);
  }

  /** The pool without a slice, or null if no slice remains. */
  @Nullable PoolSlices without(PublishedSlice slice) {
    int place = PublishedSlice.find(slices, slice);
    if (place < 0) {
      return this;
    }
    return slices.length == 1
        ? null
        : new PoolSlices(
            id, PublishedSlice.without(slices, slice), unbound - unbound(slices[place]));
  }

  private static int unbound(PublishedSlice slice) {
    return slice.namesNode() ? 0 : 1;
  }

  /** Whether a slice names no node, so that it may apply to any node. */
  boolean anyUnbound() {
    return unbound > 0;
  }

  /** Whether all slices name the same node. */
  boolean namesOnlyOneNode() {
    Boolean known = ofOneNode;
    if (known == null) {
      known = unbound == 0;
      for (int i = 1; known && i < slices.length; i++) {
        known = slices[i].namesSameNode(slices[0]);
      }
      ofOneNode = known;
    }
    return known;
  }

  public long newestGeneration() {
    long newest = Long.MIN_VALUE;
    for (PublishedSlice slice : slices) {
      newest = Math.max(newest, slice.published.pool().generation());
    }
    return newest;
  }

  /** The number of slices of one generation, for any node. */
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

  /** The cached view of nodes to which exactly these slices apply, or null if there is none. */
  @Nullable PoolView knownView(List<PublishedSlice> relevant, Set<Feature> features) {
    for (PoolView view : views) {
      if (view.isOf(relevant, features)) {
        return view;
      }
    }
    return null;
  }

  /** Creates the view of nodes to which exactly these slices apply. */
  PoolView newView(List<PublishedSlice> relevant, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    PoolView view = PoolView.of(this, relevant, features, budget);
    PoolView[] known = views;
    int kept = Math.min(known.length, MAX_VIEWS - 1);
    PoolView[] more = new PoolView[kept + 1];
    more[0] = view;
    System.arraycopy(known, 0, more, 1, kept);
    views = more; // a view that another thread adds meanwhile may be lost, and is created again
    return view;
  }

  /** The counter sets of these slices if they were stored last, or null. */
  @Nullable ImmutableMap<String, CounterSet> knownCounterSets(List<PublishedSlice> of) {
    Counters known = counters;
    return known != null && known.of.equals(inOrder(of)) ? known.sets : null;
  }

  /** Stores the counter sets of some slices, which usually all views of the pool share. */
  void keep(List<PublishedSlice> of, ImmutableMap<String, CounterSet> sets) {
    counters = new Counters(inOrder(of), sets);
  }

  /**
   * The held devices of some slices that draw from counters. All views of the pool share one list,
   * unless they need different orders.
   *
   * @param of the slices in the order in which the reference reads them
   * @throws BudgetExceededException if the budget is used up
   */
  List<Device> drawing(List<PublishedSlice> of, PoolHoldings held, Budget budget)
      throws BudgetExceededException {
    List<PublishedSlice> inOrder = inOrder(of);
    Drawing known = drawing;
    if (known == null || known.held != held || !known.of.equals(inOrder)) {
      known = Drawing.of(inOrder, held, budget);
      drawing = known;
    }
    return known.in(of, budget);
  }

  private static List<PublishedSlice> inOrder(List<PublishedSlice> slices) {
    PublishedSlice[] sorted = slices.toArray(PublishedSlice[]::new);
    Arrays.sort(sorted, Comparator.comparingLong(slice -> slice.sequence));
    return List.of(sorted);
  }
}
