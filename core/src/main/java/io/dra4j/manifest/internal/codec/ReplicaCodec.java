package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import java.util.Map;

/**
 * Deployments, ReplicaSets and DaemonSets: what of them says how many pods there are, and where.
 */
final class ReplicaCodec {

  private ReplicaCodec() {}

  static Deployment readDeployment(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            spec.object(
                "template",
                template ->
                    new Deployment(
                        MetadataCodec.read(in),
                        spec.count("replicas", 1),
                        spec.flag("paused"),
                        WorkloadCodec.readTemplateLabels(template),
                        template.object("spec", WorkloadCodec::readPodSpec))));
  }

  static Json.Fields writeDeployment(Deployment set) {
    FieldWriter spec =
        new FieldWriter().required("replicas", set.replicas()).flag("paused", set.paused());
    return write(set.metadata(), spec, set.templateLabels(), set.template());
  }

  static ReplicaSet readReplicaSet(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            spec.object(
                "template",
                template ->
                    new ReplicaSet(
                        MetadataCodec.read(in),
                        spec.count("replicas", 1),
                        WorkloadCodec.readTemplateLabels(template),
                        template.object("spec", WorkloadCodec::readPodSpec))));
  }

  static Json.Fields writeReplicaSet(ReplicaSet set) {
    FieldWriter spec = new FieldWriter().required("replicas", set.replicas());
    return write(set.metadata(), spec, set.templateLabels(), set.template());
  }

  static DaemonSet readDaemonSet(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            spec.object(
                "template",
                template ->
                    new DaemonSet(
                        MetadataCodec.read(in),
                        WorkloadCodec.readTemplateLabels(template),
                        template.object("spec", WorkloadCodec::readPodSpec))));
  }

  static Json.Fields writeDaemonSet(DaemonSet set) {
    return write(set.metadata(), new FieldWriter(), set.templateLabels(), set.template());
  }

  private static Json.Fields write(
      ObjectMeta metadata, FieldWriter spec, Map<String, String> labels, PodSpec template) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(metadata))
        .required(
            "spec", spec.required("template", WorkloadCodec.writeTemplate(labels, template)).done())
        .done();
  }
}
