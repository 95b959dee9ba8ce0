package io.dra4j.allocation;

import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.QuantitySum;
import io.dra4j.model.ResourceClaim;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the allocations of existing claims use. A result with admin access uses nothing, one with a
 * share ID uses a share of its device and consumes capacity, any other uses the whole device.
 */
final class DevicesInUse {

  private final Set<DeviceId> whole = new HashSet<>();
  private final Set<DeviceId> shared = new HashSet<>();
  private final Map<DeviceId, Map<String, QuantitySum>> consumed = new HashMap<>();

  private DevicesInUse() {}

  static DevicesInUse by(Collection<ResourceClaim> claims) {
    DevicesInUse inUse = new DevicesInUse();
    inUse.addAll(claims);
    return inUse;
  }

  /** The same and what further claims use. */
  DevicesInUse and(Collection<ResourceClaim> claims) {
    DevicesInUse copy = new DevicesInUse();
    copy.whole.addAll(whole);
    copy.shared.addAll(shared);
    consumed.forEach(
        (id, amounts) -> {
          Map<String, QuantitySum> sums = new HashMap<>();
          amounts.forEach((name, sum) -> sums.put(name, sum.copy()));
          copy.consumed.put(id, sums);
        });
    copy.addAll(claims);
    return copy;
  }

  private void addAll(Collection<ResourceClaim> claims) {
    for (ResourceClaim claim : claims) {
      if (claim.allocation() != null) {
        claim.allocation().results().forEach(this::add);
      }
    }
  }

  private void add(DeviceRequestAllocationResult result) {
    if (Boolean.TRUE.equals(result.adminAccess())) {
      return;
    }
    DeviceId id = result.deviceId();
    if (result.shareId() == null) {
      whole.add(id);
      return;
    }
    shared.add(id);
    Map<String, QuantitySum> amounts = consumed.computeIfAbsent(id, any -> new HashMap<>());
    result
        .consumedCapacity()
        .forEach(
            (name, amount) -> amounts.computeIfAbsent(name, n -> new QuantitySum()).add(amount));
  }

  /** Whether nobody else may have the device. Without sharing every share is the whole device. */
  boolean isTaken(DeviceId id, boolean sharing) {
    return whole.contains(id) || (!sharing && shared.contains(id));
  }

  /** Whether some claim has a share of the device. */
  boolean isShared(DeviceId id, boolean sharing) {
    return sharing && shared.contains(id);
  }

  /** Whether anybody has the device or a part of it. */
  boolean isAllocated(DeviceId id) {
    return whole.contains(id) || shared.contains(id);
  }

  /** What the shares of the device consume, by capacity name. */
  Map<String, QuantitySum> consumed(DeviceId id, boolean sharing) {
    return sharing ? consumed.getOrDefault(id, Map.of()) : Map.of();
  }
}
