package io.dra4j.scheduling.planning;

import io.dra4j.inventory.PoolId;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.Taint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The objects of a cluster after a hypothetical change: a node is removed, or nodes are added.
 * Objects that the change does not affect stay the same instances, in their order.
 */
public final class ClusterChange {

  /** The most nodes that are added in one call. */
  public static final int MAX_ADDED = 100_000;

  private static final String HOST_NAME = "kubernetes.io/hostname";

  private ClusterChange() {}

  /**
   * Removes a node, with the ResourceSlices that are bound to it.
   *
   * <p>A pod of the node whose controller is among the objects is removed, since the controller
   * recreates it, and so are the claims that were created for the pod. Any other pod of the node
   * stays and waits for a node. Claims with devices of the node lose their allocation.
   *
   * @param objects the objects of the cluster
   * @param node the name of the node
   * @return the objects without the node
   * @throws IllegalArgumentException if no Node of that name is among the objects
   */
  public static List<KubernetesObject> withoutNode(
      Collection<? extends KubernetesObject> objects, String node) {
    Objects.requireNonNull(objects, "objects");
    Objects.requireNonNull(node, "node");
    Set<String> owners = new HashSet<>();
    Set<PoolId> pools = new HashSet<>();
    boolean isKnown = false;
    for (KubernetesObject object : objects) {
      owners.add(nameOf(kindOf(object), object.metadata(), object.metadata().name()));
      isKnown |= object instanceof Node one && one.name().equals(node);
      if (object instanceof ResourceSlice slice && isOf(slice, node)) {
        pools.add(new PoolId(slice.driver(), slice.pool().name()));
      }
    }
    if (!isKnown) {
      throw new IllegalArgumentException("no node \"" + node + "\" among the objects");
    }
    Set<String> leftOut = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof Pod pod && isOf(pod, node) && isMadeAgain(pod, owners)) {
        leftOut.add(nameOf("Pod", pod.metadata(), pod.metadata().name()));
      }
    }
    List<KubernetesObject> changed = new ArrayList<>();
    for (KubernetesObject object : objects) {
      boolean isGone =
          (object instanceof Node one && one.name().equals(node))
              || (object instanceof ResourceSlice slice && isOf(slice, node))
              || (object instanceof Pod pod
                  && leftOut.contains(nameOf("Pod", pod.metadata(), pod.metadata().name())))
              || (object instanceof ResourceClaim claim && isMadeForOneOf(claim, leftOut));
      if (!isGone && object instanceof Pod pod && isOf(pod, node)) {
        changed.add(pod.toBuilder().spec(pod.spec().toBuilder().nodeName("").build()).build());
      } else if (!isGone && object instanceof ResourceClaim claim && hasDeviceOf(claim, pools)) {
        changed.add(claim.toBuilder().status(ResourceClaimStatus.EMPTY).build());
      } else if (!isGone) {
        changed.add(object);
      }
    }
    return changed;
  }

  private static boolean isMadeAgain(Pod pod, Set<String> owners) {
    return pod.metadata().ownerReferences().stream()
        .anyMatch(
            owner ->
                owner.controller()
                    && owners.contains(nameOf(owner.kind(), pod.metadata(), owner.name())));
  }

  /**
   * {@return the objects, then copies of a node, each before its slices} Copies have its labels,
   * taints and devices. Their names, also of pools and hosts, are {@code NAME-added-1} and so on.
   * Taints of states ({@code node.kubernetes.io/...}) are not copied; the new nodes are
   * schedulable.
   *
   * @param objects the objects of the cluster
   * @param template the node to copy
   * @param slices the ResourceSlices of the template; only those bound to it by its name count
   * @param count the number of nodes to add, 1 to {@value #MAX_ADDED}
   * @throws IllegalArgumentException if the count is out of range
   */
  public static List<KubernetesObject> withNodes(
      Collection<? extends KubernetesObject> objects,
      Node template,
      List<ResourceSlice> slices,
      int count) {
    Objects.requireNonNull(objects, "objects");
    Objects.requireNonNull(template, "template");
    Objects.requireNonNull(slices, "slices");
    if (count < 1 || count > MAX_ADDED) {
      throw new IllegalArgumentException("count: expected 1 to " + MAX_ADDED + ", found " + count);
    }
    List<KubernetesObject> changed = new ArrayList<>(objects);
    Set<String> known = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof Node node) {
        known.add(node.name());
      }
    }
    List<ResourceSlice> ofTemplate =
        slices.stream().filter(slice -> isOf(slice, template.name())).toList();
    int number = 0;
    for (int i = 0; i < count; i++) {
      String name;
      do {
        name = template.name() + "-added-" + ++number;
      } while (known.contains(name));
      changed.add(copy(template, name));
      for (ResourceSlice slice : ofTemplate) {
        changed.add(copy(slice, template.name(), name, number));
      }
    }
    return changed;
  }

  private static Node copy(Node template, String name) {
    ObjectMeta.Builder metadata = template.metadata().toBuilder().name(name).uid(null);
    if (template.metadata().labels().containsKey(HOST_NAME)) {
      metadata.label(HOST_NAME, name);
    }
    List<Taint> taints =
        template.taints().stream()
            .filter(taint -> !taint.key().startsWith("node.kubernetes.io/"))
            .toList();
    return template.toBuilder()
        .metadata(metadata.build())
        .taints(taints)
        .unschedulable(false)
        .build();
  }

  private static ResourceSlice copy(ResourceSlice slice, String old, String name, int number) {
    ResourcePool pool = slice.pool();
    String poolName = pool.name().equals(old) ? name : pool.name() + "-added-" + number;
    return slice.toBuilder()
        .metadata(
            slice.metadata().toBuilder()
                .name(slice.metadata().name() + "-added-" + number)
                .uid(null)
                .ownerReferences(List.of())
                .build())
        .nodeSelection(NodeSelection.ofNode(name))
        .pool(poolName, pool.generation(), pool.resourceSliceCount())
        .build();
  }

  private static boolean isOf(ResourceSlice slice, String node) {
    return Objects.equals(slice.nodeSelection().nodeName(), node);
  }

  private static boolean isOf(Pod pod, String node) {
    return pod.spec().nodeName().equals(node) && !pod.phase().isTerminal();
  }

  private static boolean hasDeviceOf(ResourceClaim claim, Set<PoolId> pools) {
    return claim.allocation() != null
        && claim.allocation().results().stream()
            .anyMatch(result -> pools.contains(new PoolId(result.driver(), result.pool())));
  }

  private static boolean isMadeForOneOf(ResourceClaim claim, Set<String> pods) {
    for (OwnerReference owner : claim.metadata().ownerReferences()) {
      if (owner.controller()
          && pods.contains(nameOf(owner.kind(), claim.metadata(), owner.name()))) {
        return true;
      }
    }
    return false;
  }

  private static String kindOf(KubernetesObject object) {
    return object.getClass().getSimpleName();
  }

  private static String nameOf(String kind, ObjectMeta inNamespaceOf, String name) {
    return kind + " " + inNamespaceOf.namespaceOrDefault() + "/" + name;
  }
}
