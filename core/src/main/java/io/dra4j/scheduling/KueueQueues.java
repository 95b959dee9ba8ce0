package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Workloads that wait in queues of Kueue. The quotas of these queues are not modelled. */
final class KueueQueues {

  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  private KueueQueues() {}

  /** A line for each queue, with the first workload in it. */
  static List<String> notes(Iterable<? extends KubernetesObject> objects) {
    Map<ClaimKey, Set<String>> waiting = new LinkedHashMap<>();
    for (KubernetesObject object : objects) {
      String queue = object.metadata().labels().getOrDefault(QUEUE, "");
      if (!queue.isEmpty() && (object instanceof Pod || object instanceof PodController)) {
        waiting
            .computeIfAbsent(ClaimKey.of(object.metadata(), queue), any -> new LinkedHashSet<>())
            .add(UnofferedResources.nameOf(object));
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
}
