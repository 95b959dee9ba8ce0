package io.dra4j.scheduling;

import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LabelSelector;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodController;
import io.dra4j.model.PodSpec;
import io.dra4j.model.PodTemplate;
import io.dra4j.model.StatefulSet;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pods and Jobs that MPIJobs, JobSets and LeaderWorkerSets define and that are not among the
 * objects. They have the names, labels and owners that the controllers of these kinds set.
 *
 * <p>Source: {@code pkg/controller} of github.com/kubeflow/mpi-operator at caa3c47f, {@code
 * pkg/controllers} and {@code pkg/webhooks} of sigs.k8s.io/jobset at 08dfbdfd (0.13) and of
 * sigs.k8s.io/lws at 060ab4da (0.10).
 */
final class DerivedPods {

  /** The most pods and Jobs that are created for one object. */
  static final int MAX = 10_000;

  private static final String MPI_LABEL = "training.kubeflow.org/";
  private static final String JOB_SET_LABEL = "jobset.sigs.k8s.io/";
  private static final String LWS_LABEL = "leaderworkerset.sigs.k8s.io/";
  private static final String JOB_SET_EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";
  private static final String JOB_SET_BY_NODE = "alpha.jobset.sigs.k8s.io/node-selector";

  /**
   * An object that a controller would have created.
   *
   * @param object a pod or a Job
   * @param gang the name of the gang of the pod in messages; empty if it follows from its owner
   */
  record Derived(KubernetesObject object, String gang) {}

  /** Limits the claims of all pods together. */
  interface Room {

    /**
     * Returns whether there is room for the claims of more pods. If so, counts them, otherwise
     * reports the problem.
     *
     * @param field the field below {@code spec} that has the number of pods
     * @param pods the templates of pods with their numbers; a template may occur twice
     */
    boolean isFor(PodOwner owner, String field, List<Map.Entry<PodSpec, Long>> pods);
  }

  private final Set<PodOwner> controllers = new HashSet<>(); // the controllers among the objects
  private final PodOwners owners;
  private final MessageList problems;
  private final Room room;

  /**
   * Reads the objects of a cluster.
   *
   * @param owners the controllers of the pods
   * @param problems receives the objects that define too many pods
   * @param room is called before pods are created; Jobs are created without it
   */
  DerivedPods(
      Iterable<? extends KubernetesObject> objects,
      PodOwners owners,
      MessageList problems,
      Room room) {
    this.owners = owners;
    this.problems = problems;
    this.room = room;
    for (KubernetesObject object : objects) {
      if (object instanceof Job || object instanceof StatefulSet) {
        controllers.add(PodOwner.of((PodController) object));
      }
    }
  }

  /** The Jobs of launchers that are placed with the workers, and the names of their MPIJobs. */
  static Map<PodOwner, String> launchersThatWork(Iterable<? extends KubernetesObject> objects) {
    Map<PodOwner, String> launchers = new HashMap<>();
    for (KubernetesObject object : objects) {
      if (object instanceof MPIJob job && job.launcherIsWorker()) {
        PodOwner owner = PodOwner.of(job);
        launchers.put(
            new PodOwner(PodOwner.Kind.JOB, owner.namespace(), launcherName(job)),
            owner.toString());
      }
    }
    return launchers;
  }

  private static String launcherName(MPIJob job) {
    return job.metadata().name() + "-launcher";
  }

  /**
   * Returns the pods and Jobs that a controller creates for an object.
   *
   * @param present the names of the existing pods, with their namespaces
   */
  List<Derived> of(KubernetesObject object, Set<String> present) {
    List<Derived> found = new ArrayList<>();
    if (object.metadata().deletionTimestamp() == null) {
      if (object instanceof MPIJob job) {
        addMpiJob(job, present, found);
      } else if (object instanceof JobSet set) {
        addJobSet(set, found);
      } else if (object instanceof LeaderWorkerSet set) {
        addGroups(set, present, found);
      }
    }
    return found;
  }

  private boolean isTooMany(PodController owner, String field, long number) {
    if (number > MAX) {
      problems.add(
          "%s: %s: %d pods and jobs; at most %d of one object are placed here; use a smaller number"
              .formatted(PodOwner.of(owner), field, number, MAX));
    }
    return number > MAX;
  }

