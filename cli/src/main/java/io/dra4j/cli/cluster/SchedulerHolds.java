package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * The reasons why kube-scheduler does not schedule a pod, regardless of nodes and devices:
 * scheduling gates, and the name of another scheduler. Placement ignores both.
 */
final class SchedulerHolds {

  /** The scheduler of pods without {@code schedulerName}. */
  private static final String DEFAULT_SCHEDULER = "default-scheduler";

  private SchedulerHolds() {}

  /** Returns a sentence about the pod, without subject, per reason; none if it is on a node. */
  static List<String> of(Manifest manifest) {
    JsonNode source = manifest.source();
    List<String> holds = new ArrayList<>();
    if (source == null
        || !(manifest.object() instanceof Pod pod)
        || !pod.spec().nodeName().isEmpty()) {
      return holds;
    }
    List<String> gates = new ArrayList<>();
    source
        .path("spec")
        .path("schedulingGates")
        .forEach(gate -> gates.add(gate.path("name").asText()));
    if (!gates.isEmpty()) {
      holds.add(
          ("waits for the removal of its scheduling %s %s (spec.schedulingGates): no"
                  + " scheduler places it before")
              .formatted(gates.size() == 1 ? "gate" : "gates", CommandMessages.some(gates)));
    }
    String scheduler = source.path("spec").path("schedulerName").asText();
    if (!scheduler.isEmpty() && !scheduler.equals(DEFAULT_SCHEDULER)) {
      holds.add(
          "is placed by the scheduler %s (spec.schedulerName), not by kube-scheduler as %s"
              .formatted(scheduler, DEFAULT_SCHEDULER));
    }
    return holds;
  }
}
