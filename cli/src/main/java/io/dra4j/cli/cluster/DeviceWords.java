package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.status.DeviceStatus;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.PodOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The words for devices in pictures: the claims that hold a device, or the allocator's status. */
final class DeviceWords {

  /** A claim that has a device; with admin access, other claims can have it too (KEP-5018). */
  private record Holder(String name, boolean isAdmin) {}

  private final Map<DeviceId, DeviceStatus> states;
  private final Map<DeviceId, List<Holder>> holders;

  private DeviceWords(Map<DeviceId, DeviceStatus> states, Map<DeviceId, List<Holder>> holders) {
    this.states = states;
    this.holders = holders;
  }

  /** Returns the words for the devices of an inventory, with the allocations of its claims. */
  static DeviceWords of(
      Allocator allocator,
      DeviceInventory inventory,
      String node,
      Map<ClaimKey, ResourceClaim> claims) {
    return new DeviceWords(states(allocator, inventory, node), holders(claims));
  }

  /** Returns the words of nodes after pods were placed; {@code before} has those from before. */
  static Map<String, DeviceWords> after(
      Allocator allocator, DeviceInventory before, ClusterOutcome outcome) {
    List<InventoryEvent> puts = new ArrayList<>();
    for (PodOutcome pod : outcome.pods()) {
      if (pod instanceof PodOutcome.Placed placed) {
        for (ClaimAllocation allocation : placed.allocations()) {
          puts.add(new InventoryEvent.ClaimPut(allocation.allocatedClaim()));
        }
      }
    }
    DeviceInventory after = before.apply(puts);
    Map<DeviceId, List<Holder>> holders = holders(outcome.claims());
    Map<String, DeviceWords> words = new HashMap<>();
    for (String node : PicturedNodes.of(outcome.pods())) {
      words.put(node, new DeviceWords(states(allocator, after, node), holders));
    }
    return words;
  }

  private static Map<DeviceId, DeviceStatus> states(
      Allocator allocator, DeviceInventory inventory, String node) {
    try {
      return allocator.statusOfDevices(inventory, node, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("a budget without limit is used up", e);
    }
  }

  /**
   * Returns the claims of each device and their kind of access, which the inventory does not store.
   */
  private static Map<DeviceId, List<Holder>> holders(Map<ClaimKey, ResourceClaim> claims) {
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

  /** Returns the claims with the device, as {@code <== namespace/name}, or else its status. */
  String withArrow(DeviceId id) {
    if (isHeld(id)) {
      return "<== " + having(id);
    }
    List<Holder> admins = holders.getOrDefault(id, List.of());
    return admins.isEmpty() ? status(id) : "<== " + names(admins) + ", else " + status(id);
  }

  /** Returns the claims or status as a phrase: {@code held by namespace/name}, {@code free}. */
  String phrase(DeviceId id) {
    return isHeld(id) ? "held by " + having(id) : status(id);
  }

  /** Returns the claims or status: {@code in use by namespace/name}, or {@code free}. */
  String explained(DeviceId id) {
    return isHeld(id) ? "in use by " + having(id) : status(id);
  }

  /** Returns whether the device can be allocated. */
  boolean isFree(DeviceId id) {
    return states.get(id) instanceof DeviceStatus.Free;
  }

  private boolean isHeld(DeviceId id) {
    return states.get(id) instanceof DeviceStatus.InUse
        || holders.getOrDefault(id, List.of()).stream().anyMatch(holder -> !holder.isAdmin);
  }

  private String having(DeviceId id) {
    List<Holder> known = holders.getOrDefault(id, List.of());
    return known.isEmpty() && states.get(id) instanceof DeviceStatus.InUse inUse
        ? inUse.holders().stream().map(ClaimKey::toString).collect(Collectors.joining(", "))
        : names(known);
  }

  private static String names(List<Holder> holders) {
    return holders.stream().map(Holder::name).collect(Collectors.joining(", "));
  }

  /** Returns {@code free}, or why the device cannot be allocated, regardless of its holders. */
  private String status(DeviceId id) {
    DeviceStatus status = states.get(id);
    if (status instanceof DeviceStatus.Free) {
      return "free";
    } else if (status instanceof DeviceStatus.Tainted tainted) {
      DeviceTaint taint = tainted.taint();
      String value = taint.value().isEmpty() ? "" : "=" + taint.value();
      return "tainted: " + taint.key() + value + ":" + taint.effect().value();
    } else if (status instanceof DeviceStatus.CountersExhausted exhausted) {
      return (exhausted.overdrawn() ? "counters of its pool overdrawn: " : "counters used up: ")
          + exhausted.counter();
    } else if (status instanceof DeviceStatus.Unsuitable unsuitable) {
      return "refused: " + unsuitable.reason();
    }
    return "its pool is not usable"; // also a pool that is hidden by disabled features
  }
}
