package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Container;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.PodSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Notes about workloads that are not placed, or whose queues are not modelled. */
final class WorkloadNotes {

  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  private WorkloadNotes() {}

  /**
   * {@return a line for each extended resource that workloads without claims request, but that
   * neither a DeviceClass nor a node provides, with the first workload that requests it}
   */
  static List<String> unoffered(
      Iterable<? extends KubernetesObject> objects, ExtendedResources extended) {
    Map<String, Set<String>> asking = new LinkedHashMap<>();
    Set<String> offered = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof Node node) {
        offered.addAll(node.allocatable().keySet());
      }
      for (PodSpec spec : specsOf(object)) {
        if (spec.nodeName().isEmpty() && spec.resourceClaims().isEmpty()) {
          resourcesOf(spec)
              .filter(resource -> !extended.contains(resource))
              .forEach(
                  resource ->
                      asking
                          .computeIfAbsent(resource, any -> new LinkedHashSet<>())
                          .add(nameOf(object)));
        }
      }
    }
    asking.keySet().removeAll(offered);
    List<String> lines = new ArrayList<>();
    asking.forEach(
        (resource, names) ->
            lines.add(
                "%s%s requests %s, which no node has and no DeviceClass provides"
                        .formatted(
                            names.iterator().next(),
                            names.size() == 1 ? "" : " (and " + (names.size() - 1) + " more)",
                            resource)
                    + " (extendedResourceName): its pods use no claims and are not placed"));
    return List.copyOf(lines);
  }

  /** {@return lines with the first workload of each Kueue queue, whose quotas are not modelled} */
  static List<String> queued(Iterable<? extends KubernetesObject> objects) {
    Map<ClaimKey, Set<String>> waiting = new LinkedHashMap<>();
    for (KubernetesObject object : objects) {
      String queue = object.metadata().labels().getOrDefault(QUEUE, "");
      if (!queue.isEmpty() && (object instanceof Pod || object instanceof PodController)) {
        waiting
            .computeIfAbsent(ClaimKey.of(object.metadata(), queue), any -> new LinkedHashSet<>())
            .add(nameOf(object));
      }
    }
    return waiting.entrySet().stream()
        .map(
            queue ->
                "%s: waits in the queue %s of Kueue%s: its quota of devices (deviceClassMappings) is"
                        .formatted(
                            queue.getValue().iterator().next(),
                            queue.getKey(),
                            queue.getValue().size() == 1
                                ? ""
                                : ", as %d more".formatted(queue.getValue().size() - 1))
                    + " not modelled, and the pods are placed as if Kueue had admitted them")
        .toList();
  }

  private static Stream<String> resourcesOf(PodSpec spec) {
    return Stream.concat(spec.initContainers().stream(), spec.containers().stream())
        .map(Container::resources)
        .flatMap(resources -> resources.effectiveRequests().entrySet().stream())
        .filter(entry -> entry.getKey().indexOf('/') > 0 && entry.getValue().signum() > 0)
        .map(Map.Entry::getKey);
  }

  /** The name of a workload in messages. */
  static String nameOf(KubernetesObject object) {
    return object instanceof PodController controller
        ? PodOwner.of(controller).toString()
        : "pod " + object.metadata().namespaceOrDefault() + "/" + object.metadata().name();
  }

  private static List<PodSpec> specsOf(KubernetesObject object) {
    if (object instanceof Pod pod) {
      return pod.phase().isTerminal() ? List.of() : List.of(pod.spec());
    }
    return object instanceof PodController controller ? controller.podSpecs() : List.of();
  }
}
