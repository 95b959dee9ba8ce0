package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.StatefulSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a cluster that use claims, in the order of its objects, and all claims.
 *
 * <p>Does what Kubernetes' controllers would have done by the time a scheduler sees the pods:
 *
 * <ul>
 *   <li>a stateful set has its pods, unless a pod of that name is among the objects: then this is
 *       it; a job has as many pods as run at a time at its start, less those of its own that are
 *       among the objects;
 *   <li>an entry with a template has its claim, named {@code POD-ENTRY} unless the pod's status
 *       names it;
 *   <li>a pod that has ended is not placed, and a claim that was reserved for such pods only, or
 *       made for one, has no allocation any more (kube-controller-manager, {@code
 *       pkg/controller/resourceclaim}: the reservation goes with the pod, and with the last of them
 *       the allocation). A stateful set replaces its pods that have ended.
 * </ul>
 *
 * <p>A pending claim that no pod uses is placed as if a pod of its own did.
 */
public final class PodQueue {

  /** On a claim made for a pod: the entry of the pod that it was made for. */
  private static final String ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name";

  /** More entries of replicas of stateful sets, all together, are not made into claims. */
  private static final int MAX_REPLICA_CLAIMS = 100_000;

  /** References that lead nowhere; of more only their number is told. */
  private static final int MAX_PROBLEMS = 200;

  private static final int[] NO_PODS = {0, 0};

  private final Map<ClaimKey, ResourceClaim> claims = new LinkedHashMap<>();
  private final Map<ClaimKey, ResourceClaimTemplate> templates = new HashMap<>();
  private final Map<ClaimKey, PodGroup> groups = new HashMap<>();
  private final Map<String, List<PodToPlace>> together = new LinkedHashMap<>();
  private final Map<String, PodGroup> groupOf = new HashMap<>();
  private final Map<String, Long> podsTogether = new HashMap<>(); // those without claims, too
  private final Map<ClaimKey, int[]> podsOfJobs = new HashMap<>(); // not ended, succeeded
  private final Set<ClaimKey> made = new HashSet<>();
  private final Set<ClaimKey> referenced = new HashSet<>();
  private final List<PodToPlace> pods = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int moreProblems;
  private long replicaClaims; // at most, of the stateful sets so far

