package io.dra4j.runtime;

import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.internal.device.DrawnCounters;
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
 * Which claim has which device: those that are prepared or being prepared, and those that were
 * allocated on this host. Two claims cannot have the same device, or the same share of one, nor one
 * a device and the other a share of it, nor more of a counter than there is. Its lock is held while
 * a thread looks and takes, never while a driver works. Thread-safe.
 */
final class HeldDevices {

  /** The shares of a device that is wanted as a whole. */
  private static final Set<String> WHOLE = Set.of();

  /** Makes something that lasts before it is known to others. */
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
   * Makes the holds of a runtime.
   *
   * @param names the names that pools have now
   * @param counters says which devices draw on the same counters
   * @param prepared the claims that drivers have prepared, or have begun to
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

  /** Remembers an allocation that the store has already. */
  synchronized void restore(String uid, ResourceClaim claim) {
    allocated.put(uid, claim);
  }

  /**
   * Takes the devices of an allocation.
   *
   * @param commit writes it
   * @return false if another claim has got one of them meanwhile; nothing is written then
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

  /** The claims whose devices are about to be prepared; drivers do not have them yet. */
  synchronized List<ResourceClaim> preparing() {
    return List.copyOf(preparing.values());
  }

  /**
   * Takes the devices of a claim that is about to be prepared, until {@link #endPreparing}. Drivers
   * may prepare their parts of a claim at the same time.
   *
   * @param drivers the drivers whose devices are about to be prepared
   * @return why they must not be prepared; null if they can be, and only then are they taken
   */
  synchronized @Nullable String checkPreparing(
      String uid, ResourceClaim claim, Set<String> drivers) {
    ResourceClaim known = allocated.get(uid);
    if (known != null && !resultsOf(known, drivers).equals(resultsOf(claim, drivers))) {
      return "its allocation is not current: this host has allocated it other devices since";
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

  /** Also devices of different names exclude each other, such as a device and a part of it. */
  private @Nullable String overdrawn(String uid, Set<DeviceId> wanted) {
    Set<DeviceId> others = new HashSet<>();
    Set<String> answered = new HashSet<>(); // from the store, whatever these drivers share now
    for (StoredClaim claim : prepared.get()) {
      boolean isOwn = claim.claim().claim().uid().equals(uid);
      if (isOwn && claim.state() == ClaimState.DONE) {
        answered.add(claim.driver());
      } else if (!isOwn) {
        claim.claim().claimed().devices().forEach(device -> addTo(others, device.result()));
      }
    }
    Set<DeviceId> fresh = new HashSet<>(wanted);
    fresh.removeIf(device -> answered.contains(device.driver()));
    for (Map<String, ResourceClaim> claims : List.of(preparing, allocated)) {
      claims.forEach(
          (other, claim) -> {
            if (!other.equals(uid)) {
              resultsOf(claim).forEach(result -> addTo(others, result));
            }
          });
    }
    String overdrawn = counters.overdrawn(fresh, others);
    return overdrawn == null ? null : "its allocation is not current: " + overdrawn;
  }

  private void addTo(Set<DeviceId> devices, DeviceRequestAllocationResult result) {
    if (!isAdmin(result)) {
      devices.add(here(result).deviceId());
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
   * What a claim has, as it is called now: a process before this one may have given the node
   * another name, and the devices are the same. Those of other pools of a driver are other devices.
   */
  DeviceRequestAllocationResult here(DeviceRequestAllocationResult result) {
    String pool = names.now(result.driver(), result.pool());
    return pool.equals(result.pool()) ? result : result.toBuilder().pool(pool).build();
  }

  /** Those that look after devices have them beside their users (KEP-5018). */
  private static boolean isAdmin(DeviceRequestAllocationResult result) {
    return Boolean.TRUE.equals(result.adminAccess());
  }

  private static List<DeviceRequestAllocationResult> resultsOf(ResourceClaim claim) {
    var allocation = claim.allocation();
    return allocation == null ? List.of() : allocation.results();
  }
}
