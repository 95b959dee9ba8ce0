package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The claim templates of one workload, each with a name of its own, and with its requests pinned to
 * the addresses of their devices where these are the same on all nodes. A note reports everything
 * that a template cannot keep.
 */
final class PinnedClaims {

  private static final String ADDRESS = "resource.kubernetes.io/pciBusID";
  private static final String ROOT = "resource.kubernetes.io/pcieRoot";
  private static final String SPECIAL = "resource.kubernetes.io/extended-resource-claim";

  /** The annotations with the entry for which a claim was created, by a pod or by its PodGroup. */
  private static final List<String> ENTRIES =
      List.of(
          "resource.kubernetes.io/pod-claim-name", "resource.kubernetes.io/podgroup-claim-name");

  /** The most constraints of a claim ({@code DeviceConstraintsMaxSize} of resource.k8s.io). */
  private static final int MAX_CONSTRAINTS = 32;

  private final List<Manifest> manifests;
  private final DeviceInventory inventory;
  private final PlaceReport report;
  private final ObjectMeta workload;
  private final Set<ClaimKey> allocated = new HashSet<>(); // in this run
  private final Map<String, Map<String, Integer>> devicesByAddress = new HashMap<>(); // by node
  private final List<ObjectNode> templates = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();

  PinnedClaims(
      List<Manifest> manifests,
      DeviceInventory inventory,
      PlaceReport report,
      ObjectMeta workload) {
    this.manifests = manifests;
    this.inventory = inventory;
    this.report = report;
    this.workload = workload;
    report.outcome().pods().stream()
        .filter(Placed.class::isInstance)
        .flatMap(pod -> ((Placed) pod).allocations().stream())
        .forEach(one -> allocated.add(ClaimKey.of(one.allocatedClaim())));
  }

  /** The templates, in the order in which they were pinned. */
  List<ObjectNode> templates() {
    return templates;
  }

  /** The possible differences of another run, one line each. */
  Set<String> notes() {
    return notes;
  }

  /** Removes what the API server sets, and another cluster would refuse or ignore. */
  static void clean(ObjectNode document) {
    document.remove("status");
    ObjectNode metadata = document.withObject("/metadata");
    metadata.remove(
        List.of("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"));
  }

  /**
   * Gives pods of one specification claim templates of their own.
   *
   * @param spec the specification of the pods, which is changed
   * @param name what the templates are named after
   * @param pods the placed pods
   */
  void pin(ObjectNode spec, String name, List<Placed> pods) {
    List<ObjectNode> pinned = new ArrayList<>();
    List<List<ResourceClaim>> claims = new ArrayList<>();
    JsonNode entries = spec.path("resourceClaims");
    for (int i = 0; i < entries.size(); i++) {
      List<ResourceClaim> ofEntry = claimsOf(entries.get(i), i, entries.size(), pods);
      ObjectNode made = template(name, (ObjectNode) entries.get(i), ofEntry);
      if (made != null && pin(made, pods, ofEntry)) {
        pinned.add(made);
        claims.add(ofEntry);
      }
    }
    if (pods.stream().anyMatch(pod -> pod.pod().claims().stream().anyMatch(this::isSpecial))) {
      notes.add("its extended resources are not pinned: a pod names no devices for them");
    }
    keepApart(pinned, claims, pods);
  }

  private boolean isSpecial(ClaimKey key) {
    return "true".equals(claim(key).metadata().annotations().get(SPECIAL));
  }

  private ResourceClaim claim(ClaimKey key) {
    return Objects.requireNonNull(report.outcome().claims().get(key), "a claim of the run");
  }

  /** The claim of each pod for an entry; empty if one is not known, or if the entry names one. */
  private List<ResourceClaim> claimsOf(JsonNode entry, int index, int size, List<Placed> pods) {
    List<ResourceClaim> found = new ArrayList<>();
    for (Placed pod : pods) {
      String name = entry.path("name").asText();
      List<ClaimKey> all = pod.pod().claims();
      Optional<ClaimKey> key =
          all.stream()
              .filter(one -> isOf(pod.pod(), one, name))
              .findFirst()
              .or(() -> Optional.ofNullable(all.size() == size ? all.get(index) : null));
      if (key.isEmpty() || entry.has("resourceClaimName")) {
        return List.of();
      }
      found.add(claim(key.get()));
    }
    return found;
  }

  private boolean isOf(PendingPod pod, ClaimKey key, String entry) {
    Map<String, String> annotations = claim(key).metadata().annotations();
    String podName = pod.name().substring(pod.name().indexOf('/') + 1);
    return ENTRIES.stream().anyMatch(one -> entry.equals(annotations.get(one)))
        || key.name().equals(podName + "-" + entry);
  }

  /** The template of an entry, which then names it; null if the entry stays as it is. */
  private @Nullable ObjectNode template(String name, ObjectNode entry, List<ResourceClaim> claims) {
    String named = entry.path("resourceClaimName").asText();
    if (!named.isEmpty()) {
      if (allocated.contains(ClaimKey.of(workload, named))) {
        notes.add(
            "ResourceClaim %s, which its pods share, is neither written nor pinned"
                .formatted(named));
      }
      return null;
    }
    String wanted = entry.path("resourceClaimTemplateName").asText();
    if (claims.stream().map(ClaimKey::of).distinct().count() < claims.size()) {
      notes.add(
          "the claims of template %s, which pods of a PodGroup share, are neither written nor pinned"
              .formatted(wanted));
      return null;
    }
    for (Manifest manifest : manifests) {
      if (manifest.object() instanceof ResourceClaimTemplate template
          && template.metadata().name().equals(wanted)
          && template.metadata().namespaceOrDefault().equals(workload.namespaceOrDefault())
          && manifest.source() instanceof ObjectNode document) {
        clean(document);
        String made = name + "-" + entry.path("name").asText() + "-placed";
        document.withObject("/metadata").put("name", made);
        entry.put("resourceClaimTemplateName", made);
        templates.add(document);
        return document;
      }
    }
    notes.add(
        "ResourceClaimTemplate %s is not in the input, and neither written nor pinned"
            .formatted(wanted));
    return null;
  }

