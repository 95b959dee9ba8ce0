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
 * All slices of one pool, of whatever generation and for whatever node. Immutable, but for the
 * views that it keeps, and for what views of different nodes have in common: nodes about which the
 * same slices are share one view.
 */
public final class PoolSlices {

  /** Views of zones of a cluster; where there are more, nodes have views of their own. */
  private static final int MAX_VIEWS = 16;

  private static final PoolView[] NONE = {};

  final PoolId id;
  public final PublishedSlice[] slices; // in the order in which they came
  private final int unbound; // how many of them name no node
  private volatile PoolView[] views = NONE;
  private volatile @Nullable Boolean ofOneNode; // found when asked for
  private volatile @Nullable Counters counters; // made last
  private volatile @Nullable Drawing drawing; // made last

  /** The counter sets of some slices. */
  private record Counters(List<PublishedSlice> of, ImmutableMap<String, CounterSet> sets) {}

  /**
   * The devices of some slices that are held and draw from counters.
   *
   * @param of the slices in the order in which they came
   * @param bySlice the devices of those slices that have any
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

    /** The devices in the order of their slices; any order where that makes no difference. */
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

  /** A pool of slices in the order in which they came; at least one. */
  static PoolSlices of(PoolId id, List<PublishedSlice> slices) {
    int unbound = 0;
    for (PublishedSlice slice : slices) {
      unbound += unbound(slice);
    }
    return new PoolSlices(id, slices.toArray(PublishedSlice[]::new), unbound);
  }

  /** The pool with a slice besides. */
  PoolSlices with(PublishedSlice slice) {
    return new PoolSlices(id, PublishedSlice.with(slices, slice), unbound + unbound(slice));
  }

  /** The pool with others in the places of some slices, about the nodes that those were about. */
  PoolSlices withAll(List<PublishedSlice> others) {
    return new PoolSlices(id, PublishedSlice.withAll(slices, others), unbound);
  }

  /** The pool without a slice, or null if nothing is left. */
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

  /** Whether a slice names no node, so that it may be about any. */
  boolean anyUnbound() {
    return unbound > 0;
  }

  /** Whether all slices name one node, the same. */
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

  /** The view of nodes about which exactly these slices are, or null if it is not known. */
  @Nullable PoolView knownView(List<PublishedSlice> relevant, Set<Feature> features) {
    for (PoolView view : views) {
      if (view.isOf(relevant, features)) {
        return view;
      }
    }
    return null;
  }

  /** Makes the view of nodes about which exactly these slices are. */
  PoolView newView(List<PublishedSlice> relevant, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    PoolView view = PoolView.of(this, relevant, features, budget);
    PoolView[] known = views;
    int kept = Math.min(known.length, MAX_VIEWS - 1);
    PoolView[] more = new PoolView[kept + 1];
    more[0] = view;
    System.arraycopy(known, 0, more, 1, kept);
    views = more; // a view that another thread adds meanwhile may be lost, and is made again
    return view;
  }

  /** The counter sets of these slices if they were kept last, or null. */
  @Nullable ImmutableMap<String, CounterSet> knownCounterSets(List<PublishedSlice> of) {
    Counters known = counters;
    return known != null && known.of.equals(inOrder(of)) ? known.sets : null;
  }

  /** Keeps the counter sets of some slices, which mostly all views of the pool have. */
  void keep(List<PublishedSlice> of, ImmutableMap<String, CounterSet> sets) {
    counters = new Counters(inOrder(of), sets);
  }

  /**
   * The devices of some slices that are held and that draw from counters: one list for all views of
   * the pool, unless they differ in an order that makes a difference.
   *
   * @param of the slices in the order in which the reference reads them
   * @throws BudgetExceededException if the caller does not wait so long
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
