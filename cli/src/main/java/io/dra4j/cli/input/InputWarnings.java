package io.dra4j.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.topology.HostTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Warnings about input that can make the answer differ from the author's expectation. */
public final class InputWarnings {

  /** The limit of names in a warning. */
  private static final int MAX_NAMES = 8;

  private InputWarnings() {}

  /** Returns warnings about missing nodes: all nodes, or nodes that slices name. */
  public static List<String> ofNodes(DeviceInventory inventory) {
    List<ResourceSlice> slices = inventory.publishedSlices();
    if (inventory.nodes().isEmpty()) {
      return List.of(
          "the input has no Node, so no pod can be placed: add the output of kubectl get nodes -o"
              + " yaml");
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
            ("the input has no Node %s, but ResourceSlices for it (%s): their devices are"
                    + " not allocated")
                .formatted(CommandMessages.some(missing), CommandMessages.some(naming)));
  }

  private static void note(
      @Nullable String node,
      ResourceSlice slice,
      DeviceInventory inventory,
      Set<String> missing,
      Set<String> naming) {
    if (node != null && inventory.node(node).isEmpty()) {
      missing.add(node);
      naming.add(slice.metadata().name());
    }
  }

  /**
   * Returns warnings about kinds with several objects without a name, which cannot be
   * distinguished. Slices are identified by their devices and need no name.
   */
  static List<String> ofNames(List<Manifest> manifests) {
    Map<String, Manifest> nameless = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (Manifest manifest : manifests) {
      KubernetesObject object = manifest.object();
      if (object.metadata().name().isEmpty() && !(object instanceof ResourceSlice)) {
        String kind = object.getClass().getSimpleName();
        Manifest first =
            nameless.putIfAbsent(kind + " " + object.metadata().namespaceOrDefault(), manifest);
        if (first != null && problems.size() < MAX_NAMES) {
          problems.add(
              "%s: has no name%s, like the object at %s, so they cannot be distinguished"
                  .formatted(manifest, beginning(manifest), first.origin()));
        }
      }
    }
    return problems;
  }

  /** Returns the prefix of the name that the API server would generate, if there is one. */
  private static String beginning(Manifest manifest) {
    JsonNode document = manifest.source();
    String beginning =
        document == null ? "" : document.path("metadata").path("generateName").asText();
    return beginning.isEmpty() ? "" : " yet (generateName: " + beginning + ")";
  }

  /**
   * Returns warnings about malformed addresses of devices; the place of such a device is unknown.
   */
  public static List<String> ofAddresses(DeviceInventory inventory) {
    List<String> problems = new ArrayList<>();
    for (ResourceSlice slice : inventory.publishedSlices()) {
      problems.addAll(HostTopology.unreadableAddresses(slice));
    }
    int more = problems.size() - MAX_NAMES;
    if (more <= 0) {
      return problems;
    }
    List<String> notes = new ArrayList<>(problems.subList(0, MAX_NAMES));
    notes.add(
        "and "
            + CommandMessages.count(more, "more device")
            + " with an address that cannot be read");
    return notes;
  }

  /**
   * Returns warnings about devices of claims that no slice has, or that another claim has as well.
   */
  public static List<String> ofHoldings(
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
                        ? "ResourceClaim " + other + " has as well"
                        : "no ResourceSlice in the input has"));
      }
    }
    if (more > 0) {
      notes.add(CommandMessages.count(more, "more such device") + " in the status of claims");
    }
    return notes;
  }
}
