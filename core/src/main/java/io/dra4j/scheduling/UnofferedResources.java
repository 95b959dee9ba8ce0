package io.dra4j.scheduling;

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

/**
 * Extended resources that workloads without claims request, but that neither a DeviceClass nor a
 * node provides. Most published manifests request GPUs in this way.
 */
final class UnofferedResources {

  private UnofferedResources() {}

  /** A line for each resource, with the first workload that requests it. */
  static List<String> of(Iterable<? extends KubernetesObject> objects, ExtendedResources extended) {
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
