package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Container;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Node;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.NodeAllocatableResource;
import io.dra4j.model.NodeAllocatableResource.Mapping;
import io.dra4j.model.NodeAllocatableResource.Overhead;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceRequirements;
import io.dra4j.model.ResourceRequirements.ClaimReference;
import io.dra4j.persistent.PersistentMap;
import io.dra4j.scheduling.NodeMismatch.BeyondPodLevel;
import io.dra4j.scheduling.RunningPods.Load;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the devices of a pod cost of the CPUs, memory and huge pages of its node (KEP-5517), and
 * whether the node has that left. It is looked at once devices are found; no other devices are
 * looked for where they cost too much. Made for one pod; what it knows of the pods on nodes stays
 * as it was then.
 *
 * <p>Source: {@code nodeallocatabledynamicresources.go} of kube-scheduler's plugin {@code
 * dynamicresources} (Kubernetes 1.37.2), behind the gate {@code DRANodeAllocatableResources}.
 */
final class NodeAllocatableResources {

  private final PendingPod pod;
  private final Map<String, ClaimKey> entries;
  private final List<ResourceClaim> allocated;
  private final DeviceInventory inventory;
  private final PersistentMap<String, Load> loads;

  /**
   * Sees the cluster as it is now.
   *
   * @param entries the claims of the pod by the names of its entries
   * @param claims all claims
   * @param loads what the pods on nodes take of them
   */
  NodeAllocatableResources(
      PendingPod pod,
      Map<String, ClaimKey> entries,
      Map<ClaimKey, ResourceClaim> claims,
      DeviceInventory inventory,
      PersistentMap<String, Load> loads) {
    this.pod = pod;
    this.entries = entries;
    this.allocated =
        pod.claims().stream()
            .map(key -> Objects.requireNonNull(claims.get(key), () -> "no claim " + key))
            .filter(claim -> claim.allocation() != null)
            .toList();
    this.inventory = inventory;
    this.loads = loads;
  }

  /** Whether a device of an inventory costs something of its node. */
  static boolean areIn(DeviceInventory inventory) {
    return inventory.publishedSlices().stream()
        .flatMap(slice -> slice.devices().stream())
        .anyMatch(device -> !device.nodeAllocatableResources().isEmpty());
  }

  /** Whether a claim has a device that stands for resources of its node: one pod can use it. */
  static boolean isMapped(ResourceClaim claim, DeviceInventory inventory) {
    return results(claim).stream()
        .flatMap(result -> inventory.device(result.deviceId()).stream())
        .flatMap(device -> device.device().nodeAllocatableResources().values().stream())
        .anyMatch(resource -> resource.mapping() != null);
  }

  /** Whether some claims of the pod had their devices before it was looked at. */
  boolean hasAllocatedClaims() {
    return !allocated.isEmpty();
  }

  /**
   * What the devices of a pod cost.
   *
   * @param claims what those of each claim cost; nothing if there is a fault
   * @param requests what the pod asks for together with its devices
   * @param fault what is at fault with the devices; {@code null} if nothing is
   */
  record Cost(
      List<NodeAllocatableClaimStatus> claims,
      Map<String, Long> requests,
      AllocationOutcome.@Nullable Rejected fault) {}

  /** What the devices cost that the pod would get. */
  Cost of(List<ClaimAllocation> allocations) {
    String fault;
    try {
      List<NodeAllocatableClaimStatus> claims = costs(allocations);
      return new Cost(claims, PodRequests.of(pod.spec(), claims), null);
    } catch (CostException e) {
      fault = e.text;
    } catch (ArithmeticException e) {
      fault =
          "pod %s: its devices cost more of the node than can be represented: expected a"
                  .formatted(pod.name())
              + " capacityMultiplier of nodeAllocatableResources with which a node can pay";
    }
    return new Cost(
        List.of(), Map.of(), new AllocationOutcome.Rejected(RejectionReason.CAPACITY, fault));
  }

