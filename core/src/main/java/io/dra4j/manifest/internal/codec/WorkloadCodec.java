package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.Job;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.StatefulSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes, and fields of pods and their controllers that name claims or decide where pods run. */
final class WorkloadCodec {

  private static final String INDEXED = "Indexed";

  private WorkloadCodec() {}

  static Node readNode(FieldReader in) {
    return in.object(
        "status",
        status ->
            in.object(
                "spec",
                spec ->
                    new Node(
                        MetadataCodec.read(in),
                        status.texts("declaredFeatures"),
                        spec.objects("taints", TaintCodec::readNodeTaint),
                        spec.flag("unschedulable"),
                        // As completed by the API server.
                        status.quantityMap(
                            status.has("allocatable") ? "allocatable" : "capacity"))));
  }

  static Json.Fields writeNode(Node node) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(node.metadata()))
        .object(
            "spec",
            new FieldWriter()
                .list("taints", node.taints(), TaintCodec::writeNodeTaint)
                .flag("unschedulable", node.unschedulable())
                .done())
        .object(
            "status",
            new FieldWriter()
                .quantityMap("allocatable", node.allocatable())
                .texts("declaredFeatures", node.declaredFeatures())
                .done())
        .done();
  }

  static Pod readPod(FieldReader in) {
    return in.object(
        "status",
        status ->
            new Pod(
                MetadataCodec.read(in),
                in.object("spec", PodSpecCodec::read),
                readClaimNames(status),
                new PodPhase(status.text("phase")),
                status.objects(
                    "nodeAllocatableResourceClaimStatuses", NodeAllocatableCodec::readStatus),
                PodResourceCodec.read(status)));
  }

  static Json.Fields writePod(Pod pod) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(pod.metadata()))
        .required("spec", PodSpecCodec.write(pod.spec()))
        .object("status", writePodStatus(pod))
        .done();
  }

  /** Creates a controller of pods from its metadata and the fields of its spec and template. */
  interface OfTemplate<T> {
    T of(ObjectMeta metadata, FieldReader spec, FieldReader template);
  }

  /** Reads an object whose specification has a template of pods. */
  static <T> T readWithTemplate(FieldReader in, OfTemplate<T> maker) {
    return in.object(
        "spec",
        spec ->
            spec.object("template", template -> maker.of(MetadataCodec.read(in), spec, template)));
  }

  /** Writes metadata and specification of such an object; the template ends the specification. */
  static FieldWriter writeWithTemplate(
      ObjectMeta metadata, FieldWriter spec, Map<String, String> labels, PodSpec template) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(metadata))
        .required("spec", spec.required("template", writeTemplate(labels, template)).done());
  }

  static PodSpec readTemplateSpec(FieldReader template) {
    return template.object("spec", PodSpecCodec::read);
  }

  static StatefulSet readStatefulSet(FieldReader in) {
    return readWithTemplate(
        in,
        (metadata, spec, template) ->
            new StatefulSet(
                metadata,
                spec.count("replicas", 1),
                spec.object("ordinals", ordinals -> ordinals.count("start", 0)),
                readTemplateLabels(template),
                readTemplateSpec(template),
                in.object("status", status -> status.text("updateRevision"))));
  }

  static Map<String, String> readTemplateLabels(FieldReader template) {
    return template.object("metadata", metadata -> metadata.textMap("labels"));
  }

  static Json.Fields writeTemplate(Map<String, String> labels, PodSpec spec) {
    return new FieldWriter()
        .object("metadata", new FieldWriter().textMap("labels", labels).done())
        .required("spec", PodSpecCodec.write(spec))
        .done();
  }

  static Job readJob(FieldReader in) {
    return in.object(
        "status",
        status ->
            readWithTemplate(
                in,
                (metadata, spec, template) ->
                    new Job(
                        metadata,
                        spec.count("parallelism", 1),
                        spec.has("completions") ? spec.count("completions", 0) : null,
                        spec.flag("suspend"),
                        readTemplateLabels(template),
                        readTemplateSpec(template),
                        spec.text("managedBy"),
                        readIndexes(spec, status),
                        status.count("succeeded", 0),
                        status.objects("conditions", ConditionCodec::read))));
  }

  private static Job.@Nullable Indexes readIndexes(FieldReader spec, FieldReader status) {
    return spec.text("completionMode").equals(INDEXED)
        ? new Job.Indexes(status.text("completedIndexes"), status.text("failedIndexes"))
        : null;
  }

  static Json.Fields writeJob(Job job) {
    Integer completions = job.completions();
    Job.Indexes indexes = job.indexes();
    FieldWriter spec =
        new FieldWriter()
            .required("parallelism", job.parallelism())
            .optionalInteger("completions", completions == null ? null : (long) completions)
            .text("completionMode", indexes == null ? "" : INDEXED)
            .text("managedBy", job.managedBy())
            .flag("suspend", job.suspended());
    return writeWithTemplate(job.metadata(), spec, job.templateLabels(), job.template())
        .object(
            "status",
            new FieldWriter()
                .text("completedIndexes", indexes == null ? "" : indexes.completed())
                .text("failedIndexes", indexes == null ? "" : indexes.failed())
                .integer("succeeded", job.succeeded())
                .list("conditions", job.conditions(), ConditionCodec::write)
                .done())
        .done();
  }

  static Json.Fields writeStatefulSet(StatefulSet set) {
    FieldWriter spec =
        new FieldWriter()
            .required("replicas", set.replicas())
            .object("ordinals", new FieldWriter().integer("start", set.firstOrdinal()).done());
    return writeWithTemplate(set.metadata(), spec, set.templateLabels(), set.template())
        .object("status", new FieldWriter().text("updateRevision", set.updateRevision()).done())
        .done();
  }

  static List<PodResourceClaim> readPodClaims(FieldReader in) {
    return in.objects(
        "resourceClaims",
        claim ->
            new PodResourceClaim(
                claim.text("name"),
                claim.optionalText("resourceClaimName"),
                claim.optionalText("resourceClaimTemplateName")));
  }

  static Json.Fields writePodClaim(PodResourceClaim claim) {
    return new FieldWriter()
        .required("name", claim.name())
        .optionalText("resourceClaimName", claim.resourceClaimName())
        .optionalText("resourceClaimTemplateName", claim.resourceClaimTemplateName())
        .done();
  }

  /**
   * If entries have the same name, the first one counts ({@code resourceclaim.Name}). An entry
   * whose claim name is null needs no claim; in the record its claim name is empty.
   */
  static Map<String, String> readClaimNames(FieldReader status) {
    Map<String, String> names = new LinkedHashMap<>();
    status.objects(
        "resourceClaimStatuses",
        claim -> {
          names.putIfAbsent(claim.text("name"), claim.text("resourceClaimName"));
          return claim;
        });
    return names;
  }

  private static Json.Fields writePodStatus(Pod pod) {
    FieldWriter status =
        writeClaimNames(
                new FieldWriter().text("phase", pod.phase().value()), pod.resourceClaimNames())
            .list(
                "nodeAllocatableResourceClaimStatuses",
                pod.nodeAllocatableClaims(),
                NodeAllocatableCodec::writeStatus);
    return PodResourceCodec.write(pod, status).done();
  }

  static FieldWriter writeClaimNames(FieldWriter status, Map<String, String> names) {
    return status.list(
        "resourceClaimStatuses",
        List.copyOf(names.entrySet()),
        entry ->
            new FieldWriter()
                .required("name", entry.getKey())
                .text("resourceClaimName", entry.getValue())
                .done());
  }
}