  private boolean hasController(PodOwner.Kind kind, ObjectMeta near, String name) {
    return controllers.contains(new PodOwner(kind, near.namespaceOrDefault(), name));
  }

  private void addMpiJob(MPIJob job, Set<String> present, List<Derived> found) {
    ObjectMeta metadata = job.metadata();
    String ofWorkers = "mpiReplicaSpecs[Worker]";
    if (job.isManagedElsewhere()
        || job.isFinished()
        || isTooMany(job, "spec." + ofWorkers, job.workers())) {
      return;
    }
    OwnerReference owner = owner("kubeflow.org/v2beta1", "MPIJob", metadata);
    PodTemplate launcher = job.launcher();
    PodTemplate worker = job.suspended() ? null : job.worker();
    boolean hasRoom =
        worker != null
            && room.isFor(
                PodOwner.of(job),
                ofWorkers,
                List.of(Map.entry(worker.spec(), (long) job.workers())));
    for (int i = 0; worker != null && hasRoom && i < job.workers(); i++) {
      String name = metadata.name() + "-worker-" + i;
      if (isMissing(metadata, name, present)) {
        Map<String, String> labels = mpiLabels(metadata.name(), "worker", worker.labels());
        labels.put(MPI_LABEL + "replica-index", String.valueOf(job.launcherIsWorker() ? i + 1 : i));
        found.add(new Derived(pod(metadata, name, labels, worker.spec(), owner), ""));
      }
    }
    if (launcher != null && !hasController(PodOwner.Kind.JOB, metadata, launcherName(job))) {
      found.add(new Derived(withOwner(launching(job, launcher), owner), ""));
    }
  }

  /** The Job of a launcher. */
  private static Job launching(MPIJob job, PodTemplate launcher) {
    ObjectMeta metadata = job.metadata();
    Map<String, String> labels = mpiLabels(metadata.name(), "launcher", launcher.labels());
    if (job.launcherIsWorker()) {
      labels.put(MPI_LABEL + "replica-index", "0");
    }
    return Job.named(metadata.namespaceOrDefault(), launcherName(job))
        .completions(1)
        .suspended(job.suspended())
        .templateLabels(labels)
        .template(launcher.spec())
        .build();
  }

  private static Map<String, String> mpiLabels(
      String job, String role, Map<String, String> ofTemplate) {
    Map<String, String> labels = new HashMap<>(ofTemplate);
    labels.put(MPI_LABEL + "operator-name", "mpi-operator");
    labels.put(MPI_LABEL + "job-name", job);
    labels.put(MPI_LABEL + "job-role", role);
    return labels;
  }

  private void addJobSet(JobSet set, List<Derived> found) {
    ObjectMeta metadata = set.metadata();
    long all = set.replicatedJobs().stream().mapToLong(job -> Math.max(0, job.replicas())).sum();
    if (set.isManagedElsewhere()
        || set.isFinished()
        || isTooMany(set, "spec.replicatedJobs", all)) {
      return;
    }
    OwnerReference owner = owner("jobset.x-k8s.io/v1alpha2", "JobSet", metadata);
    int globalIndex = 0;
    for (JobSet.ReplicatedJob replicated : set.replicatedJobs()) {
      for (int i = 0; i < replicated.replicas(); i++, globalIndex++) {
        String name = metadata.name() + "-" + replicated.name() + "-" + i;
        if (hasController(PodOwner.Kind.JOB, metadata, name)) {
          continue;
        }
        Job template = replicated.template();
        Map<String, String> labels = jobSetLabels(metadata.name(), replicated, i);
        labels.put(JOB_SET_LABEL + "global-replicas", String.valueOf(all));
        labels.put(JOB_SET_LABEL + "job-global-index", String.valueOf(globalIndex));
        String key = sha1(metadata.namespaceOrDefault() + "/" + name);
        labels.put(JOB_SET_LABEL + "job-key", key);
        Job made =
            template.toBuilder()
                .metadata(
                    template.metadata().toBuilder()
                        .namespace(metadata.namespaceOrDefault())
                        .name(name)
                        .build())
                .suspended(set.suspended())
                .templateLabels(labels)
                .template(exclusiveOfJob(set, template, key))
                .build();
        found.add(new Derived(withOwner(made, owner), ""));
      }
    }
  }