  /**
   * What of the node is too little for the pod with its devices; {@code null} if it fits, if its
   * devices cost nothing or have a fault, or if nothing is known of the node.
   */
  @Nullable NodeMismatch mismatch(Node node, Cost cost) {
    if (cost.claims().isEmpty()) {
      return null;
    }
    NodeMismatch beyond = beyondPodLevel(pod.spec(), cost.claims());
    if (beyond != null || node.allocatable().isEmpty()) {
      return beyond;
    }
    Load known = loads.get(node.name());
    Load load = known == null ? Load.NONE : known;
    List<String> lacking = new ArrayList<>();
    cost.requests()
        .forEach(
            (name, amount) -> {
              boolean isLookedAt = PodRequests.isOfPods(name) || name.equals(PodRequests.STORAGE);
              if (isLookedAt && NodeResourcesFit.isTooMuch(node, load, name, amount)) {
                lacking.add(name);
              }
            });
    return lacking.isEmpty() ? null : new NodeMismatch.InsufficientForDevices(List.copyOf(lacking));
  }

  private List<NodeAllocatableClaimStatus> costs(List<ClaimAllocation> allocations)
      throws CostException {
    Map<ClaimKey, ResourceClaim> all = new TreeMap<>();
    allocated.forEach(claim -> all.put(ClaimKey.of(claim), claim));
    allocations.stream()
        .map(ClaimAllocation::allocatedClaim)
        .forEach(claim -> all.put(ClaimKey.of(claim), claim));
    List<NodeAllocatableClaimStatus> found = new ArrayList<>();
    for (Map.Entry<ClaimKey, ResourceClaim> claim : all.entrySet()) {
      NodeAllocatableClaimStatus status = cost(claim.getKey(), claim.getValue());
      if (status != null) {
        found.add(status);
      }
    }
    return found;
  }

  private @Nullable NodeAllocatableClaimStatus cost(ClaimKey key, ResourceClaim claim)
      throws CostException {
    List<DeviceRequestAllocationResult> missing = new ArrayList<>();
    Map<String, Quantity> mapping = new LinkedHashMap<>();
    Map<String, Overhead> overhead = new LinkedHashMap<>();
    boolean hasCosts = false;
    for (DeviceRequestAllocationResult result : results(claim)) {
      Device device = inventory.device(result.deviceId()).map(InventoryDevice::device).orElse(null);
      if (device == null) {
        missing.add(result);
        continue;
      }
      hasCosts |= !device.nodeAllocatableResources().isEmpty();
      for (Map.Entry<String, NodeAllocatableResource> one :
          device.nodeAllocatableResources().entrySet()) {
        Mapping ofDevice = one.getValue().mapping();
        Quantity amount = ofDevice == null ? null : mapped(key, result, one.getKey(), ofDevice);
        if (amount != null) {
          mapping.merge(one.getKey(), amount, PodRequests::sum);
        }
        Overhead besides = one.getValue().overhead();
        if (besides != null) {
          overhead.merge(one.getKey(), besides, NodeAllocatableResources::sum);
        }
      }
    }
    if (hasCosts && !missing.isEmpty()) {
      throw new CostException(
          "ResourceClaim %s: no ResourceSlice has its device %s, and other devices of it cost"
                  .formatted(key, missing.get(0).deviceId())
              + " resources of the node (nodeAllocatableResources)");
    }
    return mapping.isEmpty() && overhead.isEmpty()
        ? null
        : new NodeAllocatableClaimStatus(key.name(), containersOf(key), mapping, overhead);
  }

