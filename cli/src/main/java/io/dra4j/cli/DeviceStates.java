package io.dra4j.cli;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether the devices of a node can be had. What nobody holds is not free yet: it may be tainted,
 * its counters may be used up by others (KEP-4815), or its pool may not be usable.
 */
final class DeviceStates {

  private record CounterKey(String driver, String pool, String set, String counter) {}

  private final Map<DeviceId, List<String>> holders;
  private final Map<DeviceId, Device> devices = new HashMap<>();
  private final Map<CounterKey, QuantitySum> left = new HashMap<>();
  private final Set<DeviceId> usable = new HashSet<>();

  DeviceStates(DeviceInventory inventory, String node, Map<DeviceId, List<String>> holders) {
    this.holders = holders;
    inventory
        .devicesOf(node)
        .ifPresent(found -> found.list().stream().map(InventoryDevice::id).forEach(usable::add));
    for (ResourceSlice slice : inventory.publishedSlices()) {
      for (CounterSet set : slice.sharedCounters()) {
        set.counters()
            .forEach(
                (name, amount) ->
                    left.put(
                        new CounterKey(slice.driver(), slice.pool().name(), set.name(), name),
                        QuantitySum.of(amount)));
      }
      slice.devices().forEach(device -> devices.put(slice.idOf(device), device));
    }
    holders.keySet().forEach(this::draw);
  }

  private void draw(DeviceId id) {
    Device device = devices.get(id);
    if (device == null) {
      return;
    }
    for (DeviceCounterConsumption draws : device.consumesCounters()) {
      draws
          .counters()
          .forEach(
              (name, amount) -> {
                QuantitySum rest = left.get(key(id, draws, name));
                if (rest != null) {
                  rest.subtract(amount);
                }
              });
    }
  }

  private static CounterKey key(DeviceId id, DeviceCounterConsumption draws, String counter) {
    return new CounterKey(id.driver(), id.pool(), draws.counterSet(), counter);
  }

  /** Returns {@code free}, or why the device cannot be had. */
  String of(DeviceId id) {
    List<String> having = holders.getOrDefault(id, List.of());
    if (!having.isEmpty()) {
      return "<== " + String.join(", ", having);
    }
    Device device = devices.get(id);
    if (device == null) {
      return "";
    }
    for (DeviceTaint taint : device.taints()) {
      if (taint.effect().equals(TaintEffect.NO_SCHEDULE)
          || taint.effect().equals(TaintEffect.NO_EXECUTE)) {
        String value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return "tainted: " + taint.key() + value + ":" + taint.effect().value();
      }
    }
    for (DeviceCounterConsumption draws : device.consumesCounters()) {
      for (Map.Entry<String, Quantity> draw : draws.counters().entrySet()) {
        QuantitySum rest = left.get(key(id, draws, draw.getKey()));
        if (rest != null && rest.compareTo(draw.getValue()) < 0) {
          return "counters used up: " + draws.counterSet() + "." + draw.getKey();
        }
      }
    }
    return usable.contains(id) ? "free" : "its pool is not usable";
  }
}
