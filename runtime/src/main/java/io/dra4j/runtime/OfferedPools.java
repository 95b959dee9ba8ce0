package io.dra4j.runtime;

import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.publish.DevicePool;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The offers of the drivers as of the last discovery, the health of their devices, and the
 * listeners for changes. Thread-safe.
 */
final class OfferedPools implements PoolService {

  private final String node;
  private final List<DriverSlot> slots;
  private final ChangeListeners listeners;

  /** Creates the service of a runtime on the node of this name. */
  OfferedPools(String node, List<DriverSlot> slots, ChangeListeners listeners) {
    this.node = node;
    this.slots = List.copyOf(slots);
    this.listeners = listeners;
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public Set<String> drivers() {
    Set<String> names = new LinkedHashSet<>();
    slots.forEach(slot -> names.add(slot.name()));
    return Collections.unmodifiableSet(names);
  }

  @Override
  public Map<String, DevicePool> pools(String driver) {
    Objects.requireNonNull(driver, "driver");
    for (DriverSlot slot : slots) {
      if (slot.name().equals(driver)) {
        return slot.pools();
      }
    }
    throw new IllegalArgumentException(
        "expected one of the drivers %s, found %s".formatted(drivers(), driver));
  }

  @Override
  public List<ResourceSlice> slices() {
    return slots.stream().flatMap(slot -> slot.slices().stream()).toList();
  }

  @Override
  public Map<String, List<DeviceHealth>> deviceHealth() {
    Map<String, List<DeviceHealth>> health = new LinkedHashMap<>();
    slots.forEach(slot -> health.put(slot.name(), slot.health().devices()));
    return health;
  }

  @Override
  public void addListener(SliceListener listener) {
    listeners.slices.add(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void addPoolListener(PoolListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"), slots);
  }

  @Override
  public void removePoolListener(PoolListener listener) {
    listeners.pools.remove(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void addHealthListener(HealthListener listener) {
    listeners.health.add(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeHealthListener(HealthListener listener) {
    listeners.health.remove(Objects.requireNonNull(listener, "listener"));
  }
}
