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
 * The CPUs, memory and huge pages of a node that the devices of a pod consume (KEP-5517), and
 * whether the node has enough left. This is checked after devices are found; if they consume too
 * much, no other devices are tried. Created for one pod; later changes of the pods on nodes have no
 * effect.
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
   * Creates the check from the current state of the cluster.
   *
   * @param entries the claims of the pod by the names of its entries
   * @param claims all claims
   * @param loads the resources of nodes that their pods use
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

  /** Whether a device of an inventory consumes resources of its node. */
  static boolean areIn(DeviceInventory inventory) {
    return inventory.publishedSlices().stream()
        .flatMap(slice -> slice.devices().stream())
        .anyMatch(device -> !device.nodeAllocatableResources().isEmpty());
  }

  /** Whether a device of a claim provides resources of its node; only one pod can use the claim. */
  static boolean isMapped(ResourceClaim claim, DeviceInventory inventory) {
    return results(claim).stream()
        .flatMap(result -> inventory.device(result.deviceId()).stream())
        .flatMap(device -> device.device().nodeAllocatableResources().values().stream())
        .anyMatch(resource -> resource.mapping() != null);
  }

  /** Whether some claims of the pod were already allocated. */
  boolean hasAllocatedClaims() {
    return !allocated.isEmpty();
  }

  /**
   * The resources of a node that the devices of a pod consume.
   *
   * @param claims the resources by claim; empty if there is a fault
   * @param requests the requests of the pod together with its devices
   * @param fault the fault of the devices; {@code null} if there is none
   */
  record Cost(
      List<NodeAllocatableClaimStatus> claims,
      Map<String, Long> requests,
      AllocationOutcome.@Nullable Rejected fault) {}

  /** The resources that the given devices of the pod would consume. */
  Cost of(List<ClaimAllocation> allocations) {
    String fault;
    try {
      List<NodeAllocatableClaimStatus> claims = costs(allocations);
      return new Cost(claims, PodRequests.of(pod.spec(), claims), null);
    } catch (CostException e) {
      fault = e.text;
    } catch (ArithmeticException e) {
      fault =
          "pod %s: its devices consume more of the node than can be represented: expected a"
                  .formatted(pod.name())
              + " capacityMultiplier of nodeAllocatableResources with which a node can pay";
    }
    return new Cost(
        List.of(), Map.of(), new AllocationOutcome.Rejected(RejectionReason.CAPACITY, fault));
  }

  /**
   * The resources of the node that are too small for the pod with its devices; {@code null} if it
   * fits, if its devices consume nothing or have a fault, or if the resources of the node are not
   * known.
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
          "ResourceClaim %s: no ResourceSlice has its device %s, and other devices of the claim consume"
                  .formatted(key, missing.get(0).deviceId())
              + " resources of the node (nodeAllocatableResources)");
    }
    return mapping.isEmpty() && overhead.isEmpty()
        ? null
        : new NodeAllocatableClaimStatus(key.name(), containersOf(key), mapping, overhead);
  }

  /** The amount that a device provides; {@code null} if it consumes nothing of the capacity. */
  private static @Nullable Quantity mapped(
      ClaimKey claim, DeviceRequestAllocationResult result, String resource, Mapping mapping)
      throws CostException {
    String key = mapping.capacityKey();
    if (key == null || key.isEmpty()) {
      return mapping.deviceMultiplier();
    } else if (result.consumedCapacity().isEmpty()) {
      throw new CostException(
          "ResourceClaim %s: device %s consumes no capacity, but its demand for %s is a multiple of"
                  .formatted(claim, result.deviceId(), NodeReasons.brief(resource))
              + " its capacity %s (nodeAllocatableResources): set allowMultipleAllocations, or"
                  .formatted(NodeReasons.brief(key))
              + " deviceMultiplier instead of capacityKey");
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

  /** The containers that refer to a claim; a container that refers to it twice is listed twice. */
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
   * The field of the pod-level resources that containers and devices together exceed. The API
   * server has compared it only with the containers ({@code validatePodLevelResourcesCoverDRA}).
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

  /** The highest limit of a container, with the resources of its devices; {@code null} if none. */
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

  /** A fault of a device. */
  private static final class CostException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String text;

    CostException(String text) {
      super(text);
      this.text = text;
    }
  }
}
