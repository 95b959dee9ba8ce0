package io.dra4j.scheduling.planning;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Deployment;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceQuota;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.Workload;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodGroups;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The number of further copies of a whole job that fit. Each copy is placed where the run would
 * place it, until the pods of the next copy do not all fit. This corresponds to a cluster that gets
 * the job again and again; with another order of jobs there could be room for more.
 *
 * @param more the number of whole jobs that fit in addition to the existing ones
 * @param podsOfEach the number of pods with claims of one copy; 0 if none of their claims requests
 *     devices, so that any number fits
 * @param podsByNode the number of their pods on each node, in the order of their placement
 * @param limit the first pod that has no node, of the first job that does not fit; empty if as many
 *     jobs fit as were asked about
 */
public record JobHeadroom(
    int more, int podsOfEach, Map<String, Integer> podsByNode, Optional<PodOutcome> limit) {

  /** So many pods are tried in one run, unless one job has more. */
  private static final int PODS_OF_RUN = 4_096;

  /** Copies the map, keeping its order. {@inheritDoc} */
  public JobHeadroom {
    podsByNode = Collections.unmodifiableMap(new LinkedHashMap<>(podsByNode));
  }

  /**
   * {@return whether the object is a Pod, or makes pods whose number does not depend on the nodes}
   *
   * @param object an object of a cluster; copies can be counted if the result is true
   */
  public static boolean isJob(KubernetesObject object) {
    Objects.requireNonNull(object, "object");
    return object instanceof Pod
        || object instanceof StatefulSet
        || object instanceof Job
        || object instanceof Deployment
        || object instanceof ReplicaSet
        || object instanceof MPIJob
        || object instanceof JobSet
        || object instanceof LeaderWorkerSet;
  }

  /**
   * {@return the further copies of a job that fit}
   *
   * @param run places the pods; its budget is for all copies together, and once it is used up, the
   *     first pod without an answer is the limit
   * @param objects the objects of the cluster
   * @param before the outcome of the existing pods; the inventory has their devices in use
   * @param inventory the nodes and devices before the first copy comes; not changed
   * @param job the job, see {@link #isJob}; its status does not matter
   * @param limit the most copies that are counted, 1 or more
   * @throws IllegalArgumentException if the object is no job, or the limit is less than 1
   */
  public static JobHeadroom of(
      ClusterRun run,
      Collection<? extends KubernetesObject> objects,
      ClusterOutcome before,
      DeviceInventory inventory,
      KubernetesObject job,
      int limit) {
    Objects.requireNonNull(run, "run");
    Objects.requireNonNull(objects, "objects");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(job, "job");
    if (!isJob(job)) {
      throw new IllegalArgumentException("job: expected a Pod or an object that makes pods");
    } else if (limit < 1) {
      throw new IllegalArgumentException("limit: expected 1 or more, found " + limit);
    }
    PodQueue queue = PodQueue.of(objects);
    List<Pod> pods = objects.stream().filter(Pod.class::isInstance).map(Pod.class::cast).toList();
    return new Count(run, context(queue, objects, before, job), pods, job)
        .count(inventory, limit, queue);
  }

  /** What the pods of the job refer to, and the pods on nodes; all else is in the inventory. */
  private static List<KubernetesObject> context(
      PodQueue queue,
      Collection<? extends KubernetesObject> objects,
      ClusterOutcome before,
      KubernetesObject job) {
    List<KubernetesObject> context = new ArrayList<>(queue.quotas());
    for (KubernetesObject object : objects) {
      if (object instanceof ResourceClaimTemplate
          || object instanceof DeviceClass
          || object instanceof Workload
          || object instanceof Node) {
        context.add(object);
      } else if (object instanceof PodGroup group) {
        context.add(group.toBuilder().parentName(null).build()); // copies have no siblings
      } else if (object instanceof Pod pod
          && !pod.spec().nodeName().isEmpty()
          && !pod.phase().isTerminal()) {
        context.add(pod.toBuilder().spec(onNode(pod.spec(), pod.spec().nodeName())).build());
      }
    }
    Set<ClaimKey> unused = new HashSet<>(); // each has an invented pod
    queue.pods().stream()
        .filter(pod -> !queue.isPod(pod))
        .forEach(pod -> unused.addAll(pod.claims()));
    for (PodOutcome pod : before.pods()) {
      if (pod instanceof PodOutcome.Placed placed && !unused.containsAll(placed.pod().claims())) {
        addPlaced(placed, context);
      }
    }
    Map<ClaimKey, ResourceClaim> claims = before.claims();
    Set<ClaimKey> named = new HashSet<>();
    for (PodSpec spec : JobCopies.specsOf(job)) {
      for (PodResourceClaim entry : spec.resourceClaims()) {
        if (entry.resourceClaimName() != null) {
          ClaimKey key = ClaimKey.of(job.metadata(), entry.resourceClaimName());
          ResourceClaim claim = claims.get(key);
          if (claim != null && named.add(key)) {
            context.add(claim);
          }
        }
      }
    }
    return context;
  }

  private static void addPlaced(PodOutcome.Placed placed, List<KubernetesObject> context) {
    PendingPod pod = placed.pod();
    if (pod.spec().nodeName().isEmpty()) { // else it is there already
      int slash = pod.name().indexOf('/');
      ObjectMeta metadata =
          ObjectMeta.named(pod.name().substring(0, slash), pod.name().substring(slash + 1));
      context.add(
          Pod.named(metadata.namespaceOrDefault(), metadata.name())
              .metadata(metadata.toBuilder().labels(pod.labels()).build())
              .spec(onNode(pod.spec(), placed.node()))
              .nodeAllocatableClaims(placed.nodeAllocatableClaims())
              .build());
    }
  }

  /** The specification of a pod on a node, without its claims, for the filters of other pods. */
  private static PodSpec onNode(PodSpec spec, String node) {
    return spec.toBuilder().nodeName(node).resourceClaims(List.of()).build();
  }

  /** The counting, run after run. */
  private static final class Count {

    private final ClusterRun run;
    private final List<KubernetesObject> context;
    private final List<Pod> pods; // for which claims of the context may be reserved
    private final KubernetesObject job;
    private final JobCopies jobCopies;
    private final Map<String, Integer> podsByNode = new LinkedHashMap<>();
    private int made;
    private int more;
    private int podsOfEach;
    private @Nullable PodOutcome refused;

    Count(ClusterRun run, List<KubernetesObject> context, List<Pod> pods, KubernetesObject job) {
      this.run = run;
      this.context = new ArrayList<>(context);
      this.pods = pods;
      this.job = job;
      this.jobCopies = new JobCopies(job, PodGroups.of(context));
    }

    /** Counts up to a limit, or to the consumers that the claims of a queue can still have. */
    JobHeadroom count(DeviceInventory inventory, int limit, PodQueue before) {
      PodQueue first = copyOfUnreserved(1);
      podsOfEach = requestsDevices(first) ? first.pods().size() : 0;
      if (podsOfEach == 0) {
        return new JobHeadroom(0, 0, Map.of(), Optional.empty());
      }
      ClaimKey scarce = null;
      int most = limit;
      for (Map.Entry<ClaimKey, Integer> users : usersOfNamed(first).entrySet()) {
        int free = ResourceClaimStatus.MAX_CONSUMERS - before.consumers(users.getKey());
        int copies = Math.max(0, free) / users.getValue();
        if (copies < most) {
          most = copies;
          scarce = users.getKey();
        }
      }
      DeviceInventory current = inventory;
      int batch = 1;
      while (more < most && refused == null) {
        current = place(Math.min(batch, most - more), current);
        // pods of several priorities would not come copy after copy
        int podsOfRun =
            JobCopies.specsOf(job).stream().map(PodSpec::priority).distinct().count() > 1
                ? 1
                : PODS_OF_RUN;
        batch = Math.max(1, Math.min(batch * 2, podsOfRun / podsOfEach));
      }
      if (refused == null && scarce != null) {
        refused = withoutReservation(scarce);
      }
      return new JobHeadroom(more, podsOfEach, podsByNode, Optional.ofNullable(refused));
    }

    /** A copy of the job whose named claims are reserved for no others. */
    private PodQueue copyOfUnreserved(int number) {
      List<KubernetesObject> objects = new ArrayList<>();
      for (KubernetesObject object : context) {
        objects.add(
            object instanceof ResourceClaim claim
                ? new ResourceClaim(
                    claim.metadata(),
                    claim.spec(),
                    new ResourceClaimStatus(
                        claim.allocation(), List.of(), claim.status().devices()))
                : object);
      }
      objects.addAll(jobCopies.of(number));
      return PodQueue.of(objects, claim -> true, pods);
    }

    /** How many pods of a copy use each of the claims that all copies share. */
    private Map<ClaimKey, Integer> usersOfNamed(PodQueue copy) {
      Map<ClaimKey, Integer> users = new LinkedHashMap<>();
      for (KubernetesObject object : context) {
        if (object instanceof ResourceClaim claim) {
          ClaimKey key = ClaimKey.of(claim);
          long number = copy.pods().stream().filter(pod -> pod.claims().contains(key)).count();
          if (number > 0) {
            users.put(key, (int) number);
          }
        }
      }
      return users;
    }

    /** The first pod of the next copy for which a claim cannot be reserved. */
    private PodOutcome withoutReservation(ClaimKey claim) {
      PendingPod pod =
          copyOfUnreserved(made + 1).pods().stream()
              .filter(one -> one.claims().contains(claim))
              .findFirst()
              .orElseThrow();
      String error =
          "ResourceClaim %s can be reserved for %d pods and groups, and has no room for a further copy of the job"
              .formatted(claim, ResourceClaimStatus.MAX_CONSUMERS);
      return new PodOutcome.Rejected(
          pod, "", new AllocationOutcome.Rejected(RejectionReason.CLAIM, error));
    }

    /** Places some copies; what the whole ones among them got is in use after that. */
    private DeviceInventory place(int copies, DeviceInventory inventory) {
      List<KubernetesObject> objects = new ArrayList<>(context);
      for (int i = 0; i < copies; i++) {
        objects.addAll(jobCopies.of(++made));
      }
      PodQueue queue = PodQueue.of(objects, claim -> true, pods);
      AtomicBoolean ends = new AtomicBoolean(); // after the first pod without a node
      ClusterOutcome outcome =
          run.toBuilder()
              .orUntil(ends::get)
              .observer(pod -> ends.compareAndSet(false, !(pod instanceof PodOutcome.Placed)))
              .build()
              .place(queue, inventory);
      List<ResourceClaim> got = new ArrayList<>();
      for (int i = 0; i < copies && refused == null; i++) {
        take(outcome.pods().subList(i * podsOfEach, (i + 1) * podsOfEach), got);
      }
      keepNamed(outcome);
      context.removeIf(ResourceQuota.class::isInstance);
      context.addAll(queue.quotas());
      return inventory.with(got);
    }

    private static boolean requestsDevices(PodQueue queue) {
      return queue.pods().stream()
          .flatMap(pod -> pod.claims().stream())
          .map(queue.claims()::get)
          .anyMatch(claim -> claim != null && !claim.spec().requests().isEmpty());
    }

    /** Counts a copy if all of its pods have nodes. */
    private void take(List<PodOutcome> pods, List<ResourceClaim> got) {
      for (PodOutcome pod : pods) {
        if (!(pod instanceof PodOutcome.Placed)) {
          refused = pod;
          return;
        }
      }
      more++;
      for (PodOutcome pod : pods) {
        PodOutcome.Placed placed = (PodOutcome.Placed) pod;
        podsByNode.merge(placed.node(), 1, Integer::sum);
        addPlaced(placed, context);
        placed.allocations().stream().map(ClaimAllocation::allocatedClaim).forEach(got::add);
      }
    }

    /** A claim that all copies share is allocated after the first one. */
    private void keepNamed(ClusterOutcome outcome) {
      context.replaceAll(
          object ->
              object instanceof ResourceClaim claim
                  ? Objects.requireNonNullElse(outcome.claims().get(ClaimKey.of(claim)), claim)
                  : object);
    }
  }
}
