package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.planning.JobPlacement;
import io.dra4j.scheduling.planning.RailAgreement;
import java.util.List;

/** Writes the answer of {@code dra4j place} as JSON, in one line. */
final class PlaceJson {

  private PlaceJson() {}

  static String of(PlaceReport report, List<String> differences) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("pods", report.outcome().pods().size()).put("placed", report.placed());
    ArrayNode jobs = json.putArray("jobs");
    for (JobPlacement job : report.jobs()) {
      ObjectNode one = jobs.addObject();
      one.put("job", job.name())
          .put("pods", job.pods().size())
          .put("placed", job.placed())
          .put("nodes", job.nodes())
          .put("gigabytesPerSecond", job.gigabytesPerSecond())
          .put("upperBoundGigabytesPerSecond", job.upperBoundGigabytesPerSecond())
          .put("slowestGigabytesPerSecond", job.slowestGigabytesPerSecond())
          .set("rails", of(job.rails()));
      GangScore gang = report.outcome().gangs().get(job.name());
      if (gang != null) {
        one.putObject("gang")
            .put("lostRails", gang.lostRails())
            .put("distance", gang.distance())
            .put("level", gang.level())
            .put("proven", gang.proven())
            .put("explanation", gang.explanation());
      }
      ArrayNode pods = one.putArray("placements");
      job.pods().forEach(pod -> pods.add(of(pod, report)));
    }
    if (!differences.isEmpty()) {
      differences.forEach(json.putArray("warnings")::add);
    }
    return JsonTree.ofProgram(json);
  }

  private static ObjectNode of(RailAgreement rails) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("equal", rails.equal())
        .put("nodes", rails.nodes())
        .put("fewest", rails.fewest())
        .put("score", rails.score())
        .put("reason", rails.reason());
    ArrayNode common = json.putArray("common");
    rails.common().forEach(common::add);
    return json;
  }

  private static ObjectNode of(PodOutcome outcome, PlaceReport report) {
    ObjectNode json = JsonTree.NODES.objectNode().put("pod", outcome.pod().name());
    if (!(outcome instanceof PodOutcome.Placed placed)) {
      return json.put("placed", false)
          .put("outcome", outcome.getClass().getSimpleName())
          .put("reason", report.reasons().getOrDefault(outcome.pod(), ""));
    }
    json.put("placed", true).put("node", placed.node());
    ArrayNode devices = json.putArray("devices");
    for (ClaimKey key : placed.pod().claims()) {
      for (DeviceRequestAllocationResult result : report.devicesOf(key)) {
        devices
            .addObject()
            .put("claim", key.toString())
            .put("request", result.request())
            .put("driver", result.driver())
            .put("pool", result.pool())
            .put("device", result.device());
      }
    }
    if (report.hasDevicePlugin(placed.pod())) {
      json.put("devicePlugin", true);
    }
    if (placed.score().orElse(null) instanceof PlacementScore score) {
      json.set("score", ScoreJson.of(score));
    }
    return json;
  }
}
