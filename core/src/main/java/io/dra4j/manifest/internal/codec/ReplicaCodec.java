package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import java.util.Map;

/** Fields of Deployments, ReplicaSets and DaemonSets for the number and the nodes of their pods. */
final class ReplicaCodec {

  private ReplicaCodec() {}

  static Deployment readDeployment(FieldReader in) {
    return WorkloadCodec.readWithTemplate(
        in,
        (metadata, spec, template) ->
            new Deployment(
                metadata,
                spec.count("replicas", 1),
                spec.flag("paused"),
                WorkloadCodec.readTemplateLabels(template),
                WorkloadCodec.readTemplateSpec(template)));
  }

  static Json.Fields writeDeployment(Deployment set) {
    FieldWriter spec =
        new FieldWriter().required("replicas", set.replicas()).flag("paused", set.paused());
    return write(set.metadata(), spec, set.templateLabels(), set.template());
  }

  static ReplicaSet readReplicaSet(FieldReader in) {
    return WorkloadCodec.readWithTemplate(
        in,
        (metadata, spec, template) ->
            new ReplicaSet(
                metadata,
                spec.count("replicas", 1),
                WorkloadCodec.readTemplateLabels(template),
                WorkloadCodec.readTemplateSpec(template)));
  }

  static Json.Fields writeReplicaSet(ReplicaSet set) {
    FieldWriter spec = new FieldWriter().required("replicas", set.replicas());
    return write(set.metadata(), spec, set.templateLabels(), set.template());
  }

  static DaemonSet readDaemonSet(FieldReader in) {
    return WorkloadCodec.readWithTemplate(
        in,
        (metadata, spec, template) ->
            new DaemonSet(
                metadata,
                WorkloadCodec.readTemplateLabels(template),
                WorkloadCodec.readTemplateSpec(template)));
  }

  static Json.Fields writeDaemonSet(DaemonSet set) {
    return write(set.metadata(), new FieldWriter(), set.templateLabels(), set.template());
  }

  private static Json.Fields write(
      ObjectMeta metadata, FieldWriter spec, Map<String, String> labels, PodSpec template) {
    return WorkloadCodec.writeWithTemplate(metadata, spec, labels, template).done();
  }
}
