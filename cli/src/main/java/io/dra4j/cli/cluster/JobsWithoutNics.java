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
 * Finds jobs with several GPU pods that request no NIC although the cluster has NICs. Their pods
 * can communicate only over the pod network. Pods belong to one job if one object owns them, or if
 * their names differ only in a number at the end. Replicas of services and daemons do not count as
 * jobs.
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

  /** Returns the job of the pod; null for a pod that works alone. */
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
                ("the %d pods of %s request GPUs (class %s) but no NIC, although the cluster"
                        + " has NICs to allocate: they can communicate only over the pod"
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

  /** Returns the kinds of the devices of a class; empty if it selects none. */
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
              return found; // an allocation reports the problem
            }
          }
          return found;
        });
  }
}
