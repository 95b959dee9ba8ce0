package io.dra4j.runtime;

import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.internal.device.DrawnCounters;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The devices of each claim that is prepared, being prepared, or allocated on this host. Two claims
 * cannot have the same device or the same share of a device. A claim cannot have a whole device
 * while another claim has a share of it. All claims together cannot consume more of a counter than
 * there is. The lock is held for a check and its update, never during a driver's call. Thread-safe.
 */
final class HeldDevices {

  /** The shares of a device that is requested as a whole. */
  private static final Set<String> WHOLE = Set.of();

  /** Makes a change durable before other threads can see it. */
  interface Commit {
    void run() throws StoreException;
  }

  private final PoolNames names;
  private final DrawnCounters counters;
  private final Supplier<List<StoredClaim>> prepared;
  private final Map<String, ResourceClaim> preparing = new HashMap<>();
  private final Map<String, Integer> preparers = new HashMap<>();
  private final Map<String, ResourceClaim> allocated = new LinkedHashMap<>();

  /**
   * Creates the record of held devices of a runtime.
   *
   * @param names the current names of pools
   * @param counters finds devices that consume the same counters
   * @param prepared the claims that drivers have prepared or are preparing
   */
  HeldDevices(PoolNames names, DrawnCounters counters, Supplier<List<StoredClaim>> prepared) {
    this.names = names;
    this.counters = counters;
    this.prepared = prepared;
  }

  /** The claims that were allocated on this host, oldest first. */
  synchronized List<ResourceClaim> allocated() {
    return List.copyOf(allocated.values());
  }

  synchronized @Nullable ResourceClaim allocated(String uid) {
    return allocated.get(uid);
  }

  /** Adds an allocation that is in the store already. */
  synchronized void restore(String uid, ResourceClaim claim) {
    allocated.put(uid, claim);
  }

  /**
   * Takes the devices of an allocation.
   *
   * @param commit writes the allocation
   * @return false if another claim has one of the devices now; nothing is written then
   */
  synchronized boolean allocate(String uid, ResourceClaim claim, Commit commit)
      throws StoreException {
    if (conflict(uid, resultsOf(claim)) != null) {
      return false;
    }
    commit.run();
    allocated.put(uid, claim);
    return true;
  }

  synchronized void release(String uid, Commit commit) throws StoreException {
    if (allocated.containsKey(uid)) {
      commit.run();
      allocated.remove(uid);
    }
  }

  /** The claims that are about to be prepared; drivers do not have them yet. */
  synchronized List<ResourceClaim> preparing() {
    return List.copyOf(preparing.values());
  }

  /**
   * Reserves the devices of a claim that is about to be prepared, until {@link #endPreparing}.
   * Drivers may prepare their parts of a claim at the same time.
   *
   * @param drivers the drivers whose devices are about to be prepared
   * @return the reason why they must not be prepared; null if the devices were reserved
   */
  synchronized @Nullable String checkPreparing(
      String uid, ResourceClaim claim, Set<String> drivers) {
    ResourceClaim known = allocated.get(uid);
    if (known != null && !resultsOf(known, drivers).equals(resultsOf(claim, drivers))) {
      return "its allocation is not current: this host has allocated other devices to it since";
    }
    String conflict = conflict(uid, resultsOf(claim, drivers));
    if (conflict == null) {
      preparing.put(uid, claim);
      preparers.merge(uid, 1, Integer::sum);
    }
    return conflict;
  }

  synchronized void endPreparing(String uid) {
    if (preparers.merge(uid, -1, Integer::sum) <= 0) {
      preparers.remove(uid);
      preparing.remove(uid);
    }
  }

  private static List<DeviceRequestAllocationResult> resultsOf(
      ResourceClaim claim, Set<String> drivers) {
    return resultsOf(claim).stream().filter(one -> drivers.contains(one.driver())).toList();
  }

  private @Nullable String conflict(String uid, List<DeviceRequestAllocationResult> results) {
    Map<DeviceId, Set<String>> wanted = new HashMap<>(); // the shares of each device
    results.forEach(result -> addTo(wanted, result));
    for (StoredClaim claim : prepared.get()) {
      if (!claim.claim().claim().uid().equals(uid)) {
        for (ClaimedDevice device : claim.claim().claimed().devices()) {
          if (isWanted(device.result(), wanted)) {
            return taken(device.result(), claim.claim().claim(), "has");
          }
        }
      }
    }
    String conflict = conflict(uid, wanted, preparing, "is being prepared with");
    if (conflict == null) {
      conflict = conflict(uid, wanted, allocated, "was allocated");
    }
    return conflict == null ? overdrawn(uid, wanted.keySet()) : conflict;
  }

