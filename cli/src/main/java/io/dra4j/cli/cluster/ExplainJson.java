package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.scheduling.NodeReason;
import java.util.List;

/** Writes an explanation as JSON, in one line. */
final class ExplainJson {

  private ExplainJson() {}

  static String of(ExplainReport report, List<String> differences) {
    ObjectNode json = JsonTree.NODES.objectNode();
    ArrayNode warnings = json.putArray("warnings");
    report.warnings().forEach(warnings::add);
    differences.forEach(warnings::add);
    ArrayNode pods = json.putArray("pods");
    for (ExplainReport.Pod pod : report.pods()) {
      ObjectNode one = pods.addObject();
      one.put("pod", pod.name()).put("fits", pod.fits()).put("summary", pod.summary());
      if (!pod.node().isEmpty()) {
        one.put("node", pod.node());
      }
      ArrayNode groups = one.putArray("reasons");
      pod.groups().forEach(group -> groups.add(of(group)));
      pod.others().forEach(reason -> groups.add(of(reason)));
    }
    return JsonTree.ofProgram(json);
  }

  private static ObjectNode of(ExplainReport.Group group) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("gist", group.summary());
    ArrayNode nodes = json.putArray("nodes");
    group.nodes().forEach(nodes::add);
    ArrayNode refusals = json.putArray("refusals");
    group.refusals().forEach(refusal -> refusals.add(of(refusal)));
    ArrayNode conflict = json.putArray("conflict");
    group.conflict().found().forEach(part -> conflict.add(of(part)));
    ArrayNode suggestions = json.putArray("suggestions");
    group.suggestions().found().forEach(suggestions::add);
    json.put("conflictComplete", group.conflict().complete());
    group.conflict().gap().ifPresent(gap -> json.put("conflictGap", gap));
    json.put("suggestionsComplete", group.suggestions().complete());
    group.suggestions().gap().ifPresent(gap -> json.put("suggestionsGap", gap));
    return json;
  }

  /**
   * Returns a reason with the fields of a group, most of them empty, because no devices were tried.
   */
  private static ObjectNode of(NodeReason reason) {
    ObjectNode json =
        of(
            new ExplainReport.Group(
                reason.text(),
                reason.nodes(),
                List.of(),
                PartialResult.all(List.of()),
                PartialResult.all(List.of()),
                List.of()));
    return json.put("cause", reason.cause().name());
  }

  private static ObjectNode of(Reason refusal) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("kind", refusal.getClass().getSimpleName()).put("text", refusal.text());
    ArrayNode requirements = json.putArray("requirements");
    refusal.requirements().forEach(part -> requirements.add(of(part)));
    ArrayNode refused = json.putArray("refused");
    for (ExcludedDevice device : refusal.refused()) {
      ObjectNode one = refused.addObject();
      one.put("driver", device.device().driver())
          .put("pool", device.device().pool())
          .put("device", device.device().device())
          .put("request", device.request().request())
          .put("rule", device.rule().name())
          .put("reason", device.reason());
      ArrayNode holders = one.putArray("holders");
      device.holders().forEach(holder -> holders.add(holder.toString()));
    }
    return json;
  }

  private static ObjectNode of(Requirement part) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("claim", part.claim().toString()).put("text", part.text());
    if (part instanceof Requirement.Request request) {
      json.put("request", request.request());
    } else if (part instanceof Requirement.Selector selector) {
      json.put("request", selector.request()).put("selector", selector.index());
    } else if (part instanceof Requirement.Constraint constraint) {
      json.put("constraint", constraint.index());
    }
    return json;
  }
}
