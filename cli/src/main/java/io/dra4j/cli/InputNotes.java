package io.dra4j.cli;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What in the input of an allocation makes its answer another one than its author expects. */
final class InputNotes {

  /** Of a job of a thousand pods a few are enough. */
  private static final int MAX_NAMES = 8;

  private InputNotes() {}

  /** Nodes that are missing: none at all, or those that slices name. */
  static List<String> ofNodes(DeviceInventory inventory) {
    List<ResourceSlice> slices = inventory.publishedSlices();
    if (inventory.nodes().isEmpty()) {
      return List.of(
          "the input has no Node, so that no pod can be placed: add what kubectl get nodes -o yaml"
              + " prints");
    }
    Set<String> missing = new LinkedHashSet<>();
    Set<String> naming = new LinkedHashSet<>();
    for (ResourceSlice slice : slices) {
      note(slice.nodeSelection().nodeName(), slice, inventory, missing, naming);
      for (Device device : slice.devices()) {
        note(device.nodeSelection().nodeName(), slice, inventory, missing, naming);
      }
    }
    return missing.isEmpty()
        ? List.of()
        : List.of(
            "no Node %s in the input, but ResourceSlices of it (%s): nobody gets their devices"
                .formatted(Names.some(missing), Names.some(naming)));
  }

  private static void note(
      @Nullable String node,
      ResourceSlice slice,
      DeviceInventory inventory,
      Set<String> missing,
      Set<String> naming) {
    if (node != null && inventory.node(node) == null) {
      missing.add(node);
      naming.add(slice.metadata().name());
    }
  }

  /** Requests for fewer devices than one, for which an allocation has nothing. */
  static List<String> ofCounts(Map<ClaimKey, ResourceClaim> claims) {
    List<String> problems = new ArrayList<>();
    claims.forEach(
        (key, claim) -> {
          List<DeviceRequest> requests = claim.spec().requests();
          for (int i = 0; i < requests.size(); i++) {
            String path = "ResourceClaim " + key + ": spec.devices.requests[" + i + "].";
            check(requests.get(i).exactly(), path + "exactly", problems);
            List<DeviceSubRequest> some = requests.get(i).firstAvailable();
            for (int j = 0; j < some.size(); j++) {
              check(some.get(j).request(), path + "firstAvailable[" + j + "]", problems);
            }
          }
        });
    return problems;
  }

  /** What in claims is passed over, or is not as the rest of the input says. */
  static List<String> ofClaims(DeviceInventory inventory, Map<ClaimKey, ResourceClaim> claims) {
    List<String> notes = new ArrayList<>(ofRequestNames(claims));
    notes.addAll(ofHoldings(inventory, claims));
    return notes;
  }

  /** Devices that claims have, and that no slice has, or another claim has as well. */
  private static List<String> ofHoldings(
      DeviceInventory inventory, Map<ClaimKey, ResourceClaim> claims) {
    Set<DeviceId> published = new HashSet<>();
    for (ResourceSlice slice : inventory.publishedSlices()) {
      slice.devices().forEach(device -> published.add(slice.idOf(device)));
    }
    Map<DeviceId, ClaimKey> holders = new HashMap<>();
    List<String> notes = new ArrayList<>();
    int more = 0;
    for (Map.Entry<ClaimKey, ResourceClaim> claim : claims.entrySet()) {
      AllocationResult allocation = claim.getValue().allocation();
      if (allocation == null) {
        continue;
      }
      for (DeviceRequestAllocationResult result : allocation.results()) {
        DeviceId id = result.deviceId();
        boolean isAlone = !Boolean.TRUE.equals(result.adminAccess()) && result.shareId() == null;
        ClaimKey other = isAlone ? holders.putIfAbsent(id, claim.getKey()) : null;
        if (published.contains(id) && other == null) {
          continue;
        } else if (notes.size() >= MAX_NAMES) {
          more++;
          continue;
        }
        notes.add(
            "ResourceClaim %s: status.allocation: has the device %s, which %s"
                .formatted(
                    claim.getKey(),
                    id,
                    published.contains(id)
                        ? "ResourceClaim " + other + " has, too"
                        : "no ResourceSlice in the input has"));
      }
    }
    if (more > 0) {
      notes.add(more + " more such devices in the status of claims");
    }
    return notes;
  }

  /** Names of requests that constraints and parameters use, and that no request has. */
  static List<String> ofRequestNames(Map<ClaimKey, ResourceClaim> claims) {
    List<String> problems = new ArrayList<>();
    int more = 0;
    for (Map.Entry<ClaimKey, ResourceClaim> claim : claims.entrySet()) {
      for (Map.Entry<String, String> unknown :
          claim.getValue().spec().unknownRequests().entrySet()) {
        if (problems.size() >= MAX_NAMES) {
          more++;
          continue;
        }
        problems.add(
            "ResourceClaim %s: %s: expected the name of a request or request/alternative of the claim, found \"%s\"; the API server refuses this, here it is passed over"
                .formatted(claim.getKey(), unknown.getKey(), unknown.getValue()));
      }
    }
    if (more > 0) {
      problems.add(more + " more names in claims that no request has");
    }
    return problems;
  }

  private static void check(
      @Nullable ExactDeviceRequest request, String path, List<String> problems) {
    if (request != null
        && request.allocationMode().equals(AllocationMode.EXACT_COUNT)
        && request.count() < 1) {
      problems.add(path + ".count: expected at least 1, found " + request.count());
    }
  }
}
