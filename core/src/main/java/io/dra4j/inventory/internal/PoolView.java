package io.dra4j.inventory.internal;

import com.google.common.collect.ImmutableMap;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.ResourceSlice;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The view of a pool for all nodes to which the same of its slices apply. Immutable, and
 * independent of allocations.
 *
 * <p>Only a {@link #usable()} pool has candidates: in an incomplete one the driver has not
 * published everything yet, in an invalid one the slices contradict each other.
 */
public final class PoolView {

  private enum Kind {
    USABLE,
    INCOMPLETE,
    INVALID,
    /** There is a later generation, but not for these nodes: they cannot use the pool at all. */
    OBSOLETE
  }

  private static final int BYTES = 200;
  private static final int BYTES_OF_COUNTER_SET = 40; // in a map of them

  private static final PublishedSlice[] NO_SLICES = {};

  private final PoolSlices pool;
  private final Set<Feature> features;
  private final List<PublishedSlice> relevant; // in the order in which the reference reads them
  private final Kind kind;
  private final @Nullable String invalidReason;
  private final PublishedSlice[] targeting; // in the order in which they are tried
  private final Offsets offsets; // of their devices
  private final boolean looksBeyond; // also checks slices for other nodes
  private final ImmutableMap<String, CounterSet> counterSets;
  private final long bytes;
  private final boolean bindingConditions;
  private volatile @Nullable PoolState state; // the last one requested
  private volatile @Nullable Seen seen; // the last one requested

  /** The signature of the pool for claims that read some attributes. */
  private record Seen(RelevantAttributes traits, WeakReference<PoolSignature> shape) {}

  /**
   * The counter sets that slices publish.
   *
   * @param sets the sets by name
   * @param own whether the map belongs to this view alone
   * @param problem the contradiction between the slices; null if there is none
   */
  private record SharedCounters(
      ImmutableMap<String, CounterSet> sets, boolean own, @Nullable String problem) {

    static final SharedCounters NONE = new SharedCounters(ImmutableMap.of(), false, null);

    static SharedCounters of(PoolSlices pool, List<PublishedSlice> slices, Budget budget)
        throws BudgetExceededException {
      ImmutableMap<String, CounterSet> known = pool.knownCounterSets(slices);
      if (known != null) {
        return new SharedCounters(known, false, null);
      }
      Map<String, CounterSet> collected = new HashMap<>();
      String problem = collectCounterSets(slices, collected, budget);
      ImmutableMap<String, CounterSet> sets = ImmutableMap.copyOf(collected);
      if (problem == null && !slices.isEmpty()) {
        pool.keep(slices, sets);
      }
      return new SharedCounters(sets, true, problem);
    }
  }

  @SuppressWarnings("ParameterNumber") // the fields of a view, which two methods here make
  private PoolView(
      PoolSlices pool,
      Set<Feature> features,
      List<PublishedSlice> relevant,
      Kind kind,
      @Nullable String invalidReason,
      PublishedSlice[] targeting,
      boolean looksBeyond,
      SharedCounters counters) {
    this.pool = pool;
    this.features = features;
    this.relevant = relevant;
    this.kind = kind;
    this.invalidReason = invalidReason;
    this.targeting = targeting;
    this.offsets = Offsets.of(targeting, PublishedSlice::size);
    this.looksBeyond = looksBeyond;
    this.counterSets = counters.sets();
    this.bytes =
        BYTES
            + 8L * relevant.size()
            + 12L * targeting.length
            + (counters.own() ? (long) BYTES_OF_COUNTER_SET * counterSets.size() : 0);
    this.bindingConditions = anyBindingConditions(targeting);
  }

  /**
   * Creates the view of a pool and checks that its slices agree.
   *
   * @param relevant the slices that apply to the nodes, all of one generation: first the slices
   *     that name the node, then the others in the order in which they were added
   * @throws BudgetExceededException if the budget is used up
   */
  static PoolView of(
      PoolSlices pool, List<PublishedSlice> relevant, Set<Feature> features, Budget budget)
      throws BudgetExceededException {
    boolean partitionable = features.contains(Feature.PARTITIONABLE_DEVICES);
    boolean groups = features.contains(Feature.COMPATIBILITY_GROUPS);
    // The slices may state different numbers of slices; the first slice decides, as in the
    // reference.
    long expected = relevant.get(0).published.pool().resourceSliceCount();
    boolean looksBeyond = relevant.size() != expected;
    Kind gap = looksBeyond ? gap(pool, relevant, groups) : null;
    if (gap != null) {
      return without(pool, features, relevant, gap, null);
    }
    List<PublishedSlice> targeting = new ArrayList<>(relevant.size());
    List<PublishedSlice> withCounters = new ArrayList<>(0);
    for (PublishedSlice slice : byPriority(relevant, budget)) {
      (partitionable && slice.hasCounters() ? withCounters : targeting).add(slice);
    }
    String problem = duplicateDevice(targeting, budget);
    SharedCounters counters = SharedCounters.NONE;
    if (problem == null && partitionable) {
      List<PublishedSlice> others = new ArrayList<>(0);
      if (looksBeyond) {
        addOthers(pool, relevant, groups, withCounters, others);
      }
      counters = SharedCounters.of(pool, withCounters, budget);
      problem = counters.problem();
      for (List<PublishedSlice> slices : List.of(targeting, others)) {
        problem = problem == null ? unknownCounter(slices, counters.sets(), budget) : problem;
      }
    }
    if (problem != null) {
      return without(pool, features, relevant, Kind.INVALID, problem);
    }
    PublishedSlice[] tried = targeting.toArray(NO_SLICES);
    return new PoolView(pool, features, relevant, Kind.USABLE, null, tried, looksBeyond, counters);
  }

  /**
   * The reason why another number of slices applies to the nodes than the pool states, such as a
   * newer generation; {@code null} if the rest of the pool applies to other nodes.
   */
  private static @Nullable Kind gap(
      PoolSlices pool, List<PublishedSlice> relevant, boolean groups) {
    long generation = relevant.get(0).published.pool().generation();
    long expected = relevant.get(0).published.pool().resourceSliceCount();
    if (pool.newestGeneration() > generation) {
      return Kind.OBSOLETE;
    }
    return pool.count(generation, groups) == expected ? null : Kind.INCOMPLETE;
  }

  /** The order of publishing is the priority; within a pool, the slice names decide it. */
  private static List<PublishedSlice> byPriority(List<PublishedSlice> slices, Budget budget)
      throws BudgetExceededException {
    List<PublishedSlice> sorted = new ArrayList<>(slices);
    if (sorted.size() > 1) {
      BudgetedSort.sort(
          sorted, Comparator.comparing(slice -> slice.published.metadata().name()), budget);
    }
    return sorted;
  }

  private static PoolView without(
      PoolSlices pool,
      Set<Feature> features,
      List<PublishedSlice> relevant,
      Kind kind,
      @Nullable String reason) {
    return new PoolView(
        pool, features, relevant, kind, reason, NO_SLICES, false, SharedCounters.NONE);
  }

  /** {@return the identity of this pool in its cluster: driver and name} */
  public PoolId id() {
    return pool.id;
  }

  /** {@return whether the pool's devices can be allocated: it is neither incomplete nor invalid} */
  public boolean usable() {
    return kind == Kind.USABLE;
  }

  /** {@return whether the number of slices of the newest generation differs from the stated one} */
  public boolean incomplete() {
    return kind == Kind.INCOMPLETE;
  }

  /** {@return the first contradiction between the slices of this pool; {@code null} if none} */
  public @Nullable String invalidReason() {
    return invalidReason;
  }

  /**
   * {@return the counter sets by name that the devices of this pool share, including with devices
   * for other nodes; none when the pool is not usable, or the feature is off}
   */
  public Map<String, CounterSet> counterSets() {
    return counterSets;
  }

  /**
   * Returns the problem of this pool.
   *
   * @return for example {@code 1 of its 2 slices is there}; empty if its devices can be allocated
   */
  public String problem() {
    if (invalidReason != null) {
      return invalidReason;
    } else if (kind != Kind.INCOMPLETE) {
      return "";
    }
    long generation = relevant.get(0).published.pool().generation();
    long expected = relevant.get(0).published.pool().resourceSliceCount();
    long there = pool.count(generation, features.contains(Feature.COMPATIBILITY_GROUPS));
    return there < expected
        ? "%d of its %d slices %s there".formatted(there, expected, there == 1 ? "is" : "are")
        : "%d %s there, but resourceSliceCount is %d"
            .formatted(there, there == 1 ? "slice is" : "slices are", expected);
  }

  /**
   * {@return the slices of the newest generation of this pool that apply to the node, whether or
   * not their devices can be allocated, with the taints of taint rules}
   */
  public List<ResourceSlice> slicesForNode() {
    return relevant.stream().map(slice -> slice.slice).toList();
  }

  /**
   * Returns the approximate memory of the view in bytes, without counter sets that other views own.
   */
  public long bytes() {
    return bytes;
  }

  /** Whether the view belongs to nodes with these slices. */
  boolean isOf(List<PublishedSlice> slices, Set<Feature> wanted) {
    if (!features.equals(wanted) || relevant.size() != slices.size()) {
      return false;
    }
    for (int i = 0; i < slices.size(); i++) {
      if (relevant.get(i) != slices.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all slices of the pool, relevant or not, name the same node. */
  boolean namesOnlyOneNode() {
    return pool.namesOnlyOneNode();
  }

  boolean obsolete() {
    return kind == Kind.OBSOLETE;
  }

  PoolSlices pool() {
    return pool;
  }

  boolean hasBindingConditions() {
    return bindingConditions;
  }

  /** The number of devices of the pool for these nodes. */
  int size() {
    return offsets.size();
  }

  /** The slice with a device of the pool, by the device's index. */
  int sliceOf(int index) {
    return offsets.partOf(index);
  }

  PublishedSlice slice(int number) {
    return targeting[number];
  }

  int first(int sliceNumber) {
    return offsets.first(sliceNumber);
  }

  int slices() {
    return targeting.length;
  }

  /** Returns the devices of the pool that are in use. */
  public PoolState state(@Nullable PoolHoldings holdings, Budget budget)
      throws BudgetExceededException {
    if (holdings == null || !usable()) {
      return PoolState.UNUSED;
    }
    PoolState known = state;
    if (known == null || known.holdings != holdings) {
      known = new PoolState(this, holdings, features.contains(Feature.CONSUMABLE_CAPACITY), budget);
      state = known;
    }
    return known;
  }

  /** The signature of the pool for claims that read these attributes. */
  PoolSignature shape(RelevantAttributes traits, InventoryCaches memory, Budget budget)
      throws BudgetExceededException {
    Seen known = seen;
    PoolSignature shape =
        known != null && known.traits.areThoseOf(traits) ? known.shape.get() : null;
    if (shape == null) {
      shape = memory.shared(PoolSignature.of(this, traits, budget));
      seen = new Seen(traits, new WeakReference<>(shape));
    }
    return shape;
  }

  /**
   * All slices with devices that draw from the counters of the pool, for any node, in the order in
   * which the reference reads them.
   */
  List<PublishedSlice> allSlices() {
    List<PublishedSlice> others = new ArrayList<>(0);
    if (looksBeyond) {
      boolean groups = features.contains(Feature.COMPATIBILITY_GROUPS);
      addOthers(pool, relevant, groups, new ArrayList<>(0), others);
    }
    List<PublishedSlice> all = new ArrayList<>(List.of(targeting));
    all.addAll(others);
    return all;
  }

  /** Adds the slices of the generation that do not apply to the nodes, by their content. */
  private static void addOthers(
      PoolSlices pool,
      List<PublishedSlice> relevant,
      boolean groups,
      List<PublishedSlice> counters,
      List<PublishedSlice> devices) {
    Set<String> names = new HashSet<>();
    relevant.forEach(slice -> names.add(slice.published.metadata().name()));
    long generation = relevant.get(0).published.pool().generation();
    for (PublishedSlice slice : pool.slices) {
      if (PoolSlices.isOf(slice, generation, groups)
          && !names.contains(slice.published.metadata().name())) {
        (slice.hasCounters() ? counters : devices).add(slice);
      }
    }
  }

  private static boolean anyBindingConditions(PublishedSlice[] slices) {
    for (PublishedSlice slice : slices) {
      for (Device device : slice.published.devices()) {
        if (!device.bindingConditions().isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable String duplicateDevice(List<PublishedSlice> slices, Budget budget)
      throws BudgetExceededException {
    Set<String> names = new HashSet<>();
    for (PublishedSlice slice : slices) {
      for (Device device : slice.published.devices()) {
        budget.spend(1);
        if (!names.add(device.name())) {
          return "duplicate device name " + device.name();
        }
      }
    }
    return null;
  }

  private static @Nullable String collectCounterSets(
      List<PublishedSlice> slices, Map<String, CounterSet> collected, Budget budget)
      throws BudgetExceededException {
    for (PublishedSlice slice : slices) {
      for (CounterSet set : slice.published.sharedCounters()) {
        budget.spend(1);
        if (collected.putIfAbsent(set.name(), set) != null) {
          return "duplicate counter set name " + set.name();
        }
      }
    }
    return null;
  }

  private static @Nullable String unknownCounter(
      List<PublishedSlice> slices, Map<String, CounterSet> counterSets, Budget budget)
      throws BudgetExceededException {
    for (PublishedSlice slice : slices) {
      for (Device device : slice.published.devices()) {
        budget.spend(1);
        if (device.consumesCounters().isEmpty()) {
          continue;
        }
        for (DeviceCounterConsumption consumption : device.consumesCounters()) {
          CounterSet set = counterSets.get(consumption.counterSet());
          if (set == null) {
            return "counter set " + consumption.counterSet() + " not found";
          }
          for (String counter : consumption.counters().keySet()) {
            budget.spend(1);
            if (!set.counters().containsKey(counter)) {
              return "counter " + counter + " not found in counter set " + set.name();
            }
          }
        }
      }
    }
    return null;
  }
}
