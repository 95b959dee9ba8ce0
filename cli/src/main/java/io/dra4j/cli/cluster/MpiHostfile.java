package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.StatefulSet;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.topology.DeviceKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The hostfile for MPI of a workload, and the slots of its pods. */
final class MpiHostfile {

  /** Where MPI's images look for the file, and mpi-operator puts it. */
  private static final String DIRECTORY = "/etc/mpi";

  private static final String VOLUME = "mpi-hostfile";

  /** The reason why a hostfile is not mounted. */
  static final String OBSTACLE = "the pods have a volume " + VOLUME + " or a mount at " + DIRECTORY;

  private final DeviceKinds kinds;
  private final PlaceReport report;

  MpiHostfile(DeviceKinds kinds, PlaceReport report) {
    this.kinds = kinds;
    this.report = report;
  }

  /** For MPI: a set's pods by their names in its service, with GPUs as slots; else empty. */
  String configMap(KubernetesObject workload, JsonNode document, List<Placed> pods) {
    String service = document.at("/spec/serviceName").asText();
    if (!(workload instanceof StatefulSet) || !service.matches(JobManifests.PLAIN_NAME)) {
      return "";
    }
    StringBuilder text = new StringBuilder("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n");
    text.append("  name: ").append(workload.metadata().name()).append("-hostfile\n");
    text.append("  namespace: ").append(workload.metadata().namespaceOrDefault()).append('\n');
    text.append("data:\n  hostfile: |\n");
    for (Placed pod : pods) {
      String name = pod.pod().name().substring(pod.pod().name().indexOf('/') + 1);
      text.append("    ").append(name).append('.').append(service);
      text.append(" slots=").append(slots(pod)).append('\n');
    }
    return text.toString();
  }

  /** Mounts the hostfile; returns false if the pods have a volume or a mount in its place. */
  static boolean mount(ObjectNode template, String configMap) {
    List<ObjectNode> users = new ArrayList<>();
    for (JsonNode container : template.withArray("containers")) {
      if (!container.at("/resources/claims").isEmpty()) {
        users.add((ObjectNode) container);
      }
    }
    boolean isTaken =
        template.path("volumes").findValuesAsText("name").contains(VOLUME)
            || users.stream()
                .flatMap(one -> one.path("volumeMounts").findValuesAsText("mountPath").stream())
                .anyMatch(path -> path.equals(DIRECTORY) || path.equals(DIRECTORY + "/"));
    if (isTaken) {
      return false;
    }
    template
        .withArray("volumes")
        .addObject()
        .put("name", VOLUME)
        .putObject("configMap")
        .put("name", configMap);
    for (ObjectNode container : users) {
      container
          .withArray("volumeMounts")
          .addObject()
          .put("name", VOLUME)
          .put("mountPath", DIRECTORY);
    }
    return true;
  }

  /** The GPUs and accelerators of a pod; all but NICs if kinds are unknown; at least 1. */
  long slots(Placed pod) {
    Map<DeviceId, DeviceKind> known = kinds.on(pod.node());
    Set<DeviceId> accelerators = new HashSet<>();
    Set<DeviceId> others = new HashSet<>();
    for (DeviceRequestAllocationResult result : report.devicesOf(pod.pod())) {
      DeviceKind kind = known.getOrDefault(result.deviceId(), DeviceKind.UNKNOWN);
      if (kind == DeviceKind.GPU || kind == DeviceKind.ACCELERATOR) {
        accelerators.add(result.deviceId());
      } else if (kind != DeviceKind.NIC) {
        others.add(result.deviceId());
      }
    }
    return Math.max(1, accelerators.isEmpty() ? others.size() : accelerators.size());
  }
}
