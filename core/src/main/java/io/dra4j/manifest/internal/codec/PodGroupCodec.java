package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.PodGroup;
import io.dra4j.model.Workload;
import io.dra4j.model.Workload.CompositeTemplate;
import io.dra4j.model.Workload.PodGroupTemplate;
import io.dra4j.model.WorkloadReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups of pods, groups of groups, and the templates of both: {@code scheduling.k8s.io}. */
final class PodGroupCodec {

  private static final String MIN_COUNT = "minCount";
  private static final String MIN_GROUP_COUNT = "minGroupCount";
  private static final String PARENT = "parentCompositePodGroupName";
  private static final String GROUPS = "podGroupTemplates";
  private static final String COMPOSITES = "compositePodGroupTemplates";

  private PodGroupCodec() {}

  static PodGroup readPodGroup(FieldReader in) {
    return in.object(
        "status",
        status ->
            in.object(
                "spec",
                spec ->
                    new PodGroup(
                        MetadataCodec.read(in),
                        readCount(spec, MIN_COUNT),
                        readTopology(spec),
                        WorkloadCodec.readPodClaims(spec),
                        WorkloadCodec.readClaimNames(status),
                        spec.optionalText(PARENT),
                        readReference(spec))));
  }

  static Json.Fields writePodGroup(PodGroup group) {
    FieldWriter spec = new FieldWriter().optionalText(PARENT, group.parentName());
    spec.optional("workloadRef", group.workloadRef(), PodGroupCodec::writeReference);
    writePolicy(spec, MIN_COUNT, group.minCount(), group.topologyKeys());
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(group.metadata()))
        .required(
            "spec",
            spec.list("resourceClaims", group.resourceClaims(), WorkloadCodec::writePodClaim)
                .done())
        .object(
            "status",
            WorkloadCodec.writeClaimNames(new FieldWriter(), group.resourceClaimNames()).done())
        .done();
  }

  static CompositePodGroup readComposite(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            new CompositePodGroup(
                MetadataCodec.read(in),
                readCount(spec, MIN_GROUP_COUNT),
                readTopology(spec),
                spec.optionalText(PARENT),
                readReference(spec)));
  }

  static Json.Fields writeComposite(CompositePodGroup group) {
    FieldWriter spec = new FieldWriter().optionalText(PARENT, group.parentName());
    spec.optional("workloadRef", group.workloadRef(), PodGroupCodec::writeReference);
    writePolicy(spec, MIN_GROUP_COUNT, group.minGroupCount(), group.topologyKeys());
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(group.metadata()))
        .required("spec", spec.done())
        .done();
  }

  static Workload readWorkload(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            new Workload(
                MetadataCodec.read(in),
                spec.objects(GROUPS, PodGroupCodec::readTemplate),
                spec.objects(COMPOSITES, PodGroupCodec::readCompositeTemplate)));
  }

  static Json.Fields writeWorkload(Workload workload) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(workload.metadata()))
        .required(
            "spec",
            writeTemplates(
                    new FieldWriter(), workload.podGroupTemplates(), workload.compositeTemplates())
                .done())
        .done();
  }

  private static PodGroupTemplate readTemplate(FieldReader in) {
    return new PodGroupTemplate(
        in.text("name"),
        readCount(in, MIN_COUNT),
        readTopology(in),
        WorkloadCodec.readPodClaims(in));
  }

  private static Json.Fields writeTemplate(PodGroupTemplate template) {
    FieldWriter fields = new FieldWriter().required("name", template.name());
    writePolicy(fields, MIN_COUNT, template.minCount(), template.topologyKeys());
    return fields
        .list("resourceClaims", template.resourceClaims(), WorkloadCodec::writePodClaim)
        .done();
  }

  private static CompositeTemplate readCompositeTemplate(FieldReader in) {
    return new CompositeTemplate(
        in.text("name"),
        readCount(in, MIN_GROUP_COUNT),
        readTopology(in),
        in.objects(GROUPS, PodGroupCodec::readTemplate),
        in.objects(COMPOSITES, PodGroupCodec::readCompositeTemplate));
  }

  private static Json.Fields writeCompositeTemplate(CompositeTemplate template) {
    FieldWriter fields = new FieldWriter().required("name", template.name());
    writePolicy(fields, MIN_GROUP_COUNT, template.minGroupCount(), template.topologyKeys());
    return writeTemplates(fields, template.podGroupTemplates(), template.compositeTemplates())
        .done();
  }

  private static FieldWriter writeTemplates(
      FieldWriter fields, List<PodGroupTemplate> groups, List<CompositeTemplate> composites) {
    return fields
        .list(GROUPS, groups, PodGroupCodec::writeTemplate)
        .list(COMPOSITES, composites, PodGroupCodec::writeCompositeTemplate);
  }

  /** The number of a gang; null for a group that is not a gang. */
  private static @Nullable Integer readCount(FieldReader in, String field) {
    return in.object(
        "schedulingPolicy", policy -> policy.optionalObject("gang", gang -> gang.count(field, 1)));
  }

  private static List<String> readTopology(FieldReader in) {
    return in.object(
        "schedulingConstraints",
        constraints -> constraints.objects("topology", one -> one.text("key")));
  }

  private static @Nullable WorkloadReference readReference(FieldReader in) {
    return in.optionalObject(
        "workloadRef",
        ref -> new WorkloadReference(ref.text("workloadName"), ref.text("templateName")));
  }

  private static Json.Fields writeReference(WorkloadReference reference) {
    return new FieldWriter()
        .required("workloadName", reference.workloadName())
        .required("templateName", reference.templateName())
        .done();
  }

  private static void writePolicy(
      FieldWriter spec, String field, @Nullable Integer count, List<String> topologyKeys) {
    String policy = count == null ? "basic" : "gang";
    FieldWriter fields =
        count == null ? new FieldWriter() : new FieldWriter().required(field, count);
    spec.required("schedulingPolicy", new FieldWriter().required(policy, fields.done()).done())
        .object(
            "schedulingConstraints",
            new FieldWriter()
                .list(
                    "topology", topologyKeys, key -> new FieldWriter().required("key", key).done())
                .done());
  }
}
