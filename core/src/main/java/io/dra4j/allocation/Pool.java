package io.dra4j.allocation;

import com.google.common.collect.ImmutableMap;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The slices of one pool as one node sees them. Only a usable pool has candidates: in an incomplete
 * one the driver has not published everything yet, in an invalid one the slices contradict each
 * other.
 */
final class Pool {

  final PoolId id;
  final boolean incomplete;
  final @Nullable String invalidReason;
  final List<PublishedSlice> targetingNode;
  final List<PublishedSlice> notTargetingNode;
  final Map<String, CounterSet> counterSets;

  private Pool(
      PoolId id,
      boolean incomplete,
      @Nullable String invalidReason,
      List<PublishedSlice> targetingNode,
      List<PublishedSlice> notTargetingNode,
      Map<String, CounterSet> counterSets) {
    this.id = id;
    this.incomplete = incomplete;
    this.invalidReason = invalidReason;
    this.targetingNode = targetingNode;
    this.notTargetingNode = notTargetingNode;
    this.counterSets = counterSets;
  }

  static Pool incomplete(PoolId id) {
    return new Pool(id, true, null, List.of(), List.of(), ImmutableMap.of());
  }

  private static Pool invalid(PoolId id, String reason) {
    return new Pool(id, false, reason, List.of(), List.of(), ImmutableMap.of());
  }

  /**
   * Makes a complete pool and checks that its slices agree.
   *
   * @param relevant the slices about the node
   * @param all all slices of the generation; the relevant ones where no others were looked up
   * @param partitionable whether counters count
   */
  static Pool complete(
      PoolId id,
      List<PublishedSlice> relevant,
      List<PublishedSlice> all,
      boolean partitionable,
      Budget budget)
      throws BudgetExceededException {
    // Publishing order is priority: within a pool the slice names decide it.
    List<PublishedSlice> sorted = new ArrayList<>(relevant);
    sorted.sort(Comparator.comparing(published -> published.slice.metadata().name()));
    List<PublishedSlice> targeting = new ArrayList<>();
    List<PublishedSlice> notTargeting = new ArrayList<>();
    List<PublishedSlice> counters = new ArrayList<>();
    Set<String> relevantNames = new HashSet<>();
    for (PublishedSlice published : sorted) {
      relevantNames.add(published.slice.metadata().name());
      (partitionable && published.hasCounters() ? counters : targeting).add(published);
    }
    if (relevant.size() < all.size()) {
      for (PublishedSlice published : all) {
        if (!relevantNames.contains(published.slice.metadata().name())) {
          (partitionable && published.hasCounters() ? counters : notTargeting).add(published);
        }
      }
    }
    String problem = duplicateDevice(targeting, budget);
    if (problem != null) {
      return invalid(id, problem);
    }
    if (!partitionable) {
      return new Pool(id, false, null, targeting, List.of(), ImmutableMap.of());
    }
    Map<String, CounterSet> counterSets = new HashMap<>();
    problem = collectCounterSets(counters, counterSets, budget);
    if (problem == null) {
      problem = unknownCounter(targeting, counterSets, budget);
    }
    if (problem == null) {
      problem = unknownCounter(notTargeting, counterSets, budget);
    }
    return problem == null
        ? new Pool(id, false, null, targeting, notTargeting, ImmutableMap.copyOf(counterSets))
        : invalid(id, problem);
  }

  boolean usable() {
    return !incomplete && invalidReason == null;
  }

  boolean hasBindingConditions() {
    for (PublishedSlice published : targetingNode) {
      if (published.slice.devices().stream().anyMatch(d -> !d.bindingConditions().isEmpty())) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String duplicateDevice(List<PublishedSlice> slices, Budget budget)
      throws BudgetExceededException {
    Set<String> names = new HashSet<>();
    for (PublishedSlice published : slices) {
      for (Device device : published.slice.devices()) {
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
    for (PublishedSlice published : slices) {
      for (CounterSet set : published.slice.sharedCounters()) {
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
    for (PublishedSlice published : slices) {
      for (Device device : published.slice.devices()) {
        budget.spend(1);
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
