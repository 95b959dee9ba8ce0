package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.GenericPodGroup;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.PodResourceStatus;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceQuota;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.Taint;
import io.dra4j.model.Toleration;
import io.dra4j.scheduling.PodClaims.Source;
import io.dra4j.scheduling.RunningPods.RunningPod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a cluster that use claims, those of higher priority first and otherwise in the order
 * of its objects, and all claims.
 *
 * <p>Does what Kubernetes' controllers would have done by the time a scheduler sees the pods:
 *
 * <ul>
 *   <li>a stateful set has its pods; a pod of the same name among the objects replaces the derived
 *       one; a job has as many pods as run together while some of its completions are missing, less
 *       its pods among the objects; a set or job that is being deleted creates no pods;
 *   <li>a ReplicaSet has its missing pods; a Deployment has the pods that its ReplicaSets among the
 *       objects do not create; a DaemonSet has one on each node that its template allows, with the
 *       tolerations of daemons;
 *   <li>an MPIJob has its workers and the Job of its launcher, a JobSet its Jobs, and a
 *       LeaderWorkerSet the pods of its groups, unless they are among the objects;
 *   <li>an entry with a template has its claim, named {@code POD-ENTRY} unless the pod's status
 *       names it;
 *   <li>a pod that requests extended resources of device classes has a special claim for them,
 *       named {@code POD-extended-resources} unless one exists (KEP-5004); on a node whose device
 *       plugins provide some of them, the claim is only for the others, and it does not exist on a
 *       node whose device plugins provide all of them;
 *   <li>a pod that has ended is not placed. A claim that was created for such a pod, or was
 *       reserved only for such pods, no longer has an allocation (kube-controller-manager, {@code
 *       pkg/controller/resourceclaim}: a reservation ends with its pod, and the allocation with the
 *       last reservation). The same applies to pods and PodGroups that no longer exist: others of
 *       their namespace are among the objects with their UIDs, and they are not. A stateful set
 *       replaces its ended pods;
 *   <li>a claim for which a ResourceQuota has no room is not created, and its pods are not placed;
 *   <li>a claim is reserved for its pods, or once for a PodGroup that has it: first for pods on
 *       nodes, then for the first pods of the queue, up to {@value
 *       ResourceClaimStatus#MAX_CONSUMERS} reservations. No node accepts other pods.
 * </ul>
 *
 * <p>A pending claim that no pod uses is placed like a pod of priority 0 that uses it. Its
 * tolerations are unknown: it tolerates the taints of the nodes among the objects, except the
 * taints of Kubernetes for nodes that do not work ({@code node.kubernetes.io/...}). There is no
 * preemption: no pod is removed for another one of higher priority.
 */
public final class PodQueue {

  /** The most claims that are created from entries of the pods of controllers, in total. */
  private static final int MAX_REPLICA_CLAIMS = 100_000;

  /**
   * Taints of nodes that wait for an initialization, or do not work; nearly no pod tolerates them.
   */
  private static final List<String> TAINTS_OF_STATES =
      List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

  private static final Pattern ORDINAL = Pattern.compile("0|[1-9][0-9]{0,17}");

  /** The order of kube-scheduler's queue ({@code PrioritySort}), by input order instead of age. */
  private static final Comparator<PendingPod> BY_PRIORITY =
      Comparator.comparingInt((PendingPod pod) -> pod.spec().priority()).reversed();

  private final MessageList problems = new MessageList();
  private final MessageList notes = new MessageList();
  private final ExtendedResources extended;
  private final List<String> unoffered;
  private final ClaimQuotas quotas;
  private final PodClaims claims;
  private final PodGangs together;
  private final JobPods jobs = new JobPods();
  private final PodOwners owners;
  private final Map<PodOwner, String> ranks; // launchers that work, with the gangs of their workers
  private final List<PendingPod> pods = new ArrayList<>();
  private final IdentityHashMap<KubernetesObject, String> gangs = new IdentityHashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Bound> bound = new ArrayList<>();
  private final IdentityHashMap<PendingPod, ClaimKey> full = new IdentityHashMap<>();
  private final IdentityHashMap<PendingPod, Source> sources = new IdentityHashMap<>();
  private long replicaClaims; // upper bound, of the controllers so far

  /**
   * A pod of the cluster that is on a node; it may use no claims.
   *
   * @param name the name of the pod: {@code namespace/name}
   * @param node the name of the node
   * @param devices what its devices cost of the node, as its status says
   */
  record Bound(
      String name,
      RunningPod pod,
      String node,
      PodResourceStatus resources,
      List<NodeAllocatableClaimStatus> devices) {

    /** What the pod takes of its node, with a part for its devices if {@code countsDevices}. */
    Map<String, Long> requests(boolean countsDevices) {
      return PodRequests.ofRunning(pod.spec(), resources, countsDevices ? devices : List.of());
    }
  }

  private PodQueue(
      Iterable<? extends KubernetesObject> objects,
      Predicate<ClaimKey> unusedClaims,
      FinishedPods finished) {
    extended = new ExtendedResources(objects);
    unoffered = WorkloadNotes.unoffered(objects, extended);
    quotas = new ClaimQuotas(objects);
    PodGroups groups = new PodGroups(notes);
    together = new PodGangs(groups, this::claims);
    claims = new PodClaims(extended, finished, quotas, groups, problems, notes);
    owners = new PodOwners(objects);
    ranks = DerivedPods.launchersThatWork(objects);
    Set<String> present = new HashSet<>();
    Set<Toleration> ofUnusedClaims = new LinkedHashSet<>();
    for (KubernetesObject object : objects) {
      claims.add(object);
      groups.add(object);
      if (object instanceof Pod pod) {
        addPresent(pod, present);
      } else if (object instanceof Node node) {
        nodes.add(node);
        addTolerations(node, ofUnusedClaims);
      }
    }
    Map<Integer, List<PendingPod>> byObject = podsByObject(objects, present);
    PodSpec ofUnused = PodSpec.builder().tolerations(List.copyOf(ofUnusedClaims)).build();
    int place = 0;
    Set<ClaimKey> queued = new HashSet<>(); // a claim that occurs twice counts once
    for (KubernetesObject object : objects) {
      pods.addAll(byObject.getOrDefault(place++, List.of()));
      if (object instanceof ResourceClaim claim
          && queued.add(ClaimKey.of(claim))
          && unusedClaims.test(ClaimKey.of(claim))) {
        addUnused(ClaimKey.of(claim), ofUnused);
      }
    }
    pods.sort(BY_PRIORITY);
    reserveClaims();
    together.finish(BY_PRIORITY);
    quotas.notes().forEach(notes::add);
    WorkloadNotes.queued(objects).forEach(notes::add);
  }

  private void addPresent(Pod pod, Set<String> present) {
    if (!pod.phase().isTerminal()) {
      present.add(nameOf(pod.metadata(), pod.metadata().name()));
      addBound(pod);
    }
    owners
        .of(pod.metadata())
        .filter(owner -> owner.kind().equals(PodOwner.Kind.JOB))
        .ifPresent(job -> jobs.count(job, pod));
  }

  private static void addTolerations(Node node, Set<Toleration> tolerations) {
    node.taints().stream()
        .map(Taint::key)
        .filter(key -> !key.isEmpty() && TAINTS_OF_STATES.stream().noneMatch(key::startsWith))
        .forEach(key -> tolerations.add(Toleration.exists(key)));
  }

  /** The pods of each object, by its position among the objects. */
  private Map<Integer, List<PendingPod>> podsByObject(
      Iterable<? extends KubernetesObject> objects, Set<String> present) {
    Map<Integer, List<PendingPod>> byObject = new HashMap<>();
    DerivedPods derived = new DerivedPods(objects, owners, problems, this::hasRoomFor);
    int place = 0;
    for (KubernetesObject object : objects) {
      List<PendingPod> found = podsOf(object, present);
      for (DerivedPods.Derived one : derived.of(object, present)) {
        gangs.put(one.object(), one.gang());
        found.addAll(podsOf(one.object(), present));
      }
      byObject.put(place++, found);
    }
    return byObject;
  }

  /** Reserves the claims of the pods, first of pods on nodes. */
  private void reserveClaims() {
    for (boolean isBound : List.of(true, false)) {
      for (PendingPod pod : pods) {
        Source source = sources.get(pod); // none of a claim that no pod uses
        if (source != null && isBound != pod.spec().nodeName().isEmpty()) {
          ClaimKey ofOthers = claims.reserve(source, pod);
          if (ofOthers != null) {
            full.put(pod, ofOthers);
          }
        }
      }
    }
  }

  /**
   * {@return the pods of a cluster that use claims, in the order of their placement}
   *
   * @param objects the pods, their controllers and groups, claims, templates, quotas and nodes of
   *     the cluster; other objects are ignored
   */
  public static PodQueue of(Iterable<? extends KubernetesObject> objects) {
    return of(objects, claim -> true);
  }

  /**
   * {@return the pods that use claims, and some unused claims, in the order of their placement}
   *
   * @param objects the pods, their controllers and groups, claims, templates, quotas and nodes of
   *     the cluster; other objects are ignored
   * @param unusedClaims returns whether to place a pending claim that no pod uses
   */
  public static PodQueue of(
      Iterable<? extends KubernetesObject> objects, Predicate<ClaimKey> unusedClaims) {
    return of(objects, unusedClaims, List.of());
  }

  /**
   * {@return the pods of a part of a cluster that use claims, in the order of their placement}
   *
   * @param objects the pods, their controllers and groups, claims, templates, quotas and nodes of
   *     the cluster; other objects are ignored
   * @param unusedClaims returns whether to place a pending claim that no pod uses
   * @param others existing pods that are not placed; claims that are reserved for them stay in use
   */
  public static PodQueue of(
      Iterable<? extends KubernetesObject> objects,
      Predicate<ClaimKey> unusedClaims,
      Iterable<? extends Pod> others) {
    Objects.requireNonNull(objects, "objects");
    Objects.requireNonNull(unusedClaims, "unusedClaims");
    Objects.requireNonNull(others, "others");
    for (KubernetesObject object : objects) {
      Objects.requireNonNull(object, "object");
    }
    return new PodQueue(objects, unusedClaims, FinishedPods.of(objects, others));
  }

  /** {@return the pods with claims in the order of their placement, higher priority first} */
  public List<PendingPod> pods() {
    return Collections.unmodifiableList(pods);
  }

  /**
   * {@return all claims by their keys: the claims of the cluster in their order, without the
   * allocations that ended with their pods, then the claims from templates}
   */
  public Map<ClaimKey, ResourceClaim> claims() {
    return claims.all();
  }

  /**
   * {@return the gangs, in the order of their first pods: the pods of a PodGroup, unless it is not
   * a gang and has no topology key; the pods of all PodGroups of a CompositePodGroup; otherwise the
   * pods of one stateful set or one job}
   */
  public List<Gang> gangs() {
    List<Gang> gangs = new ArrayList<>(together.gangs());
    gangs.sort(Comparator.comparing(gang -> gang.pods().get(0), BY_PRIORITY));
    return List.copyOf(gangs);
  }

  /** The groups of pods that are placed together ({@link PodGangs#nodes}). */
  List<GroupForest.Node> groups(boolean onlyWaitingPodGroups) {
    return together.nodes(onlyWaitingPodGroups);
  }

  /** The pods that are on nodes before any other pod is placed. */
  List<Bound> bound() {
    return bound;
  }

  /** The groups of a pod with a topology: its PodGroup, and the groups above it. */
  List<GenericPodGroup> groupsWithTopology(RunningPod pod) {
    return together.withTopology(pod);
  }

  ExtendedResources extended() {
    return extended;
  }

  /**
   * {@return the ResourceQuotas without scopes that limit claims, with the amounts in use after the
   * creation of all possible claims of this queue}
   */
  public List<ResourceQuota> quotas() {
    return quotas.quotas();
  }

  /** The reason why a claim cannot be created; {@code null} if it can be created, or exists. */
  @Nullable NodeMismatch quotaRefusal(ClaimKey claim) {
    return quotas.refusal(claim);
  }

  /** The claim of a pod that is reserved for too many others; {@code null} if there is none. */
  @Nullable ClaimKey fullClaim(PendingPod pod) {
    return full.get(pod);
  }

  /** The number of claims that a pod uses. */
  private int claimsOf(PodSpec spec) {
    return spec.resourceClaims().size()
        + (spec.nodeName().isEmpty() && extended.isAskedBy(spec) ? 1 : 0);
  }

  /**
   * {@return whether a pod of this queue is a pod of the cluster or of a controller, not a
   * placeholder of a claim that no pod uses}
   *
   * @param pod one of the {@linkplain #pods() pods} of this queue; for an equal pod of another
   *     queue the result is false
   */
  public boolean isPod(PendingPod pod) {
    return sources.containsKey(Objects.requireNonNull(pod, "pod"));
  }

  /** The claims of a pod by the names of its entries; none for a claim that no pod uses. */
  Map<String, ClaimKey> entries(PendingPod pod) {
    Source source = sources.get(pod);
    return source == null ? Map.of() : claims.byEntry(source, pod.localName());
  }

  /** Whether a claim of the input is in use by others than the pod. */
  boolean isReservedForOthers(PendingPod pod, ResourceClaim claim) {
    Source source = sources.get(pod);
    return source != null && claims.isReservedForOthers(source, pod, claim);
  }

  private void addBound(Pod pod) {
    ObjectMeta metadata = pod.metadata();
    if (!pod.spec().nodeName().isEmpty()) {
      boolean isLeaving = metadata.deletionTimestamp() != null;
      bound.add(
          new Bound(
              nameOf(metadata, metadata.name()),
              new RunningPod(
                  metadata.namespaceOrDefault(), metadata.labels(), pod.spec(), isLeaving),
              pod.spec().nodeName(),
              pod.resources(),
              pod.nodeAllocatableClaims()));
    }
  }

  /**
   * {@return the number of pods and groups for which a claim is reserved, in its status or in this
   * queue; at most {@value ResourceClaimStatus#MAX_CONSUMERS}}
   *
   * @param claim the key of one of the {@linkplain #claims() claims}
   * @throws IllegalArgumentException if the queue has no such claim
   */
  public int consumers(ClaimKey claim) {
    if (!claims.all().containsKey(Objects.requireNonNull(claim, "claim"))) {
      throw new IllegalArgumentException("claim: expected one of the claims, found " + claim);
    }
    return claims.consumers(claim);
  }

  /**
   * {@return whether the queue created a claim from a template: it was not among the objects}
   *
   * @param key the key of the claim
   */
  public boolean isMade(ClaimKey key) {
    return claims.isMade(Objects.requireNonNull(key, "key"));
  }

  /**
   * {@return the problems of pods that cannot be placed, one line each; after 200 lines, one line
   * counts the rest} Such pods refer to missing claims or templates, to claims of others or to
   * claims that are being deleted; or there are too many pods.
   */
  public List<String> problems() {
    return problems.list();
  }

  /**
   * Returns notes about the queue: missing objects that had to be guessed (PodGroups, and claims in
   * the status of pods, which are recreated from their templates); claims that are being deleted
   * and thus not placed; quotas without room for claims; workloads that wait in queues of Kueue;
   * nodes to which kube-scheduler cannot bind a pod; groups whose pods are not checked; and devices
   * for which pods wait although their claims are allocated.
   *
   * @return a line for each note; after 200 lines, one line counts the rest
   */
  public List<String> notes() {
    return notes.list();
  }

  /**
   * {@return the claims that are free or not placed because their pods or PodGroups no longer
   * exist, with the reason; a line for each, and after 200 lines, one line counts the rest}
   */
  public List<String> freed() {
    return claims.freed().list();
  }

  /**
   * {@return the workloads that are not placed because they request devices as extended resources
   * that neither a DeviceClass nor a node provides, a line for each resource}
   */
  public List<String> unoffered() {
    return unoffered;
  }

  private void addUnused(ClaimKey key, PodSpec spec) {
    ResourceClaim claim = claims.all().get(key);
    if (claim == null || claim.allocation() != null || claims.isUsed(key)) {
      return;
    }
    if (PodClaims.isBeingDeleted(claim)) {
      notes.add("ResourceClaim " + key + ": is being deleted, and not placed");
    } else if (!claims.gone(key).isEmpty()) {
      claims.freed().add("ResourceClaim " + key + ": is not placed, because " + claims.gone(key));
    } else if (quotas.refusal(key) == null) {
      pods.add(new PendingPod(key.toString(), spec, List.of(key)));
    }
  }

  private List<PendingPod> podsOf(KubernetesObject object, Set<String> present) {
    List<PendingPod> found = new ArrayList<>();
    if (object instanceof Pod pod && !pod.phase().isTerminal()) {
      Source source = Source.of(pod);
      addPod(source, pod.metadata().name(), found);
      gather(source, gangOf(pod), found, 1);
    } else if (object.metadata().deletionTimestamp() != null) {
      return found;
    } else if (object instanceof StatefulSet set) {
      addOrdinals(set, present, found);
    } else if (object instanceof Job job) {
      addForJob(job, present, found);
    } else if (object instanceof ReplicaSet set) {
      Source source = Source.of(set, set.templateLabels(), set.template());
      addReplicas(set, source, Map.of(), owners.missing(set), present, found);
    } else if (object instanceof Deployment set) {
      Source source = Source.of(set, set.templateLabels(), set.template());
      addReplicas(set, source, owners.revisionOf(set), owners.missing(set), present, found);
    } else if (object instanceof DaemonSet set) {
      addDaemons(set, found);
    }
    return found;
  }

  private void addOrdinals(StatefulSet set, Set<String> present, List<PendingPod> found) {
    Source source = Source.of(set, set.templateLabels(), set.template());
    Map<String, String> revision = owners.revisionOf(set);
    int replicas = set.replicas();
    if (hasRoomFor(PodOwner.of(set), "replicas", replicas, set.template())) {
      for (int i = 0; i < replicas; i++) {
        long ordinal = (long) set.firstOrdinal() + i;
        String name = set.metadata().name() + "-" + ordinal;
        if (!present.contains(nameOf(set.metadata(), name))) {
          Map<String, String> own = new HashMap<>(revision);
          own.put("statefulset.kubernetes.io/pod-name", name);
          own.put("apps.kubernetes.io/pod-index", String.valueOf(ordinal));
          addPod(source, name, own, found);
        }
      }
    }
    gather(source, PodOwner.of(set).toString(), found, replicas - presentOf(set, present));
  }

  /** The number of pods of a set among the objects; each of them is added separately. */
  private static int presentOf(StatefulSet set, Set<String> present) {
    String prefix = nameOf(set.metadata(), set.metadata().name()) + "-";
    long first = set.firstOrdinal();
    if (set.replicas() <= present.size()) {
      return (int)
          LongStream.range(first, first + set.replicas())
              .filter(ordinal -> present.contains(prefix + ordinal))
              .count();
    }
    return (int) // if there are very many replicas, most are missing
        present.stream()
            .filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length()))
            .filter(ORDINAL.asMatchPredicate())
            .mapToLong(Long::parseLong)
            .filter(ordinal -> ordinal >= first && ordinal < first + set.replicas())
            .count();
  }

  private void addForJob(Job job, Set<String> present, List<PendingPod> found) {
    Source source = Source.of(job, job.templateLabels(), job.template());
    int missing = jobs.missing(job);
    if (hasRoomFor(PodOwner.of(job), "parallelism", missing, job.template())) {
      jobs.pods(job, missing, present)
          .forEach(pod -> addPod(source, pod.name(), pod.labels(), found));
    }
    gather(source, gangOf(PodOwner.of(job)), found, missing);
  }

  private void addReplicas(
      PodController set,
      Source source,
      Map<String, String> own,
      int missing,
      Set<String> present,
      List<PendingPod> found) {
    if (hasRoomFor(PodOwner.of(set), "replicas", missing, source.spec())) {
      addMissing(source, own, missing, present, found);
    }
    gather(source, "", found, missing);
  }

  /** Adds the missing pods. Their names end in numbers; the controller would use random letters. */
  private void addMissing(
      Source source,
      Map<String, String> own,
      int missing,
      Set<String> present,
      List<PendingPod> found) {
    int made = 0;
    for (int i = 0; made < missing; i++) {
      String name = source.metadata().name() + "-" + i;
      if (!present.contains(nameOf(source.metadata(), name))) {
        addPod(source, name, own, found);
        made++;
      }
    }
  }

  private void addDaemons(DaemonSet set, List<PendingPod> found) {
    List<Node> nodes = claimsOf(set.template()) == 0 ? List.of() : owners.nodesFor(set);
    if (hasRoomFor(PodOwner.of(set), "template", nodes.size(), set.template())) {
      for (Node node : nodes) {
        Source source =
            Source.of(set, set.templateLabels(), PodOwners.daemonOn(node, set.template()));
        addPod(source, set.metadata().name() + "-" + node.name(), owners.revisionOf(set), found);
      }
    }
    gather(Source.of(set, set.templateLabels(), set.template()), "", found, nodes.size());
  }

  /** The name of the set or job whose other pods a pod is placed with; empty if there is none. */
  private String gangOf(Pod pod) {
    String derived = gangs.getOrDefault(pod, "");
    return !derived.isEmpty()
        ? derived
        : owners.of(pod.metadata()).filter(PodOwner::isGang).map(this::gangOf).orElse("");
  }

  private String gangOf(PodOwner owner) {
    return ranks.getOrDefault(owner, owner.toString());
  }

  /**
   * Records pods that are placed together.
   *
   * @param owner their controller; empty if it is neither a set nor a job
   * @param found the pods that use claims
   * @param all the number of pods, if they use no claims
   */
  private void gather(Source source, String owner, List<PendingPod> found, int all) {
    boolean areClaimless = claimsOf(source.spec()) == 0;
    long pods = areClaimless ? Math.max(0, all) : found.size();
    together.gather(source, owner, found, pods);
    PodSpec spec = source.spec();
    String group = spec.podGroupName();
    if (areClaimless && pods > 0 && group != null && spec.nodeName().isEmpty()) {
      String name = nameOf(source.metadata(), source.metadata().name());
      PendingPod one = new PendingPod(name, spec, List.of(), source.labels());
      sources.put(one, source);
      together.gatherClaimless(source, group, one, pods);
    }
  }

  /** Whether there are claims of replicas within the limit; if so, counts them. */
  private boolean hasRoomFor(PodOwner owner, String field, int pods, PodSpec template) {
    long wanted = (long) Math.max(0, pods) * claimsOf(template);
    return hasRoomFor(owner, field, pods, wanted) && wanted > 0;
  }

  private boolean hasRoomFor(
      PodOwner owner, String field, List<Map.Entry<PodSpec, Long>> podsByTemplate) {
    long pods = 0;
    long wanted = 0;
    for (Map.Entry<PodSpec, Long> one : podsByTemplate) {
      int claimsOfEach = claimsOf(one.getKey());
      pods += claimsOfEach == 0 ? 0 : one.getValue();
      wanted += claimsOfEach * one.getValue();
    }
    return hasRoomFor(owner, field, pods, wanted);
  }

  private boolean hasRoomFor(PodOwner owner, String field, long pods, long wanted) {
    if (wanted > MAX_REPLICA_CLAIMS - replicaClaims) {
      problems.add(
          "%s: spec.%s: %d %s %d claims; at most %d of all sets together are placed here"
                  .formatted(
                      owner,
                      field,
                      pods,
                      pods == 1 ? "pod uses" : "pods use",
                      wanted,
                      MAX_REPLICA_CLAIMS)
              + "; use a smaller number, or fewer objects at a time");
      return false;
    }
    replicaClaims += wanted;
    return true;
  }

  private void addPod(Source source, String podName, List<PendingPod> found) {
    addPod(source, podName, Map.of(), found);
  }

  /** Adds a pod if it uses claims and can be placed; {@code own} are its additional labels. */
  private void addPod(
      Source source, String podName, Map<String, String> own, List<PendingPod> found) {
    List<ClaimKey> needed = claims.of(source, podName);
    if (needed != null && !needed.isEmpty()) {
      Map<String, String> labels = source.labels();
      if (!own.isEmpty()) {
        labels = new HashMap<>(labels);
        labels.putAll(own);
      }
      PendingPod pod =
          new PendingPod(nameOf(source.metadata(), podName), source.spec(), needed, labels);
      sources.put(pod, source);
      found.add(pod);
      noteAwaited(source, pod);
      noteUnbindable(source, pod);
    }
  }

  /**
   * Reports a node on which kube-scheduler fails to bind a pod with claims: it creates an empty
   * special claim if device plugins provide all extended resources of the pod ({@code
   * patchPodExtendedResourceClaimStatus} of the plugin {@code dynamicresources}, Kubernetes
   * 1.37.2).
   */
  private void noteUnbindable(Source source, PendingPod pod) {
    PodSpec spec = pod.spec();
    if (spec.resourceClaims().isEmpty()
        || !spec.nodeName().isEmpty()
        || !extended.isAskedBy(spec)) {
      return;
    }
    nodes.stream()
        .filter(node -> extended.ofDevices(spec, node).isEmpty())
        .findFirst()
        .ifPresent(
            node ->
                notes.add(
                    "%skube-scheduler 1.37 cannot bind a pod with claims to a node whose device plugins provide all of its extended resources, such as node %s"
                        .formatted(source.at("resourceClaims"), node.name())));
  }

  /** Reports the devices for which a pod waits although its claims are allocated. */
  private void noteAwaited(Source source, PendingPod pod) {
    for (ClaimKey key : pod.spec().nodeName().isEmpty() ? pod.claims() : List.<ClaimKey>of()) {
      ResourceClaim claim = claims.all().get(key);
      DeviceRequestAllocationResult awaited =
          claim == null ? null : DynamicResources.awaited(claim);
      if (awaited != null) {
        notes.add(
            "%sResourceClaim %s is allocated, and the pod waits until its device %s has the"
                    .formatted(source.at("resourceClaims"), key, awaited.deviceId())
                + " conditions %s; after 10 minutes kube-scheduler releases the claim"
                    .formatted(String.join(", ", awaited.bindingConditions())));
      }
    }
  }

  /**
   * Whether no scheduler allocates a claim for a pod: the pod has a node. A claim that the status
   * of the pod names and that is not among the objects may be allocated.
   */
  boolean isLeftUnallocated(PendingPod pod, ClaimKey key) {
    Source source = sources.get(pod);
    return source != null
        && !pod.spec().nodeName().isEmpty()
        && (source.claimNames().isEmpty() || !claims.isMade(key));
  }

  private static String nameOf(ObjectMeta inNamespaceOf, String podName) {
    return inNamespaceOf.namespaceOrDefault() + "/" + podName;
  }
}
