package io.dra4j.cli.cluster;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.Node;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.topology.DeviceKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs of several pods with GPUs that ask for no NIC where the cluster has some: they talk
 * over the pod network only. The pods of a job are those that one object owns, or whose names
 * differ in a number at the end. Replicas of a service and of daemons do not work together.
 */
final class JobsWithoutNics {

  private static final Set<String> REPLICAS = Set.of("ReplicaSet", "DaemonSet");

  private final DeviceInventory inventory;
  private final SelectorCompiler selectors;
  private final Map<String, OwnerReference> owners = new HashMap<>(); // by the pod's name
  private final DeviceKinds kinds;
  private final Map<String, Set<DeviceKind>> kindsOfClass = new HashMap<>();

  JobsWithoutNics(DeviceInventory inventory, SelectorCompiler selectors, List<Manifest> manifests) {
    this.inventory = inventory;
    this.selectors = selectors;
    this.kinds = new DeviceKinds(inventory);
    for (Manifest manifest : manifests) {
      if (manifest.object() instanceof Pod pod) {
        List<OwnerReference> owning = pod.metadata().ownerReferences();
        owning.stream()
            .filter(OwnerReference::controller)
            .findFirst()
            .or(() -> owning.stream().findFirst())
            .ifPresent(owner -> owners.put(nameOf(pod), owner));
      }
    }
  }

  private static String nameOf(Pod pod) {
    return pod.metadata().namespaceOrDefault() + "/" + pod.metadata().name();
  }

  /** What the pod is a part of; null for one that works by itself. */
  private @Nullable String jobOf(PendingPod pod) {
    OwnerReference owner = owners.get(pod.name());
    if (owner != null) {
      String namespace = pod.name().substring(0, pod.name().indexOf('/') + 1);
      return REPLICAS.contains(owner.kind()) ? null : owner.kind() + " " + namespace + owner.name();
    }
    String job = pod.name().replaceFirst("-\\d+$", "");
    return job.equals(pod.name()) ? null : job;
  }

  List<String> warnings(PodQueue queue) {
    Map<String, List<PendingPod>> jobs = new LinkedHashMap<>();
    for (PendingPod pod : queue.pods()) {
      String job = jobOf(pod);
      if (job != null) {
        jobs.computeIfAbsent(job, any -> new ArrayList<>()).add(pod);
      }
    }
    jobs.values().removeIf(pods -> pods.size() < 2);
    List<String> warnings = new ArrayList<>();
    jobs.forEach(
        (job, pods) -> {
          Set<String> classes = classes(pods, queue.claims());
          Set<DeviceKind> asked = EnumSet.noneOf(DeviceKind.class);
          classes.forEach(name -> asked.addAll(kindsOf(name)));
          boolean accelerators =
              asked.contains(DeviceKind.GPU) || asked.contains(DeviceKind.ACCELERATOR);
          if (accelerators && !asked.contains(DeviceKind.NIC)) {
            warnings.add(
                ("the %d pods of %s ask for GPUs (class %s) and for no NIC, although the cluster"
                        + " has NICs to allocate: there is no path between them but the pod"
                        + " network")
                    .formatted(pods.size(), job, CommandMessages.some(classes)));
          }
        });
    return warnings.isEmpty() || hasNics() ? warnings : List.of();
  }

  private boolean hasNics() {
    return kinds.nodes().stream().anyMatch(node -> kinds.on(node).containsValue(DeviceKind.NIC));
  }

  private static Set<String> classes(
      Collection<PendingPod> pods, Map<ClaimKey, ResourceClaim> claims) {
    Set<String> classes = new LinkedHashSet<>();
    for (PendingPod pod : pods) {
      for (ClaimKey key : pod.claims()) {
        ResourceClaim claim = claims.get(key);
        if (claim != null) {
          classes.addAll(claim.spec().deviceClassNames());
        }
      }
    }
    return classes;
  }

  /** What the devices of a class are; empty where it selects none. */
  Set<DeviceKind> kindsOf(String className) {
    return kindsOfClass.computeIfAbsent(
        className,
        name -> {
          Set<DeviceKind> found = EnumSet.noneOf(DeviceKind.class);
          DeviceClass deviceClass = inventory.deviceClass(name).orElse(null);
          if (deviceClass == null) {
            return found;
          }
          for (Node node : inventory.nodes()) {
            NodeDevices devices = inventory.devicesOf(node.name()).orElse(null);
            if (devices == null || !found.isEmpty()) {
              continue;
            }
            try {
              for (InventoryDevice device : devices.ofClass(deviceClass, selectors).list()) {
                DeviceKind kind = kinds.on(node.name()).get(device.id());
                if (kind != null) {
                  found.add(kind);
                }
              }
            } catch (SelectorException e) {
              return found; // an allocation says so
            }
          }
          return found;
        });
  }
}