  /** The amount that a device stands for; {@code null} if it consumes nothing of the capacity. */
  private static @Nullable Quantity mapped(
      ClaimKey claim, DeviceRequestAllocationResult result, String resource, Mapping mapping)
      throws CostException {
    String key = mapping.capacityKey();
    if (key == null || key.isEmpty()) {
      return mapping.deviceMultiplier();
    } else if (result.consumedCapacity().isEmpty()) {
      throw new CostException(
          "ResourceClaim %s: device %s consumes no capacity, and its cost of %s is a multiple of"
                  .formatted(claim, result.deviceId(), NodeReasons.brief(resource))
              + " its capacity %s (nodeAllocatableResources): set allowMultipleAllocations, or"
                  .formatted(NodeReasons.brief(key))
              + " deviceMultiplier in the place of capacityKey");
    }
    Quantity consumed = result.consumedCapacity().get(key);
    Quantity multiplier = mapping.capacityMultiplier();
    return consumed == null || multiplier == null ? consumed : consumed.multiply(multiplier);
  }

  private static Overhead sum(Overhead one, Overhead two) {
    return new Overhead(
        sum(one.perPod(), two.perPod()), sum(one.perContainer(), two.perContainer()));
  }

  private static @Nullable Quantity sum(@Nullable Quantity one, @Nullable Quantity two) {
    return one == null ? two : two == null ? one : PodRequests.sum(one, two);
  }

  /** The containers that refer to a claim; twice those that do so twice. */
  private List<String> containersOf(ClaimKey claim) {
    List<String> names = new ArrayList<>();
    Stream.of(pod.spec().initContainers(), pod.spec().containers())
        .flatMap(Collection::stream)
        .forEach(
            container -> {
              for (ClaimReference reference : container.resources().claims()) {
                if (claim.equals(entries.get(reference.name()))) {
                  names.add(container.name());
                }
              }
            });
    return names;
  }

  private static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
    AllocationResult allocation = claim.allocation();
    return allocation == null ? List.of() : allocation.results();
  }

  /**
   * What the pod says of itself as a whole and its containers and devices go beyond. The API server
   * has compared it with the containers alone ({@code validatePodLevelResourcesCoverDRA}).
   */
  private static @Nullable NodeMismatch beyondPodLevel(
      PodSpec spec, List<NodeAllocatableClaimStatus> devices) {
    ResourceRequirements ofPod = PodRequests.ofPod(spec);
    Map<String, Quantity> requests = PodRequests.ofContainers(spec, devices);
    for (Map.Entry<String, Quantity> own : ofPod.requests().entrySet()) {
      if (isMore(requests.get(own.getKey()), own.getValue())) {
        return new BeyondPodLevel("requests", own.getKey());
      }
    }
    Map<String, Quantity> limits =
        PodRequests.sum(spec, container -> container.resources().limits());
    devices.forEach(
        claim -> PodRequests.add(limits, PodRequests.ofDevices(claim, claim.containers().size())));
    for (Map.Entry<String, Quantity> own : ofPod.limits().entrySet()) {
      boolean isBeyond =
          PodRequests.isHugePages(own.getKey())
              ? isMore(limits.get(own.getKey()), own.getValue())
              : isMore(most(spec, own.getKey(), devices), own.getValue());
      if (isBeyond) {
        return new BeyondPodLevel("limits", own.getKey());
      }
    }
    return null;
  }

  /** The highest limit of a container together with what its devices cost; none without one. */
  private static @Nullable Quantity most(
      PodSpec spec, String resource, List<NodeAllocatableClaimStatus> devices) {
    Quantity most = null;
    for (Container container : spec.containers()) {
      Quantity limit = container.resources().limits().get(resource);
      if (limit != null) {
        Map<String, Quantity> total = new HashMap<>(Map.of(resource, limit));
        devices.stream()
            .filter(claim -> claim.containers().contains(container.name()))
            .forEach(claim -> PodRequests.add(total, PodRequests.ofDevices(claim, 1)));
        Quantity sum = total.getOrDefault(resource, limit);
        most = most == null || sum.compareTo(most) > 0 ? sum : most;
      }
    }
    return most;
  }

  private static boolean isMore(@Nullable Quantity amount, Quantity limit) {
    return amount != null && amount.compareTo(limit) > 0;
  }

  /** What is at fault with a device. */
  private static final class CostException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String text;

    CostException(String text) {
      super(text);
      this.text = text;
    }
  }
}
