package io.dra4j.cli.cluster;

import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the devices of a node can be had. What nobody holds is not free yet: it may be tainted,
 * its counters may be used up by others (KEP-4815), or its pool may not be usable.
 */
final class DeviceStates {

  private record CounterKey(String driver, String pool, String set, String counter) {}

  /** A claim that has a device; one with admin access takes it from nobody (KEP-5018). */
  record Holder(String name, boolean isAdmin) {}

  private final Map<DeviceId, List<Holder>> holders;
  private final Map<DeviceId, Device> devices = new HashMap<>();
  private final Map<CounterKey, QuantitySum> left = new HashMap<>();
  private final Set<DeviceId> usable = new HashSet<>();
  private final boolean looksAtTaints;

  /**
   * Finds out the states.
   *
   * @param inventory the devices
   * @param node whose they are
   * @param holders who has which device
   * @param features which features are on
   */
  DeviceStates(
      DeviceInventory inventory,
      String node,
      Map<DeviceId, List<Holder>> holders,
      Set<Feature> features) {
    this.holders = holders;
    this.looksAtTaints = features.contains(Feature.DEVICE_TAINTS);
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
    holders.forEach(
        (id, having) -> {
          if (!having.stream().allMatch(Holder::isAdmin)) {
            draw(id);
          }
        });
  }

  /** Who has which device, of claims with what they got. */
  static Map<DeviceId, List<Holder>> holders(Map<ClaimKey, ResourceClaim> claims) {
    Map<DeviceId, List<Holder>> holders = new HashMap<>();
    claims.forEach(
        (key, claim) -> {
          AllocationResult allocation = claim.allocation();
          for (DeviceRequestAllocationResult result :
              allocation == null
                  ? List.<DeviceRequestAllocationResult>of()
                  : allocation.results()) {
            boolean isAdmin = Boolean.TRUE.equals(result.adminAccess());
            String how = isAdmin ? " (admin)" : result.shareId() != null ? " (share)" : "";
            holders
                .computeIfAbsent(result.deviceId(), id -> new ArrayList<>())
                .add(new Holder(key + how, isAdmin));
          }
        });
    return holders;
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

  /** Returns who has the device, as {@code <== namespace/name}, or else its {@link #state}. */
  String of(DeviceId id) {
    String having = having(id);
    if (having.isEmpty()) {
      return state(id);
    }
    return "<== " + having + (isHeld(id) ? "" : ", else " + state(id));
  }

  /** Returns the same as {@link #of} as words: {@code held by namespace/name}, {@code free}. */
  String words(DeviceId id) {
    return isHeld(id) ? "held by " + having(id) : state(id);
  }

  private String having(DeviceId id) {
    return holders.getOrDefault(id, List.of()).stream()
        .map(Holder::name)
        .collect(Collectors.joining(", "));
  }

  private boolean isHeld(DeviceId id) {
    return holders.getOrDefault(id, List.of()).stream().anyMatch(holder -> !holder.isAdmin);
  }

  /** Returns {@code free}, or why the device cannot be had, apart from who has it. */
  private String state(DeviceId id) {
    Device device = devices.get(id);
    if (device == null) {
      return "";
    }
    for (DeviceTaint taint : looksAtTaints ? device.taints() : List.<DeviceTaint>of()) {
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
