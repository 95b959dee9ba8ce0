package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.runtime.internal.device.OpaqueParameters;
import io.dra4j.runtime.internal.store.Documents;
import io.dra4j.spi.ClaimReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Allocates claims on this host, as a scheduler would if the cluster had only this node. An
 * allocation is in the store before it is returned. Thread-safe.
 */
final class LocalAllocation {

  private static final AllocationOutcome TRY_AGAIN =
      new Rejected(RejectionReason.CLAIM, "another claim has taken the devices; try again");

  private static final int MOST_TRIES = 8;

  private final Allocator allocator;
  private final Node node;
  private final List<DeviceClass> classes;
  private final ClaimKeeper keeper;
  private final HeldDevices held;

  LocalAllocation(
      Allocator allocator,
      String node,
      List<DeviceClass> classes,
      ClaimKeeper keeper,
      HeldDevices held) {
    this.allocator = allocator;
    this.node = Node.named(node);
    this.classes = List.copyOf(classes);
    this.keeper = keeper;
    this.held = held;
  }

  /** Restores the allocations of the store. */
  void restore() throws StoreException {
    for (ResourceClaim claim : keeper.store().allocations()) {
      held.restore(uidOf(claim), claim);
    }
  }

  List<ResourceClaim> allocated() {
    return held.allocated();
  }

  /** Allocates a claim. A repeated call for the same claim returns the same allocation. */
  synchronized AllocationOutcome allocate(ResourceClaim claim, List<ResourceSlice> slices)
      throws StoreException {
    ResourceClaim wanted = withUid(claim);
    ResourceClaim known = held.allocated(uidOf(wanted));
    if (known != null) {
      AllocationResult allocation = known.allocation();
      return allocation != null && Documents.asksTheSame(known, wanted)
          ? new Allocated(List.of(new ClaimAllocation(wanted, allocation)))
          : new Rejected(
              RejectionReason.CLAIM,
              "claim %s: it is allocated with another spec; release it first"
                  .formatted(claim.displayName()));
    }
    String problem = OpaqueParameters.problem(wanted, classes);
    if (problem != null) {
      return new Rejected(
          RejectionReason.CLAIM, "claim %s: %s".formatted(claim.displayName(), problem));
    }
    AllocationOutcome outcome = tryAllocate(wanted, slices);
    for (int i = 1; outcome == TRY_AGAIN && i < MOST_TRIES; i++) {
      outcome = tryAllocate(wanted, slices);
    }
    return outcome;
  }

  private AllocationOutcome tryAllocate(ResourceClaim wanted, List<ResourceSlice> slices)
      throws StoreException {
    List<KubernetesObject> objects = new ArrayList<>(slices);
    objects.add(node);
    objects.addAll(classes);
    Map<String, ResourceClaim> holding = preparedElsewhere();
    if (holding.containsKey(uidOf(wanted))) {
      return new Rejected(
          RejectionReason.CLAIM,
          "claim %s: it is prepared with devices that were not allocated here; unprepare it first"
              .formatted(wanted.displayName()));
    }
    held.allocated().forEach(one -> holding.put(uidOf(one), one));
    DeviceInventory inventory =
        DeviceInventory.of(ClusterSnapshot.of(objects)).with(here(holding.values(), slices));
    AllocationOutcome outcome = allocator.allocate(inventory, node.name(), List.of(wanted));
    if (outcome instanceof Allocated done) {
      for (ClaimAllocation one : done.allocations()) {
        ResourceClaim allocated = one.allocatedClaim();
        if (!held.allocate(
            uidOf(allocated), allocated, () -> keeper.store().putAllocation(allocated))) {
          return TRY_AGAIN; // another call has prepared a claim with these devices
        }
      }
    }
    return outcome instanceof Rejected rejected
            && rejected.reason() == RejectionReason.MISSING_CLASS
        ? new Rejected(
            RejectionReason.MISSING_CLASS,
            rejected.error() + "; add it to the deviceClasses of the runtime")
        : outcome;
  }

  /**
   * The devices that claims have on this host, whether the claims should have them or not. A share
   * of a device that cannot be shared (any more) counts as the whole device, so that no other claim
   * gets it.
   */
  private List<ResourceClaim> here(Collection<ResourceClaim> holding, List<ResourceSlice> slices) {
    Set<DeviceId> shareable = new HashSet<>();
    for (ResourceSlice slice : slices) {
      for (Device device : slice.devices()) {
        if (device.allowMultipleAllocations()) {
          shareable.add(new DeviceId(slice.driver(), slice.pool().name(), device.name()));
        }
      }
    }
    List<ResourceClaim> here = new ArrayList<>();
    for (ResourceClaim claim : holding) {
      AllocationResult allocation = claim.allocation();
      if (allocation != null) {
        List<DeviceRequestAllocationResult> results = new ArrayList<>();
        for (DeviceRequestAllocationResult result : allocation.results()) {
          DeviceRequestAllocationResult now = held.here(result);
          results.add(
              shareable.contains(now.deviceId()) ? now : now.toBuilder().shareId(null).build());
        }
        here.add(
            claim.toBuilder().allocation(allocation.toBuilder().results(results).build()).build());
      }
    }
    return here;
  }

  /** Claims that another allocator has allocated, and claims whose allocation cannot be read. */
  private Map<String, ResourceClaim> preparedElsewhere() {
    Map<String, ResourceClaim> claims = new LinkedHashMap<>();
    for (ResourceClaim claim : held.preparing()) { // first, since they are prepared next
      if (held.allocated(uidOf(claim)) == null) {
        claims.put(uidOf(claim), claim);
      }
    }
    Map<ClaimReference, AllocationResult.Builder> allocations = new LinkedHashMap<>();
    for (StoredClaim one : keeper.claims()) {
      if (held.allocated(one.claim().claim().uid()) == null) {
        AllocationResult.Builder allocation =
            allocations.computeIfAbsent(one.claim().claim(), name -> AllocationResult.builder());
        one.claim().claimed().devices().forEach(device -> allocation.result(device.result()));
      }
    }
    allocations.forEach(
        (name, allocation) -> {
          ObjectMeta metadata = ObjectMeta.named(name.namespace(), name.name());
          claims.putIfAbsent(
              name.uid(),
              ResourceClaim.named(name.name())
                  .metadata(metadata.toBuilder().uid(name.uid()).build())
                  .allocation(allocation.build())
                  .build());
        });
    return claims;
  }

  synchronized void release(String uid) throws StoreException {
    held.release(uid, () -> keeper.store().deleteAllocation(uid));
  }

  /** Adds a UID to a claim without one, such as a claim of a file: its name identifies it. */
  static ResourceClaim withUid(ResourceClaim claim) {
    ObjectMeta metadata = claim.metadata();
    String known = metadata.uid();
    if (known != null && !known.isEmpty()) {
      return claim;
    }
    String name = metadata.namespaceOrDefault() + "/" + metadata.name();
    String uid = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    return claim.toBuilder()
        .metadata(metadata.toBuilder().namespace(metadata.namespaceOrDefault()).uid(uid).build())
        .build();
  }

  private static String uidOf(ResourceClaim claim) {
    @Nullable String uid = claim.metadata().uid();
    return uid == null ? "" : uid;
  }
}
