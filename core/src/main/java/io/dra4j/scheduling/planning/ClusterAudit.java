package io.dra4j.scheduling.planning;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.status.DeviceStatus;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.PrintableText;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The inconsistencies of a cluster: devices that several claims hold; devices that are in use but
 * not published; claims whose pods have ended or no longer exist; incomplete pools; and allocations
 * that are no longer valid (drift).
 *
 * <p>Each allocation is replayed separately: its claim is released, all other claims keep their
 * devices, and the allocator tries to allocate exactly the same devices on the same node. The
 * allocator refuses them if slices, taints, classes, selectors or other claims have changed since.
 *
 * @param claims the number of checked claims with an allocation
 * @param devices the number of devices of these claims, each counted once
 * @param podsKnown whether the cluster has Pods; if it has none, claims without pods are not
 *     reported
 * @param findings the inconsistencies, in the order of {@link AuditFinding}
 */
public record ClusterAudit(
    int claims, int devices, boolean podsKnown, List<AuditFinding> findings) {

  /** Copies the list. {@inheritDoc} */
  public ClusterAudit {
    findings = List.copyOf(findings);
  }

  /**
   * {@return the inconsistencies of all claims and pools}
   *
   * @param objects the objects of the cluster, as they were dumped
   * @param allocators returns a new builder of an allocator in each call, with the selectors,
   *     features and limits of the cluster
   * @param budget the time for the replay of all allocations together
   */
  public static ClusterAudit of(
      Collection<? extends KubernetesObject> objects,
      Supplier<Allocator.Builder> allocators,
      Budget budget) {
    return of(objects, claim -> true, allocators, budget);
  }

  /**
   * {@return the inconsistencies of all pools and of the checked claims, which alone are counted}
   *
   * @param objects the objects of the cluster, as they were dumped
   * @param asked returns whether to check a claim; the devices of other claims stay in use
   * @param allocators returns a new builder of an allocator in each call, with the selectors,
   *     features and limits of the cluster
   * @param budget the time for the replay of all allocations together
   */
  public static ClusterAudit of(
      Collection<? extends KubernetesObject> objects,
      Predicate<ClaimKey> asked,
      Supplier<Allocator.Builder> allocators,
      Budget budget) {
    Objects.requireNonNull(objects, "objects");
    Objects.requireNonNull(asked, "asked");
    Objects.requireNonNull(allocators, "allocators");
    Objects.requireNonNull(budget, "budget");
    return new Check(objects, asked, allocators, budget).check();
  }

  /** The check of one cluster. */
  private static final class Check {

    private final Collection<? extends KubernetesObject> objects;
    private final Predicate<ClaimKey> asked;
    private final Supplier<Allocator.Builder> allocators;
    private final Budget budget;
    private final DeviceInventory inventory;
    private final Map<ClaimKey, ResourceClaim> allocated =
        new LinkedHashMap<>(); // the checked claims
    private final Map<DeviceId, List<ClaimKey>> alone = new LinkedHashMap<>();
    private final Set<DeviceId> devices = new HashSet<>();
    private final Map<DeviceId, String> published = new HashMap<>(); // with the node, or ""
    private final Map<String, String> uids = new HashMap<>(); // of pods that run, empty if unknown
    private final Map<String, String> nodesOfPods = new HashMap<>();
    private final List<AuditFinding> findings = new ArrayList<>();
    private boolean arePodsKnown;

    Check(
        Collection<? extends KubernetesObject> objects,
        Predicate<ClaimKey> asked,
        Supplier<Allocator.Builder> allocators,
        Budget budget) {
      this.objects = objects;
      this.asked = asked;
      this.allocators = allocators;
      this.budget = budget;
      this.inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
    }

    ClusterAudit check() {
      objects.forEach(this::add);
      alone.forEach(
          (device, claims) -> {
            if (claims.size() > 1 && claims.stream().anyMatch(asked)) {
              findings.add(new AuditFinding.HeldTwice(device, claims));
            }
          });
      allocated.forEach(this::checkPublished);
      if (arePodsKnown) {
        allocated.values().forEach(this::checkPods);
      }
      checkPools();
      allocated.values().forEach(this::replay);
      return new ClusterAudit(allocated.size(), devices.size(), arePodsKnown, findings);
    }

    private void add(KubernetesObject object) {
      if (object instanceof ResourceClaim claim && claim.allocation() != null) {
        boolean isAsked = asked.test(ClaimKey.of(claim));
        if (isAsked) {
          allocated.put(ClaimKey.of(claim), claim);
        }
        for (DeviceRequestAllocationResult result : claim.allocation().results()) {
          if (isAsked) {
            devices.add(result.deviceId());
          }
          if (!Boolean.TRUE.equals(result.adminAccess()) && result.shareId() == null) {
            alone
                .computeIfAbsent(result.deviceId(), any -> new ArrayList<>())
                .add(ClaimKey.of(claim));
          }
        }
      } else if (object instanceof Pod pod) {
        arePodsKnown = true;
        addPod(pod);
      } else if (object instanceof ResourceSlice slice) {
        for (Device device : slice.devices()) {
          String node = slice.nodeSelection().nodeName();
          node = node == null ? device.nodeSelection().nodeName() : node;
          published.merge(slice.idOf(device), node == null ? "" : node, (first, other) -> first);
        }
      }
    }

    private void addPod(Pod pod) {
      if (!pod.phase().isTerminal()) { // the controller of claims ends the reservations of others
        String name = pod.metadata().namespaceOrDefault() + "/" + pod.metadata().name();
        uids.put(name, Objects.requireNonNullElse(pod.metadata().uid(), ""));
        nodesOfPods.put(name, pod.spec().nodeName());
      }
    }

    private void checkPublished(ClaimKey key, ResourceClaim claim) {
      for (DeviceRequestAllocationResult result : resultsOf(claim)) {
        if (!published.containsKey(result.deviceId())) {
          findings.add(new AuditFinding.NotPublished(key, result.deviceId()));
        }
      }
    }

    private void checkPods(ResourceClaim claim) {
      List<String> gone = new ArrayList<>();
      boolean isUsed = false;
      String namespace = claim.metadata().namespaceOrDefault() + "/";
      for (ResourceClaimConsumerReference consumer : claim.status().reservedFor()) {
        if (!consumer.apiGroup().isEmpty() || !consumer.resource().equals("pods")) {
          isUsed = true; // by another object, such as a PodGroup
        } else if (isThere(namespace + consumer.name(), consumer.uid())) {
          isUsed = true;
        } else {
          gone.add(namespace + consumer.name());
        }
      }
      if (claim.status().reservedFor().isEmpty()) {
        for (OwnerReference owner : claim.metadata().ownerReferences()) {
          if (owner.controller() && owner.kind().equals("Pod")) {
            if (isThere(namespace + owner.name(), owner.uid())) {
              isUsed = true;
            } else {
              gone.add(namespace + owner.name());
            }
          }
        }
      }
      if (!isUsed) {
        findings.add(new AuditFinding.WithoutPod(ClaimKey.of(claim), gone));
      }
    }

    private boolean isThere(String pod, String uid) {
      String known = uids.get(pod);
      return known != null && (known.isEmpty() || uid.isEmpty() || known.equals(uid));
    }

    private void checkPools() {
      Map<PoolId, List<ResourceSlice>> pools = new LinkedHashMap<>();
      for (KubernetesObject object : objects) {
        if (object instanceof ResourceSlice slice) {
          List<ResourceSlice> newest =
              pools.computeIfAbsent(
                  new PoolId(slice.driver(), slice.pool().name()), any -> new ArrayList<>());
          long generation = newest.isEmpty() ? Long.MIN_VALUE : newest.get(0).pool().generation();
          if (slice.pool().generation() > generation) {
            newest.clear();
          }
          if (slice.pool().generation() >= generation) {
            newest.add(slice);
          }
        }
      }
      pools.forEach(
          (pool, slices) -> {
            long wanted = slices.get(0).pool().resourceSliceCount();
            if (slices.size() != wanted) {
              findings.add(new AuditFinding.IncompletePool(pool, slices.size(), wanted));
            }
          });
    }

    private void replay(ResourceClaim claim) {
      ClaimKey key = ClaimKey.of(claim);
      List<DeviceRequestAllocationResult> results = resultsOf(claim);
      Optional<String> node = nodeOf(claim);
      if (results.stream().anyMatch(result -> !published.containsKey(result.deviceId()))) {
        return; // reported already
      } else if (budget.isOver()) {
        findings.add(new AuditFinding.NotReplayed(key, "no time was left"));
      } else if (node.isEmpty()) {
        findings.add(new AuditFinding.NotReplayed(key, "no node is known for its devices"));
      } else if (inventory.node(node.get()).isEmpty()) {
        findings.add(
            new AuditFinding.Drift(key, node.get(), "the cluster has no Node of that name"));
      } else {
        replay(claim, node.get());
      }
    }

    private void replay(ResourceClaim claim, String node) {
      ClaimKey key = ClaimKey.of(claim);
      ResourceClaim pending = claim.toBuilder().status(ResourceClaimStatus.EMPTY).build();
      DeviceInventory released = inventory.apply(List.of(new InventoryEvent.ClaimPut(pending)));
      Optional<String> refused = refusedDevice(claim, node, released);
      if (refused.isPresent()) {
        findings.add(new AuditFinding.Drift(key, node, refused.get()));
        return;
      }
      Allocator allocator = allocators.get().addRule(only(claim, released)).build();
      AllocationOutcome outcome = allocator.allocate(released, node, List.of(pending));
      if (outcome instanceof Unallocatable no) {
        findings.add(new AuditFinding.Drift(key, node, no.explanation().summary()));
      } else if (outcome instanceof Rejected no) {
        findings.add(new AuditFinding.Drift(key, node, no.error()));
      } else if (outcome instanceof Undecided no) {
        findings.add(new AuditFinding.NotReplayed(key, no.reason()));
      } else if (outcome instanceof Allocated now) {
        Set<DeviceId> got = new HashSet<>();
        now.allocations().forEach(one -> got.addAll(idsOf(one.result())));
        AllocationResult before = Objects.requireNonNull(claim.allocation(), "of the claim");
        if (!got.equals(idsOf(before))) {
          findings.add(
              new AuditFinding.Drift(
                  key,
                  node,
                  "it requests %d devices and has %d".formatted(got.size(), idsOf(before).size())));
        }
      }
    }

    /** The first device that cannot be allocated alone: tainted, of an unusable pool, or in use. */
    private Optional<String> refusedDevice(
        ResourceClaim claim, String node, DeviceInventory released) {
      Map<DeviceId, DeviceStatus> states;
      try {
        states = allocators.get().build().statusOfDevices(released, node, budget);
      } catch (BudgetExceededException e) {
        return Optional.empty(); // the replay reports it
      }
      for (DeviceRequestAllocationResult result : resultsOf(claim)) {
        DeviceStatus state = states.get(result.deviceId());
        if (state == null) {
          return Optional.of("node has no device " + result.deviceId());
        } else if (state instanceof DeviceStatus.PoolUnusable pool) {
          return Optional.of("pool " + pool.pool() + ": " + pool.problem());
        } else if (state instanceof DeviceStatus.InUse inUse
            && !inUse.shared()
            && !Boolean.TRUE.equals(result.adminAccess())) {
          return Optional.of(
              "device %s is in use by %s"
                  .formatted(
                      result.deviceId(), PrintableText.some(inUse.holders(), 8, String::valueOf)));
        }
      }
      return Optional.empty();
    }

    /** Restricts the claim to its current devices, each for its request. */
    private static ClaimRule only(ResourceClaim claim, DeviceInventory inventory) {
      Map<String, Set<Device>> held = new HashMap<>();
      for (DeviceRequestAllocationResult result : resultsOf(claim)) {
        inventory
            .device(result.deviceId())
            .map(InventoryDevice::device)
            .ifPresent(
                device ->
                    held.computeIfAbsent(result.request(), any -> new HashSet<>()).add(device));
      }
      return ClaimRule.of(
          "as-allocated",
          (given, next) ->
              held.getOrDefault(next.request(), Set.of()).contains(next.device())
                  ? Optional.empty()
                  : Optional.of("the claim does not have it"));
    }

    /** The node of the devices, or of a pod of the claim. */
    private Optional<String> nodeOf(ResourceClaim claim) {
      for (DeviceRequestAllocationResult result : resultsOf(claim)) {
        String node = published.getOrDefault(result.deviceId(), "");
        if (!node.isEmpty()) {
          return Optional.of(node);
        }
      }
      for (ResourceClaimConsumerReference consumer : claim.status().reservedFor()) {
        String node =
            nodesOfPods.getOrDefault(
                claim.metadata().namespaceOrDefault() + "/" + consumer.name(), "");
        if (!node.isEmpty()) {
          return Optional.of(node);
        }
      }
      return Optional.empty();
    }

    private static List<DeviceRequestAllocationResult> resultsOf(ResourceClaim claim) {
      AllocationResult allocation = claim.allocation();
      return allocation == null ? List.of() : allocation.results();
    }

    private static Set<DeviceId> idsOf(AllocationResult allocation) {
      Set<DeviceId> ids = new HashSet<>();
      allocation.results().forEach(result -> ids.add(result.deviceId()));
      return ids;
    }
  }
}