  private static Map<String, String> jobSetLabels(
      String set, JobSet.ReplicatedJob replicated, int index) {
    Map<String, String> labels = new HashMap<>(replicated.template().templateLabels());
    labels.put(JOB_SET_LABEL + "jobset-name", set);
    labels.put(JOB_SET_LABEL + "replicatedjob-name", replicated.name());
    labels.put(JOB_SET_LABEL + "replicatedjob-replicas", String.valueOf(replicated.replicas()));
    labels.put(JOB_SET_LABEL + "job-index", String.valueOf(index));
    labels.put(JOB_SET_LABEL + "restart-attempt", "0");
    return labels;
  }

  private static PodSpec exclusiveOfJob(JobSet set, Job template, String key) {
    Map<String, String> own = template.metadata().annotations();
    Map<String, String> ofSet = set.metadata().annotations();
    String topology = own.getOrDefault(JOB_SET_EXCLUSIVE, ofSet.get(JOB_SET_EXCLUSIVE));
    boolean isByNode = own.containsKey(JOB_SET_BY_NODE) || ofSet.containsKey(JOB_SET_BY_NODE);
    return topology == null || isByNode
        ? template.template()
        : exclusive(
            template.template(),
            JOB_SET_LABEL + "job-key",
            key,
            topology,
            LabelSelector.EVERYTHING);
  }

  private void addGroups(LeaderWorkerSet set, Set<String> present, List<Derived> found) {
    ObjectMeta metadata = set.metadata();
    long all = (long) set.replicas() * Math.max(1, set.size());
    if (isTooMany(set, "spec.replicas", all)) {
      return;
    }
    boolean hasLeaders = hasController(PodOwner.Kind.STATEFUL_SET, metadata, metadata.name());
    long leaders = hasLeaders ? 0 : set.replicas();
    long workers = IntStream.range(0, set.replicas()).mapToLong(i -> workers(set, i)).sum();
    List<Map.Entry<PodSpec, Long>> pods =
        List.of(Map.entry(leader(set).spec(), leaders), Map.entry(set.worker().spec(), workers));
    if (!room.isFor(PodOwner.of(set), "replicas", pods)) {
      return;
    }
    for (int group = 0; group < set.replicas(); group++) {
      String gang = "group %d of %s".formatted(group, PodOwner.of(set)); // its pods work together
      int to = 1 + workers(set, group);
      for (int i = hasLeaders ? 1 : 0; i < to; i++) {
        if (isMissing(metadata, nameInGroup(set, group, i), present)) {
          found.add(new Derived(podOfGroup(set, group, i), gang));
        }
      }
    }
  }

  private static PodTemplate leader(LeaderWorkerSet set) {
    PodTemplate leader = set.leader();
    return leader == null ? set.worker() : leader;
  }

  /** A pod of a group; the pod with index 0 is the leader. */
  private Pod podOfGroup(LeaderWorkerSet set, int group, int index) {
    ObjectMeta metadata = set.metadata();
    String leaderName = metadata.name() + "-" + group;
    PodTemplate template = index == 0 ? leader(set) : set.worker();
    String maker = index == 0 ? metadata.name() : leaderName; // a StatefulSet
    Map<String, String> labels = new HashMap<>(template.labels());
    String key = sha1(metadata.namespaceOrDefault() + "/" + leaderName);
    labels.put(LWS_LABEL + "name", metadata.name());
    labels.put(LWS_LABEL + "group-index", String.valueOf(group));
    labels.put(LWS_LABEL + "group-key", key);
    labels.putAll(owners.revisionOf(PodOwner.of(set), maker));
    labels.put(LWS_LABEL + "worker-index", String.valueOf(index));
    String topology = metadata.annotations().get(LWS_LABEL + "exclusive-topology");
    PodSpec spec = exclusiveOfGroup(template.spec(), "group-key", key, topology);
    LeaderWorkerSet.SubGroups parts = set.subGroups();
    if (parts != null && !(index == 0 && parts.excludesLeader())) {
      String part = String.valueOf(subGroupOf(index, set.size(), parts.size()));
      String ofPart = sha1(leaderName + "/" + part);
      labels.put(LWS_LABEL + "subgroup-index", part);
      labels.put(LWS_LABEL + "subgroup-key", ofPart);
      String ofParts = metadata.annotations().get(LWS_LABEL + "subgroup-exclusive-topology");
      spec = exclusiveOfGroup(spec, "subgroup-key", ofPart, ofParts);
    }
    OwnerReference owner = OwnerReference.controller("apps/v1", "StatefulSet", maker);
    return pod(metadata, nameInGroup(set, group, index), labels, spec, owner);
  }

