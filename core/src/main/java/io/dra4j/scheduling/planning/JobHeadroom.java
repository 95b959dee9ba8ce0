package io.dra4j.scheduling.planning;

import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Deployment;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.StatefulSet;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
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
 * How many more of a whole job fit, each placed where the run would place it, until the pods of the
 * next one do not all fit. Another order of other jobs could leave room for more; this is what a
 * cluster gets that is given the job again and again.
 *
 * @param more how many whole jobs fit besides those that there are
 * @param podsOfEach how many pods with claims one of them has; 0 if it has none
 * @param podsByNode how many of their pods each node takes, in the order in which they came
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
   * Returns whether copies of an object can be counted.
   *
   * @param object an object of a cluster
   * @return whether it is a Pod, or makes pods whose number does not depend on the nodes
   */
  public static boolean isJob(KubernetesObject object) {
    Objects.requireNonNull(object, "object: want an object, got null");
    return object instanceof Pod
        || object instanceof StatefulSet
        || object instanceof Job
        || object instanceof Deployment
        || object instanceof ReplicaSet;
  }

  /**
   * Counts how many more of a job fit.
   *
   * @param run places the pods; without a budget of its own
   * @param objects the objects of the cluster
   * @param claims the claims as they are before the first copy comes, with the allocations that the
   *     inventory knows
   * @param inventory the nodes and devices before the first copy comes; not changed
   * @param job the job, see {@link #isJob}; its status does not matter
   * @param limit the most copies that are counted, 1 or more
   * @return how many fit
   * @throws IllegalArgumentException if the object is no job, or the limit is less than 1
   */
  public static JobHeadroom of(
      ClusterRun run,
      Collection<? extends KubernetesObject> objects,
      Map<ClaimKey, ResourceClaim> claims,
      DeviceInventory inventory,
      KubernetesObject job,
      int limit) {
    Objects.requireNonNull(run, "run: want ClusterRun.with(...), got null");
    Objects.requireNonNull(objects, "objects: want the objects of a cluster, got null");
    Objects.requireNonNull(claims, "claims: want a map, got null");
    Objects.requireNonNull(inventory, "inventory: want the devices of a cluster, got null");
    Objects.requireNonNull(job, "job: want an object of the cluster, got null");
    if (!isJob(job)) {
      throw new IllegalArgumentException("job: want a Pod or an object that makes pods");
    } else if (limit < 1) {
      throw new IllegalArgumentException("limit: want 1 or more, got " + limit);
    }
    return new Count(run, context(objects, claims, job), job).count(inventory, limit);
  }

  /** What the pods of the job refer to; all else is in the inventory. */
  private static List<KubernetesObject> context(
      Collection<? extends KubernetesObject> objects,
      Map<ClaimKey, ResourceClaim> claims,
      KubernetesObject job) {
    List<KubernetesObject> context = new ArrayList<>();
    for (KubernetesObject object : objects) {
      if (object instanceof ResourceClaimTemplate
          || object instanceof PodGroup
          || object instanceof Node) {
        context.add(object);
      }
    }
    Set<ClaimKey> named = new HashSet<>();
    for (PodResourceClaim entry : specOf(job).resourceClaims()) {
      if (entry.resourceClaimName() != null) {
        ClaimKey key = ClaimKey.of(job.metadata(), entry.resourceClaimName());
        ResourceClaim claim = claims.get(key);
        if (claim != null && named.add(key)) {
          context.add(claim);
        }
      }
    }
    return context;
  }

  private static PodSpec specOf(KubernetesObject job) {
    if (job instanceof Pod pod) {
      return pod.spec();
    } else if (job instanceof StatefulSet set) {
      return set.template();
    } else if (job instanceof Job one) {
      return one.template();
    } else if (job instanceof Deployment deployment) {
      return deployment.template();
    }
    return ((ReplicaSet) job).template();
  }

  /** The counting, run after run. */
  private static final class Count {

    private final ClusterRun run;
    private final List<KubernetesObject> context;
    private final KubernetesObject job;
    private final Map<String, Integer> podsByNode = new LinkedHashMap<>();
    private int made;
    private int more;
    private int podsOfEach;
    private @Nullable PodOutcome refused;

    Count(ClusterRun run, List<KubernetesObject> context, KubernetesObject job) {
      this.run = run;
      this.context = new ArrayList<>(context);
      this.job = job;
    }

    JobHeadroom count(DeviceInventory inventory, int limit) {
      DeviceInventory current = inventory;
      int batch = 1;
      while (more < limit && refused == null) {
        current = place(Math.min(batch, limit - more), current);
        if (podsOfEach == 0) {
          return new JobHeadroom(0, 0, Map.of(), Optional.empty());
        }
        batch = Math.max(1, Math.min(batch * 2, PODS_OF_RUN / podsOfEach));
      }
      return new JobHeadroom(more, podsOfEach, podsByNode, Optional.ofNullable(refused));
    }

    /** Places some copies; what the whole ones among them got is in use after that. */
    private DeviceInventory place(int copies, DeviceInventory inventory) {
      List<KubernetesObject> objects = new ArrayList<>(context);
      for (int i = 0; i < copies; i++) {
        objects.add(copy(job, ++made));
      }
      PodQueue queue = PodQueue.of(objects);
      AtomicBoolean ends = new AtomicBoolean(); // after the first pod without a node
      ClusterOutcome outcome =
          run.withBudget(Budget.unlimited().orUntil(ends::get))
              .withObserver(pod -> ends.compareAndSet(false, !(pod instanceof PodOutcome.Placed)))
              .place(queue, inventory);
      podsOfEach = queue.pods().size() / copies;
      List<ResourceClaim> got = new ArrayList<>();
      for (int i = 0; i < copies && refused == null && podsOfEach > 0; i++) {
        take(outcome.pods().subList(i * podsOfEach, (i + 1) * podsOfEach), got);
      }
      keepNamed(outcome);
      return inventory.with(got);
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

    private static KubernetesObject copy(KubernetesObject job, int number) {
      ObjectMeta metadata =
          job.metadata().toBuilder()
              .name(job.metadata().name() + "-more-" + number)
              .uid(null)
              .deletionTimestamp(null)
              .ownerReferences(List.of())
              .build();
      if (job instanceof Pod pod) {
        return pod.toBuilder()
            .metadata(metadata)
            .spec(pod.spec().toBuilder().nodeName("").build())
            .resourceClaimNames(Map.of())
            .phase(PodPhase.UNSET)
            .build();
      } else if (job instanceof StatefulSet set) {
        return set.toBuilder().metadata(metadata).build();
      } else if (job instanceof Job one) {
        return one.toBuilder()
            .metadata(metadata)
            .succeeded(0)
            .suspended(false)
            .conditions(List.of())
            .build();
      } else if (job instanceof Deployment deployment) {
        return new ReplicaSet( // which the Deployment would make
            metadata, deployment.replicas(), deployment.templateLabels(), deployment.template());
      }
      ReplicaSet set = (ReplicaSet) job;
      return new ReplicaSet(metadata, set.replicas(), set.templateLabels(), set.template());
    }
  }
}
