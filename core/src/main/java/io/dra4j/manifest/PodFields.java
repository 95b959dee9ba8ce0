package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.StatefulSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads and writes the parts of pods and stateful sets that name claims. */
final class PodFields {

  private PodFields() {}

  static Pod readPod(Fields pod) {
    Map<String, String> claimNames = new LinkedHashMap<>();
    pod.at("status")
        .list("resourceClaimStatuses", status -> status)
        .forEach(status -> claimNames.put(status.text("name"), status.text("resourceClaimName")));
    return new Pod(MetaFields.read(pod), readSpec(pod.at("spec")), claimNames);
  }

  static void writePod(Pod pod, ObjectNode json) {
    MetaFields.write(pod.metadata(), json);
    writeSpec(pod.spec(), json.putObject("spec"));
    if (!pod.resourceClaimNames().isEmpty()) {
      ArrayNode statuses = json.putObject("status").putArray("resourceClaimStatuses");
      pod.resourceClaimNames()
          .forEach(
              (entry, claim) -> {
                ObjectNode status = statuses.addObject().put("name", entry);
                Json.text(status, "resourceClaimName", claim);
              });
    }
  }

  static StatefulSet readStatefulSet(Fields set) {
    Fields spec = set.at("spec");
    return new StatefulSet(
        MetaFields.read(set),
        spec.smallInteger("replicas", 1),
        spec.at("ordinals").smallInteger("start", 0),
        readSpec(spec.at("template").at("spec")));
  }

  static void writeStatefulSet(StatefulSet set, ObjectNode json) {
    MetaFields.write(set.metadata(), json);
    ObjectNode spec = json.putObject("spec");
    spec.put("replicas", set.replicas());
    if (set.firstOrdinal() != 0) {
      spec.putObject("ordinals").put("start", set.firstOrdinal());
    }
    writeSpec(set.template(), spec.putObject("template").putObject("spec"));
  }

  private static PodSpec readSpec(Fields spec) {
    return new PodSpec(
        spec.text("nodeName"),
        spec.textMap("nodeSelector"),
        spec.list(
            "resourceClaims",
            claim ->
                new PodResourceClaim(
                    claim.text("name"),
                    claim.nonEmptyText("resourceClaimName"),
                    claim.nonEmptyText("resourceClaimTemplateName"))));
  }

  private static void writeSpec(PodSpec spec, ObjectNode json) {
    Json.text(json, "nodeName", spec.nodeName());
    Json.textMap(json, "nodeSelector", spec.nodeSelector());
    Json.list(
        json,
        "resourceClaims",
        spec.resourceClaims(),
        (claim, object) -> {
          object.put("name", claim.name());
          Json.text(object, "resourceClaimName", claim.resourceClaimName());
          Json.text(object, "resourceClaimTemplateName", claim.resourceClaimTemplateName());
        });
  }
}