  private static String nameInGroup(LeaderWorkerSet set, int group, int index) {
    String leader = set.metadata().name() + "-" + group;
    return index == 0 ? leader : leader + "-" + index;
  }

  /** The part of its group to which a pod belongs ({@code getSubGroupIndex}). */
  private static int subGroupOf(int worker, int size, int sizeOfPart) {
    boolean isLeaderExtra = (size - 1) % sizeOfPart == 0;
    return isLeaderExtra ? Math.max(0, worker - 1) / sizeOfPart : worker / sizeOfPart;
  }

  /**
   * Returns a specification with an exclusive domain, unless there is no topology key, or the
   * specification has terms with that key ({@code exclusiveAffinityApplied}).
   */
  private static PodSpec exclusiveOfGroup(
      PodSpec spec, String label, String value, @Nullable String topologyKey) {
    if (topologyKey == null || topologyKey.isEmpty()) {
      return spec;
    }
    boolean isApplied =
        spec.requiredPodAffinity().stream().anyMatch(term -> term.topologyKey().equals(topologyKey))
            && spec.requiredPodAntiAffinity().stream()
                .anyMatch(term -> term.topologyKey().equals(topologyKey));
    return isApplied ? spec : exclusive(spec, LWS_LABEL + label, value, topologyKey, null);
  }

  /** The number of workers of a group; 0 if a StatefulSet creates them. */
  private int workers(LeaderWorkerSet set, int group) {
    String leader = set.metadata().name() + "-" + group;
    boolean isMade = hasController(PodOwner.Kind.STATEFUL_SET, set.metadata(), leader);
    return isMade ? 0 : Math.max(0, set.size() - 1);
  }

  /** A specification whose pods with one value of a label have a domain of nodes exclusively. */
  private static PodSpec exclusive(
      PodSpec spec,
      String label,
      String value,
      String topologyKey,
      @Nullable LabelSelector namespaces) {
    NodeSelectorRequirement same =
        new NodeSelectorRequirement(label, NodeSelectorOperator.IN, List.of(value));
    NodeSelectorRequirement any =
        new NodeSelectorRequirement(label, NodeSelectorOperator.EXISTS, List.of());
    NodeSelectorRequirement other =
        new NodeSelectorRequirement(label, NodeSelectorOperator.NOT_IN, List.of(value));
    List<PodAffinityTerm> near = new ArrayList<>(spec.requiredPodAffinity());
    near.add(term(List.of(same), topologyKey, namespaces));
    List<PodAffinityTerm> away = new ArrayList<>(spec.requiredPodAntiAffinity());
    away.add(term(List.of(any, other), topologyKey, namespaces));
    return spec.toBuilder().requiredPodAffinity(near).requiredPodAntiAffinity(away).build();
  }

  private static PodAffinityTerm term(
      List<NodeSelectorRequirement> conditions,
      String topologyKey,
      @Nullable LabelSelector namespaces) {
    PodAffinityTerm term = PodAffinityTerm.of(new LabelSelector(Map.of(), conditions), topologyKey);
    return namespaces == null ? term : term.withNamespaceSelector(namespaces);
  }

  private static Pod pod(
      ObjectMeta near,
      String name,
      Map<String, String> labels,
      PodSpec spec,
      OwnerReference owner) {
    String namespace = near.namespaceOrDefault();
    ObjectMeta metadata =
        ObjectMeta.named(namespace, name).toBuilder()
            .labels(labels)
            .ownerReferences(List.of(owner))
            .build();
    return Pod.named(namespace, name).metadata(metadata).spec(spec).build();
  }

  private static boolean isMissing(ObjectMeta near, String name, Set<String> present) {
    return !present.contains(near.namespaceOrDefault() + "/" + name);
  }

  private static Job withOwner(Job job, OwnerReference owner) {
    ObjectMeta metadata = job.metadata().toBuilder().ownerReferences(List.of(owner)).build();
    return job.toBuilder().metadata(metadata).build();
  }

  private static OwnerReference owner(String apiVersion, String kind, ObjectMeta metadata) {
    return OwnerReference.controller(apiVersion, kind, metadata.name());
  }

  private static String sha1(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