  /** Checks counters: devices with different names may conflict, such as a device and its part. */
  private @Nullable String overdrawn(String uid, Set<DeviceId> wanted) {
    Map<DeviceId, String> others = new LinkedHashMap<>(); // with the names of their claims
    Set<String> answered = new HashSet<>(); // from the store, whatever these drivers publish now
    for (StoredClaim claim : prepared.get()) {
      boolean isOwn = claim.claim().claim().uid().equals(uid);
      if (isOwn && claim.state() == ClaimState.DONE) {
        answered.add(claim.driver());
      } else if (!isOwn) {
        ClaimReference holder = claim.claim().claim();
        String name = holder.namespace() + "/" + holder.name();
        claim.claim().claimed().devices().forEach(device -> addTo(others, device.result(), name));
      }
    }
    Set<DeviceId> fresh = new HashSet<>(wanted);
    fresh.removeIf(device -> answered.contains(device.driver()));
    for (Map<String, ResourceClaim> claims : List.of(preparing, allocated)) {
      claims.forEach(
          (other, claim) -> {
            if (!other.equals(uid)) {
              resultsOf(claim).forEach(result -> addTo(others, result, claim.displayName()));
            }
          });
    }
    String overdrawn = counters.overdrawn(fresh, others);
    return overdrawn == null
        ? null
        : "its devices and those of other claims do not fit together: " + overdrawn;
  }

  private void addTo(
      Map<DeviceId, String> devices, DeviceRequestAllocationResult result, String claim) {
    if (!isAdmin(result)) {
      devices.put(here(result).deviceId(), claim);
    }
  }

  private @Nullable String conflict(
      String uid,
      Map<DeviceId, Set<String>> wanted,
      Map<String, ResourceClaim> others,
      String how) {
    for (Map.Entry<String, ResourceClaim> other : others.entrySet()) {
      if (!other.getKey().equals(uid)) {
        for (DeviceRequestAllocationResult result : resultsOf(other.getValue())) {
          if (isWanted(result, wanted)) {
            return taken(result, other.getValue().displayName(), how);
          }
        }
      }
    }
    return null;
  }

  private static String taken(DeviceRequestAllocationResult result, Object claim, String how) {
    return "its allocation is not current: claim %s %s device %s"
        .formatted(claim, how, result.deviceId());
  }

  private boolean isWanted(
      DeviceRequestAllocationResult result, Map<DeviceId, Set<String>> wanted) {
    Set<String> shares = isAdmin(result) ? null : wanted.get(here(result).deviceId());
    String shareId = result.shareId();
    return shares != null && (shares.isEmpty() || shareId == null || shares.contains(shareId));
  }

  private void addTo(Map<DeviceId, Set<String>> wanted, DeviceRequestAllocationResult result) {
    if (isAdmin(result)) {
      return;
    }
    DeviceId device = here(result).deviceId();
    String shareId = result.shareId();
    Set<String> known = wanted.get(device);
    if (shareId == null) {
      wanted.put(device, WHOLE);
    } else if (known == null) {
      wanted.put(device, new HashSet<>(Set.of(shareId)));
    } else if (!known.isEmpty()) {
      known.add(shareId);
    }
  }

  /**
   * A device of a claim with the current name of its pool. An earlier process may have given the
   * node another name; the devices are the same. Devices in other pools of a driver are different
   * devices.
   */
  DeviceRequestAllocationResult here(DeviceRequestAllocationResult result) {
    String pool = names.now(result.driver(), result.pool());
    return pool.equals(result.pool()) ? result : result.toBuilder().pool(pool).build();
  }

  /** Whether a result has admin access, which does not exclude other users (KEP-5018). */
  private static boolean isAdmin(DeviceRequestAllocationResult result) {
    return Boolean.TRUE.equals(result.adminAccess());
  }

  private static List<DeviceRequestAllocationResult> resultsOf(ResourceClaim claim) {
    var allocation = claim.allocation();
    return allocation == null ? List.of() : allocation.results();
  }
}
