package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.Container;
import io.dra4j.model.ContainerPort;
import io.dra4j.model.LabelSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceRequirements;
import io.dra4j.model.ResourceRequirements.ClaimReference;
import io.dra4j.model.TopologySpreadConstraint;
import java.util.List;

/** The fields of the specification of a pod that determine where the pod runs. */
final class PodSpecCodec {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private PodSpecCodec() {}

  static PodSpec read(FieldReader in) {
    return in.object(
        "affinity",
        affinity ->
            new PodSpec(
                in.text("nodeName"),
                in.textMap("nodeSelector"),
                WorkloadCodec.readPodClaims(in),
                in.object("schedulingGroup", group -> group.optionalText("podGroupName")),
                in.objects("tolerations", TaintCodec::readPodToleration),
                affinity.object(
                    "nodeAffinity",
                    nodes -> nodes.optionalObject(REQUIRED, NodeSelectorCodec::read)),
                in.int32("priority", 0),
                readTerms(affinity, "podAffinity"),
                readTerms(affinity, "podAntiAffinity"),
                in.objects("topologySpreadConstraints", PodSpecCodec::readSpread),
                in.objects("containers", PodSpecCodec::readContainer),
                in.objects("initContainers", PodSpecCodec::readContainer),
                in.quantityMap("overhead"),
                in.object("resources", PodSpecCodec::readResources),
                in.flag("hostNetwork")));
  }

  static Json.Fields write(PodSpec spec) {
    return new FieldWriter()
        .text("nodeName", spec.nodeName())
        .textMap("nodeSelector", spec.nodeSelector())
        .list("resourceClaims", spec.resourceClaims(), WorkloadCodec::writePodClaim)
        .object(
            "schedulingGroup",
            new FieldWriter().optionalText("podGroupName", spec.podGroupName()).done())
        .list("tolerations", spec.tolerations(), TaintCodec::writePodToleration)
        .object("affinity", writeAffinity(spec))
        .integer("priority", spec.priority())
        .list("topologySpreadConstraints", spec.topologySpread(), PodSpecCodec::writeSpread)
        .list("containers", spec.containers(), PodSpecCodec::writeContainer)
        .list("initContainers", spec.initContainers(), PodSpecCodec::writeContainer)
        .quantityMap("overhead", spec.overhead())
        .object("resources", writeResources(spec.resources()))
        .flag("hostNetwork", spec.hostNetwork())
        .done();
  }

  private static Json.Fields writeAffinity(PodSpec spec) {
    return new FieldWriter()
        .object(
            "nodeAffinity",
            new FieldWriter()
                .optional(REQUIRED, spec.requiredNodeAffinity(), NodeSelectorCodec::write)
                .done())
        .object("podAffinity", writeTerms(spec.requiredPodAffinity()))
        .object("podAntiAffinity", writeTerms(spec.requiredPodAntiAffinity()))
        .done();
  }

  private static List<PodAffinityTerm> readTerms(FieldReader affinity, String kind) {
    return affinity.object(kind, terms -> terms.objects(REQUIRED, PodSpecCodec::readTerm));
  }

  private static PodAffinityTerm readTerm(FieldReader in) {
    return new PodAffinityTerm(
        in.optionalObject("labelSelector", PodSpecCodec::readSelector),
        in.texts("namespaces"),
        in.optionalObject("namespaceSelector", PodSpecCodec::readSelector),
        in.text("topologyKey"),
        in.texts("matchLabelKeys"),
        in.texts("mismatchLabelKeys"));
  }

  private static Json.Fields writeTerms(List<PodAffinityTerm> terms) {
    return new FieldWriter().list(REQUIRED, terms, PodSpecCodec::writeTerm).done();
  }

  private static Json.Fields writeTerm(PodAffinityTerm term) {
    return new FieldWriter()
        .optional("labelSelector", term.labelSelector(), PodSpecCodec::writeSelector)
        .texts("namespaces", term.namespaces())
        .optional("namespaceSelector", term.namespaceSelector(), PodSpecCodec::writeSelector)
        .required("topologyKey", term.topologyKey())
        .texts("matchLabelKeys", term.matchLabelKeys())
        .texts("mismatchLabelKeys", term.mismatchLabelKeys())
        .done();
  }