  /**
   * Pins the requests of a template to the devices of its claims; false if that is not possible.
   */
  private boolean pin(ObjectNode template, List<Placed> pods, List<ResourceClaim> claims) {
    Map<String, Map<String, Set<String>>> byNode = new LinkedHashMap<>();
    boolean isKnown = !claims.isEmpty();
    for (int i = 0; i < claims.size(); i++) {
      String node = pods.get(i).node();
      for (DeviceRequestAllocationResult result : resultsOf(claims.get(i))) {
        String address = text(ADDRESS, result);
        isKnown &=
            address.matches("[0-9a-fA-F:.]+")
                && addressesOf(node).getOrDefault(result.driver() + " " + address, 0) == 1;
        byNode
            .computeIfAbsent(node, any -> new TreeMap<>())
            .computeIfAbsent(result.request(), any -> new TreeSet<>())
            .add(address);
      }
    }
    if (!isKnown || byNode.values().stream().distinct().count() != 1) {
      notes.add(
          "its claims are not pinned to devices: these have no address of their own, or other ones"
              + " on other nodes");
      return false;
    }
    Map<String, Set<String>> addresses = byNode.values().iterator().next();
    if (addresses.keySet().stream().anyMatch(request -> request.contains("/"))) {
      notes.add("its requests with alternatives (firstAvailable) are not pinned");
    }
    for (JsonNode request : template.at("/spec/spec/devices/requests")) {
      Set<String> ofRequest = addresses.get(request.path("name").asText());
      if (ofRequest != null && request.path("exactly") instanceof ObjectNode exactly) {
        exactly
            .withArray("selectors")
            .addObject()
            .putObject("cel")
            .put("expression", selector(ofRequest));
      }
    }
    return true;
  }

  private static String selector(Set<String> addresses) {
    List<String> quoted = addresses.stream().map(address -> "\"" + address + "\"").toList();
    return "device.attributes[\"resource.kubernetes.io\"].?pciBusID.orValue(\"\") in ["
        + String.join(", ", quoted)
        + "]";
  }

  /**
   * Pods on one node have one template, which is pinned to the devices of all of them. Keeps the
   * devices of each pod together if they are those of its own PCIe root.
   */
  private void keepApart(
      List<ObjectNode> pinned, List<List<ResourceClaim>> claims, List<Placed> pods) {
    boolean areAlone = pods.stream().map(Placed::node).distinct().count() == pods.size();
    boolean hasOneEach = true;
    for (int i = 0; i < pods.size(); i++) {
      int ofPod = i;
      hasOneEach &= claims.stream().mapToInt(one -> resultsOf(one.get(ofPod)).size()).sum() < 2;
    }
    if (areAlone || hasOneEach) {
      return;
    }
    boolean hasRoots = pinned.size() == 1;
    Set<String> roots = new HashSet<>(); // of a node
    for (int i = 0; hasRoots && i < pods.size(); i++) {
      Set<String> ofPod = new HashSet<>();
      resultsOf(claims.get(0).get(i)).forEach(result -> ofPod.add(text(ROOT, result)));
      String root = ofPod.iterator().next();
      hasRoots = ofPod.size() == 1 && !root.isEmpty() && roots.add(pods.get(i).node() + " " + root);
    }
    if (hasRoots && pinned.get(0).at("/spec/spec/devices/constraints").size() < MAX_CONSTRAINTS) {
      pinned
          .get(0)
          .withObject("/spec/spec/devices")
          .withArray("constraints")
          .addObject()
          .put("matchAttribute", ROOT);
    } else {
      notes.add(
          "several of its pods are on one node: their template is pinned to the devices of all of"
              + " them, so that a pod may get devices of another one, with other bandwidth");
    }
  }

  private static List<DeviceRequestAllocationResult> resultsOf(ResourceClaim claim) {
    return claim.allocation() == null ? List.of() : claim.allocation().results();
  }

  /** A text among the attributes of a device; empty if it has none. */
  private String text(String name, DeviceRequestAllocationResult result) {
    return inventory
        .device(result.deviceId())
        .map(device -> text(name, result.driver(), device.device()))
        .orElse("");
  }

  private static String text(String name, String driver, Device device) {
    return QualifiedName.of(name).in(driver, device.attributes())
            instanceof DeviceAttribute.StringValue text
        ? text.value()
        : "";
  }

  /** The number of devices of a node by their drivers and addresses. */
  private Map<String, Integer> addressesOf(String node) {
    return devicesByAddress.computeIfAbsent(
        node,
        name -> {
          Map<String, Integer> counts = new HashMap<>();
          for (InventoryDevice device :
              inventory.devicesOf(name).map(NodeDevices::list).orElse(List.of())) {
            String driver = device.id().driver();
            String address = text(ADDRESS, driver, device.device());
            counts.merge(driver + " " + address, 1, Integer::sum);
          }
          return counts;
        });
  }
}
