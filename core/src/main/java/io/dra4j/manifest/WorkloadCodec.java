package io.dra4j.manifest;

import io.dra4j.model.Node;
import io.dra4j.model.Pod;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.StatefulSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Nodes, and what of pods and stateful sets names claims. */
final class WorkloadCodec {

  private WorkloadCodec() {}

  static Node readNode(FieldReader in) {
    in.object("spec", spec -> spec.text("providerID")); // must be an object, no more is known
    return new Node(
        MetadataCodec.read(in), in.object("status", status -> status.texts("declaredFeatures")));
  }

  static Json.Fields writeNode(Node node) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(node.metadata()))
        .object(
            "status", new FieldWriter().texts("declaredFeatures", node.declaredFeatures()).done())
        .done();
  }

  static Pod readPod(FieldReader in) {
    return in.object(
        "status",
        status ->
            new Pod(
                MetadataCodec.read(in),
                in.object("spec", WorkloadCodec::readPodSpec),
                readClaimNames(status),
                new PodPhase(status.text("phase"))));
  }

  static Json.Fields writePod(Pod pod) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(pod.metadata()))
        .required("spec", writePodSpec(pod.spec()))
        .object("status", writePodStatus(pod))
        .done();
  }

  static StatefulSet readStatefulSet(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            new StatefulSet(
                MetadataCodec.read(in),
                spec.int32("replicas", 1),
                spec.object("ordinals", ordinals -> ordinals.int32("start", 0)),
                spec.object(
                    "template", template -> template.object("spec", WorkloadCodec::readPodSpec))));
  }

  static Json.Fields writeStatefulSet(StatefulSet set) {
    Json.Fields ordinals = new FieldWriter().integer("start", set.firstOrdinal()).done();
    Json.Fields template = new FieldWriter().required("spec", writePodSpec(set.template())).done();
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(set.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .required("replicas", set.replicas())
                .object("ordinals", ordinals)
                .required("template", template)
                .done())
        .done();
  }

  private static PodSpec readPodSpec(FieldReader in) {
    return new PodSpec(
        in.text("nodeName"),
        in.textMap("nodeSelector"),
        in.objects(
            "resourceClaims",
            claim ->
                new PodResourceClaim(
                    claim.text("name"),
                    claim.optionalText("resourceClaimName"),
                    claim.optionalText("resourceClaimTemplateName"))));
  }

  private static Json.Fields writePodSpec(PodSpec spec) {
    return new FieldWriter()
        .text("nodeName", spec.nodeName())
        .textMap("nodeSelector", spec.nodeSelector())
        .list(
            "resourceClaims",
            spec.resourceClaims(),
            claim ->
                new FieldWriter()
                    .required("name", claim.name())
                    .optionalText("resourceClaimName", claim.resourceClaimName())
                    .optionalText("resourceClaimTemplateName", claim.resourceClaimTemplateName())
                    .done())
        .done();
  }

  /** An entry whose claim name is null needs no claim; the record says so with an empty text. */
  private static Map<String, String> readClaimNames(FieldReader status) {
    Map<String, String> names = new LinkedHashMap<>();
    status.objects(
        "resourceClaimStatuses",
        claim -> {
          names.put(claim.text("name"), claim.text("resourceClaimName"));
          return claim;
        });
    return names;
  }

  private static Json.Fields writePodStatus(Pod pod) {
    return new FieldWriter()
        .text("phase", pod.phase().value())
        .list(
            "resourceClaimStatuses",
            List.copyOf(pod.resourceClaimNames().entrySet()),
            entry ->
                new FieldWriter()
                    .required("name", entry.getKey())
                    .text("resourceClaimName", entry.getValue())
                    .done())
        .done();
  }
}
