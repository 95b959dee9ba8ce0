package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.JobSet;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.PodTemplate;
import org.jspecify.annotations.Nullable;

/**
 * MPIJobs, JobSets and LeaderWorkerSets, which are not part of Kubernetes: the fields that
 * determine their pods.
 */
final class JobSetCodec {

  private static final String TEMPLATE = "template";
  private static final String LEADER_EXCLUDED = "LeaderExcluded";

  private JobSetCodec() {}

  private static PodTemplate readTemplate(FieldReader template) {
    return new PodTemplate(
        WorkloadCodec.readTemplateLabels(template), WorkloadCodec.readTemplateSpec(template));
  }

  private static Json.Fields writeTemplate(PodTemplate template) {
    return WorkloadCodec.writeTemplate(template.labels(), template.spec());
  }

  static MPIJob readMpiJob(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            spec.object(
                "mpiReplicaSpecs",
                replicas ->
                    new MPIJob(
                        MetadataCodec.read(in),
                        readReplica(replicas, "Launcher"),
                        replicas.object("Worker", worker -> worker.count("replicas", 0)),
                        readReplica(replicas, "Worker"),
                        spec.flag("runLauncherAsWorker"),
                        spec.object("runPolicy", policy -> policy.flag("suspend")),
                        spec.object("runPolicy", policy -> policy.text("managedBy")),
                        in.object(
                            "status",
                            status -> status.objects("conditions", ConditionCodec::read)))));
  }

  private static @Nullable PodTemplate readReplica(FieldReader replicas, String type) {
    return replicas.optionalObject(
        type, replica -> replica.object(TEMPLATE, JobSetCodec::readTemplate));
  }

  static Json.Fields writeMpiJob(MPIJob job) {
    FieldWriter replicas = new FieldWriter();
    PodTemplate launcher = job.launcher();
    PodTemplate worker = job.worker();
    if (launcher != null) {
      replicas.required(
          "Launcher", new FieldWriter().required(TEMPLATE, writeTemplate(launcher)).done());
    }
    if (worker != null) {
      replicas.required(
          "Worker",
          new FieldWriter()
              .required("replicas", job.workers())
              .required(TEMPLATE, writeTemplate(worker))
              .done());
    }
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(job.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .flag("runLauncherAsWorker", job.launcherIsWorker())
                .object(
                    "runPolicy",
                    new FieldWriter()
                        .flag("suspend", job.suspended())
                        .text("managedBy", job.managedBy())
                        .done())
                .required("mpiReplicaSpecs", replicas.done())
                .done())
        .object(
            "status",
            new FieldWriter().list("conditions", job.conditions(), ConditionCodec::write).done())
        .done();
  }

  static JobSet readJobSet(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            new JobSet(
                MetadataCodec.read(in),
                spec.objects(
                    "replicatedJobs",
                    job ->
                        new JobSet.ReplicatedJob(
                            job.text("name"),
                            job.count("replicas", 1),
                            job.object(TEMPLATE, WorkloadCodec::readJob))),
                spec.flag("suspend"),
                spec.text("managedBy"),
                in.object("status", status -> status.objects("conditions", ConditionCodec::read))));
  }

  static Json.Fields writeJobSet(JobSet set) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(set.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .flag("suspend", set.suspended())
                .text("managedBy", set.managedBy())
                .list(
                    "replicatedJobs",
                    set.replicatedJobs(),
                    job ->
                        new FieldWriter()
                            .required("name", job.name())
                            .required("replicas", job.replicas())
                            .required(TEMPLATE, WorkloadCodec.writeJob(job.template()))
                            .done())
                .done())
        .object(
            "status",
            new FieldWriter().list("conditions", set.conditions(), ConditionCodec::write).done())
        .done();
  }

  static LeaderWorkerSet readLeaderWorkerSet(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            spec.object(
                "leaderWorkerTemplate",
                group ->
                    new LeaderWorkerSet(
                        MetadataCodec.read(in),
                        spec.count("replicas", 1),
                        group.count("size", 1),
                        group.optionalObject("leaderTemplate", JobSetCodec::readTemplate),
                        group.object("workerTemplate", JobSetCodec::readTemplate),
                        group.optionalObject("subGroupPolicy", JobSetCodec::readSubGroups))));
  }

  /** A size of 0, which the API server rejects, makes each pod a part. */
  private static LeaderWorkerSet.SubGroups readSubGroups(FieldReader policy) {
    return new LeaderWorkerSet.SubGroups(
        Math.max(1, policy.count("subGroupSize", 1)),
        policy.text("subGroupPolicyType").equals(LEADER_EXCLUDED));
  }

  private static Json.Fields writeSubGroups(LeaderWorkerSet.SubGroups subGroups) {
    return new FieldWriter()
        .text("subGroupPolicyType", subGroups.excludesLeader() ? LEADER_EXCLUDED : "")
        .required("subGroupSize", subGroups.size())
        .done();
  }

  static Json.Fields writeLeaderWorkerSet(LeaderWorkerSet set) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(set.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .required("replicas", set.replicas())
                .required(
                    "leaderWorkerTemplate",
                    new FieldWriter()
                        .required("size", set.size())
                        .optional("leaderTemplate", set.leader(), JobSetCodec::writeTemplate)
                        .required("workerTemplate", writeTemplate(set.worker()))
                        .optional("subGroupPolicy", set.subGroups(), JobSetCodec::writeSubGroups)
                        .done())
                .done())
        .done();
  }
}