  private static LabelSelector readSelector(FieldReader in) {
    return new LabelSelector(
        in.textMap("matchLabels"),
        in.objects(
            "matchExpressions",
            condition ->
                new NodeSelectorRequirement(
                    condition.text("key"),
                    new NodeSelectorOperator(condition.text("operator")),
                    condition.texts("values"))));
  }

  private static Json.Fields writeSelector(LabelSelector selector) {
    return new FieldWriter()
        .textMap("matchLabels", selector.matchLabels())
        .list(
            "matchExpressions",
            selector.matchExpressions(),
            condition ->
                new FieldWriter()
                    .required("key", condition.key())
                    .required("operator", condition.operator().value())
                    .texts("values", condition.values())
                    .done())
        .done();
  }

  private static TopologySpreadConstraint readSpread(FieldReader in) {
    return new TopologySpreadConstraint(
        in.int32("maxSkew", 0),
        in.text("topologyKey"),
        in.text("whenUnsatisfiable").equals("DoNotSchedule"),
        in.optionalObject("labelSelector", PodSpecCodec::readSelector),
        in.has("minDomains") ? in.int32("minDomains", 1) : null,
        in.text("nodeAffinityPolicy").equals("Ignore"),
        in.text("nodeTaintsPolicy").equals("Honor"),
        in.texts("matchLabelKeys"));
  }

  private static Json.Fields writeSpread(TopologySpreadConstraint constraint) {
    Integer minDomains = constraint.minDomains();
    return new FieldWriter()
        .required("maxSkew", constraint.maxSkew())
        .required("topologyKey", constraint.topologyKey())
        .required("whenUnsatisfiable", constraint.required() ? "DoNotSchedule" : "ScheduleAnyway")
        .optional("labelSelector", constraint.labelSelector(), PodSpecCodec::writeSelector)
        .optionalInteger("minDomains", minDomains == null ? null : (long) minDomains)
        .text("nodeAffinityPolicy", constraint.ignoresNodeAffinity() ? "Ignore" : "")
        .text("nodeTaintsPolicy", constraint.honorsTaints() ? "Honor" : "")
        .texts("matchLabelKeys", constraint.matchLabelKeys())
        .done();
  }

  private static Container readContainer(FieldReader in) {
    return new Container(
        in.text("name"),
        in.object("resources", PodSpecCodec::readResources),
        in.objects(
            "ports",
            port ->
                new ContainerPort(
                    port.int32("containerPort", 0),
                    port.int32("hostPort", 0),
                    port.text("hostIP"),
                    port.text("protocol"))),
        in.text("restartPolicy").equals("Always"));
  }

  private static Json.Fields writeContainer(Container container) {
    return new FieldWriter()
        .required("name", container.name())
        .object("resources", writeResources(container.resources()))
        .list(
            "ports",
            container.ports(),
            port ->
                new FieldWriter()
                    .required("containerPort", port.containerPort())
                    .integer("hostPort", port.hostPort())
                    .text("hostIP", port.hostIp())
                    .text("protocol", port.protocol())
                    .done())
        .text("restartPolicy", container.isSidecar() ? "Always" : "")
        .done();
  }

  private static ResourceRequirements readResources(FieldReader in) {
    return new ResourceRequirements(
        in.quantityMap("requests"),
        in.quantityMap("limits"),
        in.objects(
            "claims", claim -> new ClaimReference(claim.text("name"), claim.text("request"))));
  }

  private static Json.Fields writeResources(ResourceRequirements resources) {
    return new FieldWriter()
        .quantityMap("requests", resources.requests())
        .quantityMap("limits", resources.limits())
        .list(
            "claims",
            resources.claims(),
            claim ->
                new FieldWriter()
                    .required("name", claim.name())
                    .text("request", claim.request())
                    .done())
        .done();
  }
}
