package io.dra4j.testkit.driver;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.model.SliceLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** KEP-4815's requirements for the counters of a pool, and its devices that can be allocated. */
final class CounterRules {

  private static final Quantity NOTHING = Quantity.of(0);

  private final Map<String, CounterSet> sets = new LinkedHashMap<>();

  CounterRules(List<CounterSet> counters) {
    counters.forEach(set -> sets.putIfAbsent(set.name(), set));
  }

  /** {@return the problems of a pool's counters and its devices' consumption, one line each} */
  static List<String> problems(List<Device> devices, List<CounterSet> counters) {
    List<String> problems = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (CounterSet set : counters) {
      String name = "counter set '%s' ".formatted(set.name());
      if (!names.add(set.name())) {
        problems.add(name + "occurs twice");
      }
      SliceLimits.problems(set).forEach(problem -> problems.add(name + problem));
      set.counters()
          .forEach(
              (counter, amount) -> {
                if (amount.compareTo(NOTHING) < 0) {
                  problems.add(
                      "%shas %s of counter %s; expected 0 or more"
                          .formatted(name, amount, counter));
                }
              });
    }
    CounterRules rules = new CounterRules(counters);
    for (Device device : devices) {
      for (DeviceCounterConsumption draw : device.consumesCounters()) {
        draw.counters()
            .forEach(
                (counter, amount) -> {
                  String problem = rules.problem(draw.counterSet(), counter, amount);
                  if (problem != null) {
                    problems.add("device '%s' %s".formatted(device.name(), problem));
                  }
                });
      }
    }
    return problems;
  }

  private @Nullable String problem(String setName, String counter, Quantity amount) {
    CounterSet set = sets.get(setName);
    if (set == null) {
      return "consumes from counter set '%s', which is not in its pool; sets are %s"
          .formatted(setName, sets.keySet());
    }
    Quantity there = set.counters().get(counter);
    if (there == null) {
      return "consumes counter %s, which counter set '%s' does not have; counters are %s"
          .formatted(counter, setName, set.counters().keySet());
    }
    if (amount.compareTo(NOTHING) < 0) {
      return "consumes %s of counter %s of counter set '%s'; expected 0 or more"
          .formatted(amount, counter, setName);
    }
    return amount.compareTo(there) > 0
        ? "consumes %s of counter %s of counter set '%s', which has %s: it can never be allocated"
            .formatted(amount, counter, setName, there)
        : null;
  }

  /** Returns the reason why these devices cannot be allocated together; null if they can. */
  @Nullable String collision(List<Device> devices) {
    Map<String, Map<String, Quantity>> drawn = new LinkedHashMap<>();
    Map<String, List<String>> users = new HashMap<>();
    Map<String, Set<String>> groups = new HashMap<>();
    for (Device device : devices) {
      for (DeviceCounterConsumption draw : device.consumesCounters()) {
        String set = draw.counterSet();
        users.computeIfAbsent(set, name -> new ArrayList<>()).add(device.name());
        Set<String> others = groups.putIfAbsent(set, new HashSet<>(draw.compatibilityGroups()));
        boolean isLoose = draw.compatibilityGroups().isEmpty();
        if (others != null
            && !(others.isEmpty() && isLoose)
            && Collections.disjoint(others, draw.compatibilityGroups())) {
          return "devices %s have no compatibility group in common on counter set '%s'"
              .formatted(users.get(set), set);
        }
        if (others != null) {
          others.retainAll(draw.compatibilityGroups());
        }
        Map<String, Quantity> sums = drawn.computeIfAbsent(set, name -> new LinkedHashMap<>());
        draw.counters().forEach((counter, amount) -> sums.merge(counter, amount, Quantity::add));
      }
    }
    return overdraft(drawn, users);
  }

  /** Returns the first sum that the counters of the pool do not have; null if there is none. */
  private @Nullable String overdraft(
      Map<String, Map<String, Quantity>> drawn, Map<String, List<String>> users) {
    for (Map.Entry<String, Map<String, Quantity>> entry : drawn.entrySet()) {
      CounterSet set = sets.get(entry.getKey());
      for (Map.Entry<String, Quantity> sum : entry.getValue().entrySet()) {
        Quantity there = set == null ? null : set.counters().get(sum.getKey());
        if (there == null || sum.getValue().compareTo(there) > 0) {
          return "devices %s consume %s of counter %s of counter set '%s', which %s"
              .formatted(
                  users.get(entry.getKey()),
                  sum.getValue(),
                  sum.getKey(),
                  entry.getKey(),
                  set == null
                      ? "is not in their pool"
                      : there == null ? "does not have it" : "has " + there);
        }
      }
    }
    return null;
  }

  /** {@return why some devices cannot be allocated, one line each; none for a device that can} */
  List<String> refusals(List<Device> devices) {
    List<String> refusals = new ArrayList<>();
    for (Device device : devices) {
      String collision = collision(List.of(device));
      if (collision != null) {
        refusals.add(collision);
      }
    }
    return refusals;
  }

  /** Returns the first devices that can be allocated together, in their order. */
  List<Device> together(List<Device> devices) {
    List<Device> together = new ArrayList<>();
    for (Device device : devices) {
      together.add(device);
      if (collision(together) != null) {
        together.remove(together.size() - 1);
      }
    }
    return together;
  }

  /** Returns all devices that can be allocated at all, in groups that can be allocated together. */
  List<List<Device>> groups(List<Device> devices) {
    List<List<Device>> groups = new ArrayList<>();
    List<Device> left = new ArrayList<>(devices);
    left.removeIf(device -> collision(List.of(device)) != null);
    while (!left.isEmpty()) {
      List<Device> group = together(left);
      groups.add(group);
      left.removeAll(group);
    }
    return groups;
  }
}