  private PodQueue(Iterable<? extends KubernetesObject> objects) {
    FinishedPods finished = FinishedPods.of(objects);
    Set<String> present = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof ResourceClaim claim) {
        claims.put(ClaimKey.of(claim), finished.withoutThem(claim));
      } else if (object instanceof ResourceClaimTemplate template) {
        templates.put(ClaimKey.of(template.metadata(), template.metadata().name()), template);
      } else if (object instanceof PodGroup group) {
        groups.put(ClaimKey.of(group.metadata(), group.metadata().name()), group);
      } else if (object instanceof Pod pod) {
        if (!pod.phase().isTerminal()) {
          present.add(nameOf(pod.metadata(), pod.metadata().name()));
        }
        countForJob(pod);
      }
    }
    referenced.addAll(finished.claims());
    Map<Integer, List<PodToPlace>> byObject = new HashMap<>();
    int place = 0;
    for (KubernetesObject object : objects) {
      List<PodToPlace> ofObject = podsOf(object, present);
      ofObject.forEach(pod -> referenced.addAll(pod.claims()));
      byObject.put(place++, ofObject);
    }
    place = 0;
    for (KubernetesObject object : objects) {
      pods.addAll(byObject.getOrDefault(place++, List.of()));
      if (object instanceof ResourceClaim claim) {
        addUnused(ClaimKey.of(claim));
      }
    }
    if (moreProblems > 0) {
      problems.add(
          "and "
              + moreProblems
              + (moreProblems == 1 ? " more problem" : " more problems")
              + " of pods");
    }
  }

  /**
   * Makes the queue of a cluster.
   *
   * @param objects the pods, stateful sets, jobs, PodGroups, claims and templates of the cluster;
   *     others do not matter
   * @return the pods that use claims, in the order of the objects
   */
  public static PodQueue of(Iterable<? extends KubernetesObject> objects) {
    Objects.requireNonNull(objects, "objects: want a list, got null");
    for (KubernetesObject object : objects) {
      Objects.requireNonNull(object, "objects: want objects, got null among them");
    }
    return new PodQueue(objects);
  }

  /**
   * Returns the pods in the order in which they are to be placed.
   *
   * @return the pods; those without claims are left out
   */
  public List<PodToPlace> pods() {
    return Collections.unmodifiableList(pods);
  }

  /**
   * Returns all claims by their keys.
   *
   * @return the claims of the cluster in their order, without the allocations that ended with their
   *     pods, then those made from templates
   */
  public Map<ClaimKey, ResourceClaim> claims() {
    return Collections.unmodifiableMap(claims);
  }

  /**
   * Returns the pods that belong together: those of a PodGroup, unless it says that it is no gang;
   * else those of one stateful set or one job.
   *
   * @return the gangs, in the order of their first pods
   */
  public List<Gang> gangs() {
    List<Gang> gangs = new ArrayList<>();
    together.forEach(
        (name, members) -> {
          PodGroup group = groupOf.get(name);
          if (group == null) {
            gangs.add(new Gang(name, members, members.size(), List.of()));
          } else if (group.minCount() != null) {
            long others = podsTogether.getOrDefault(name, 0L) - members.size(); // use no claims
            int minCount = (int) Math.max(1, group.minCount() - others);
            gangs.add(new Gang(name, members, minCount, group.topologyKeys()));
          }
        });
    return List.copyOf(gangs);
  }

  /**
   * Tells whether a claim was made here from a template.
   *
   * @param key the key of the claim
   * @return whether the claim was not among the objects
   */
  public boolean isMade(ClaimKey key) {
    return made.contains(key);
  }

  /**
   * Returns what is wrong with pods that cannot be placed: they refer to claims and templates that
   * do not exist, or are too many.
   *
   * @return a line for each; a last one counts what is beyond 200
   */
  public List<String> problems() {
    return Collections.unmodifiableList(problems);
  }

  private void addUnused(ClaimKey key) {
    ResourceClaim claim = claims.get(key);
    if (claim != null && claim.allocation() == null && referenced.add(key)) {
      pods.add(new PodToPlace(key.toString(), PodSpec.ANYWHERE, List.of(key)));
    }
  }

  private List<PodToPlace> podsOf(KubernetesObject object, Set<String> present) {
    List<PodToPlace> found = new ArrayList<>();
    if (object instanceof Pod pod && !pod.phase().isTerminal()) {
      addPod(pod.metadata(), pod.metadata().name(), pod.spec(), pod.resourceClaimNames(), found);
      gather(pod.metadata(), pod.spec(), ownerOf(pod), found, 1);
    } else if (object instanceof StatefulSet set) {
      int replicas = set.replicas();
      if (hasRoomFor("StatefulSet", "replicas", set.metadata(), replicas, set.template())) {
        for (int i = 0; i < replicas; i++) {
          String name = set.metadata().name() + "-" + ((long) set.firstOrdinal() + i);
          if (!present.contains(nameOf(set.metadata(), name))) {
            addPod(set.metadata(), name, set.template(), Map.of(), found);
          }
        }
      }
      gather(
          set.metadata(), set.template(), "StatefulSet/" + set.metadata().name(), found, replicas);
    } else if (object instanceof Job job) {
      int[] known = podsOfJobs.getOrDefault(keyOf(job.metadata(), job.metadata().name()), NO_PODS);
      Integer completions = job.completions();
      int wanted = completions == null ? job.pods() : Math.min(job.pods(), completions - known[1]);
      if (completions == null && known[1] > 0) {
        wanted = 0; // one that succeeds is enough, and no more pods are made then
      }
      int missing = Math.max(0, wanted - known[0]);
      if (hasRoomFor("Job", "parallelism", job.metadata(), missing, job.template())) {
        int made = 0;
        for (int i = 0; made < missing; i++) {
          String name = job.metadata().name() + "-" + i;
          if (!present.contains(nameOf(job.metadata(), name))) {
            addPod(job.metadata(), name, job.template(), Map.of(), found);
            made++;
          }
        }
      }
      gather(job.metadata(), job.template(), "Job/" + job.metadata().name(), found, missing);
    }
    return found;
  }

  private static ClaimKey keyOf(ObjectMeta inNamespaceOf, String name) {
    return ClaimKey.of(inNamespaceOf, name);
  }

  private void countForJob(Pod pod) {
    for (OwnerReference owner : pod.metadata().ownerReferences()) {
      if (owner.kind().equals("Job") && owner.controller()) {
        int[] counts =
            podsOfJobs.computeIfAbsent(
                keyOf(pod.metadata(), owner.name()), any -> new int[] {0, 0});
        counts[0] += pod.phase().isTerminal() ? 0 : 1;
        counts[1] += pod.phase().equals(PodPhase.SUCCEEDED) ? 1 : 0;
      }
    }
  }

  /** The controller of a pod, as {@code kind/name}; empty if it is no set and no job. */
  private static String ownerOf(Pod pod) {
    for (OwnerReference owner : pod.metadata().ownerReferences()) {
      if (owner.controller()
          && (owner.kind().equals("StatefulSet") || owner.kind().equals("Job"))) {
        return owner.kind() + "/" + owner.name();
      }
    }
    return "";
  }

  /**
   * Notes with whom pods are placed.
   *
   * @param owner their controller, as {@code kind/name}; empty if it is no set and no job
   * @param found those that use claims
   * @param all how many there are, if they use none
   */
  private void gather(ObjectMeta of, PodSpec spec, String owner, List<PodToPlace> found, int all) {
    String group = spec.podGroupName();
    if (group == null && owner.isEmpty()) {
      return;
    }
    int slash = owner.indexOf('/');
    String name =
        group != null
            ? "PodGroup " + nameOf(of, group)
            : owner.substring(0, slash) + " " + nameOf(of, owner.substring(slash + 1));
    long pods = spec.resourceClaims().isEmpty() ? Math.max(0, all) : found.size();
    podsTogether.merge(name, pods, Long::sum);
    if (found.isEmpty()) {
      return;
    }
    together.computeIfAbsent(name, any -> new ArrayList<>()).addAll(found);
    PodGroup known = group == null ? null : groups.get(keyOf(of, group));
    if (known != null) {
      groupOf.put(name, known);
    }
  }

  /** Whether the claims of replicas are few enough; if so they are counted. */
  private boolean hasRoomFor(
      String kind, String field, ObjectMeta metadata, int pods, PodSpec template) {
    long wanted = (long) Math.max(0, pods) * template.resourceClaims().size();
    if (wanted > MAX_REPLICA_CLAIMS - replicaClaims) {
      problem(
          "%s %s: spec.%s: %d %s %d claims; at most %d are placed here of all sets together"
              .formatted(
                  kind,
                  metadata.name(),
                  field,
                  pods,
                  pods == 1 ? "pod uses" : "pods use",
                  wanted,
                  MAX_REPLICA_CLAIMS));
      return false;
    }
    replicaClaims += wanted;
    return wanted > 0;
  }

  private void addPod(
      ObjectMeta owner,
      String podName,
      PodSpec spec,
      Map<String, String> claimNames,
      List<PodToPlace> found) {
    Set<ClaimKey> needed = new LinkedHashSet<>();
    for (PodResourceClaim entry : spec.resourceClaims()) {
      // What a pod names itself is used as it is, whatever its status says.
      String known = entry.resourceClaimName() != null ? null : claimNames.get(entry.name());
      if (known != null && known.isEmpty()) {
        continue; // the controller decided that the pod needs no claim for this entry
      }
      String shared = known != null ? null : sharedClaim(owner, spec, entry);
      ClaimKey key =
          ClaimKey.of(
              owner, known != null ? known : shared != null ? shared : claimName(podName, entry));
      if (!claims.containsKey(key) && !make(key, owner, podName, entry)) {
        return;
      }
      needed.add(key);
    }
    if (!needed.isEmpty()) {
      found.add(new PodToPlace(nameOf(owner, podName), spec, List.copyOf(needed)));
    }
  }

  private static String nameOf(ObjectMeta inNamespaceOf, String podName) {
    return inNamespaceOf.namespaceOrDefault() + "/" + podName;
  }

  /**
   * The claim that the pod's group has for an entry, {@code null} if it has none: all fields have
   * to be equal ({@code PodGroupSpec.ResourceClaims}, KEP-5729).
   */
  private @Nullable String sharedClaim(ObjectMeta owner, PodSpec spec, PodResourceClaim entry) {
    String groupName = spec.podGroupName();
    PodGroup group = groupName == null ? null : groups.get(keyOf(owner, groupName));
    if (group == null
        || entry.resourceClaimTemplateName() == null
        || !group.resourceClaims().contains(entry)) {
      return null;
    }
    String known = group.resourceClaimNames().get(entry.name());
    return known == null || known.isEmpty() ? groupName + "-" + entry.name() : known;
  }

  private static String claimName(String podName, PodResourceClaim entry) {
    return entry.resourceClaimName() != null
        ? entry.resourceClaimName()
        : podName + "-" + entry.name();
  }

  /** Makes a claim from the entry's template, or notes why that is impossible. */
  private boolean make(ClaimKey key, ObjectMeta owner, String podName, PodResourceClaim entry) {
    String path =
        "pod %s: spec.resourceClaims[%s]: ".formatted(nameOf(owner, podName), entry.name());
    if (entry.resourceClaimName() != null || entry.resourceClaimTemplateName() == null) {
      problem(
          entry.resourceClaimName() == null
              ? path + "names neither a claim nor a template"
              : path + "no ResourceClaim " + key);
      return false;
    }
    ClaimKey templateKey = ClaimKey.of(owner, entry.resourceClaimTemplateName());
    ResourceClaimTemplate template = templates.get(templateKey);
    if (template == null) {
      problem(path + "no ResourceClaimTemplate " + templateKey);
      return false;
    }
    ResourceClaim claim = template.instantiate(key.name());
    ObjectMeta metadata =
        claim.metadata().toBuilder()
            .namespace(key.namespace())
            .annotation(ENTRY_ANNOTATION, entry.name())
            .build();
    claims.put(key, claim.toBuilder().metadata(metadata).build());
    made.add(key);
    return true;
  }

  private void problem(String line) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(line);
    } else {
      moreProblems++;
    }
  }
}
