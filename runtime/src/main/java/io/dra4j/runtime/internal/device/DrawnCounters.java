package io.dra4j.runtime.internal.device;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Quantity;
import io.dra4j.spi.publish.DevicePool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether devices that share counters can be used together (KEP-4815). A device and a part
 * of it have different names, but exclude each other. This is the last check if a scheduler has
 * overlooked a claim. Devices and counter sets that are not published now are skipped.
 */
public final class DrawnCounters {

  /** A counter set of a pool. */
  private record Place(String driver, String pool, String set) {}

  /** The devices and pools that are published now. */
  public interface Published {

    /** Returns a device; null if it is not published. */
    @Nullable Device device(DeviceId id);

    /** Returns a pool of a driver; null if it is not published. */
    @Nullable DevicePool pool(String driver, String pool);
  }

  private final Published published;

  /**
   * Creates the check for the counters of drivers.
   *
   * @param published their devices and pools
   */
  public DrawnCounters(Published published) {
    this.published = published;
  }

  /**
   * {@return the counter of which requested and held devices together consume more than there is,
   * the consumed amount and the devices; null if there is enough of each counter}
   *
   * @param wanted the devices of one claim, by their current names
   * @param held the devices of all other claims, each with the name of its claim
   */
  public @Nullable String overdrawn(Collection<DeviceId> wanted, Map<DeviceId, String> held) {
    Map<Place, Map<String, Quantity>> drawn = new LinkedHashMap<>();
    Map<Place, List<String>> users = new LinkedHashMap<>();
    for (DeviceId id : wanted) {
      for (DeviceCounterConsumption one : drawsOf(id)) {
        users.put(new Place(id.driver(), id.pool(), one.counterSet()), new ArrayList<>());
      }
    }
    if (users.isEmpty()) {
      return null;
    }
    Set<DeviceId> all =
        new LinkedHashSet<>(held.keySet()); // a shared device consumes counters once
    all.addAll(wanted);
    for (DeviceId id : all) {
      for (DeviceCounterConsumption one : drawsOf(id)) {
        Place place = new Place(id.driver(), id.pool(), one.counterSet());
        List<String> others = users.get(place);
        if (others != null) {
          String claim = wanted.contains(id) ? null : held.get(id);
          others.add(claim == null ? id.device() : id.device() + " of claim " + claim);
          Map<String, Quantity> sums = drawn.computeIfAbsent(place, key -> new LinkedHashMap<>());
          one.counters().forEach((counter, amount) -> sums.merge(counter, amount, Quantity::add));
        }
      }
    }
    for (Map.Entry<Place, Map<String, Quantity>> entry : drawn.entrySet()) {
      Place place = entry.getKey();
      for (Map.Entry<String, Quantity> sum : entry.getValue().entrySet()) {
        Quantity there = countersOf(place).get(sum.getKey());
        if (there != null && sum.getValue().compareTo(there) > 0) {
          return "devices %s draw %s on counter %s of counter set %s, which has %s"
              .formatted(users.get(place), sum.getValue(), sum.getKey(), place.set(), there);
        }
      }
    }
    return null;
  }

  private List<DeviceCounterConsumption> drawsOf(DeviceId id) {
    Device device = published.device(id);
    return device == null ? List.of() : device.consumesCounters();
  }

  private Map<String, Quantity> countersOf(Place place) {
    DevicePool pool = published.pool(place.driver(), place.pool());
    if (pool != null) {
      for (CounterSet set : pool.counters()) {
        if (set.name().equals(place.set())) {
          return set.counters();
        }
      }
    }
    return Map.of();
  }
}
