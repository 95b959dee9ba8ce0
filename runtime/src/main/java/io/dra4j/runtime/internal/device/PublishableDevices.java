package io.dra4j.runtime.internal.device;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.model.SliceLimits;
import io.dra4j.spi.publish.DevicePool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The devices and counter sets of a driver that the API server accepts. A device that it would
 * refuse must not prevent publishing the others.
 *
 * @param devices the devices that can be published, in their order
 * @param counters the counter sets that can be published, in their order
 * @param leftOut the devices and counter sets that cannot be published, each with the reason on one
 *     line
 * @param rules the additional rules
 */
public record PublishableDevices(
    List<Device> devices, List<CounterSet> counters, List<String> leftOut, Rules rules) {

  /** The rules for the devices of a driver in addition to the limits of the API. */
  public record Rules(String driver, DevicePool pool) {}

  public static PublishableDevices of(DevicePool pool, String driver) {
    return of(pool.devices(), pool.counters(), new Rules(driver, pool));
  }

  private static PublishableDevices of(List<Device> found, List<CounterSet> shared, Rules rules) {
    List<String> leftOut = new ArrayList<>();
    Map<String, CounterSet> counters = new LinkedHashMap<>();
    for (CounterSet set : shared) {
      List<String> problems = new ArrayList<>(SliceLimits.problems(set));
      if (counters.containsKey(set.name())) {
        problems.add("has the name of another counter set");
      }
      if (problems.isEmpty()) {
        counters.put(set.name(), set);
      } else {
        leftOut.add("counter set '%s' %s".formatted(set.name(), String.join("; it ", problems)));
      }
    }
    List<Device> devices = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Device device : found) {
      List<String> problems = new ArrayList<>(SliceLimits.problems(device));
      problems.addAll(missing(device, counters));
      problems.addAll(rules.pool().partitionProblem(rules.driver(), device).stream().toList());
      if (problems.isEmpty() && !names.add(device.name())) {
        problems.add("has the name of another device");
      }
      if (problems.isEmpty()) {
        devices.add(device);
      } else {
        leftOut.add("device '%s' %s".formatted(device.name(), String.join("; it ", problems)));
      }
    }
    return new PublishableDevices(
        List.copyOf(devices), List.copyOf(counters.values()), List.copyOf(leftOut), rules);
  }

  /**
   * Adds devices of claims, which the driver may not be able to see now. It may not see their
   * counters either, so a counter set that it published before stays for as long as one of them
   * needs it.
   *
   * @param withHeld adds the devices of claims to the devices
   * @param before earlier counter sets of the pool; the first one of a name counts
   */
  public PublishableDevices with(UnaryOperator<List<Device>> withHeld, List<CounterSet> before) {
    List<Device> all = withHeld.apply(devices);
    Set<String> needed = new HashSet<>();
    all.forEach(device -> device.consumesCounters().forEach(one -> needed.add(one.counterSet())));
    counters.forEach(set -> needed.remove(set.name()));
    List<CounterSet> sets = new ArrayList<>(counters);
    for (CounterSet set : before) {
      if (needed.remove(set.name())) {
        sets.add(set);
      }
    }
    PublishableDevices publishable = of(all, sets, rules);
    List<String> left = new ArrayList<>(leftOut);
    left.addAll(publishable.leftOut);
    return new PublishableDevices(
        publishable.devices, publishable.counters, List.copyOf(left), rules);
  }

  /**
   * Finds missing counters; allocators refuse a whole pool in which a device uses a missing one.
   */
  private static List<String> missing(Device device, Map<String, CounterSet> counters) {
    List<String> problems = new ArrayList<>();
    for (DeviceCounterConsumption one : device.consumesCounters()) {
      @Nullable CounterSet set = counters.get(one.counterSet());
      Map<String, Quantity> there = set == null ? Map.of() : set.counters();
      one.counters()
          .forEach(
              (counter, amount) -> {
                if (!there.containsKey(counter)) {
                  problems.add(
                      "draws on counter %s of counter set %s, which the driver does not publish"
                          .formatted(counter, one.counterSet()));
                } else if (amount.compareTo(Quantity.of(0)) < 0) {
                  problems.add(
                      "draws %s on counter %s of counter set %s, expected 0 or more"
                          .formatted(amount, counter, one.counterSet()));
                }
              });
    }
    return problems;
  }
}
