package io.dra4j.scheduling.planning;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Deployment;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LabelSelector;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodController;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodSpec;
import io.dra4j.model.PodTemplate;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.StatefulSet;
import io.dra4j.scheduling.PodGroups;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates copies of a job with numbered names: {@code JOB-more-1} and so on. */
final class JobCopies {

  /** The labels by which selectors find the pods that the controller of a job creates. */
  private static final List<String> NAME_LABELS =
      List.of(
          "training.kubeflow.org/job-name",
          "jobset.sigs.k8s.io/jobset-name",
          "leaderworkerset.sigs.k8s.io/name");

  private final KubernetesObject job;
  private final PodGroups groups;

  /** Creates the copies of a job; its groups among those of the cluster are copied with it. */
  JobCopies(KubernetesObject job, PodGroups groups) {
    this.job = job;
    this.groups = groups;
  }

  /** The specifications of the pods of a job. */
  static List<PodSpec> specsOf(KubernetesObject job) {
    return job instanceof Pod pod ? List.of(pod.spec()) : ((PodController) job).podSpecs();
  }

  /** A copy of the job and its PodGroups; a copy of a single pod is one more pod of its group. */
  List<KubernetesObject> of(int number) {
    List<KubernetesObject> objects = new ArrayList<>();
    KubernetesObject copy = copy(job, number);
    objects.add(copy);
    Set<String> names = new LinkedHashSet<>();
    if (job instanceof PodController) {
      specsOf(job).forEach(spec -> Stream.ofNullable(spec.podGroupName()).forEach(names::add));
    }
    for (String name : names) {
      groups
          .group(ClaimKey.of(job.metadata(), name))
          .ifPresent(group -> objects.add(copy(group, nameOfCopy(name, job, copy.metadata()))));
    }
    return objects;
  }

  private static PodGroup copy(PodGroup group, String name) {
    return group.toBuilder()
        .metadata(ObjectMeta.named(group.metadata().namespaceOrDefault(), name))
        .resourceClaimNames(Map.of())
        .build();
  }

  /** The name of an object of a copy, with the name of the copy. */
  private static String nameOfCopy(String name, KubernetesObject job, ObjectMeta copy) {
    return name + copy.name().substring(job.metadata().name().length());
  }

  /** The specification of the pods of a copy, which have a group of their own. */
  private static PodSpec regrouped(PodSpec spec, KubernetesObject job, ObjectMeta copy) {
    String group = spec.podGroupName();
    return group == null
        ? spec
        : spec.toBuilder().podGroupName(nameOfCopy(group, job, copy)).build();
  }

  private static KubernetesObject copy(KubernetesObject job, int number) {
    ObjectMeta metadata = copy(job.metadata(), number);
    if (job instanceof Pod pod) {
      return pod.toBuilder()
          .metadata(metadata)
          .spec(pod.spec().toBuilder().nodeName("").build())
          .resourceClaimNames(Map.of())
          .phase(PodPhase.UNSET)
          .build();
    } else if (job instanceof StatefulSet set) {
      return set.toBuilder()
          .metadata(metadata)
          .updateRevision("")
          .template(regrouped(set.template(), set, metadata))
          .build();
    } else if (job instanceof Job one) {
      return one.toBuilder()
          .metadata(metadata)
          .succeeded(0)
          .suspended(false)
          .managedBy("")
          .indexes(one.indexes() == null ? null : Job.Indexes.NONE)
          .conditions(List.of())
          .template(regrouped(one.template(), one, metadata))
          .build();
    } else if (job instanceof Deployment deployment) {
      return new ReplicaSet( // the Deployment would create it
          metadata,
          deployment.replicas(),
          withHash(deployment),
          regrouped(deployment.template(), deployment, metadata));
    } else if (job instanceof ReplicaSet set) {
      return new ReplicaSet(
          metadata, set.replicas(), set.templateLabels(), regrouped(set.template(), set, metadata));
    }
    return labelledCopy(job, metadata);
  }

  private static ObjectMeta copy(ObjectMeta metadata, int number) {
    return metadata.toBuilder()
        .name(metadata.name() + "-more-" + number)
        .uid(null)
        .deletionTimestamp(null)
        .ownerReferences(List.of())
        .build();
  }

  /** A copy of a job whose controller labels its pods with the name of the job. */
  private static KubernetesObject labelledCopy(KubernetesObject job, ObjectMeta metadata) {
    if (job instanceof MPIJob one) {
      return one.copy(
          metadata, renamed(one.launcher(), one, metadata), renamed(one.worker(), one, metadata));
    } else if (job instanceof JobSet set) {
      List<JobSet.ReplicatedJob> jobs = new ArrayList<>();
      for (JobSet.ReplicatedJob one : set.replicatedJobs()) {
        PodSpec spec = renamed(one.template().template(), set, metadata);
        Job template = one.template().toBuilder().template(spec).build();
        jobs.add(new JobSet.ReplicatedJob(one.name(), one.replicas(), template));
      }
      return set.copy(metadata, jobs);
    }
    LeaderWorkerSet set = (LeaderWorkerSet) job;
    PodTemplate worker =
        new PodTemplate(set.worker().labels(), renamed(set.worker().spec(), set, metadata));
    return set.copy(metadata, renamed(set.leader(), set, metadata), worker);
  }

  /** The labels of the pods of all copies, whose templates and thus hashes are equal. */
  private static Map<String, String> withHash(Deployment deployment) {
    Map<String, String> labels = new LinkedHashMap<>(deployment.templateLabels());
    labels.put("pod-template-hash", deployment.metadata().name() + "/new");
    return labels;
  }

  private static @Nullable PodTemplate renamed(
      @Nullable PodTemplate template, KubernetesObject job, ObjectMeta copy) {
    return template == null
        ? null
        : new PodTemplate(template.labels(), renamed(template.spec(), job, copy));
  }

  /** A copy's specification; its affinity terms select its own pods, labelled with its name. */
  private static PodSpec renamed(PodSpec spec, KubernetesObject job, ObjectMeta copy) {
    return regrouped(spec, job, copy).toBuilder()
        .requiredPodAffinity(renamed(spec.requiredPodAffinity(), job, copy))
        .requiredPodAntiAffinity(renamed(spec.requiredPodAntiAffinity(), job, copy))
        .build();
  }

  private static List<PodAffinityTerm> renamed(
      List<PodAffinityTerm> terms, KubernetesObject job, ObjectMeta copy) {
    List<PodAffinityTerm> renamed = new ArrayList<>();
    for (PodAffinityTerm term : terms) {
      LabelSelector selector = term.labelSelector();
      if (selector != null) {
        Map<String, String> labels = new LinkedHashMap<>(selector.matchLabels());
        for (String label : NAME_LABELS) {
          labels.replace(label, job.metadata().name(), copy.name());
        }
        renamed.add(term.withLabelSelector(new LabelSelector(labels, selector.matchExpressions())));
      } else {
        renamed.add(term);
      }
    }
    return renamed;
  }
}
